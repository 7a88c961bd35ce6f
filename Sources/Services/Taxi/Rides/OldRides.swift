package import Chronology
package import Dispatching
package import Storage

/// A ride of the system before this one (R10): it is history only, no log vouches for it.
package struct OldRide: Hashable, Sendable {
    /// Who was driven; nil where that is not known, as of whoever telephoned.
    package var passenger: PassengerNumber?
    /// The taxi's pseudonym; nil where it does not drive for this service.
    package var taxiCode: String?
    /// Who drove, by the driver's own number; nil where that is not known.
    package var driver: Int64?
    /// When it was asked for.
    package var asked: Moment
    /// When it ended.
    package var ended: Moment
    /// Where it began and led; nil where that is not known.
    package var places: RidePlaces?

    /// A ride of the old system.
    package init(
        _ passenger: PassengerNumber?,
        taxiCode: String?,
        driver: Int64? = nil,
        asked: Moment,
        ended: Moment,
        places: RidePlaces?
    ) {
        self.passenger = passenger
        self.taxiCode = taxiCode
        self.driver = driver
        self.asked = asked
        self.ended = ended
        self.places = places
    }
}

/// The rides of the system before this one, beside those of the log.
///
/// They stand in the same tables under the name of a log that has no entries: that is the mark of
/// their origin. What rebuilds the history of a city's own log never touches them.
package struct OldRideStore: Sendable {
    /// The name that marks their origin.
    static let log = "old system"
    /// How many statements go to the database at once.
    private static let statementsAtOnce = 2_000

    private let database: Database

    /// The old rides of a database with the schema of `Migration.storage` and `Migration.taxi`.
    package init(in database: Database) {
        self.database = database
    }

    /// Which of these rides are there already.
    package func known(_ rides: [OldRide]) async throws -> Set<OldRide> {
        try await database.read(within: .seconds(60)) { transaction in
            let found = try transaction.rows(
                rides.map { ride -> SQL in
                    var whose: SQL = "coalesce(taxi_code, '') = \(ride.taxiCode ?? "")"
                    if let passenger = ride.passenger {
                        whose = "passenger = \(passenger.stored)"
                    }
                    return """
                        SELECT 1 AS one FROM ride WHERE log = \(Self.log)
                            AND asked = \(ride.asked.milliseconds)
                            AND ended = \(ride.ended.milliseconds) AND \(whose)
                        """
                }
            )
            return Set(zip(rides, found).filter { !$0.1.isEmpty }.map(\.0))
        }
    }

    /// Enters rides with what is written in the same transaction, all or none.
    package func enter(_ rides: [OldRide], with further: [SQL] = []) async throws {
        let head = try await EventLog(Self.log, in: database).found()
        try await database.write(within: .seconds(300)) { transaction in
            let last: Int64 =
                try transaction.row(
                    "SELECT coalesce(max(request), 0) AS last FROM ride WHERE log = \(Self.log)"
                )?.value("last") ?? 0
            let statements = rides.enumerated().flatMap { place, ride -> [SQL] in
                let number = RequestNumber(stored: last + Int64(place) + 1)
                // Nobody has this number: rides of the unknown are nobody's together.
                let nobody = PassengerNumber(rawValue: 0)
                let insertion: SQL = """
                    INSERT INTO ride (log, request, passenger, asked, taxi_code, ended, outcome,
                        sequence, hash)
                    VALUES (\(Self.log), \(number.stored),
                        \((ride.passenger ?? nobody).stored),
                        \(ride.asked.milliseconds), \(ride.taxiCode),
                        \(ride.ended.milliseconds), \(Int64(RequestOutcome.completed.rawValue)),
                        \(head.sequence), \(head.hash))
                    """
                let driver = ride.driver.map { driver -> SQL in
                    """
                    INSERT INTO ride_driver (log, request, driver, taken)
                    VALUES (\(Self.log), \(number.stored), \(driver),
                        \(ride.asked.milliseconds))
                    """
                }
                let places = ride.places?.insertion(number, log: Self.log)
                return [insertion, driver, places].compactMap { $0 }
            }
            for start in stride(from: 0, to: statements.count, by: Self.statementsAtOnce) {
                let end = min(start + Self.statementsAtOnce, statements.count)
                try transaction.execute(Array(statements[start..<end]))
            }
            try transaction.execute(further)
        }
    }

    /// The rides of a passenger, the newest first.
    ///
    /// - Parameters:
    ///   - passenger: whose.
    ///   - limit: how many at most.
    /// - Returns: the rides, with their places where those are kept.
    /// - Throws: what the database throws.
    package func rides(of passenger: PassengerNumber, limit: Int = 100) async throws -> [OldRide] {
        try await database.read { transaction in
            try transaction.rows(
                """
                SELECT * FROM ride WHERE log = \(Self.log) AND passenger = \(passenger.stored)
                ORDER BY asked DESC, request DESC LIMIT \(limit)
                """
            ).map { row in
                let number: Int64 = try row.value("request")
                let places = try transaction.row(
                    "SELECT * FROM ride_place WHERE log = \(Self.log) AND request = \(number)"
                )
                return OldRide(
                    passenger,
                    taxiCode: try row.value("taxi_code"),
                    asked: Moment(milliseconds: try row.value("asked")),
                    ended: Moment(milliseconds: try row.value("ended")),
                    places: try places.map { try RidePlaces($0) }
                )
            }
        }
    }
}

extension RidePlaces {
    /// Destroys the places of all requests and rides of a passenger, old ones too (R103).
    ///
    /// Also of those that have not ended: what was cancelled just now may still look open in the
    /// tables, and the drivers of live rides have the places from memory.
    ///
    /// - Parameters:
    ///   - passenger: whose.
    ///   - transaction: in which the passenger is erased.
    /// - Throws: what the database throws.
    package static func forget(
        _ passenger: PassengerNumber,
        in transaction: Transaction
    ) throws {
        // By log, as the index is.
        try transaction.execute(
            """
            DELETE FROM ride_place
            WHERE log IN (SELECT name FROM log) AND passenger = \(passenger.stored)
            """
        )
    }
}
