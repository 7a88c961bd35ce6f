/// Dates and times as text, in the forms of ISO 8601 that people and programs exchange.
public enum ISO8601 {
    /// `2014-10-20T08:30` or `2014-10-20T08:30:15`, a reading of local clocks; nil where it is
    /// no such text or no such day.
    public static func localTime(_ text: String) -> (date: CivilDate, second: Int32)? {
        let bytes = Array(text.utf8)
        guard bytes.count == 16 || bytes.count == 19, bytes[10] == 0x54 || bytes[10] == 0x20,
            bytes[13] == 0x3A, let date = date(bytes[0..<10]),
            let hour = number(bytes[11..<13]), let minute = number(bytes[14..<16])
        else { return nil }
        var second: Int32 = 0
        if bytes.count == 19 {
            guard bytes[16] == 0x3A, let value = number(bytes[17..<19]) else { return nil }
            second = value
        }
        guard hour < 24, minute < 60, second < 60 else { return nil }
        return (date, hour * 3_600 + minute * 60 + second)
    }

    /// `2014-10-20`; nil where it is no such text or no such day.
    public static func date(_ text: String) -> CivilDate? {
        date(ArraySlice(Array(text.utf8)))
    }

    /// A day as `2014-10-20`.
    public static func text(_ date: CivilDate) -> String {
        let (year, month, day) = date.numbers
        return digits(year, 4) + "-" + digits(month, 2) + "-" + digits(day, 2)
    }

    /// A moment on the clocks of a zone, with their offset: `2014-10-20T08:30:00+02:00`.
    public static func text(_ instant: Instant, _ zone: ZoneTable) -> String {
        let local = zone.local(instant)
        let offset = zone.offset(at: instant)
        let minutes = abs(offset) / 60
        return text(local.date) + "T" + timeOfDay(local.second) + (offset < 0 ? "-" : "+")
            + digits(minutes / 60, 2) + ":" + digits(minutes % 60, 2)
    }

    /// A second of the day as `08:30:00`.
    public static func timeOfDay(_ second: Int32) -> String {
        digits(second / 3_600, 2) + ":" + digits(second / 60 % 60, 2) + ":" + digits(second % 60, 2)
    }

    private static func date(_ bytes: ArraySlice<UInt8>) -> CivilDate? {
        let start = bytes.startIndex
        guard bytes.count == 10, bytes[start + 4] == 0x2D, bytes[start + 7] == 0x2D,
            let year = number(bytes[start..<(start + 4)]),
            let month = number(bytes[(start + 5)..<(start + 7)]),
            let day = number(bytes[(start + 8)..<(start + 10)])
        else { return nil }
        return CivilDate(year: year, month: month, day: day)
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int32? {
        var value: Int32 = 0
        for byte in bytes {
            guard byte >= 0x30, byte <= 0x39 else { return nil }
            value = value * 10 + Int32(byte - 0x30)
        }
        return value
    }

    private static func digits(_ number: Int32, _ width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
    }
}
