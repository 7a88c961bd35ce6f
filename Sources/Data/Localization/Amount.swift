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

    /// Formats the amount: "12.50 EUR", in Italian "12,50 EUR".
    package func written(in language: Language) -> String {
        written(decimalPoint: language.decimalPoint)
    }

    func written(decimalPoint: String) -> String {
        var digits = String(minorUnits.magnitude)
        let missing = decimals + 1 - digits.count
        if missing > 0 { digits = String(repeating: "0", count: missing) + digits }
        let whole = digits.dropLast(decimals)
        let sign = minorUnits < 0 ? "-" : ""
        let part = decimals == 0 ? "" : decimalPoint + digits.suffix(decimals)
        return "\(sign)\(whole)\(part) \(currency)"
    }
}
