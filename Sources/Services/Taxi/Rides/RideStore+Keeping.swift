package import Chronology
package import Dispatching
package import Fares
import Geo
import Storage
package import Zones

extension RideStore {
    /// Returns the zones with a hash; nil if they were never stored.
    ///
    /// - Throws: `ZoneFailure` if the stored data is invalid.
    package func zones(_ hash: UInt64) async throws -> ZoneSet? {
        let row = try await database.read { [name = log.name] transaction in
            try transaction.row(
                """
                SELECT code_property, name_property, geojson FROM taxi_zones
                WHERE log = \(name) AND hash = \(Int64(bitPattern: hash))
                """
            )
        }
        guard let row else { return nil }
        return try ZoneSet.read(
            row.value("geojson"),
            file: "taxi_zones",
            naming: ZoneNaming(
                codeProperty: row.value("code_property"),
                nameProperty: row.value("name_property")
            )
        )
    }

    /// The statement that stores zones, so that a restart finds those the log refers to.
    static func keep(_ zones: ZoneSet, log: String) -> SQL {
        """
        INSERT INTO taxi_zones (log, hash, code_property, name_property, geojson)
        VALUES (\(log), \(Int64(bitPattern: zones.versionHash)), \(zones.naming.codeProperty),
            \(zones.naming.nameProperty), \(zones.geoJSON))
        ON CONFLICT DO NOTHING
        """
    }

    /// A meter as stored.
    struct KeptMeter: Sendable {
        var slow: Drive.Piece
        var fast: Drive.Piece
        var at: Moment
        var place: Coordinate?

        /// Restores the meter with a tariff.
        func metered(by tariff: Tariff?) -> Meter {
            Meter(slow: slow, fast: fast, at: at, place: place, tariff: tariff)
        }
    }

    /// Returns the stored meters.
    func meters() async throws -> [(RequestNumber, KeptMeter)] {
        let rows = try await database.read { [name = log.name] transaction in
            try transaction.rows("SELECT * FROM ride_meter WHERE log = \(name) ORDER BY request")
        }
        return try rows.map { row in
            let latitude: Int32? = try row.value("latitude")
            let longitude: Int32? = try row.value("longitude")
            var place: Coordinate?
            if let latitude, let longitude {
                place = Coordinate(latitude: latitude, longitude: longitude)
            }
            let meter = KeptMeter(
                slow: Drive.Piece(
                    milliseconds: try row.value("slow_milliseconds"),
                    decimetres: try row.value("slow_decimetres")
                ),
                fast: Drive.Piece(
                    milliseconds: try row.value("fast_milliseconds"),
                    decimetres: try row.value("fast_decimetres")
                ),
                at: Moment(milliseconds: try row.value("seen")),
                place: place
            )
            return (RequestNumber(stored: try row.value("request")), meter)
        }
    }

    /// Stores meters, so that rides continue after a restart.
    func save(_ meters: [(RequestNumber, Meter)]) async throws {
        let name = log.name
        let statements = meters.map { request, meter -> SQL in
            """
            INSERT INTO ride_meter (log, request, slow_milliseconds, slow_decimetres,
                fast_milliseconds, fast_decimetres, seen, latitude, longitude)
            VALUES (\(name), \(request.stored), \(meter.slow.milliseconds),
                \(meter.slow.decimetres), \(meter.fast.milliseconds), \(meter.fast.decimetres),
                \(meter.at.milliseconds), \(meter.place?.latitude), \(meter.place?.longitude))
            ON CONFLICT (log, request) DO UPDATE SET
                slow_milliseconds = excluded.slow_milliseconds,
                slow_decimetres = excluded.slow_decimetres,
                fast_milliseconds = excluded.fast_milliseconds,
                fast_decimetres = excluded.fast_decimetres, seen = excluded.seen,
                latitude = excluded.latitude, longitude = excluded.longitude
            """
        }
        try await database.write { transaction in
            let saved = try transaction.execute(statements)
            precondition(
                saved.allSatisfy { $0 == 1 },
                "The meter of a ride was not stored as exactly one row."
            )
        }
    }

    /// Lists the requests of a passenger, newest first (R101).
    package func history(
        of passenger: PassengerNumber,
        limit: Int = 50,
        before: RequestNumber? = nil
    ) async throws -> [RideRecord] {
        try ModuleAccess.check(reads: .history)
        return try await records(
            "passenger = \(passenger.stored)",
            limit: limit,
            before: before
        )
    }

    /// Lists the requests that a taxi accepted, newest first (R34).
    package func history(
        of taxi: TaxiNumber,
        limit: Int = 50,
        before: RequestNumber? = nil
    ) async throws -> [RideRecord] {
        try ModuleAccess.check(reads: .history)
        return try await records(
            "taxi = \(taxi.stored) AND owner IS NULL",
            limit: limit,
            before: before
        )
    }

    /// Returns the record of a request; nil if it is unknown.
    package func record(of request: RequestNumber) async throws -> RideRecord? {
        try await records("request = \(request.stored)", limit: 1, before: nil).first
    }

    /// Returns the code of the taxi that a passenger last used; nil if there is none (R114).
    package func latestTaxi(
        of passenger: PassengerNumber
    ) async throws -> (request: RequestNumber, code: String)? {
        try await database.read(isBrief: true) { [name = log.name] transaction in
            try transaction.row(
                """
                SELECT request, taxi_code FROM ride
                WHERE log = \(name) AND passenger = \(passenger.stored)
                    AND boarded IS NOT NULL AND taxi_code IS NOT NULL
                ORDER BY request DESC LIMIT 1
                """
            )
            .map {
                (RequestNumber(stored: try $0.value("request")), try $0.value("taxi_code"))
            }
        }
    }

    private func records(
        _ condition: SQL,
        limit: Int,
        before: RequestNumber?
    ) async throws -> [RideRecord] {
        let newest = before?.stored ?? .max
        let count = max(1, min(1_000, limit))
        return try await database.read(isBrief: count == 1) { [name = log.name] transaction in
            try transaction.rows(
                """
                SELECT * FROM ride WHERE log = \(name) AND \(condition) AND request < \(newest)
                ORDER BY request DESC LIMIT \(count)
                """
            )
            .map { try RideRecord($0) }
        }
    }

    /// Returns the fare of a request; nil if unknown.
    package func fare(of request: RequestNumber) async throws -> RideFare? {
        try await database.read(isBrief: true) { [name = log.name] transaction in
            try transaction.row(
                "SELECT * FROM ride_fare WHERE log = \(name) AND request = \(request.stored)"
            )
            .flatMap { try RideFare($0) }
        }
    }

    /// Returns the errors of promised arrivals for taxis that arrived after a given time (5.4).
    package func arrivalErrors(
        since moment: Moment,
        until end: Moment
    ) async throws
        -> ArrivalErrors
    {
        let rows = try await database.read { [name = log.name] transaction in
            try transaction.rows(
                """
                SELECT ride_promise.seconds AS told, ride.reached - ride.accepted AS took
                FROM ride JOIN ride_promise ON ride_promise.log = ride.log
                    AND ride_promise.request = ride.request
                WHERE ride.log = \(name) AND ride.accepted >= \(moment.milliseconds)
                    AND ride.accepted < \(end.milliseconds) AND ride.reached IS NOT NULL
                    AND ride_promise.seconds IS NOT NULL
                """
            )
        }
        var errors = ArrivalErrors()
        for row in rows {
            let took: Int64 = try row.value("took")
            errors.add(told: try row.value("told"), real: took / 1_000)
        }
        return errors
    }
}
