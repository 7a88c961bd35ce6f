package import SeededRandom

/// What drivers and passengers are like, as shares of one and as times (spec/taxi.md 5.1).
package enum Habits {
    /// A draw below it accepts an offer.
    package static let accepts = 0.7
    /// A draw from ``accepts`` to below it refuses.
    package static let refuses = 0.85
    /// A draw from ``refuses`` to below it ignores what the telephone shows; from here on it is
    /// out of reach.
    package static let ignores = 0.95
    /// How long a driver thinks about an offer, in seconds.
    package static let thinking = 2.0...25.0
    /// How long an offer takes to a driver's telephone, in milliseconds.
    package static let showing = 150.0...900.0
    /// How long a passenger takes from the taxi's arrival until he sits in it, in seconds.
    package static let boarding = 20.0...120.0
}

extension SplitMix {
    /// A number within a range, evenly.
    package mutating func within(_ range: ClosedRange<Double>) -> Double {
        between(range.lowerBound, range.upperBound)
    }
}
