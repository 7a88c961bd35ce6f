package import Chronology
package import Dispatching
package import Fares
import Geo
import Storage

/// Which open requests an operator looks at.
package enum RequestFilter: String, Hashable, Sendable, CaseIterable {
    /// Those that wait for a taxi.
    case waiting
    /// Those that somebody set aside.
    case parked
    /// Rides under way.
    case riding
    /// Reservations whose hour has not come.
    case reserved

    /// The kind that a request is of; one that rides along is of none.
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

/// An open request as a line of the operator's table.
package struct RequestLine: Hashable, Sendable {
    /// The request as the dispatcher has it.
    package var request: Request
    /// What its zone is called.
    package var zone: String
    /// When it arrived; nil where the tables do not know yet.
    package var asked: Moment?
    /// The taxi that is asked or drives, with its code in the log.
    package var taxi: TaxiReference?
    /// Where the passenger is met; nil where it is not known.
    package var meeting: PlaceWords?
}

/// A taxi by its number and its code in the log.
package struct TaxiReference: Hashable, Sendable {
    /// Its number.
    package var number: TaxiNumber
    /// Its code in the log: a pseudonym.
    package var code: String
}

/// A zone as a line of the operator's table.
package struct ZoneLine: Hashable, Sendable {
    /// Its number.
    package var number: ZoneNumber
    /// What it is called.
    package var name: String
    /// How many taxis wait in its queue.
    package var free: Int
    /// How many requests of it wait for a taxi.
    package var waiting: Int
    /// The taxi whose turn is next.
    package var next: TaxiReference?
}

/// How the service stands just now.
package struct Operations: Sendable {
    /// How many open requests there are of each kind.
    package var requests: [RequestFilter: Int] = [:]
    /// How many taxis do what.
    package var taxis: [TaxiStand: Int] = [:]
    /// All zones, in the order of their numbers.
    package var zones: [ZoneLine] = []
    /// The open requests that were asked for, the oldest first.
    package var lines: [RequestLine] = []
    /// Whether there are more of them.
    package var hasMore = false
    /// Half of those who got a taxi in the last hour waited for it no longer, in seconds; nil where
    /// nobody got one.
    package var medianWaitSeconds: Int64?
    /// How many got none in the last hour.
    package var unserved: Int64 = 0
}

extension TaxiService {
    /// How the service stands just now, for the city's operators.
    ///
    /// - Parameters:
    ///   - filter: which open requests.
    ///   - zone: of which zone; nil for all.
    ///   - limit: how many at most.
    /// - Returns: the state of one moment; the waits are those of the last hour.
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
                PlaceWords($0.meetingWords, at: $0.meeting)
            }
        }
        for index in found.zones.indices {
            found.zones[index].name = zoneName(found.zones[index].name)
        }
        (found.medianWaitSeconds, found.unserved) = try await store.waits(
            since: clock.now().adding(seconds: -3_600)
        )
        return found
    }
}

extension Dispatcher {
    /// The counts and tables, by one pass over requests and one over taxis.
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
                name: queue.name,
                free: queue.entries.count,
                waiting: waiting[index],
                next: queue.entries.first.flatMap { reference($0.taxi) }
            )
        }
        return found
    }

    /// A request as a line, without what only the tables know.
    func line(of request: Request) -> RequestLine {
        RequestLine(
            request: request,
            zone: zones[Int(request.zone.rawValue)].name,
            taxi: (request.offer?.taxi ?? request.ride?.taxi).flatMap { reference($0) }
        )
    }

    /// A taxi by number and code; nil where it was never registered.
    package func reference(_ number: TaxiNumber) -> TaxiReference? {
        taxi(number).map { TaxiReference(number: number, code: $0.code) }
    }
}

extension Request {
    /// The order of the operator's table: reservations by their hour, all else by arrival.
    fileprivate func comesBefore(_ other: Request) -> Bool {
        if !isLive, !other.isLive, let due, let otherDue = other.due, due != otherDue {
            return due < otherDue
        }
        return (arrival, number) < (other.arrival, other.number)
    }
}

extension RideStore {
    /// When requests arrived, of those that the tables know.
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

    /// The median wait of those whose taxi has come since a moment, in seconds, and how many got
    /// none.
    ///
    /// Who reserved waits from the hour of the reservation on.
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
    /// The number that the tables hold.
    var stored: Int64 { Int64(rawValue) }
}
