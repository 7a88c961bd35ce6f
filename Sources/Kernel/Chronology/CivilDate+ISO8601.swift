extension CivilDate {
    /// A day written as `2014-10-20` (ISO 8601, calendar date, extended format); nil if it is
    /// written otherwise or does not exist.
    public init?(iso8601 text: String) {
        self.init(iso8601: Array(text.utf8)[...])
    }

    /// The date written as `2014-10-20`.
    public var iso8601: String {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    init?(iso8601 bytes: ArraySlice<UInt8>) {
        let start = bytes.startIndex
        guard bytes.count == 10, bytes[start + 4] == UInt8(ascii: "-"),
            bytes[start + 7] == UInt8(ascii: "-"),
            let year = Digits.number(bytes[start..<(start + 4)]),
            let month = Digits.number(bytes[(start + 5)..<(start + 7)]),
            let day = Digits.number(bytes[(start + 8)...])
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    func write(to bytes: inout [UInt8]) {
        let (year, month, day) = numbers
        // ISO 8601 wants a sign before years that do not have four digits.
        if year < 0 { bytes.append(UInt8(ascii: "-")) }
        if year > 9_999 { bytes.append(UInt8(ascii: "+")) }
        Digits.write(year < 0 ? -year : year, width: 4, to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        Digits.write(month, width: 2, to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        Digits.write(day, width: 2, to: &bytes)
    }
}

/// Whole numbers as digits, and nothing but digits.
enum Digits {
    /// The number that 1 to 9 digits spell; nil if they are something else.
    static func number(_ bytes: ArraySlice<UInt8>) -> Int32? {
        guard (1...9).contains(bytes.count) else { return nil }
        var value: Int32 = 0
        for byte in bytes {
            guard byte >= 0x30, byte <= 0x39 else { return nil }
            value = value * 10 + Int32(byte - 0x30)
        }
        return value
    }

    /// Writes a number that is not negative, with zeros in front up to a width.
    static func write(_ number: Int32, width: Int, to bytes: inout [UInt8]) {
        var digits: [UInt8] = []
        var rest = number
        while rest > 0 || digits.count < width {
            digits.append(0x30 + UInt8(rest % 10))
            rest /= 10
        }
        bytes.append(contentsOf: digits.reversed())
    }
}
