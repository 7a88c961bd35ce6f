import Chronology
import Fares

/// What people care about most when they choose from the options of an answer.
///
/// It orders options that were found. For ``green``, trips by public transport that emit less and
/// take longer are among them, for ``cheap`` and ``balanced`` those that cost less; for ``quick``,
/// they are those that no other beats in time and transfers.
package enum TripPreference: String, Sendable, CaseIterable {
    /// The earliest arrival, or the latest departure of trips that must arrive by a time.
    case quick
    /// The lowest price.
    case cheap
    /// The least emissions.
    case green
    /// The lowest price with the time at its value.
    case balanced

    /// The value of an hour for trips that balance time and money, in minor units.
    package static let usualValueOfHour: Int64 = 1_200

    /// The place of a trip in the order of the preference among trips to the same appointment: the
    /// least is the best, and what is unknown comes last.
    ///
    /// Time counts from its departure to its arrival.
    package func rank(of option: TripOption) -> Int64 {
        switch self {
        case .quick: option.seconds
        case .cheap: option.price.minorUnits ?? .max
        case .green: option.emissions?.grams ?? .max
        case .balanced:
            option.price.minorUnits.map {
                $0 * 3_600 + Self.usualValueOfHour * option.seconds
            } ?? .max
        }
    }

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

/// Limits on what a trip may cost and emit, and how wet travellers may get.
///
/// They leave out options that were found. The search for trips by public transport keeps to the
/// limits on money and emissions itself (``TripQuestion/limits``), so that nothing is missed; for
/// rain, no search for other trips within the limit is made.
package struct TripLimits: Sendable, Equatable {
    /// The highest price in minor units; nil for any.
    package var minorUnits: Int64?
    /// The ISO 4217 code of the highest price, whose keeping is unknown in any other currency; nil
    /// compares numbers alone.
    package var currencyCode: String?
    /// The highest emissions in grams; nil for any.
    package var grams: Int64?
    /// The most minutes in the rain; nil for any.
    package var wetMinutes: Int64?
    /// The limits on single means (V75), to which searches for trips keep themselves.
    package var modes: [ModeLimit] = []

    /// Limits; by default none.
    package init(
        minorUnits: Int64? = nil,
        currencyCode: String? = nil,
        grams: Int64? = nil,
        wetMinutes: Int64? = nil,
        modes: [ModeLimit] = []
    ) {
        self.minorUnits = minorUnits
        self.currencyCode = currencyCode
        self.grams = grams
        self.wetMinutes = wetMinutes
        self.modes = modes
    }

    /// The greatest number of micrograms that are shown as a number of grams.
    static func micrograms(_ grams: Int64) -> Int64 {
        let (whole, isTooMuch) = grams.multipliedReportingOverflow(by: 1_000_000)
        let (sum, exceeds) = whole.addingReportingOverflow(499_999)
        return isTooMuch || exceeds ? .max : sum
    }

    /// Whether an option keeps to the limits.
    package func allow(_ option: TripOption) -> Bool { reasons(against: option).isEmpty }

    /// The answer with the options that keep to the limits; the kinds of trips that have none left
    /// are missing, with the reason.
    package func applied(to answer: TripAnswer) -> TripAnswer {
        var answer = answer
        var removed: [TripMissing] = []
        answer.options = answer.options.filter { option in
            guard let reason = reasons(against: option).first else { return true }
            removed.append(TripMissing(.kind(option.kind), reason))
            return false
        }
        for entry in removed
        where !answer.options.contains(where: { entry.mode == .kind($0.kind) })
            && !answer.missing.contains(where: { $0.mode == entry.mode })
        {
            answer.missing.append(entry)
        }
        return answer
    }

    /// The limits that an option exceeds; one whose value is unknown keeps to no limit on it.
    func reasons(against option: TripOption) -> [TripMissing.Reason] {
        var reasons: [TripMissing.Reason] = []
        if let minorUnits {
            if let price = option.price.money, isComparable(price) {
                if price.minorUnits > minorUnits { reasons.append(.price(known: true)) }
            } else {
                reasons.append(.price(known: false))
            }
        }
        if let grams, option.emissions.map({ $0.grams > grams }) ?? true {
            reasons.append(.emissions(known: option.emissions != nil))
        }
        if let wetMinutes, option.wetMinutes.map({ $0 > wetMinutes }) ?? true {
            reasons.append(.wet(minutes: option.wetMinutes, limit: wetMinutes))
        }
        return reasons + modes.compactMap { $0.reason(against: option) }
    }

    /// The limits that a trip is known to exceed.
    package func exceeded(by option: TripOption) -> [TripMissing.Reason] {
        reasons(against: option).filter { reason in
            switch reason {
            case .price(let isKnown), .emissions(let isKnown), .limit(_, let isKnown): isKnown
            case .wet(let minutes, _): minutes != nil
            default: true
            }
        }
    }

    /// Whether the limit says anything about a price; nothing costs nothing in any currency.
    private func isComparable(_ price: Money) -> Bool {
        price.minorUnits == 0 || (currencyCode.map { $0 == price.currency.code } ?? true)
    }
}

extension TripAnswer {
    /// The answer with what the question asks of money, emissions and their order.
    ///
    /// It chooses from the options that were found.
    ///
    /// - Parameter valueOfHour: the value of an hour, in minor units of the currency of prices.
    /// - Returns: the answer with the options that are left, in the order of the preference.
    /// - Throws: ``TripFailure/excluded(_:)`` if no option is left.
    package func chosen(valueOfHour: Int64) throws(TripFailure) -> TripAnswer {
        // Options beyond the limits say so themselves.
        var answer = givenUp.isEmpty ? question.limits.applied(to: self) : self
        guard !answer.options.isEmpty else { throw .excluded(answer.missing) }
        if let preference = question.preference {
            answer.options = preference.ordered(answer, valueOfHour: valueOfHour)
        }
        return answer
    }
}
