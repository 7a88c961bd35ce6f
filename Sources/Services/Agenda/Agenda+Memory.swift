package import Chronology
package import Identity
package import Storage

/// What is remembered of the plans of days, which the module that plans them writes and reads.
extension Agenda {
    private static let memoryField = "agenda memory"
    /// How long a day that is over is remembered, in days.
    private static let memoryDays: Int32 = 31

    /// What is remembered of a day; nil if nothing is.
    package func memory(of person: PersonNumber, on day: CivilDate) async throws -> String? {
        let key = try await accounts.key(of: person)
        return try await accounts.data.read { transaction in
            let row = try transaction.row(
                "SELECT sealed FROM agenda_memory WHERE person = \(person) AND day = \(day)"
            )
            guard let sealed: [UInt8] = try row?.value("sealed") else { return nil }
            return try key.open(sealed, as: Self.memoryField)
        }
    }

    /// What is remembered of days, in their order.
    ///
    /// - Parameters:
    ///   - person: the owner.
    ///   - first: the first day.
    ///   - end: the day after the last one; nil for all.
    /// - Returns: each day with its memory.
    /// - Throws: `noSuchPerson`, any database error.
    package func memories(
        of person: PersonNumber,
        from first: CivilDate,
        before end: CivilDate? = nil
    ) async throws -> [(day: CivilDate, memory: String)] {
        let key = try await accounts.key(of: person)
        let end = end ?? CivilDate(daysSince1970: .max)
        return try await accounts.data.read { transaction in
            try transaction.rows(
                """
                SELECT day, sealed FROM agenda_memory
                WHERE person = \(person) AND day >= \(first) AND day < \(end)
                ORDER BY day
                """
            )
            .map { try Self.opened($0, key, as: Self.memoryField) }
        }
    }

    /// A row of a table with a sealed text for each day: the day and the text.
    static func opened(
        _ row: Row,
        _ key: PersonKey,
        as field: String
    ) throws -> (CivilDate, String) {
        let sealed: [UInt8] = try row.value("sealed")
        let day: Int64 = try row.value("day")
        return (
            CivilDate(daysSince1970: Int32(clamping: day)), try key.open(sealed, as: field)
        )
    }

    /// Remembers how a day was planned, unless the calendar has changed since.
    ///
    /// What a newer version remembers would be lost, such as a task that its owner keeps at a time.
    ///
    /// - Parameters:
    ///   - memory: what to remember.
    ///   - person: the owner.
    ///   - day: the day.
    ///   - version: the version of the calendar that was planned.
    ///   - fares: what its journeys cost; nil leaves what is kept of that.
    ///   - also: what happens in the same transaction.
    /// - Throws: `noSuchPerson`, any database error.
    package func remember(
        _ memory: String,
        of person: PersonNumber,
        on day: CivilDate,
        version: Int64,
        fares: DayFares? = nil,
        also: @escaping @Sendable (Transaction) throws -> Void = { _ in }
    ) async throws {
        let sealed = try await accounts.key(of: person).seal(memory, as: Self.memoryField)
        let sealedFares = try await self.sealed(fares, of: person)
        try await accounts.data.write { transaction in
            let row = try transaction.row("SELECT version FROM agenda WHERE person = \(person)")
            let present: Int64? = try row?.value("version")
            guard present == version else { return }
            try Self.store(sealed, of: person, on: day, version, in: transaction)
            if let fares {
                try Self.keep(
                    sealedFares,
                    of: person,
                    on: day,
                    today: fares.today,
                    in: transaction
                )
            }
            try also(transaction)
        }
    }

    /// Changes what is remembered of a day because its owner wishes another plan: the calendar gets
    /// a new version, of which no plan is known yet.
    package func wish(
        _ memory: String,
        of person: PersonNumber,
        on day: CivilDate
    ) async throws {
        let sealed = try await accounts.key(of: person).seal(memory, as: Self.memoryField)
        try await accounts.data.write { transaction in
            let version = try Self.nextVersion(of: person, in: transaction)
            try Self.store(sealed, of: person, on: day, version - 1, in: transaction)
        }
    }

    private static func store(
        _ sealed: [UInt8],
        of person: PersonNumber,
        on day: CivilDate,
        _ version: Int64,
        in transaction: Transaction
    ) throws {
        let oldest = day.adding(days: -memoryDays)
        try transaction.execute([
            """
            DELETE FROM agenda_memory
            WHERE person = \(person) AND (day = \(day) OR day < \(oldest))
            """,
            """
            INSERT INTO agenda_memory (person, day, version, sealed)
            VALUES (\(person), \(day), \(version), \(sealed))
            """,
        ])
    }

    /// The people who have something on a day that was not planned at the present version of their
    /// calendars.
    ///
    /// - Parameters:
    ///   - day: the day.
    ///   - span: the day from midnight to midnight.
    ///   - ahead: how many days ahead it is; people who have fewer planned are left out (V54).
    ///   - isAgain: whether those are returned as well whose day was planned at that version.
    ///   - last: only people with greater numbers are returned.
    ///   - limit: how many people to return at most.
    /// - Returns: the people by number.
    /// - Throws: any database error.
    package func peopleToPlan(
        on day: CivilDate,
        _ span: Range<Instant>,
        ahead: Int32 = 0,
        isAgain: Bool = false,
        after last: PersonNumber = PersonNumber(rawValue: 0),
        limit: Int
    ) async throws -> [PersonNumber] {
        try await accounts.data.read { transaction in
            try transaction.rows(
                """
                SELECT a.person AS person FROM agenda a
                LEFT JOIN agenda_memory m ON m.person = a.person AND m.day = \(day)
                WHERE a.person > \(last) AND a.ahead_days >= \(Int64(ahead))
                AND (m.version IS NULL OR m.version < a.version + \(Int64(isAgain ? 1 : 0)))
                AND EXISTS (
                    SELECT 1 FROM agenda_entry e WHERE e.person = a.person
                        AND e.starts < \(span.upperBound.seconds)
                        AND (e.ends IS NULL OR e.ends > \(span.lowerBound.seconds)))
                ORDER BY a.person LIMIT \(limit)
                """
            )
            .map { try $0.value("person", as: PersonNumber.self) }
        }
    }
}
