import Dispatching
import Foundation

/// A policy given on the command line: the name of a shipped one, or a file.
enum PolicyArgument {
    /// The shipped policy of that name, or the policy in that file.
    ///
    /// - Throws: ``CommandFailure`` where there is neither, or the file is invalid.
    static func policy(_ argument: String) throws(CommandFailure) -> Policy {
        if let shipped = Policy.shipped.first(where: { $0.name == argument }) { return shipped }
        guard let text = try? String(contentsOfFile: argument, encoding: .utf8) else {
            let names = Policy.shipped.map(\.name).joined(separator: ", ")
            throw .badInput("--policy \(argument): no such file, and none of \(names)")
        }
        do {
            return try Policy(text: text)
        } catch {
            throw .badInput("\(argument): \(error.sentence)")
        }
    }
}
