package import Chronology
import Encoding
package import Identity
import Storage

/// What the journeys of days cost under which passes, of which advice on passes is made (V98); the
/// module that prices them writes and reads it.
extension Agenda {
    private static let faresField = "agenda fares"
    /// For how many days it is kept: any so many contain a whole month of the calendar.
    package static let fareDays: Int32 = 62

    /// What the journeys of a planned day cost.
    package struct DayFares: Sendable {
        /// What is kept; nil if there is no journey to keep anything of.
        package var text: String?
        /// The present day, before which nothing changes any more.
        package var today: CivilDate

        /// What is kept of a day's journeys.
        package init(_ text: String?, today: CivilDate) {
            self.text = text
            self.today = today
        }
    }

    /// What was kept of days, in their order.
    ///
    /// - Parameters:
    ///   - person: the owner.
    ///   - first: the first day.
    ///   - end: the day after the last one; nil for all.
    /// - Returns: each day of which something was kept.
    /// - Throws: `noSuchPerson`, any database error.
    package func fares(
        of person: PersonNumber,
        from first: CivilDate,
        before end: CivilDate? = nil
    ) async throws -> [(day: CivilDate, text: String)] {
        let key = try await accounts.key(of: person)
        let end = end ?? CivilDate(daysSince1970: .max)
        return try await accounts.data.read { transaction in
            try transaction.rows(
                """
                SELECT day, sealed FROM agenda_fares
                WHERE person = \(person) AND day >= \(first) AND day < \(end)
                ORDER BY day
                """
            )
            .map { try Self.opened($0, key, as: Self.faresField) }
        }
    }

    /// Keeps what the journeys of a day cost instead of what was kept before.
    ///
    /// A day that is over keeps what it had: planned again, it would have the prices of today.
    static func keep(
        _ sealed: [UInt8]?,
        of person: PersonNumber,
        on day: CivilDate,
        today: CivilDate,
        in transaction: Transaction
    ) throws {
        let oldest = today.adding(days: -fareDays)
        try transaction.execute(
            "DELETE FROM agenda_fares WHERE person = \(person) AND day < \(oldest)"
        )
        guard day >= oldest else { return }
        if day >= today {
            try transaction.execute(
                "DELETE FROM agenda_fares WHERE person = \(person) AND day = \(day)"
            )
        }
        guard let sealed else { return }
        try transaction.execute(
            """
            INSERT INTO agenda_fares (person, day, sealed) VALUES (\(person), \(day), \(sealed))
            ON CONFLICT (person, day) DO NOTHING
            """
        )
    }

    /// What is kept, sealed for its owner.
    func sealed(_ fares: DayFares?, of person: PersonNumber) async throws -> [UInt8]? {
        guard let text = fares?.text else { return nil }
        return try await accounts.key(of: person).seal(text, as: Self.faresField)
    }

    /// What is kept of all days, as an export of a person's data has it: a list of days with the
    /// journeys as they are kept, which are JSON.
    func fareJSON(of person: PersonNumber) async throws -> String {
        let days = try await fares(of: person, from: CivilDate(daysSince1970: 0)).map { day, text in
            JSONString.object(of: [("day", JSONString.quoted(day.iso8601)), ("journeys", text)])
        }
        return "[\(days.joined(separator: ","))]"
    }
}
