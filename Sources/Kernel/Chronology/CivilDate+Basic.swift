extension CivilDate {
    /// Reads a day such as `20141020` (ISO 8601 basic format; RFC 5545, 3.3.4); nil if the text is
    /// not one or the day does not exist.
    public init?(basic bytes: ArraySlice<UInt8>) {
        let start = bytes.startIndex
        guard bytes.count == 8, let year = Digits.number(bytes[start..<(start + 4)]),
            let month = Digits.number(bytes[(start + 4)..<(start + 6)]),
            let day = Digits.number(bytes[(start + 6)...])
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// The date as `20141020`, in ASCII.
    public var basic: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return bytes.filter { $0 != UInt8(ascii: "-") }
    }
}

extension LocalTime {
    /// Reads a time such as `20141020T083015` (RFC 5545, 3.3.5, without the `Z` of UTC); nil if the
    /// text is not one or the time does not exist.
    ///
    /// A leap second is read as the second before it.
    public init?(basic bytes: ArraySlice<UInt8>) {
        let start = bytes.startIndex
        guard bytes.count == 15, bytes[start + 8] == UInt8(ascii: "T"),
            let date = CivilDate(basic: bytes[start..<(start + 8)]),
            let hour = Digits.number(bytes[(start + 9)..<(start + 11)]), hour < 24,
            let minute = Digits.number(bytes[(start + 11)..<(start + 13)]), minute < 60,
            let second = Digits.number(bytes[(start + 13)...]), second <= 60
        else { return nil }
        self.init(date: date, second: hour * 3_600 + minute * 60 + min(second, 59))
    }

    /// The time as `20141020T083015`, in ASCII.
    public var basic: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return bytes.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: ":") }
    }
}
