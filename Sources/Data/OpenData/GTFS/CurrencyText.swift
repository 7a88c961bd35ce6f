/// Amounts of money as GTFS writes them.
package enum CurrencyText {
    /// The currencies whose number of decimals is not 2 (ISO 4217).
    private static let decimals: [String: Int] = {
        var decimals = ["CLF": 4, "UYW": 4]
        for code in ["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"] { decimals[code] = 3 }
        let whole = [
            "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI",
            "VND", "VUV", "XAF", "XOF", "XPF",
        ]
        for code in whole { decimals[code] = 0 }
        return decimals
    }()

    /// The number of decimals of a currency; nil unless its code is three capital letters.
    package static func digits(_ code: String) -> Int? {
        guard code.utf8.count == 3, code.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) else {
            return nil
        }
        return decimals[code] ?? 2
    }

    /// Parses an amount such as `2.75` in minor units, without rounding.
    ///
    /// - Parameters:
    ///   - raw: the text, with an optional sign.
    ///   - digits: the decimals of the currency.
    /// - Returns: nil if it is not a number, has more decimals that are not 0, or nine or more
    ///   digits before the point.
    package static func minorUnits(_ raw: ArraySlice<UInt8>, digits: Int) -> Int64? {
        var text = raw
        let isNegative = text.first == UInt8(ascii: "-")
        if isNegative { text = text.dropFirst() }
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count <= 2, let whole = parts.first, whole.count <= 9, !text.isEmpty else {
            return nil
        }
        var decimals = parts.count == 2 ? Array(parts[1]) : []
        guard !whole.isEmpty || !decimals.isEmpty,
            decimals.dropFirst(digits).allSatisfy({ $0 == UInt8(ascii: "0") })
        else { return nil }
        decimals = Array(decimals.prefix(digits))
        while decimals.count < digits { decimals.append(UInt8(ascii: "0")) }
        var value: Int64 = 0
        for byte in Array(whole) + decimals {
            guard (0x30...0x39).contains(byte) else { return nil }
            value = value * 10 + Int64(byte - 0x30)
        }
        return isNegative ? -value : value
    }
}
