package import Chronology
package import Dispatching
package import Storage

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
    ///   - decider: the operator, who may also be a passenger and must not decide their own appeal.
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
