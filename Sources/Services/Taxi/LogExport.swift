import Dispatching
package import Storage

/// Writes a city's dispatch log from the database to a file, without personal data
/// (``LogPseudonyms``).
package enum LogExport {
    /// What was written.
    package struct Summary: Hashable, Sendable {
        /// The entries of the log.
        package var entries: Int
        /// The requests and reservations in it.
        package var requests: Int
    }

    /// Writes the whole log, also while a server adds to it: up to its end at that moment.
    ///
    /// Each record is checked against the hash chain as it is read.
    ///
    /// - Parameters:
    ///   - log: the log.
    ///   - path: the file, which is replaced.
    /// - Returns: what was written.
    /// - Throws: `LogFailure`, `DatabaseFailure`, `CodingFailure`, ``LogFile/Failure``.
    package static func write(_ log: EventLog, to path: String) async throws -> Summary {
        let end = try await log.head().sequence
        var head = try await log.genesis()
        var pseudonyms = LogPseudonyms()
        let file = try LogFile.Writer(path: path)
        while head.sequence < end {
            let left = Int(clamping: end - head.sequence)
            let records = try await log.records(after: head, limit: min(left, page))
            guard let last = records.last else { break }
            for record in records {
                try file.append(pseudonyms.entry(try Entry(bytes: record.entry)))
            }
            head = last.head
        }
        try file.close()
        precondition(head.sequence == end, "The log ended before its own head.")
        return Summary(entries: Int(clamping: head.sequence), requests: pseudonyms.requests)
    }

    private static let page = 5_000
}
