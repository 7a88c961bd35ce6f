package import Chronology
package import Dispatching
import Geo
import Storage

/// What regulators may read of the taxis: from the log and the tables that follow it.
extension TaxiService {
    /// How long before a period the log is read, in seconds: longer than any offer is open.
    private static let lead: Int64 = 1_800
    /// How many entries of the log are read at once.
    private static let page: Int64 = 1_000
    /// The longest ride that is found by its start, in seconds.
    private static let longestRide: Int64 = 86_400

    /// Returns the events of vehicles in a period, in the order of the log.
    ///
    /// - Parameters:
    ///   - start: the beginning of the period.
    ///   - end: its end, which does not belong to it.
    /// - Returns: the events.
    /// - Throws: ``Failure/notServing``; any `DatabaseFailure`.
    package func vehicleEvents(
        from start: Moment,
        to end: Moment
    ) async throws -> [VehicleEvent] {
        try checkServing()
        precondition(start <= end, "A period ends before it begins.")
        let first = start.adding(seconds: -Self.lead)
        var projection = VehicleEventProjection(try await store.openRides(at: first))
        let log = dispatch.eventLog
        let last = try await log.head().sequence
        var next = try await firstSequence(at: first, last, in: log)
        var isOver = false
        while next <= last, !isOver {
            let numbers = Array(next...min(last, next + Self.page - 1))
            let entries = try await log.entries(numbers)
            for number in numbers {
                guard let bytes = entries[number] else { continue }
                let entry = try Entry(bytes: bytes)
                if entry.at >= end {
                    isOver = true
                    break
                }
                projection.follow(entry)
            }
            next += Self.page
        }
        return projection.events.filter { $0.at >= start }
    }

    /// The first entry that is not older than a moment; one more than the last if all are.
    ///
    /// - Complexity: O(log *n*) reads of single entries, since time never runs back in the log.
    private func firstSequence(
        at moment: Moment,
        _ last: Int64,
        in log: EventLog
    ) async throws -> Int64 {
        var (low, high) = (Int64(1), last + 1)
        while low < high {
            let middle = low + (high - low) / 2
            let bytes = try await log.entries([middle])[middle]
            let isOlder = try bytes.map { try Entry(bytes: $0).at < moment } ?? true
            if isOlder { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Returns the rides that were completed in a period, by the moment of their end.
    ///
    /// - Parameters:
    ///   - start: the beginning of the period.
    ///   - end: its end, which does not belong to it.
    /// - Returns: the rides of all passengers.
    /// - Throws: ``Failure/notServing``; any `DatabaseFailure`.
    package func vehicleTrips(
        endedFrom start: Moment,
        to end: Moment
    ) async throws -> [VehicleTrip] {
        try checkServing()
        let earliest = start.adding(seconds: -Self.longestRide)
        let rows = try await store.trips(from: start, to: end, acceptedSince: earliest)
        // Those who share a taxi are brought to their destinations by one ride, which ends once.
        let shared = Set(rows.lazy.map(\.trip).filter(\.isShared).map(\.ride))
        return rows.map { row in
            var trip = row.trip
            trip.isShared = shared.contains(trip.ride)
            // The place itself goes no further.
            trip.endZone = row.destination.flatMap { zone(at: $0) }
            return trip
        }
    }

    /// Returns the last event of each taxi that has ever worked.
    ///
    /// - Parameter taxis: the taxis, with the code of each.
    /// - Returns: the events, in the order of the taxis.
    /// - Throws: ``Failure/notServing``; any `DatabaseFailure`.
    package func lastVehicleEvents(
        of taxis: [Taxi]
    ) async throws -> [VehicleEvent] {
        try checkServing()
        return try await store.lastEvents(of: taxis)
    }

    /// Returns the registered taxis after one, in the order of their numbers.
    package func vehicles(
        after last: TaxiNumber?,
        limit: Int
    ) async throws -> (taxis: [Taxi], hasMore: Bool) {
        try checkServing()
        let found = try await dispatch.read { state in
            Array(
                state.taxis.lazy.filter { taxi in
                    !taxi.isRemoved && last.map { taxi.number > $0 } ?? true
                }
                .prefix(limit + 1)
            )
        }
        return (Array(found.prefix(limit)), found.count > limit)
    }
}
