package import Fares
package import Localization
package import WebCore

extension TaxiPageModule {
    /// Formats an amount of money for the visitor's language: `€12.40`, in Italian `12,40 €`.
    package func money(_ money: Money, _ context: RequestContext) -> String {
        Amount(money).written(in: context.language)
    }

    /// Formats an amount in whole units, for an estimate: `€8`, in Italian `8 €`.
    package func roundMoney(_ money: Money, _ context: RequestContext) -> String {
        Amount(money).rounded.written(in: context.language)
    }
}

extension Amount {
    /// An amount of the city's fares, for people.
    package init(_ money: Money) {
        self.init(
            minorUnits: money.minorUnits,
            currency: money.currency.code,
            decimals: money.currency.digits
        )
    }
}

/// Rounds seconds up to whole minutes; at least one.
package func wholeMinutes(_ seconds: Int64) -> Int64 {
    max(1, (seconds + 59) / 60)
}
