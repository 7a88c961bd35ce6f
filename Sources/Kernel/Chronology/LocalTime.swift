/// A date and a time of day as a wall clock shows them; the time zone is known from elsewhere.
public struct LocalTime: Hashable, Comparable, Sendable, BitwiseCopyable {
    /// The civil date that the calendar shows.
    public var date: CivilDate
    /// Seconds since the clock showed 0:00:00, 0 to 86,399.
    public var second: Int32

    /// Creates a time from a day and a second of it.
    @inlinable
    public init(date: CivilDate, second: Int32) {
        self.date = date
        self.second = second
    }

    /// The reading that many seconds after 1970-01-01T00:00 on the same clock.
    public init(wallSeconds: Int64) {
        (date, second) = ZoneTable.utc.local(Instant(seconds: wallSeconds))
    }

    /// Seconds from 1970-01-01T00:00 to this reading, on the same clock.
    public var wallSeconds: Int64 {
        Int64(date.daysSince1970) * 86_400 + Int64(second)
    }

    /// The reading of a zone's clocks at an instant.
    public init(_ instant: Instant, in zone: ZoneTable) {
        (date, second) = zone.local(instant)
    }

    /// Reads a time such as `2014-10-20T08:30` or `2014-10-20T08:30:15` (ISO 8601, local time
    /// without offset); nil if the text is not one or the time does not exist.
    public init?(iso8601 text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 16 || bytes.count == 19, bytes[10] == UInt8(ascii: "T"),
            bytes[13] == UInt8(ascii: ":"), let date = CivilDate(iso8601: bytes[..<10]),
            let hour = Digits.number(bytes[11..<13]), hour < 24,
            let minute = Digits.number(bytes[14..<16]), minute < 60
        else { return nil }
        var second: Int32 = 0
        if bytes.count == 19 {
            guard bytes[16] == UInt8(ascii: ":"), let number = Digits.number(bytes[17...]),
                number < 60
            else { return nil }
            second = number
        }
        self.init(date: date, second: hour * 3_600 + minute * 60 + second)
    }

    /// The time written as `2014-10-20T08:30:00`.
    public var iso8601: String {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The time of day as text, the same in every language: hours, minutes and optionally seconds.
    public func clockTime(hasSeconds: Bool = false) -> String {
        let parts = [second / 3_600, second / 60 % 60] + (hasSeconds ? [second % 60] : [])
        return parts.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }

    /// The instant at which a zone's clocks show this time, by the rules of
    /// ``ZoneTable/instant(_:second:)``.
    public func instant(in zone: ZoneTable) -> Instant {
        zone.instant(date, second: second)
    }

    /// Orders readings of the same clock.
    @inlinable
    public static func < (left: LocalTime, right: LocalTime) -> Bool {
        (left.date, left.second) < (right.date, right.second)
    }

    func write(to bytes: inout [UInt8]) {
        date.write(to: &bytes)
        bytes.append(UInt8(ascii: "T"))
        let second = max(0, min(86_399, second))
        Digits.write(second / 3_600, width: 2, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        Digits.write(second / 60 % 60, width: 2, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        Digits.write(second % 60, width: 2, to: &bytes)
    }
}

extension Instant {
    /// The instant on the clocks of a zone, as `2014-10-20T08:30:00+02:00` (ISO 8601, RFC 3339).
    ///
    /// An offset that is not a whole number of minutes, as some zones had before 1972, is rounded
    /// to one and the time with it, so that the text still names this instant.
    public func iso8601(in zone: ZoneTable) -> String {
        let exact = zone.offset(at: self)
        let minutes = (exact &+ (exact < 0 ? -30 : 30)) / 60
        let rounded = ZoneTable(starts: [0], offsets: [minutes &* 60])
        var bytes: [UInt8] = []
        LocalTime(self, in: rounded).write(to: &bytes)
        bytes.append(UInt8(ascii: minutes < 0 ? "-" : "+"))
        let size = Int32(truncatingIfNeeded: minutes.magnitude)
        Digits.write(size / 60, width: 2, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        Digits.write(size % 60, width: 2, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
