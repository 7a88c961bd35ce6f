/// Why a command ends without success: one clear line with a hint, and the exit code.
struct CommandFailure: Error {
    /// The exit codes of the program.
    enum Code: Int32 {
        /// The query has no answer.
        case noAnswer = 1
        /// The command line or the input is wrong.
        case badUsage = 2
        /// The environment failed: a disk, a permission.
        case environment = 3
    }

    let code: Code
    let text: String

    /// A failure because the input is invalid.
    static func badInput(_ text: String) -> CommandFailure {
        CommandFailure(code: .badUsage, text: text)
    }

    /// A failure because no answer exists.
    static func noAnswer(_ text: String) -> CommandFailure {
        CommandFailure(code: .noAnswer, text: text)
    }
}
