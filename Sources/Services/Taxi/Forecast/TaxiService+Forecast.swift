import Chronology
package import Dispatching
import Synchronization

/// What is expected in a zone in the next hour.
package struct ZoneOutlook: Hashable, Sendable {
    /// The number of the zone.
    package var zone: ZoneNumber
    /// The name of the zone.
    package var name: String
    /// The expected number of requests, rounded.
    package var requests: Int
    /// The expected number of free taxis, rounded; nil where they were never counted.
    package var freeTaxis: Int?
    /// The expected requests for each taxi that would then be free there, with one more.
    var perTaxi: Double
}

extension TaxiService {
    /// The number of quarters of an hour that an outlook covers.
    private static let outlookQuarters = 4

    /// Learns what happened in the quarters of an hour that are over; call it every second.
    ///
    /// - Throws: any `DatabaseFailure`; the next call tries again.
    func learnDemand() async throws {
        let current = LearnedDemand.quarter(of: clock.now())
        let known = demand.withLock { $0 }
        if let known, known.next >= current { return }
        let (hash, free) = try await dispatch.read { state in
            (state.zonesHash, state.zones.map { Int32(clamping: $0.entries.count) })
        }
        guard !free.isEmpty else { return }
        var learned: LearnedDemand
        if let known, known.zonesHash == hash {
            learned = known
            try await store.noteFree(free, in: current - 1, hash: hash)
        } else {
            let first = try await firstQuarter(before: current)
            learned = LearnedDemand(zones: free.count, hash: hash, from: first)
        }
        let counts = try await store.zoneCounts(
            learned.next..<current,
            zones: free.count,
            hash: hash
        )
        learned.observe(counts, until: current, in: city.zone)
        demand.withLock { [learned] in $0 = learned }
    }

    /// The first quarter to learn from: neither before the city's first request nor before the
    /// zones got their numbers.
    private func firstQuarter(before current: Int64) async throws -> Int64 {
        let now = Moment(milliseconds: current * LearnedDemand.quarterMilliseconds)
        var start = now.adding(seconds: -LearnedDemand.days * 86_400)
        if let published = try await zoneDrafts.versions(limit: 1).first?.published {
            start = max(start, published)
        }
        start = try await firstActivity(from: start) ?? now
        return min(current, LearnedDemand.quarter(of: start))
    }

    /// Returns what is expected in each zone in the next hour.
    ///
    /// - Returns: the zones by number; an empty list if nothing is known of the city's zones yet.
    /// - Throws: ``Failure/notServing``.
    package func outlook() async throws -> [ZoneOutlook] {
        try checkServing()
        guard let learned = demand.withLock({ $0 }), !learned.forecast.isEmpty else { return [] }
        let (hash, names) = try await dispatch.read { ($0.zonesHash, $0.zones.map(\.name)) }
        guard hash == learned.zonesHash else { return [] }
        let quarter = LocalQuarter(of: clock.now(), in: city.zone)
        return names.enumerated().compactMap { index, name in
            let zone = ZoneNumber(rawValue: UInt32(index))
            let found = learned.forecast.expected(
                in: zone,
                from: quarter,
                quarters: Self.outlookQuarters
            )
            return found.map { expected in
                ZoneOutlook(
                    zone: zone,
                    name: zoneName(name),
                    requests: Int(expected.requests.rounded()),
                    freeTaxis: expected.freeTaxis.map { Int($0.rounded()) },
                    perTaxi: expected.requests / ((expected.freeTaxis ?? 0) + 1)
                )
            }
        }
    }

    /// Returns the zones where most people will wait for each free taxi in the next hour.
    ///
    /// - Parameter limit: the greatest number of zones.
    /// - Returns: the zones with expected requests, the best first; equal ones by number.
    /// - Throws: ``Failure/notServing``.
    package func busiestZones(limit: Int) async throws -> [ZoneOutlook] {
        let zones = try await outlook().filter { $0.requests > 0 }
        return Array(
            zones.sorted { left, right in
                left.perTaxi != right.perTaxi
                    ? left.perTaxi > right.perTaxi : left.zone.rawValue < right.zone.rawValue
            }.prefix(limit)
        )
    }
}
