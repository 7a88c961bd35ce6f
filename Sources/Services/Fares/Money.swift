/// An amount of money in whole minor units of its currency, such as cents.
package struct Money: Hashable, Sendable {
    /// The amount in minor units, which is never rounded implicitly.
    package var minorUnits: Int64
    package var currency: Currency

    /// Creates an amount from its minor units.
    package init(_ minorUnits: Int64, _ currency: Currency) {
        self.minorUnits = minorUnits
        self.currency = currency
    }

    /// The amount with a decimal point and the currency code, such as `12.40 EUR`.
    package var text: String {
        "\(currency.text(of: minorUnits)) \(currency.code)"
    }
}

/// A currency with its code and the size of its minor unit.
package struct Currency: Hashable, Sendable {
    /// The ISO 4217 code of three capital letters, such as `EUR`.
    package let code: String
    /// The number of decimals, 0 to 4: 2 for cents.
    package let digits: Int

    /// The euro with its cents.
    package static let euro = Currency(validCode: "EUR", digits: 2)

    /// Creates a currency; nil unless the code has three capital letters and the digits are 0 to 4.
    package init?(code: String, digits: Int = 2) {
        let isCode = code.utf8.count == 3 && code.utf8.allSatisfy { (0x41...0x5A).contains($0) }
        guard isCode, (0...4).contains(digits) else { return nil }
        self.init(validCode: code, digits: digits)
    }

    private init(validCode: String, digits: Int) {
        code = validCode
        self.digits = digits
    }

    /// Formats minor units with a decimal point.
    func text(of minorUnits: Int64) -> String {
        let size = Decimal.power(digits)
        let magnitude = Int64(clamping: minorUnits.magnitude)
        var text = (minorUnits < 0 ? "-" : "") + String(magnitude / size)
        if digits > 0 {
            let part = String(magnitude % size)
            text += "." + String(repeating: "0", count: digits - part.count) + part
        }
        return text
    }
}

/// Exact decimal numbers of tariff files, parsed without floating point.
enum Decimal {
    /// Returns a power of ten with an exponent from 0 to 18.
    static func power(_ exponent: Int) -> Int64 {
        (0..<exponent).reduce(1) { product, _ in product * 10 }
    }

    /// Parses a number such as `3.90` in units of ten to the power of minus `digits`.
    ///
    /// - Returns: nil unless it is a plain non-negative number with at most `digits` decimals and
    ///   nine digits before the point.
    static func units(_ text: some StringProtocol, digits: Int) -> Int64? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 1 || parts.count == 2, (1...9).contains(parts[0].utf8.count),
            let whole = number(parts[0])
        else { return nil }
        guard parts.count == 2 else { return whole * power(digits) }
        let decimals = parts[1].utf8.count
        guard decimals >= 1, decimals <= digits, let part = number(parts[1]) else { return nil }
        return whole * power(digits) + part * power(digits - decimals)
    }

    private static func number(_ text: some StringProtocol) -> Int64? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(text)
    }
}
