import Chronology

/// What people care about most when they choose from the options of an answer.
///
/// It orders options that were found, and never steers the search.
package enum TripPreference: String, Sendable, CaseIterable {
    /// The earliest arrival, or the latest departure of trips that must arrive by a time.
    case quick
    /// The lowest price.
    case cheap
    /// The least emissions.
    case green
    /// The lowest price with the time at its value.
    case balanced

    /// The options in the order of the preference; what is unknown comes last, and ties keep their
    /// order.
    ///
    /// - Parameters:
    ///   - answer: the answer whose options are ordered.
    ///   - valueOfHour: the value of an hour in minor units of the currency of prices.
    /// - Returns: the same options.
    package func ordered(_ answer: TripAnswer, valueOfHour: Int64) -> [TripOption] {
        let isArriveBy = answer.question.isArriveBy
        func rank(_ option: TripOption) -> Int64 {
            switch self {
            case .quick:
                return isArriveBy ? -option.departure.seconds : option.arrival.seconds
            case .cheap: return option.price.minorUnits ?? .max
            case .green: return option.emissions?.grams ?? .max
            case .balanced:
                guard let amount = option.price.minorUnits else { return .max }
                // The time counts from the wish to its end: a late departure is waited for.
                let seconds =
                    isArriveBy
                    ? answer.question.time.seconds - option.departure.seconds
                    : option.arrival.seconds - answer.question.time.seconds
                return amount * 3_600 + valueOfHour * seconds
            }
        }
        return answer.options.enumerated()
            .sorted { (rank($0.element), $0.offset) < (rank($1.element), $1.offset) }
            .map(\.element)
    }
}

/// Limits on what a trip may cost and emit.
///
/// They leave out options that were found; a search for others within them is not made.
package struct TripLimits: Sendable, Equatable {
    /// The highest price in minor units; nil for any.
    package var minorUnits: Int64?
    /// The highest emissions in grams; nil for any.
    package var grams: Int64?

    /// Limits; by default none.
    package init(minorUnits: Int64? = nil, grams: Int64? = nil) {
        self.minorUnits = minorUnits
        self.grams = grams
    }

    /// Whether an option keeps to the limits; one whose price or emissions are unknown does not
    /// keep to a limit on them.
    package func allow(_ option: TripOption) -> Bool {
        if let minorUnits {
            guard let amount = option.price.minorUnits, amount <= minorUnits else {
                return false
            }
        }
        if let grams {
            guard let emissions = option.emissions, emissions.grams <= grams else { return false }
        }
        return true
    }
}
