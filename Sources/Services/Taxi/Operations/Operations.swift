package import Chronology
package import Dispatching
package import Fares
import Geo
import Storage

/// A category of open requests on the operator's page.
package enum RequestFilter: String, Hashable, Sendable, CaseIterable {
    /// Requests that wait for a taxi.
    case waiting
    /// Requests that a dispatcher has set aside.
    case parked
    /// Rides in progress.
    case riding
    /// Reservations whose search has not started.
    case reserved

    /// Returns the category of a request; nil for a joiner.
    package init?(_ request: Request) {
        switch request.phase {
        case .riding: self = .riding
        case .parked: self = .parked
        case .joined: return nil
        case .reserved: self = request.isLive ? .waiting : .reserved
        case .seeking, .offered, .held: self = .waiting
        }
    }
}

/// An open request in the operator's table.
package struct RequestLine: Hashable, Sendable {
    /// The dispatcher's request.
    package var request: Request
    /// The name of its zone.
    package var zone: String
    /// When it arrived; nil if the tables do not include it yet.
    package var asked: Moment?
    /// The taxi with an offer or the ride, by its code in the log.
    package var taxi: TaxiReference?
    /// The pickup point; nil if unknown.
    package var meeting: PlaceDescription?
}

/// A taxi by its number and its code in the log.
package struct TaxiReference: Hashable, Sendable {
    package var number: TaxiNumber
    /// The pseudonymous code in the log.
    package var code: String
}

/// A zone in the operator's table.
package struct ZoneLine: Hashable, Sendable {
    package var number: ZoneNumber
    /// The code of the zone in the log.
    package var code: String
    package var name: String
    /// The number of taxis in its queue.
    package var free: Int
    /// The number of its requests that wait for a taxi.
    package var waiting: Int
    /// The first taxi in its queue.
    package var next: TaxiReference?
}

/// The current state of the service for operators.
package struct Operations: Sendable {
    /// The number of open requests in each category.
    package var requests: [RequestFilter: Int] = [:]
    /// The number of taxis in each state.
    package var taxis: [TaxiStand: Int] = [:]
    /// All zones in the order of their numbers.
    package var zones: [ZoneLine] = []
    /// The open requests of the selected category, oldest first.
    package var lines: [RequestLine] = []
    /// Whether there are more open requests than listed.
    package var hasMore = false
    /// The median wait of the last hour in seconds; nil if no taxi came.
    package var medianWaitSeconds: Int64?
    /// The number of requests of the last hour that found no taxi.
    package var unserved: Int64 = 0
}

extension TaxiService {
    /// Returns the current state of the service for operators.
    ///
    /// - Parameters:
    ///   - filter: the category of open requests to list.
    ///   - zone: the zone of the requests; nil for all.
    ///   - limit: the largest number of requests.
    /// - Returns: a consistent snapshot; waiting times cover the last hour.
    /// - Throws: ``Failure/notServing``; any `DatabaseFailure`.
    package func operations(
        _ filter: RequestFilter,
        in zone: ZoneNumber? = nil,
        limit: Int
    ) async throws -> Operations {
        try checkServing()
        var found = try await dispatch.read { $0.operations(filter, in: zone, limit: limit) }
        let asked = try await store.asked(found.lines.map(\.request.number))
        for index in found.lines.indices {
            let number = found.lines[index].request.number
            found.lines[index].zone = zoneName(found.lines[index].zone)
            found.lines[index].asked = asked[number]
            found.lines[index].meeting = book[number]?.places.map {
                PlaceDescription($0.meetingDescription, at: $0.meeting)
            }
        }
        found.zones = found.zones.map { named($0) }
        (found.medianWaitSeconds, found.unserved) = try await store.waits(
            since: clock.now().adding(seconds: -3_600)
        )
        return found
    }

    /// Returns all zones with their queues and waiting requests, in the order of their numbers.
    ///
    /// - Throws: ``Failure/notServing``.
    package func zoneLines() async throws -> [ZoneLine] {
        try checkServing()
        return try await dispatch.read { $0.operations(.waiting, in: nil, limit: 0).zones }
            .map { named($0) }
    }

    private func named(_ zone: ZoneLine) -> ZoneLine {
        var zone = zone
        zone.name = zoneName(zone.code)
        return zone
    }
}

