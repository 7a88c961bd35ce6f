package import SeededRandom

/// The behaviour of drivers and passengers, as probabilities and durations (spec/taxi.md 5.1).
package enum Habits {
    /// A random draw below this value accepts an offer.
    package static let accepts = 0.7
    /// A draw from ``accepts`` to below this value refuses it.
    package static let refuses = 0.85
    /// A draw from ``refuses`` to below this value ignores the offer; above it the
    /// driver is unreachable.
    package static let ignores = 0.95
    /// The share of drivers without a ride who look for a better place when they might.
    package static let looks = 0.3
    /// How long a driver considers an offer, in seconds.
    package static let thinking = 2.0...25.0
    /// How long an offer takes to reach a driver's phone, in milliseconds.
    package static let showing = 150.0...900.0
    /// The time from the taxi's arrival to boarding, in seconds.
    package static let boarding = 20.0...120.0
}

extension SeededRandom {
    /// Returns a uniformly distributed number within a range.
    package mutating func within(_ range: ClosedRange<Double>) -> Double {
        between(range.lowerBound, range.upperBound)
    }
}
