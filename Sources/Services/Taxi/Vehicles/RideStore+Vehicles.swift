import Chronology
import Dispatching
import Geo
import Storage

extension RideStore {
    /// The rides that had a taxi at a moment and had not ended, by the requests of their owners.
    func openRides(
        at moment: Moment
    ) async throws -> [RequestNumber: VehicleEventProjection.OpenRide] {
        let now = moment.milliseconds
        let records = try await database.read { [name = log.name] transaction in
            try transaction.rows(
                """
                SELECT * FROM ride WHERE log = \(name) AND accepted < \(now)
                    AND accepted >= \(now - 86_400_000) AND (ended IS NULL OR ended >= \(now))
                ORDER BY request
                """
            )
            .map { try RideRecord($0) }
        }
        var rides: [RequestNumber: VehicleEventProjection.OpenRide] = [:]
        for record in records where record.owner == nil {
            guard let taxi = record.taxi else { continue }
            func isPast(_ step: Moment?) -> Bool { step.map { $0 < moment } ?? false }
            let state: VehicleEvent.State =
                isPast(record.boarded) ? .onTrip : isPast(record.reached) ? .stopped : .reserved
            rides[record.request] = .init(taxi: taxi, state: state, parties: [record.request])
        }
        for record in records {
            if let owner = record.owner, record.asked < moment {
                rides[owner]?.parties.append(record.request)
            }
        }
        return rides
    }

    /// The completed rides of a period, each with its destination while the service knows it.
    func trips(
        from start: Moment,
        to end: Moment,
        acceptedSince earliest: Moment
    ) async throws -> [(trip: VehicleTrip, destination: Coordinate?)] {
        let completed = Int64(RequestOutcome.completed.rawValue)
        return try await database.read(within: .seconds(30)) { [name = log.name] transaction in
            try transaction.rows(
                """
                SELECT r.*, p.seconds AS told, f.share AS paid, f.currency AS currency,
                    f.decimetres AS decimetres, l.destination_latitude AS latitude,
                    l.destination_longitude AS longitude
                FROM ride r
                    LEFT JOIN ride_promise p ON p.log = r.log AND p.request = r.request
                    LEFT JOIN ride_fare f ON f.log = r.log AND f.request = r.request
                    LEFT JOIN ride_place l ON l.log = r.log AND l.request = r.request
                WHERE r.log = \(name) AND r.accepted >= \(earliest.milliseconds)
                    AND r.accepted < \(end.milliseconds) AND r.ended >= \(start.milliseconds)
                    AND r.ended < \(end.milliseconds) AND r.outcome = \(completed)
                    AND r.boarded IS NOT NULL AND r.taxi_code IS NOT NULL
                ORDER BY r.ended, r.request
                """
            )
            .compactMap { row -> (trip: VehicleTrip, destination: Coordinate?)? in
                guard let trip = try VehicleTrip(row) else { return nil }
                let latitude: Int64? = try row.value("latitude")
                let longitude: Int64? = try row.value("longitude")
                guard let latitude, let longitude else { return (trip, nil) }
                let place = Coordinate(
                    latitude: Int32(clamping: latitude),
                    longitude: Int32(clamping: longitude)
                )
                return (trip, place)
            }
        }
    }

    /// The last event of each taxi that has ever worked, from its last shift and its last ride.
    func lastEvents(of taxis: [Taxi]) async throws -> [VehicleEvent] {
        try await database.read { [name = log.name] transaction in
            let shifts = try transaction.rows(
                taxis.map { taxi in
                    """
                    SELECT began, ended FROM driver_shift
                    WHERE log = \(name) AND taxi = \(taxi.number.stored)
                    ORDER BY sequence DESC LIMIT 1
                    """
                }
            )
            let rides = try transaction.rows(
                taxis.map { taxi in
                    """
                    SELECT * FROM ride
                    WHERE log = \(name) AND taxi = \(taxi.number.stored) AND owner IS NULL
                    ORDER BY request DESC LIMIT 1
                    """
                }
            )
            var events: [VehicleEvent] = []
            for (place, taxi) in taxis.enumerated() {
                var found = try shifts[place].first.map { try Self.events(ofShift: $0, taxi) } ?? []
                found += try rides[place].first.map { try Self.events(ofRide: $0, taxi) } ?? []
                if let last = found.reversed().max(by: { $0.at < $1.at }) { events.append(last) }
            }
            return events
        }
    }

    private static func event(
        _ kind: VehicleEvent.Kind,
        _ state: VehicleEvent.State,
        _ at: Moment?,
        _ taxi: Taxi,
        _ ride: [RequestNumber] = []
    ) -> VehicleEvent? {
        at.map { at in
            var event = VehicleEvent(
                taxi: taxi.number,
                at: at,
                kind: kind,
                state: state,
                rides: ride
            )
            if case .zone(let zone) = taxi.place { event.zone = zone }
            return event
        }
    }

    private static func events(ofShift row: Row, _ taxi: Taxi) throws -> [VehicleEvent] {
        let began = Moment(milliseconds: try row.value("began"))
        let ended = try row.value("ended", as: Int64?.self).map { Moment(milliseconds: $0) }
        return [
            event(.serviceStart, .available, began, taxi),
            event(.serviceEnd, .nonOperational, ended, taxi),
        ]
        .compactMap(\.self)
    }

    private static func events(ofRide row: Row, _ taxi: Taxi) throws -> [VehicleEvent] {
        let record = try RideRecord(row)
        let ride = [record.request]
        return [
            event(.reservationStart, .reserved, record.accepted, taxi, ride),
            event(.reservationStop, .stopped, record.reached, taxi, ride),
            event(.tripStart, .onTrip, record.boarded, taxi, ride),
            event(record.outcome?.kind ?? .tripEnd, .available, record.ended, taxi, ride),
        ]
        .compactMap(\.self)
    }
}

extension VehicleTrip {
    /// Decodes a completed ride; nil if a step of it is missing.
    fileprivate init?(_ row: Row) throws {
        let record = try RideRecord(row)
        guard let accepted = record.accepted, let boarded = record.boarded,
            let ended = record.ended, let code = record.taxiCode
        else { return nil }
        let told: Int64? = try row.value("told")
        let decimetres: Int64? = try row.value("decimetres")
        self.init(
            request: record.request,
            ride: record.owner ?? record.request,
            isShared: record.owner != nil,
            taxiCode: code,
            startZone: record.zone,
            endZone: nil,
            asked: record.asked,
            due: record.due,
            accepted: accepted,
            promised: record.due ?? told.map { accepted.adding(seconds: $0) } ?? accepted,
            boarded: boarded,
            ended: ended,
            aboard: Int64(record.aboard ?? 0),
            metres: decimetres.map { $0 / 10 },
            paid: try row.value("paid"),
            currency: try row.value("currency")
        )
    }
}
