/// An amount of money with its currency.
package struct Amount: Sendable, Hashable, Codable {
    /// The amount in the smallest unit of the currency; negative for a refund.
    package let minorUnits: Int64
    /// The ISO 4217 code of the currency: "EUR".
    package let currency: String
    /// How many digits of `minorUnits` are after the decimal point, 0 to 4.
    package let decimals: Int

    /// Creates an amount.
    package init(minorUnits: Int64, currency: String, decimals: Int = 2) {
        self.minorUnits = minorUnits
        self.currency = currency
        self.decimals = min(max(decimals, 0), 4)
    }

    /// The amount in whole units, for an estimate: 12 for 12.49, 13 for 12.50.
    package var rounded: Amount {
        let unit = (0..<decimals).reduce(Int64(1)) { unit, _ in unit * 10 }
        let (whole, rest) = minorUnits.quotientAndRemainder(dividingBy: unit)
        let up = rest.magnitude * 2 >= unit.magnitude && unit > 1 ? minorUnits.signum() : 0
        return Amount(minorUnits: whole + up, currency: currency, decimals: 0)
    }

    /// Formats the amount for people: "€12.50", in Italian "12,50 €"; "12.50 CHF".
    ///
    /// No line breaks inside it.
    package func written(in language: Language) -> String {
        written(in: language, from: .embedded)
    }

    func written(in language: Language, from catalogue: Catalogue) -> String {
        var digits = String(minorUnits.magnitude)
        let missing = decimals + 1 - digits.count
        if missing > 0 { digits = String(repeating: "0", count: missing) + digits }
        var number = String(digits.dropLast(decimals))
        if decimals > 0 {
            number += catalogue.text("language.decimalPoint", [], in: language)
            number += digits.suffix(decimals)
        }
        let text =
            currency == "EUR"
            ? catalogue.text("language.euros", [.string(number)], in: language)
            : "\(number) \(currency)"
        return (minorUnits < 0 ? "-" : "") + text.replacing(" ", with: "\u{A0}")
    }
}
