package import Chronology
import Dispatching
package import Fares
package import Storage
import Synchronization

/// A tariff file in the history, with its author and reason.
package struct AdoptedTariffs: Hashable, Sendable {
    /// Its number, counted from 1.
    package let number: Int64
    /// When it came into force.
    package let moment: Moment
    /// The number of the author; nil if unknown.
    package let author: Int64?
    /// The reason in the author's words.
    package let note: String
    /// The content of the file.
    package let text: String
}

extension TaxiService {
    /// The largest tariff file in bytes; a city's tariffs of many years take a tenth.
    package static let tariffFileLimit = 256 * 1_024

    /// The tariffs in force, each from its first day on.
    package var tariffs: TariffBook { tariffBook.withLock { $0 } }

    /// Replaces all tariffs by those of a file and records the file.
    ///
    /// A ride in progress is charged by the new tariffs if they apply to the day of boarding.
    ///
    /// - Parameters:
    ///   - text: the content of the file.
    ///   - author: the number of the person who adopts it.
    ///   - note: the reason, one line of plain text.
    ///   - further: statements of the same transaction.
    /// - Returns: the new tariffs.
    /// - Throws: `TariffFailure` for an invalid file; ``Failure/notServing``; any
    ///   `DatabaseFailure`.
    @discardableResult
    package func adoptTariffs(
        _ text: String,
        by author: Int64?,
        note: String,
        with further: [SQL] = []
    ) async throws -> TariffBook {
        try checkServing()
        let book = try TariffBook(text: text)
        let now = clock.now()
        let name = city.name
        try await store.database.write { transaction in
            let last = try transaction.row(
                "SELECT MAX(number) AS number FROM taxi_tariff WHERE log = \(name)"
            )
            let number = (try last?.value("number", as: Int64?.self) ?? 0) + 1
            let adopted = try transaction.execute(
                """
                INSERT INTO taxi_tariff (log, number, moment, author, note, tariff)
                VALUES (\(name), \(number), \(now.milliseconds), \(author), \(note), \(text))
                """
            )
            precondition(adopted == 1, "A tariff file was not stored as exactly one row.")
            try transaction.execute(further)
        }
        // Reread, so that of two concurrent changes the later file wins in every case.
        try await openTariffs()
        return book
    }

    /// Lists the adopted tariff files, newest first.
    ///
    /// - Parameter limit: the largest number of results.
    /// - Returns: the files; empty while the initial tariffs are in force.
    /// - Throws: any `DatabaseFailure`.
    package func adoptedTariffs(limit: Int = 100) async throws -> [AdoptedTariffs] {
        try await store.database.read { [name = city.name] transaction in
            try transaction.rows(
                """
                SELECT * FROM taxi_tariff WHERE log = \(name)
                ORDER BY number DESC LIMIT \(limit)
                """
            ).map { row in
                AdoptedTariffs(
                    number: try row.value("number"),
                    moment: Moment(milliseconds: try row.value("moment")),
                    author: try row.value("author"),
                    note: try row.value("note"),
                    text: try row.value("tariff")
                )
            }
        }
    }

    /// Loads the last adopted tariffs, if there are any.
    func openTariffs() async throws {
        guard let kept = try await adoptedTariffs(limit: 1).first else { return }
        // A file that this version cannot parse leaves fares unknown and does nothing else.
        let book = (try? TariffBook(text: kept.text)) ?? TariffBook()
        tariffBook.withLock { $0 = book }
    }
}
