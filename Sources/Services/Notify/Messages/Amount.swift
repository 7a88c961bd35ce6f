import Localization

/// An amount of money.
package struct Amount: Sendable, Hashable, Codable {
    /// How many of the smallest units of the currency; negative where it is given back.
    package let minorUnits: Int64
    /// The currency by its code in ISO 4217: "EUR".
    package let currency: String
    /// How many digits of `minorUnits` stand after the point, 0 to 4.
    package let decimals: Int

    /// An amount.
    package init(minorUnits: Int64, currency: String, decimals: Int = 2) {
        self.minorUnits = minorUnits
        self.currency = currency
        self.decimals = min(max(decimals, 0), 4)
    }

    /// The amount as people write it: "12.50 EUR", in Italian "12,50 EUR".
    func written(in language: Language) -> String {
        var digits = String(minorUnits.magnitude)
        let missing = decimals + 1 - digits.count
        if missing > 0 { digits = String(repeating: "0", count: missing) + digits }
        let whole = digits.dropLast(decimals)
        let sign = minorUnits < 0 ? "-" : ""
        let part = decimals == 0 ? "" : language.pick(".", ",") + digits.suffix(decimals)
        return "\(sign)\(whole)\(part) \(currency)"
    }
}
