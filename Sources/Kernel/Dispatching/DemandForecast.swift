/// The expected requests and free taxis of each zone in each quarter of an hour of the week.
///
/// A quarter is expected to be as the same quarter of the last weeks was, the last one with the
/// greatest weight. A single week says little about a zone with few requests, so that two more
/// things count: the quarters just before and after, and the same time of day on all days of the
/// same kind (Monday to Friday, Saturday, Sunday), which weighs as much as three weeks.
///
/// Measured on the green taxis of New York in February 2023, forecasting each hour from the days
/// before it: see `docs/simulation.md`.
///
/// It needs 11 kB for each zone and is no part of dispatch: no decision depends on it.
public struct DemandForecast: Sendable {
    /// What is expected in a zone.
    public struct Expectation: Hashable, Sendable {
        /// The number of requests.
        public var requests: Double
        /// The mean number of free taxis; nil where they were never counted.
        public var freeTaxis: Double?

        /// Creates an expectation.
        public init(requests: Double, freeTaxis: Double?) {
            self.requests = requests
            self.freeTaxis = freeTaxis
        }
    }

    /// The weight of a week relative to the week after it.
    static let decay = 0.8
    /// How many weeks of one quarter the days of the same kind weigh.
    static let dayWeight = 3.0
    /// The weights of a quarter and of those before and after it, by distance.
    static let near = [3.0, 2.0, 1.0]

    /// Sums or weights of requests and of free taxis.
    private struct Pair: Sendable {
        var requests: Float = 0
        var freeTaxis: Float = 0
    }

    /// The number of zones.
    public let zoneCount: Int
    /// The weight of the observed weeks of each quarter of the week.
    private var weights: [Pair]
    /// The weighted sums of each zone's quarters of the week.
    private var cells: [Pair]

    /// Creates a forecast of zones about which nothing is known.
    public init(zoneCount: Int) {
        self.zoneCount = zoneCount
        weights = Array(repeating: Pair(), count: LocalQuarter.perWeek)
        cells = Array(repeating: Pair(), count: LocalQuarter.perWeek * zoneCount)
    }

    /// Whether nothing was observed yet.
    public var isEmpty: Bool { !weights.contains { $0.requests > 0 } }

    /// Adds what happened in a quarter.
    ///
    /// Call it once for each quarter, in order of time; quarters may be missing.
    ///
    /// - Parameters:
    ///   - quarter: the quarter, which is over.
    ///   - requests: for each zone, the requests that arrived and the reservations for that time.
    ///   - freeTaxis: for each zone, the taxis in its queue; nil if they were not counted.
    public mutating func observe(
        _ quarter: LocalQuarter,
        requests: [Int32],
        freeTaxis: [Int32]?
    ) {
        precondition(requests.count == zoneCount, "Each zone has one observation.")
        precondition(freeTaxis.map { $0.count == zoneCount } ?? true, "A zone was not counted.")
        let slot = quarter.ofWeek
        let decay = Float(Self.decay)
        weights[slot].requests = weights[slot].requests * decay + 1
        if freeTaxis != nil { weights[slot].freeTaxis = weights[slot].freeTaxis * decay + 1 }
        for zone in requests.indices {
            let index = zone * LocalQuarter.perWeek + slot
            cells[index].requests = cells[index].requests * decay + Float(requests[zone])
            guard let freeTaxis else { continue }
            cells[index].freeTaxis = cells[index].freeTaxis * decay + Float(freeTaxis[zone])
        }
    }

    /// Returns what is expected in a zone in a quarter of an hour; nil where nothing like it was
    /// observed.
    public func expected(in zone: ZoneNumber, at quarter: LocalQuarter) -> Expectation? {
        guard zone.rawValue < zoneCount else { return nil }
        let first = Int(zone.rawValue) * LocalQuarter.perWeek
        let slot = quarter.ofWeek
        let requests = mean(around: slot) { slot in
            (sum: cells[first + slot].requests, weight: weights[slot].requests)
        }
        let freeTaxis = mean(around: slot) { slot in
            (sum: cells[first + slot].freeTaxis, weight: weights[slot].freeTaxis)
        }
        return requests.map { Expectation(requests: $0, freeTaxis: freeTaxis) }
    }

    /// Returns what is expected in a zone in several quarters from one on: all their requests, and
    /// the mean number of free taxis.
    public func expected(
        in zone: ZoneNumber,
        from quarter: LocalQuarter,
        quarters: Int
    ) -> Expectation? {
        let all = (0..<quarters).compactMap { expected(in: zone, at: quarter.adding($0)) }
        guard !all.isEmpty else { return nil }
        let free = all.compactMap { $0.freeTaxis }
        return Expectation(
            requests: all.reduce(0) { $0 + $1.requests },
            freeTaxis: free.isEmpty ? nil : free.reduce(0, +) / Double(free.count)
        )
    }

    /// The expected value of a quarter of the week, from weighted sums of the past weeks; nil if
    /// neither it nor a quarter like it was observed.
    private func mean(around slot: Int, _ past: (Int) -> (sum: Float, weight: Float)) -> Double? {
        var own = (sum: 0.0, weight: 0.0)
        for distance in -(Self.near.count - 1)..<Self.near.count {
            let factor = Self.near[abs(distance)]
            // A quarter may lie before or after the week.
            let other = past((slot + distance + LocalQuarter.perWeek) % LocalQuarter.perWeek)
            own.sum += factor * Double(other.sum)
            own.weight += factor * Double(other.weight)
        }
        var days = (sum: 0.0, weight: 0.0)
        for day in Self.sameKind(slot / LocalQuarter.perDay) {
            let other = past(day * LocalQuarter.perDay + slot % LocalQuarter.perDay)
            days.sum += Double(other.sum)
            days.weight += Double(other.weight)
        }
        guard own.weight > 0 else { return days.weight > 0 ? days.sum / days.weight : nil }
        guard days.weight > 0 else { return own.sum / own.weight }
        // The smoothed quarter counts as the weeks in which it was observed.
        let weeks = Double(max(1, past(slot).weight))
        let share = weeks / (weeks + Self.dayWeight)
        return share * own.sum / own.weight + (1 - share) * days.sum / days.weight
    }

    /// The days of the week of the same kind as a day, from Monday.
    private static func sameKind(_ day: Int) -> ClosedRange<Int> {
        day < 5 ? 0...4 : day...day
    }
}
