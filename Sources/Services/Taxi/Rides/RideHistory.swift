package import Chronology
package import Dispatching
package import Fares
import Storage

/// An entry of a history: a request, reservation or ride of this service or the previous system
/// (R10, R34, R101).
package struct RideLine: Hashable, Sendable {
    /// The system that recorded a ride.
    package enum Origin: Hashable, Sendable {
        /// Recorded in this service's log.
        case service
        /// Imported from the previous system; no log vouches for it.
        case oldSystem
    }

    package var origin: Origin
    /// Its number, unique for its origin.
    package var request: RequestNumber
    /// When it was requested.
    package var asked: Moment
    /// The reserved time, for a reservation.
    package var due: Moment?
    /// When a driver accepted.
    package var accepted: Moment?
    /// When it ended; nil while in progress.
    package var ended: Moment?
    package var outcome: RequestOutcome?
    /// The taxi's pseudonymous code.
    package var taxiCode: String?
    /// Its places; nil if unknown, or not visible to this reader.
    package var places: RidePlaces?
    /// The passenger's fare, if measured.
    package var fare: Money?

    /// The pickup point in readable form.
    package var meeting: PlaceDescription? {
        places.map { PlaceDescription($0.meetingDescription, at: $0.meeting) }
    }

    /// The destination in readable form.
    package var destination: PlaceDescription? {
        places.flatMap { places in
            places.destination.map { PlaceDescription(places.destinationDescription, at: $0) }
        }
    }
}

/// The histories of passengers and drivers from the tables beside the log.
///
/// Any server of a city can read them, including standby servers.
package struct RideHistory: Sendable {
    /// The person whose history is read.
    package enum Reader: Hashable, Sendable {
        /// All requests of a passenger.
        case passenger(PassengerNumber)
        /// The rides of a driver in any taxi, without the places, which are private to the
        /// passengers (R130).
        case driver(Int64)
    }

    /// The name of the city's log.
    let log: String
    let database: Database

    /// Lists entries of a history, newest first.
    ///
    /// - Parameters:
    ///   - reader: the person whose history is read.
    ///   - limit: the largest number of results.
    ///   - offset: the number of newest entries to skip.
    /// - Returns: the entries.
    /// - Throws: any `DatabaseFailure`.
    package func lines(
        of reader: Reader,
        limit: Int,
        offset: Int = 0
    ) async throws -> [RideLine] {
        let (rides, isWhose, moment): (SQL, SQL, SQL) =
            switch reader {
            case .passenger(let passenger):
                ("ride r", "r.passenger = \(passenger.stored)", "r.asked")
            case .driver(let driver):
                (
                    "ride_driver d JOIN ride r ON r.log = d.log AND r.request = d.request",
                    "d.driver = \(driver)", "d.taken"
                )
            }
        let rows = try await database.read(within: .seconds(60)) { [log] transaction in
            try transaction.rows(
                """
                SELECT r.log AS log, r.request AS request, r.asked AS asked, r.due AS due,
                    r.accepted AS accepted, r.ended AS ended, r.outcome AS outcome,
                    r.taxi_code AS taxi_code, p.meeting_latitude AS meeting_latitude,
                    p.meeting_longitude AS meeting_longitude, p.meeting_words AS meeting_words,
                    p.origin_latitude AS origin_latitude, p.origin_longitude AS origin_longitude,
                    p.destination_latitude AS destination_latitude,
                    p.destination_longitude AS destination_longitude,
                    p.destination_words AS destination_words, p.passenger AS passenger,
                    f.currency AS currency, f.digits AS digits, f.share AS share, f.total AS total
                FROM \(rides)
                LEFT JOIN ride_place p ON p.log = r.log AND p.request = r.request
                LEFT JOIN ride_fare f ON f.log = r.log AND f.request = r.request
                WHERE r.log IN (\(log), \(OldRideStore.log)) AND \(isWhose)
                ORDER BY \(moment) DESC, r.log, r.request DESC
                LIMIT \(limit) OFFSET \(offset)
                """
            )
        }
        return try rows.map { try RideLine($0, for: reader) }
    }
}

extension TaxiService {
    /// The histories of the city's passengers and drivers.
    package var history: RideHistory { RideHistory(log: store.log.name, database: store.database) }
}

extension RideLine {
    fileprivate init(_ row: Row, for reader: RideHistory.Reader) throws(DatabaseFailure) {
        func moment(_ column: String) throws(DatabaseFailure) -> Moment? {
            try row.value(column, as: Int64?.self).map { Moment(milliseconds: $0) }
        }
        origin = try row.value("log", as: String.self) == OldRideStore.log ? .oldSystem : .service
        request = RequestNumber(stored: try row.value("request"))
        asked = Moment(milliseconds: try row.value("asked"))
        due = try moment("due")
        accepted = try moment("accepted")
        ended = try moment("ended")
        outcome = try row.value("outcome", as: Int64?.self)
            .flatMap { RequestOutcome(rawValue: UInt8(clamping: $0)) }
        taxiCode = try row.value("taxi_code")
        var column = "total"
        if case .passenger = reader {
            column = "share"
            if try row.value("meeting_latitude", as: Int64?.self) != nil {
                places = try RidePlaces(row)
            }
        }
        if let amount: Int64 = try row.value(column), let code: String = try row.value("currency"),
            let currency = Currency(
                code: code,
                digits: Int(try row.value("digits", as: Int64.self))
            )
        {
            fare = Money(amount, currency)
        }
    }
}
