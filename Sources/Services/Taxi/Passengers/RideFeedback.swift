package import Chronology
package import Dispatching
package import Storage

/// A passenger's feedback about a ride, visible to operators only.
package struct RideFeedback: Hashable, Sendable {
    package var request: RequestNumber
    package var passenger: PassengerNumber
    /// The rating from 1 to 5; nil if none was given.
    package var stars: Int64?
    /// The comment; may be empty.
    package var words: String
    /// Whether the passenger reports a problem that an operator must examine.
    package var isReport: Bool
    /// When the feedback was given.
    package var made: Moment
    /// The pseudonymous code of the taxi.
    package var taxiCode: String?
}

extension TaxiService {
    /// Stores a passenger's feedback about a ride, replacing earlier feedback.
    ///
    /// - Parameters:
    ///   - request: the ride, which must have ended and had a taxi.
    ///   - passenger: the passenger of the ride.
    ///   - stars: the rating from 1 to 5, or nil.
    ///   - words: the comment, truncated to ``wordsLimit``.
    ///   - isReport: whether an operator must examine it.
    /// - Throws: ``Failure/notYours``, ``Failure/noReceipt`` if there is no such ride.
    package func say(
        of request: RequestNumber,
        for passenger: PassengerNumber,
        stars: Int64?,
        words: String,
        isReport: Bool
    ) async throws {
        guard let ended = try await ended(request, for: passenger), ended.record.taxi != nil else {
            throw Failure.noReceipt
        }
        let now = clock.now().milliseconds
        let text = String(words.prefix(Self.wordsLimit))
        let mark = stars.map { min(max($0, 1), 5) }
        try await store.database.write { [name = city.name] transaction in
            let kept = try transaction.execute(
                """
                INSERT INTO ride_feedback (log, request, passenger, stars, words, is_report, made)
                VALUES (\(name), \(request.stored), \(passenger.stored), \(mark), \(text),
                    \(isReport ? 1 : 0), \(now))
                ON CONFLICT (log, request) DO UPDATE SET stars = excluded.stars,
                    words = excluded.words, is_report = excluded.is_report, made = excluded.made
                """
            )
            precondition(kept == 1, "Feedback was not stored as exactly one row.")
        }
    }

    /// Returns a passenger's feedback about a ride; nil if there is none.
    package func feedback(
        on request: RequestNumber,
        for passenger: PassengerNumber
    ) async throws -> RideFeedback? {
        try await feedback(
            "f.request = \(request.stored) AND f.passenger = \(passenger.stored)"
        ).first
    }

    /// Lists all feedback of a passenger, newest first.
    package func feedback(of passenger: PassengerNumber) async throws -> [RideFeedback] {
        try await feedback("f.passenger = \(passenger.stored)", isWhole: true)
    }

    /// Lists the latest feedback of all passengers, newest first.
    package func latestFeedback() async throws -> [RideFeedback] {
        try await feedback("1 = 1")
    }

    private func feedback(_ condition: SQL, isWhole: Bool = false) async throws -> [RideFeedback] {
        let most = Self.most(isWhole)
        let rows = try await store.database.read { [name = city.name] transaction in
            try transaction.rows(
                """
                SELECT f.request AS request, f.passenger AS passenger, f.stars AS stars,
                    f.words AS words, f.is_report AS is_report, f.made AS made,
                    r.taxi_code AS taxi_code
                FROM ride_feedback f
                LEFT JOIN ride r ON r.log = f.log AND r.request = f.request
                WHERE f.log = \(name) AND \(condition)
                ORDER BY f.made DESC, f.request DESC LIMIT \(most)
                """
            )
        }
        return try rows.map { row in
            RideFeedback(
                request: RequestNumber(stored: try row.value("request")),
                passenger: PassengerNumber(stored: try row.value("passenger")),
                stars: try row.value("stars"),
                words: try row.value("words"),
                isReport: try row.value("is_report", as: Int64.self) == 1,
                made: Moment(milliseconds: try row.value("made")),
                taxiCode: try row.value("taxi_code")
            )
        }
    }

    /// Deletes a passenger's feedback and trip links when the passenger is erased (R103).
    package static func forgetSayings(
        of passenger: PassengerNumber,
        in transaction: Transaction
    ) throws {
        try transaction.execute([
            "DELETE FROM ride_feedback WHERE passenger = \(passenger.stored)",
            "DELETE FROM passenger_appeal WHERE passenger = \(passenger.stored)",
            "DELETE FROM ride_link WHERE passenger = \(passenger.stored)",
        ])
    }
}
