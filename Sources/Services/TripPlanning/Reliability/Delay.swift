import Foundation

/// How late a vehicle is at a stop: a shifted log-normal distribution with two known percentiles.
///
/// Delays of vehicles are skewed: few are early, some are very late. The shift is how early a
/// vehicle may be.
package struct Delay: Sendable, Hashable {
    /// The median, in seconds.
    package let median: Int32
    /// What nine of ten delays do not exceed, in seconds; at least the median.
    package let ninth: Int32

    /// How many shares of equal probability a distribution is divided into.
    static let shareCount = 40
    /// The greatest delay that is read, in seconds: five hours, as OpenTripPlanner has it.
    package static let limit: Int32 = 18_000
    /// How early a vehicle may be, in seconds.
    private static let shift = 60.0
    /// The ninth decile of the normal distribution.
    private static let ninthDecile = 1.281_551_565_544_6

    /// A distribution; nil unless 0 ≤ median ≤ ninth ≤ ``limit``.
    package init?(median: Int32, ninth: Int32) {
        guard 0 <= median, median <= ninth, ninth <= Self.limit else { return nil }
        self.median = median
        self.ninth = ninth
    }

    /// The delay in the middle of each share, in seconds, ascending.
    var shares: [Int64] {
        let middle = Double(median) + Self.shift
        let ratio = (Double(ninth) + Self.shift) / middle
        return Self.deviations.map { deviation in
            Int64((middle * pow(ratio, deviation / Self.ninthDecile) - Self.shift).rounded())
        }
    }

    /// The normal distribution at the middle of each share, in standard deviations.
    private static let deviations: [Double] = (0..<shareCount).map {
        deviation((Double($0) + 0.5) / Double(shareCount))
    }

    /// The inverse of the normal distribution, by bisection of the error function.
    private static func deviation(_ share: Double) -> Double {
        var (low, high) = (-8.0, 8.0)
        for _ in 0..<60 {
            let middle = (low + high) / 2
            if erfc(-middle / 2.0.squareRoot()) / 2 < share { low = middle } else { high = middle }
        }
        return (low + high) / 2
    }
}