extension Dispatcher {
    /// Computes counts and tables in one pass over the requests and one over the taxis.
    fileprivate func operations(
        _ filter: RequestFilter,
        in zone: ZoneNumber?,
        limit: Int
    ) -> Operations {
        var found = Operations()
        var waiting = [Int](repeating: 0, count: zones.count)
        var wanted: [Request] = []
        for request in requests {
            guard let kind = RequestFilter(request) else { continue }
            found.requests[kind, default: 0] += 1
            if kind == .waiting || kind == .parked { waiting[Int(request.zone.rawValue)] += 1 }
            if kind == filter, zone == nil || zone == request.zone { wanted.append(request) }
        }
        wanted.sort { $0.comesBefore($1) }
        found.hasMore = wanted.count > limit
        found.lines = wanted.prefix(limit).map { line(of: $0) }
        for taxi in taxis {
            if let stand = stand(of: taxi) { found.taxis[stand, default: 0] += 1 }
        }
        found.zones = zones.enumerated().map { index, queue in
            ZoneLine(
                number: ZoneNumber(rawValue: UInt32(index)),
                code: queue.name,
                name: queue.name,
                free: queue.entries.count,
                waiting: waiting[index],
                next: queue.entries.first.flatMap { reference($0.taxi) }
            )
        }
        return found
    }

    /// Returns the table line of a request, without the data from the tables.
    func line(of request: Request) -> RequestLine {
        RequestLine(
            request: request,
            zone: zones[Int(request.zone.rawValue)].name,
            taxi: (request.offer?.taxi ?? request.ride?.taxi).flatMap { reference($0) }
        )
    }

    /// Returns the number and code of a taxi; nil if it was never registered.
    package func reference(_ number: TaxiNumber) -> TaxiReference? {
        taxi(number).map { TaxiReference(number: number, code: $0.code) }
    }
}

extension Request {
    /// The sort order of the operator's table: reservations by reserved time, others by arrival.
    fileprivate func comesBefore(_ other: Request) -> Bool {
        if !isLive, !other.isLive, let due, let otherDue = other.due, due != otherDue {
            return due < otherDue
        }
        return (arrival, number) < (other.arrival, other.number)
    }
}

extension RideStore {
    /// Returns the arrival times of those requests that the tables include.
    fileprivate func asked(_ requests: [RequestNumber]) async throws -> [RequestNumber: Moment] {
        if requests.isEmpty { return [:] }
        return try await database.read { [name = log.name] transaction in
            let found = try transaction.rows(
                requests.map { request -> SQL in
                    "SELECT asked FROM ride WHERE log = \(name) AND request = \(request.stored)"
                }
            )
            var moments: [RequestNumber: Moment] = [:]
            for (request, rows) in zip(requests, found) {
                moments[request] = try rows.first.map {
                    Moment(milliseconds: try $0.value("asked"))
                }
            }
            return moments
        }
    }

    /// Returns the median wait in seconds of passengers whose taxi came after a given time, and the
    /// number without a taxi.
    ///
    /// The wait for a reservation starts at the reserved time.
    fileprivate func waits(since start: Moment) async throws -> (median: Int64?, unserved: Int64) {
        try await database.read { [name = log.name] transaction in
            let came: SQL = """
                FROM ride WHERE log = \(name) AND accepted >= \(start.milliseconds)
                    AND reached IS NOT NULL AND owner IS NULL
                """
            let count =
                try transaction.row("SELECT count(*) AS count \(came)")?
                .value("count", as: Int64.self) ?? 0
            var median: Int64?
            if count > 0 {
                let wait = try transaction.row(
                    """
                    SELECT CASE WHEN reached > coalesce(due, asked)
                        THEN reached - coalesce(due, asked) ELSE 0 END AS wait \(came)
                    ORDER BY wait LIMIT 1 OFFSET \((count - 1) / 2)
                    """
                )
                median = try wait.map { try $0.value("wait", as: Int64.self) / 1_000 }
            }
            let none = try transaction.row(
                """
                SELECT count(*) AS count FROM ride WHERE log = \(name) AND taxi IS NULL
                    AND ended >= \(start.milliseconds) AND outcome IN (
                    \(RequestOutcome.noTaxi.stored), \(RequestOutcome.allRefused.stored),
                    \(RequestOutcome.heldTooLong.stored), \(RequestOutcome.dropped.stored))
                """
            )
            return (median, try none?.value("count") ?? 0)
        }
    }
}

extension RequestOutcome {
    /// The number as stored in the tables.
    var stored: Int64 { Int64(rawValue) }
}
