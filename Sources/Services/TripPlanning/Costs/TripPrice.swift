package import Fares

/// The price of a trip for all its travellers.
package enum TripPrice: Sendable, Equatable {
    /// The price that the fares state.
    case exact(Money)
    /// An estimate: of a taxi's meter, or of fuel.
    case estimated(Money)
    /// At least one leg has no known price; never shown as zero.
    case unknown

    /// The name in output files.
    package var name: String {
        switch self {
        case .exact: "exact"
        case .estimated: "estimated"
        case .unknown: "unknown"
        }
    }

    /// The amount; nil if it is unknown.
    package var money: Money? {
        switch self {
        case .exact(let money), .estimated(let money): money
        case .unknown: nil
        }
    }

    /// The amount in minor units; nil if it is unknown.
    package var minorUnits: Int64? { money?.minorUnits }

    /// The ISO 4217 code of the currency; nil if the amount is unknown.
    package var currencyCode: String? { money?.currency.code }

    /// The amount with its currency, such as `2.20 EUR`; nil if it is unknown.
    package var text: String? { money?.text }

    /// The sum of two prices: as certain as the less certain one, and unknown in two currencies.
    package static func + (left: TripPrice, right: TripPrice) -> TripPrice {
        guard let one = left.money, let other = right.money else { return .unknown }
        guard one.minorUnits != 0 else { return right.estimated(if: left.isEstimated) }
        guard other.minorUnits != 0 else { return left.estimated(if: right.isEstimated) }
        guard one.currency == other.currency else { return .unknown }
        let sum = TripPrice.exact(Money(one.minorUnits + other.minorUnits, one.currency))
        return sum.estimated(if: left.isEstimated || right.isEstimated)
    }

    private var isEstimated: Bool {
        if case .estimated = self { true } else { false }
    }

    private func estimated(if isSo: Bool) -> TripPrice {
        guard isSo, let money else { return self }
        return .estimated(money)
    }
}

/// The greenhouse gases of a trip for all its travellers.
package struct TripEmissions: Sendable, Equatable {
    /// The amount in grams of CO2 equivalent.
    package var grams: Int64
    /// What the amount includes, such as `tank-to-wheel`; `mixed` if its legs differ.
    package var scope: String

    /// Creates an amount in grams of CO2 equivalent, and what it includes.
    package init(grams: Int64, scope: String) {
        self.grams = grams
        self.scope = scope
    }
}
