import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What the program says to people while it works.
enum Console {
    /// Writes an error as one line.
    static func error(_ text: String) {
        write("viavai: \(text)\n", to: FileHandle.standardError)
    }

    /// Writes a line of information that is not the answer itself.
    static func note(_ text: String) {
        write(text + "\n", to: FileHandle.standardError)
    }

    /// Writes the answer.
    static func answer(_ text: String) {
        write(text, to: FileHandle.standardOutput)
    }

    /// Whether a person is watching: progress is shown on a terminal and silent in a pipe.
    static var isWatched: Bool { isatty(STDERR_FILENO) == 1 }

    private static func write(_ text: String, to handle: FileHandle) {
        // Whoever closed the pipe does not want the rest.
        try? handle.write(contentsOf: Data(text.utf8))
    }
}

/// A line on the terminal that says how far long work has come.
struct ProgressLine {
    private static let width = 24
    private let total: Int
    private var done = 0

    /// Progress over a known number of steps.
    init(steps total: Int) {
        self.total = max(1, total)
    }

    /// Says what is being done now, the next step.
    mutating func next(_ text: String) {
        guard Console.isWatched else { return }
        let filled = min(Self.width, done * Self.width / total)
        let bar =
            String(repeating: "█", count: filled)
            + String(repeating: "░", count: Self.width - filled)
        try? FileHandle.standardError.write(
            contentsOf: Data("\r\u{1B}[K\(bar)  \(text)".utf8))
        done += 1
    }

    /// Takes the line away.
    func clear() {
        guard Console.isWatched else { return }
        try? FileHandle.standardError.write(contentsOf: Data("\r\u{1B}[K".utf8))
    }
}
