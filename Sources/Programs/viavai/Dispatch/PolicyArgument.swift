import Dispatching
import Foundation

/// A policy given on the command line: the name of a shipped one, or a file.
enum PolicyArgument {
    /// The policy of that name, or in the file of that name.
    ///
    /// - Throws: ``CommandFailure`` when there is neither, or the file is wrong.
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
