/// The format of telephone numbers in a country.
package struct PhoneFormat: Equatable, Sendable {
    private let callingCode: [UInt8]

    /// Creates a format for the country with a calling code, such as 39 for Italy.
    package init(callingCode: Int) {
        precondition((1...999).contains(callingCode), "a calling code has one to three digits")
        self.callingCode = Array("\(callingCode)".utf8)
    }

    /// Normalises a telephone number to the international form `+393331234567`
    /// (E.164); nil if invalid.
    ///
    /// A number without a country code is assumed to belong to this country.
    package func number(_ text: String) -> String? {
        var digits = text.trimmed.utf8.filter { !" -./()".utf8.contains($0) }
        if digits.first == UInt8(ascii: "+") {
            digits.removeFirst()
        } else if digits.starts(with: "00".utf8) {
            digits.removeFirst(2)
        } else {
            digits = callingCode + digits
        }
        guard digits.allSatisfy(\.isDigit), digits.first != UInt8(ascii: "0"),
            (8...15).contains(digits.count)
        else { return nil }
        return "+" + String(decoding: digits, as: UTF8.self)
    }
}
