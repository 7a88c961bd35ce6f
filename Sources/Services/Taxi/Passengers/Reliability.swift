package import Chronology
package import Dispatching
package import Storage

/// How often a passenger recently missed a taxi or kept one waiting (R111).
package struct Reliability: Hashable, Sendable {
    /// A ride that the passenger missed or was late for.
    package struct Incident: Hashable, Sendable {
        package var request: RequestNumber
        /// When the ride ended.
        package var at: Moment
        /// Whether the passenger did not come at all.
        package var isMissed: Bool
    }

    /// The incidents that currently count, oldest first.
    package var incidents: [Incident]
    /// The number of missed rides at which requests are refused; 0 for no limit.
    package var most: Int64
    /// How long an incident counts, in days.
    package var days: Int64
    /// The waiting time of a taxi that counts as late, in seconds.
    package var lateSeconds: Int64

    /// The shortest waiting time that can count as late, in seconds; before a reserved time, the
    /// taxi was merely early.
    static let leastLateSeconds: Int64 = 300

    /// The weight of incidents in half missed rides: two late rides count as a missed one.
    private static func halves(_ incidents: some Sequence<Incident>) -> Int64 {
        incidents.reduce(0) { $0 + ($1.isMissed ? 2 : 1) }
    }

    /// When the passenger may request a taxi again; nil if there is no limit now.
    package var limitedUntil: Moment? {
        guard most > 0, Self.halves(incidents) >= 2 * most else { return nil }
        var left = incidents[...]
        var last: Moment?
        while Self.halves(left) >= 2 * most, let oldest = left.popFirst() { last = oldest.at }
        return last?.adding(seconds: days * 86_400)
    }
}

/// A passenger's appeal against the count of missed rides, with its decision.
package struct Appeal: Hashable, Sendable {
    package var number: Int64
    package var passenger: PassengerNumber
    /// The text of the appeal.
    package var words: String
    /// When the appeal was made.
    package var made: Moment
    /// When an operator decided; nil while it is open.
    package var decided: Moment?
    /// Whether it was granted, in which case earlier incidents no longer count.
    package var isGranted: Bool
}

extension TaxiService {
    /// The longest stored text of an appeal or a feedback, in characters.
    package static let wordsLimit = 1_000
    /// The length of an operator's list of appeals and reports.
    package static let listLimit = 200

    /// The row limit of a list, or none for the export of a person's data (R105).
    static func most(_ isWhole: Bool) -> Int64 { isWhole ? .max : Int64(listLimit) }

    /// Returns the recent reliability of a passenger.
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

    /// Returns when a passenger may request a taxi again; nil if there is no limit now (R111).
    package func limitedUntil(_ passenger: PassengerNumber) async throws -> Moment? {
        // Most cities have no such limit, so the query can be skipped.
        guard try await dispatch.read({ $0.policy[.maxMissed] }) > 0 else { return nil }
        return try await reliability(of: passenger).limitedUntil
    }

    /// Refuses a passenger who missed too many rides.
    ///
    /// - Throws: ``Failure/missedTooOften(until:)``.
    func checkReliability(of passenger: PassengerNumber) async throws {
        if let until = try await limitedUntil(passenger) {
            throw Failure.missedTooOften(until: until)
        }
    }

    /// Stores an appeal of a passenger; only one may be open at a time.
    ///
    /// - Returns: whether it was stored; false if another one is open.
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

    /// Lists all appeals of a passenger, newest first.
    package func appeals(of passenger: PassengerNumber) async throws -> [Appeal] {
        try await appeals("passenger = \(passenger.stored)", isWhole: true)
    }

    /// Lists the open appeals, newest first.
    package func openAppeals() async throws -> [Appeal] {
        try await appeals("decided IS NULL")
    }

    /// Decides an appeal; a decision cannot be changed.
    ///
    /// - Parameters:
    ///   - number: the number of the appeal.
    ///   - isGranted: whether earlier incidents no longer count.
    ///   - decider: the operator, who may also be a passenger and must not decide the own appeal.
    ///   - further: statements of the same transaction.
    /// - Returns: false if there is no such open appeal that this operator may decide.
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
