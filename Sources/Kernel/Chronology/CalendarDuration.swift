/// A length of time as calendars state it: days, which follow the clocks on the wall, and then
/// seconds, which are exact (RFC 5545, 3.3.6).
///
/// A day has 23 or 25 hours where the clocks change, so one day is not 86,400 seconds.
public struct CalendarDuration: Hashable, Sendable {
    /// Whole days, a week counting as seven; at most ten million either way.
    public var days: Int32
    /// Seconds added after those days; at most 10¹² either way.
    public var seconds: Int64

    /// Creates a duration, clamped to these limits.
    public init(days: Int32 = 0, seconds: Int64 = 0) {
        self.days = max(-10_000_000, min(10_000_000, days))
        self.seconds = max(-1_000_000_000_000, min(1_000_000_000_000, seconds))
    }

    /// How many seconds it lasts on clocks that never change.
    public var plainSeconds: Int64 { Int64(days) * 86_400 + seconds }

    /// Reads a duration such as `P1W`, `P2DT5H0M20S` or `-PT15M`; nil if the text is not one or
    /// exceeds the limits.
    public init?(text bytes: ArraySlice<UInt8>) {
        var rest = bytes
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
        guard rest.popFirst().map(Self.upper) == UInt8(ascii: "P") else { return nil }
        var days: Int64 = 0
        var seconds: Int64 = 0
        var isTime = false
        // Units must come in order, longest first.
        var last = 0
        while let first = rest.first {
            if Self.upper(first) == UInt8(ascii: "T") {
                guard !isTime, last < 3, rest.count > 1 else { return nil }
                (isTime, rest) = (true, rest.dropFirst())
                continue
            }
            let digits = rest.prefix { (0x30...0x39).contains($0) }
            guard let number = Digits.number(digits) else { return nil }
            rest = rest.dropFirst(digits.count)
            guard let letter = rest.popFirst() else { return nil }
            let rank: Int
            switch (Self.upper(letter), isTime) {
            case (UInt8(ascii: "W"), false): (rank, days) = (1, days + Int64(number) * 7)
            case (UInt8(ascii: "D"), false): (rank, days) = (2, days + Int64(number))
            case (UInt8(ascii: "H"), true): (rank, seconds) = (3, seconds + Int64(number) * 3_600)
            case (UInt8(ascii: "M"), true): (rank, seconds) = (4, seconds + Int64(number) * 60)
            case (UInt8(ascii: "S"), true): (rank, seconds) = (5, seconds + Int64(number))
            default: return nil
            }
            guard rank > last else { return nil }
            last = rank
        }
        guard last > 0, days <= 10_000_000, seconds <= 1_000_000_000_000 else { return nil }
        self.init(
            days: Int32(isNegative ? -days : days),
            seconds: isNegative ? -seconds : seconds
        )
    }

    /// The duration as RFC 5545 writes it, in ASCII; nil if days and seconds have different signs,
    /// which the format cannot express.
    public var text: [UInt8]? {
        guard days == 0 || seconds == 0 || (days < 0) == (seconds < 0) else { return nil }
        var bytes: [UInt8] = days < 0 || seconds < 0 ? [UInt8(ascii: "-")] : []
        bytes.append(UInt8(ascii: "P"))
        if days != 0 {
            Self.write(Int64(days.magnitude), "D", to: &bytes)
        }
        let rest = Int64(seconds.magnitude)
        if rest > 0 || days == 0 {
            bytes.append(UInt8(ascii: "T"))
            if rest >= 3_600 { Self.write(rest / 3_600, "H", to: &bytes) }
            if rest / 60 % 60 > 0 { Self.write(rest / 60 % 60, "M", to: &bytes) }
            if rest % 60 > 0 || rest == 0 { Self.write(rest % 60, "S", to: &bytes) }
        }
        return bytes
    }

    /// The instant that is this much later than a reading of a zone's clocks.
    func end(after start: LocalTime, in zone: ZoneTable) -> Instant {
        let moved = LocalTime(date: start.date.adding(days: days), second: start.second)
        return zone.instant(moved.date, second: moved.second).adding(seconds: seconds)
    }

    private static func write(_ number: Int64, _ unit: Unicode.Scalar, to bytes: inout [UInt8]) {
        Digits.write(Int32(clamping: number), width: 1, to: &bytes)
        bytes.append(UInt8(ascii: unit))
    }

    private static func upper(_ byte: UInt8) -> UInt8 {
        (0x61...0x7A).contains(byte) ? byte - 0x20 : byte
    }
}
