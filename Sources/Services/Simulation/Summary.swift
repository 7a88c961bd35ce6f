package import Audit

/// What came of a simulated day.
package struct Summary: Sendable {
    /// Who called: all that follows up to ``pending`` add up to it.
    package let requests: Int
    /// Driven to the end.
    package let served: Int
    /// Told that there was no taxi.
    package let unserved: Int
    /// Cancelled by the passenger.
    package let cancelled: Int
    /// Did not come.
    package let noShow: Int
    /// Called from outside all zones.
    package let outsideCity: Int
    /// Not over when the day ended.
    package let pending: Int
    /// Those who would share their ride; counted above too.
    package let sharing: Sharing
    /// Questions to drivers.
    package let offers: Int
    /// From the call, or the hour of a reservation, to the taxi at the meeting point, of those
    /// served.
    package let waitSeconds: Waits
    /// How unevenly rides fell on the drivers who worked, 0 to 1.
    package let ridesPerDriverGini: Double
    /// Drives that went in a straight line for a part, since no street was near.
    package let offStreetDrives: Int
    /// Events of the log.
    package let events: Int
    /// The state at the end.
    package let stateHash: UInt64
    /// What an independent reading of the log found.
    package let findings: Audit.Findings

    /// What came of the wish to share.
    package struct Sharing: Hashable, Sendable {
        /// Who would share.
        package var asked = 0
        /// Who rode along with somebody.
        package var joined = 0
        /// Who could have walked to an open ride, but none suited.
        ///
        /// He would have come too late, gone too far out of the way, or found no seat. The others
        /// found no open ride near them.
        package var refused = 0
    }

    /// The mean, the median and the 95th percentile of waits, in seconds; 0 when nobody waited.
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

        /// The smallest value that so many percent do not exceed.
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
        self.offStreetDrives = offStreetDrives
        events = tally.events
        self.stateHash = stateHash
        self.findings = findings
    }
}
