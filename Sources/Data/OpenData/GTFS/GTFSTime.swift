import Encoding

/// Times of a service day as GTFS writes them.
package enum GTFSTime {
    /// The latest time that is accepted: trips may run into the second day after their own.
    package static let limit: Int32 = 48 * 3_600

    /// Parses `H:MM:SS` or `HH:MM:SS` as seconds from noon minus 12 h; nil if it is
    /// invalid or above ``limit``.
    package static func seconds(_ raw: ArraySlice<UInt8>) -> Int32? {
        guard raw.count == 8 || raw.count == 7 else { return nil }
        let minutes = raw.endIndex - 5
        // Digits and colons only: a whole number may have a sign, a part of a time may not.
        guard raw.allSatisfy({ $0 >= 0x30 && $0 <= 0x3A }), raw[minutes - 1] == UInt8(ascii: ":"),
            raw[minutes + 2] == UInt8(ascii: ":"),
            let hour = CSVScanner.number(raw[..<(minutes - 1)]), hour >= 0,
            let minute = CSVScanner.number(raw[minutes..<(minutes + 2)]),
            let second = CSVScanner.number(raw[(minutes + 3)...]),
            (0...59).contains(minute), (0...59).contains(second)
        else { return nil }
        let total = hour * 3_600 + minute * 60 + second
        return total <= limit ? total : nil
    }
}
