/// The errors of predicted arrivals, as shown on the statistics page (spec/taxi.md 5.4).
///
/// Memory is constant, about 30 kB: a counter for each second of error up to an hour.
package struct ArrivalErrors: Hashable, Sendable {
    /// The error in seconds from which on ``percentile(_:)`` treats all errors alike.
    package static let limitSeconds: Int64 = 3_600

    /// The number of recorded arrivals.
    package private(set) var count: Int64 = 0
    private var absoluteSum: Int64 = 0
    private var signedSum: Int64 = 0
    /// The number of arrivals by absolute error in seconds.
    private var histogram: [Int64]

    /// Creates statistics without arrivals.
    package init() {
        histogram = Array(repeating: 0, count: Int(Self.limitSeconds) + 1)
    }

    /// Records an arrival.
    ///
    /// - Parameters:
    ///   - told: the predicted seconds.
    ///   - real: the actual seconds.
    package mutating func add(told: Int64, real: Int64) {
        let day: Int64 = 86_400
        let error = max(-day, min(day, max(0, min(day, told)) - max(0, min(day, real))))
        count += 1
        signedSum += error
        absoluteSum += abs(error)
        histogram[Int(min(Self.limitSeconds, abs(error)))] += 1
    }

    /// Adds the errors of another period or server.
    package mutating func add(_ other: ArrivalErrors) {
        count += other.count
        absoluteSum += other.absoluteSum
        signedSum += other.signedSum
        for second in histogram.indices { histogram[second] += other.histogram[second] }
    }

    /// The mean absolute error in seconds; nil before the first arrival.
    package var meanAbsoluteSeconds: Double? {
        count > 0 ? Double(absoluteSum) / Double(count) : nil
    }

    /// The mean error in seconds, positive if taxis came earlier than predicted; nil before
    /// the first arrival.
    package var biasSeconds: Double? {
        count > 0 ? Double(signedSum) / Double(count) : nil
    }

    /// The 90th percentile of the absolute error in seconds; nil before the first arrival.
    package var p90Seconds: Int64? { percentile(90) }

    /// Returns a percentile of the absolute error in seconds, by nearest rank.
    ///
    /// - Parameter percent: 1 to 100.
    /// - Returns: at most ``limitSeconds``; nil before the first arrival.
    package func percentile(_ percent: Int64) -> Int64? {
        guard count > 0 else { return nil }
        let rank = max(1, (count * max(1, min(100, percent)) + 99) / 100)
        var seen: Int64 = 0
        for second in histogram.indices {
            seen += histogram[second]
            if seen >= rank { return Int64(second) }
        }
        return Self.limitSeconds
    }
}
