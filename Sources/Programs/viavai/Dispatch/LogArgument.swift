import Dispatching
import Foundation
import Taxi

/// A log given on the command line as a file.
enum LogArgument {
    /// Reads the entries of a log from the first to the last.
    ///
    /// - Throws: ``CommandFailure`` that names the file, and what `body` throws.
    static func read(_ path: String, _ body: (Entry) throws -> Void) throws {
        guard FileManager.default.fileExists(atPath: path) else {
            throw CommandFailure.badInput("\(path): no such file")
        }
        do {
            try LogFile.read(path, body)
        } catch let failure as LogFile.Failure {
            let plain = FailureText.failure(failure)
            if case .unusable = failure { throw plain }
            throw CommandFailure(code: plain.code, text: "\(path): \(plain.text)")
        }
    }
}
