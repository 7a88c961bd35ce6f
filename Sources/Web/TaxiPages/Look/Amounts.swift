package import Fares
import Localization
package import WebCore

extension TaxiPageModule {
    /// Formats an amount of money for the visitor's language.
    package func money(_ money: Money, _ context: RequestContext) -> String {
        context.language == .italian ? money.text.replacing(".", with: ",") : money.text
    }

    /// Formats an amount in whole units, for an estimate: `€8`, in Italian `8 €`.
    package func roundMoney(_ money: Money, _ context: RequestContext) -> String {
        let unit = (0..<money.currency.digits).reduce(Int64(1)) { unit, _ in unit * 10 }
        let whole = (money.minorUnits + unit / 2) / unit
        guard money.currency == .euro else { return "\(whole) \(money.currency.code)" }
        return context.language == .italian ? "\(whole) €" : "€\(whole)"
    }
}

/// Rounds seconds up to whole minutes; at least one.
package func wholeMinutes(_ seconds: Int64) -> Int64 {
    max(1, (seconds + 59) / 60)
}
