package import Chronology
package import Dispatching
package import Storage

/// How often a passenger let a taxi come for nothing, or wait, lately (R111).
package struct Reliability: Hashable, Sendable {
    /// A ride that he missed, or for which he was late.
    package struct Incident: Hashable, Sendable {
        /// The ride.
        package var request: RequestNumber
        /// When it ended.
        package var at: Moment
        /// Whether he did not come at all.
        package var isMissed: Bool
    }

    /// What counts now, the oldest first.
    package var incidents: [Incident]
    /// How many missed rides the policy allows less one; 0 for any number.
    package var most: Int64
    /// For how many days one counts.
    package var days: Int64
    /// From how many seconds on a taxi has waited too long.
    package var lateSeconds: Int64

    /// A taxi that waited no longer than this has not waited, in seconds; before the hour of a
    /// reservation it came early.
    static let leastLateSeconds: Int64 = 300

    /// What incidents come to: twice late is once missed.
    private static func halves(_ incidents: some Sequence<Incident>) -> Int64 {
        incidents.reduce(0) { $0 + ($1.isMissed ? 2 : 1) }
    }

    /// When he may ask for a taxi again; nil where he may.
    package var limitedUntil: Moment? {
        guard most > 0, Self.halves(incidents) >= 2 * most else { return nil }
        var left = incidents[...]
        var last: Moment?
        while Self.halves(left) >= 2 * most, let oldest = left.popFirst() { last = oldest.at }
        return last?.adding(seconds: days * 86_400)
    }
}

/// What a passenger says against the count of his missed rides, and what became of it.
package struct Appeal: Hashable, Sendable {
    /// Its number.
    package var number: Int64
    /// Whose it is.
    package var passenger: PassengerNumber
    /// What he says.
    package var words: String
    /// When he said it.
    package var made: Moment
    /// When an operator decided; nil while none has.
    package var decided: Moment?
    /// Whether it was granted: then nothing before counts.
    package var isGranted: Bool
}

extension TaxiService {
    /// The longest words of an appeal or about a ride that are kept, in characters.
    package static let wordsLimit = 1_000
    /// How many appeals and reports an operator's list has.
    package static let listLimit = 200

    /// How many rows are read of a list, or of all that is kept of one person (R105).
    static func most(_ isWhole: Bool) -> Int64 { isWhole ? .max : Int64(listLimit) }

    /// How reliable a passenger was lately.
    package func reliability(of passenger: PassengerNumber) async throws -> Reliability {
        let policy = try await dispatch.read { $0.policy }
        let now = clock.now()
        var found = Reliability(
            incidents: [],
            most: policy[.maxMissed],
            days: policy[.missedDays],
            lateSeconds: max(Reliability.leastLateSeconds, policy[.noShowWait])
        )
        let since = now.adding(seconds: -found.days * 86_400).milliseconds
        let late = found.lateSeconds * 1_000
        let missed = Int64(RequestOutcome.noShow.rawValue)
        let rows = try await store.database.read { [name = city.name] transaction in
            try transaction.rows(
                """
                SELECT request, ended, outcome FROM ride
                WHERE log = \(name) AND passenger = \(passenger.stored) AND ended > \(since)
                    AND (outcome = \(missed) OR owner IS NULL AND boarded -
                        CASE WHEN due > reached THEN due ELSE reached END > \(late))
                    AND ended > COALESCE(
                        (SELECT MAX(decided) FROM passenger_appeal
                        WHERE log = \(name) AND passenger = \(passenger.stored) AND granted = 1),
                        0
                    )
                ORDER BY ended, request
                """
            )
        }
        found.incidents = try rows.map { row in
            Reliability.Incident(
                request: RequestNumber(stored: try row.value("request")),
                at: Moment(milliseconds: try row.value("ended")),
                isMissed: try row.value("outcome", as: Int64.self) == missed
            )
        }
        return found
    }

    /// When a passenger may ask for a taxi again; nil where he may (R111).
    package func limitedUntil(_ passenger: PassengerNumber) async throws -> Moment? {
        // Most cities have no such limit: then nothing is looked up.
        guard try await dispatch.read({ $0.policy[.maxMissed] }) > 0 else { return nil }
        return try await reliability(of: passenger).limitedUntil
    }

    /// Refuses who missed too many rides.
    ///
    /// - Throws: ``Failure/missedTooOften(until:)``.
    func checkReliability(of passenger: PassengerNumber) async throws {
        if let until = try await limitedUntil(passenger) {
            throw Failure.missedTooOften(until: until)
        }
    }

    /// Keeps what a passenger says against the count; one at a time.
    ///
    /// - Returns: whether it was kept: false where another one waits to be decided.
    package func appeal(_ words: String, of passenger: PassengerNumber) async throws -> Bool {
        let now = clock.now()
        let text = String(words.prefix(Self.wordsLimit))
        return try await store.database.write { [name = city.name] transaction in
            try transaction.execute(
                """
                INSERT INTO passenger_appeal (log, number, passenger, words, made)
                SELECT \(name), COALESCE(MAX(number), 0) + 1, \(passenger.stored), \(text),
                    \(now.milliseconds)
                FROM passenger_appeal WHERE log = \(name)
                ON CONFLICT DO NOTHING
                """
            ) > 0
        }
    }

    /// All appeals of a passenger, the newest first.
    package func appeals(of passenger: PassengerNumber) async throws -> [Appeal] {
        try await appeals("passenger = \(passenger.stored)", isWhole: true)
    }

    /// The appeals that wait for an operator, the oldest last.
    package func openAppeals() async throws -> [Appeal] {
        try await appeals("decided IS NULL")
    }

    /// An operator decides an appeal; what was decided stays so.
    ///
    /// - Parameters:
    ///   - number: the appeal.
    ///   - isGranted: whether nothing before shall count.
    ///   - decider: who decides, who may be a passenger too: nobody decides an appeal of his own.
    ///   - further: what is written in the same transaction.
    /// - Returns: false where there is no such appeal that waits for him.
    /// - Throws: any `DatabaseFailure`.
    package func decide(
        _ number: Int64,
        isGranted: Bool,
        by decider: PassengerNumber,
        with further: SQL
    ) async throws -> Bool {
        let now = clock.now()
        return try await store.database.write { [name = city.name] transaction in
            let changed = try transaction.execute(
                """
                UPDATE passenger_appeal
                SET decided = \(now.milliseconds), granted = \(isGranted ? 1 : 0)
                WHERE log = \(name) AND number = \(number) AND decided IS NULL
                    AND passenger <> \(decider.stored)
                """
            )
            guard changed > 0 else { return false }
            try transaction.execute(further)
            return true
        }
    }

    private func appeals(_ condition: SQL, isWhole: Bool = false) async throws -> [Appeal] {
        let most = Self.most(isWhole)
        let rows = try await store.database.read { [name = city.name] transaction in
            try transaction.rows(
                """
                SELECT * FROM passenger_appeal WHERE log = \(name) AND \(condition)
                ORDER BY number DESC LIMIT \(most)
                """
            )
        }
        return try rows.map { row in
            Appeal(
                number: try row.value("number"),
                passenger: PassengerNumber(stored: try row.value("passenger")),
                words: try row.value("words"),
                made: Moment(milliseconds: try row.value("made")),
                decided: try row.value("decided", as: Int64?.self).map {
                    Moment(milliseconds: $0)
                },
                isGranted: try row.value("granted", as: Int64?.self) == 1
            )
        }
    }
}
