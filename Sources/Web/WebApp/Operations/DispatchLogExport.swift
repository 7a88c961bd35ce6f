import Foundation
import Storage
package import Taxi

/// Exports the dispatch log of an installation.
///
/// Opens only the main database; neither the keys nor the secret are needed.
package enum DispatchLogExport {
    /// The reasons why there is nothing to export.
    package enum Fault: Error, Hashable, Sendable {
        /// The database file does not exist.
        case noDatabase(String)
        /// No dispatcher has run on the database yet.
        case noLog
    }

    /// Writes the log to a file.
    ///
    /// - Throws: ``Fault``, or any error of `LogExport.write`.
    package static func run(
        _ settings: Settings,
        to path: String
    ) async throws
        -> LogExport.Summary
    {
        if settings.database.hasPrefix("sqlite:") {
            // Opening a missing file would create it.
            let file = String(settings.database.dropFirst("sqlite:".count))
            guard FileManager.default.fileExists(atPath: file) else {
                throw Fault.noDatabase(file)
            }
        }
        let database = try await Database.open(settings.database)
        defer { database.close() }
        do {
            return try await LogExport.write(
                EventLog(Installation.logName, in: database),
                to: path
            )
        } catch LogFailure.noSuchLog {
            throw Fault.noLog
        }
    }
}
