package import Chronology
import Dispatching
package import Fares
package import Storage
import Synchronization

/// A tariff file that was put into force, with who did it and why.
package struct AdoptedTariffs: Hashable, Sendable {
    /// Its number, from 1.
    package let number: Int64
    /// When.
    package let moment: Moment
    /// The number of the person who did it; nil where it was nobody's.
    package let author: Int64?
    /// Why, in that person's words.
    package let note: String
    /// The file.
    package let text: String
}

extension TaxiService {
    /// How many bytes a tariff file may have: a city's tariffs of many years take a tenth.
    package static let tariffFileLimit = 256 * 1_024

    /// The tariffs in force, each from its day on.
    package var tariffs: TariffBook { tariffBook.withLock { $0 } }

    /// Puts the tariffs of a file into force in the place of all others, and keeps the file.
    ///
    /// Whoever is aboard pays by the new ones where they hold for the day on which he boarded.
    ///
    /// - Parameters:
    ///   - text: the file.
    ///   - author: the number of the person who does it.
    ///   - note: why, a line of plain text.
    ///   - further: what is written in the same transaction.
    /// - Returns: the tariffs.
    /// - Throws: `TariffFailure` with what is wrong with the file; ``Failure/notServing``; any
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
            try transaction.execute(
                """
                INSERT INTO taxi_tariff (log, number, moment, author, note, tariff)
                VALUES (\(name), \(number), \(now.milliseconds), \(author), \(note), \(text))
                """
            )
            try transaction.execute(further)
        }
        // Read back: of two who do this at once the later file counts, whoever comes here first.
        try await openTariffs()
        return book
    }

    /// The tariff files that were put into force, the newest first.
    ///
    /// - Parameter limit: how many at most.
    /// - Returns: the files; empty where the city has the tariffs it came with.
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

    /// Takes up the tariffs that were kept, where there are any.
    func openTariffs() async throws {
        guard let kept = try await adoptedTariffs(limit: 1).first else { return }
        // A file that an older program took and this one does not leaves fares unknown, no more.
        let book = (try? TariffBook(text: kept.text)) ?? TariffBook()
        tariffBook.withLock { $0 = book }
    }
}
