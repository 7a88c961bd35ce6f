package import Audit

/// The results of a simulation.
package struct Summary: Sendable {
    /// The number of requests, which is the sum of the outcomes up to ``pending``.
    package let requests: Int
    /// Requests whose rides were completed.
    package let served: Int
    /// Requests that found no taxi.
    package let unserved: Int
    /// Requests that the passenger cancelled.
    package let cancelled: Int
    /// Requests whose passenger did not come.
    package let noShow: Int
    /// Requests from outside all zones.
    package let outsideCity: Int
    /// Requests still live at the end.
    package let pending: Int
    /// The results for passengers who would share a ride, who are included above.
    package let sharing: Sharing
    /// The number of offers to drivers.
    package let offers: Int
    /// The wait from the request, or the reserved time, to the taxi's arrival, for completed rides.
    package let waitSeconds: Waits
    /// The Gini coefficient of rides among drivers who worked, 0 to 1.
    package let ridesPerDriverGini: Double
    /// The Gini coefficient of rides per hour on duty among drivers who worked, 0 to 1.
    package let ridesPerHourGini: Double
    /// Drives that were partly a straight line because no street was near.
    package let offStreetDrives: Int
    /// The number of events in the log.
    package let events: Int
    /// The hash of the dispatcher's state at the end.
    package let stateHash: UInt64
    /// The result of auditing the log.
    package let findings: Audit.Findings

    /// The results for passengers who would share a ride.
    package struct Sharing: Hashable, Sendable {
        /// The number of passengers who would share.
        package var asked = 0
        /// The number of passengers who joined a ride.
        package var joined = 0
        /// The number of passengers near an open ride of which none suited.
        ///
        /// They would have been late, caused too long a detour, or found no seat. The others found
        /// no open ride nearby.
        package var refused = 0
    }

    /// The mean, median and 95th percentile of waits in seconds; 0 without waits.
    package struct Waits: Sendable {
        package let mean: Double
        package let p50: Double
        package let p95: Double

        init(_ milliseconds: [Int64]) {
            let sorted = milliseconds.sorted()
            mean =
                sorted.isEmpty
                ? 0 : Double(sorted.reduce(0, +)) / Double(sorted.count) / 1_000
            p50 = Self.percentile(50, sorted)
            p95 = Self.percentile(95, sorted)
        }

        /// Returns a percentile by nearest rank.
        private static func percentile(_ percent: Int, _ sorted: [Int64]) -> Double {
            guard !sorted.isEmpty else { return 0 }
            let place = max(1, (sorted.count * percent + 99) / 100)
            return Double(sorted[place - 1]) / 1_000
        }
    }

    init(
        tally: Tally,
        findings: Audit.Findings,
        offStreetDrives: Int,
        stateHash: UInt64,
        customers: Int,
        pending: Int
    ) {
        requests = customers
        served = tally.served
        unserved = tally.unserved
        cancelled = tally.cancelled
        noShow = tally.noShow
        outsideCity = tally.outsideCity
        self.pending = pending
        sharing = tally.sharing
        offers = tally.offers
        waitSeconds = Waits(tally.waits)
        ridesPerDriverGini = tally.gini
        ridesPerHourGini = tally.hourlyGini
        self.offStreetDrives = offStreetDrives
        events = tally.events
        self.stateHash = stateHash
        self.findings = findings
    }
}
