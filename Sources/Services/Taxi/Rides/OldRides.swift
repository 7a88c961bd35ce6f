package import Chronology
package import Dispatching
package import Storage

/// A ride imported from the previous system (R10), which no log vouches for.
package struct OldRide: Hashable, Sendable {
    /// The passenger; nil if unknown, for example for telephone orders.
    package var passenger: PassengerNumber?
    /// The taxi's pseudonymous code; nil if it does not drive for this service.
    package var taxiCode: String?
    /// The number of the driver; nil if unknown.
    package var driver: Int64?
    /// When the taxi was requested.
    package var asked: Moment
    /// When the ride ended.
    package var ended: Moment
    /// The pickup point and destination; nil if unknown.
    package var places: RidePlaces?

    /// Creates a ride of the previous system.
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

/// The rides of the previous system, stored beside those of the log.
///
/// They are in the same tables under the name of a log without entries, which marks their origin.
/// Rebuilding the history of a city's own log does not affect them.
package struct OldRideStore: Sendable {
    /// The log name that marks the origin.
    static let log = "old system"
    /// How many statements one call to the database carries.
    private static let statementsAtOnce = 2_000

    private let database: Database

    /// Creates access to a database with the schema of `Migration.storage` and `Migration.taxi`.
    package init(in database: Database) {
        self.database = database
    }

    /// Returns those of the rides that are already stored.
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

    /// Stores rides with further statements in one transaction.
    package func enter(_ rides: [OldRide], with further: [SQL] = []) async throws {
        let head = try await EventLog(Self.log, in: database).found()
        try await database.write(within: .seconds(300)) { transaction in
            let last: Int64 =
                try transaction.row(
                    "SELECT coalesce(max(request), 0) AS last FROM ride WHERE log = \(Self.log)"
                )?.value("last") ?? 0
            let statements = rides.enumerated().flatMap { place, ride -> [SQL] in
                let number = RequestNumber(stored: last + Int64(place) + 1)
                // Number 0 belongs to no passenger and stands for all unknown ones.
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

    /// Lists the rides of a passenger, newest first.
    ///
    /// - Parameters:
    ///   - passenger: the passenger.
    ///   - limit: the largest number of results.
    /// - Returns: the rides, with their places if those are stored.
    /// - Throws: any database error.
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
    /// Deletes the places of all requests and rides of a passenger, including imported ones (R103).
    ///
    /// Live requests are included: a request that was just cancelled may still look open in the
    /// tables, and drivers of live rides get the places from memory.
    ///
    /// - Parameters:
    ///   - passenger: the erased passenger.
    ///   - transaction: the transaction that erases the passenger.
    /// - Throws: any database error.
    package static func forget(
        _ passenger: PassengerNumber,
        in transaction: Transaction
    ) throws {
        // One statement per log, to match the index.
        try transaction.execute(
            """
            DELETE FROM ride_place
            WHERE log IN (SELECT name FROM log) AND passenger = \(passenger.stored)
            """
        )
    }
}
