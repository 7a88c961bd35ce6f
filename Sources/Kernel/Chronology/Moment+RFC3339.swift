extension Moment {
    /// The moment as RFC 3339 writes it, in UTC with milliseconds, such as
    /// `2026-11-26T16:05:00.000Z`.
    public var text: String {
        let dayLength: Int64 = 86_400_000
        let (quotient, remainder) = milliseconds.quotientAndRemainder(dividingBy: dayLength)
        let isBefore = remainder < 0
        let day = Int32(clamping: isBefore ? quotient - 1 : quotient)
        let rest = Int32(isBefore ? remainder + dayLength : remainder)
        var bytes: [UInt8] = []
        CivilDate(daysSince1970: day).write(to: &bytes)
        let parts: [(UInt8, Int32, Int)] = [
            (UInt8(ascii: "T"), rest / 3_600_000, 2),
            (UInt8(ascii: ":"), rest / 60_000 % 60, 2),
            (UInt8(ascii: ":"), rest / 1_000 % 60, 2),
            (UInt8(ascii: "."), rest % 1_000, 3),
        ]
        for (separator, number, width) in parts {
            bytes.append(separator)
            Digits.write(number, width: width, to: &bytes)
        }
        bytes.append(UInt8(ascii: "Z"))
        return String(decoding: bytes, as: UTF8.self)
    }
}
