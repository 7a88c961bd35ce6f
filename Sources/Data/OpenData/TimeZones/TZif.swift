package import Chronology

/// Why bytes are not a valid file of the time zone database.
package enum TZifFailure: Error, Hashable, Sendable {
    /// The bytes do not begin as such a file does, or are of its first version.
    case notTZif
    /// The file ends too early.
    case cutOff
    /// A transition, an offset or a count is impossible.
    case badTable
    /// The text for later years is not in the form that POSIX describes.
    case badFooter
    /// The zone counts leap seconds, which calendars do not.
    case leapSeconds
}

/// Reads the files to which IANA time zones are compiled (RFC 9636).
package enum TZif {
    /// The greatest size of a file in bytes; those of the database have fewer than 4,000.
    package static let bytesLimit = 65_536

    /// Reads the table of a zone, with the rule for the years after it.
    ///
    /// - Parameter bytes: a file of version 2 or later.
    /// - Returns: the table; its first offset holds before all changes.
    /// - Throws: what is wrong with the file.
    package static func table(_ bytes: [UInt8]) throws(TZifFailure) -> ZoneTable {
        guard bytes.count <= bytesLimit else { throw .badTable }
        var reader = Reader(bytes: bytes)
        let old = try Header(&reader)
        guard old.version >= UInt8(ascii: "2") else { throw .notTZif }
        _ = try reader.take(old.length(ofTime: 4))
        let header = try Header(&reader)
        guard header.leapSeconds == 0 else { throw .leapSeconds }
        let times = Array(try reader.take(header.times * 8))
        let types = Array(try reader.take(header.times))
        let kinds = Array(try reader.take(header.types * 6))
        _ = try reader.take(header.names + header.standards + header.universals)
        guard header.types > 0 else { throw .badTable }
        let offsets = (0..<header.types).map { type in
            Int32(truncatingIfNeeded: Reader.number(kinds[(type * 6)..<(type * 6 + 4)]))
        }
        guard offsets.allSatisfy({ (-90_000...93_600).contains($0) }) else { throw .badTable }
        // The first type holds before the first transition.
        var table = (starts: [Int64.min], offsets: [offsets[0]])
        for index in 0..<header.times {
            let start = Reader.number(times[(index * 8)..<(index * 8 + 8)])
            let type = Int(types[index])
            guard type < offsets.count, start > table.starts[table.starts.count - 1] else {
                throw .badTable
            }
            if offsets[type] == table.offsets[table.offsets.count - 1], index + 1 < header.times {
                continue
            }
            table.starts.append(start)
            table.offsets.append(offsets[type])
        }
        let rest = try reader.take(bytes.count - reader.position)
        guard rest.first == 0x0A, let end = rest.dropFirst().firstIndex(of: 0x0A) else {
            throw .badFooter
        }
        let footer = rest[(rest.startIndex + 1)..<end]
        var rule: ZoneRule?
        if !footer.isEmpty {
            guard let parsed = PosixZone(footer) else { throw .badFooter }
            rule = parsed.rule
        }
        return ZoneTable(starts: table.starts, offsets: table.offsets, rule: rule)
    }

    /// The counts in the header of a file and of its second part.
    private struct Header {
        let version: UInt8
        let universals: Int
        let standards: Int
        let leapSeconds: Int
        let times: Int
        let types: Int
        let names: Int

        init(_ reader: inout Reader) throws(TZifFailure) {
            let head = Array(try reader.take(20))
            guard head.starts(with: "TZif".utf8) else { throw .notTZif }
            version = head[4]
            let counts = Array(try reader.take(24))
            func count(_ index: Int) -> Int {
                Int(
                    truncatingIfNeeded: UInt32(
                        truncatingIfNeeded: Reader.number(counts[(index * 4)..<(index * 4 + 4)])
                    )
                )
            }
            (universals, standards, leapSeconds) = (count(0), count(1), count(2))
            (times, types, names) = (count(3), count(4), count(5))
            let limit = TZif.bytesLimit
            let all = [universals, standards, leapSeconds, times, types, names]
            guard all.allSatisfy({ $0 <= limit }) else { throw .badTable }
        }

        /// The number of bytes that follow this header.
        func length(ofTime size: Int) -> Int {
            times * (size + 1) + types * 6 + names + leapSeconds * (size + 4) + standards
                + universals
        }
    }

    /// The bytes from a position on.
    private struct Reader {
        let bytes: [UInt8]
        var position = 0

        mutating func take(_ count: Int) throws(TZifFailure) -> ArraySlice<UInt8> {
            guard count >= 0, bytes.count - position >= count else { throw .cutOff }
            position += count
            return bytes[(position - count)..<position]
        }

        /// A signed number of 4 or 8 bytes, the most significant first.
        static func number(_ bytes: ArraySlice<UInt8>) -> Int64 {
            var value: Int64 = bytes.first.map { $0 >= 0x80 ? -1 : 0 } ?? 0
            for byte in bytes { value = value << 8 | Int64(byte) }
            return value
        }
    }
}

/// A zone in the form of POSIX, such as `CET-1CEST,M3.5.0,M10.5.0/3`.
struct PosixZone {
    /// Its yearly changes; nil if there are none.
    let rule: ZoneRule?

    private var rest: ArraySlice<UInt8>

    /// Reads the text of a zone; nil if it is malformed.
    init?(_ text: ArraySlice<UInt8>) {
        rest = text
        guard Self.skipName(&rest), let west = Self.time(&rest) else { return nil }
        let standard = 0 - west
        if rest.isEmpty {
            rule = nil
            return
        }
        guard Self.skipName(&rest) else { return nil }
        var summer = standard + 3_600
        if rest.first != UInt8(ascii: ",") {
            guard let west = Self.time(&rest) else { return nil }
            summer = 0 - west
        }
        guard let begins = Self.change(&rest), let ends = Self.change(&rest), rest.isEmpty else {
            return nil
        }
        rule = ZoneRule(standard: standard, summer: summer, begins: begins, ends: ends)
    }

    private static func skipName(_ rest: inout ArraySlice<UInt8>) -> Bool {
        if rest.first == UInt8(ascii: "<") {
            guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return false }
            rest = rest[(end + 1)...]
            return true
        }
        let name = rest.prefix { (0x41...0x5A).contains($0 & 0xDF) }
        rest = rest.dropFirst(name.count)
        return name.count >= 3
    }

    private static func number(_ rest: inout ArraySlice<UInt8>) -> Int32? {
        let digits = rest.prefix(4).prefix { (0x30...0x39).contains($0) }
        guard !digits.isEmpty else { return nil }
        rest = rest.dropFirst(digits.count)
        return digits.reduce(0) { $0 * 10 + Int32($1 - 0x30) }
    }

    private static func take(_ byte: Unicode.Scalar, _ rest: inout ArraySlice<UInt8>) -> Bool {
        guard rest.first == UInt8(ascii: byte) else { return false }
        rest = rest.dropFirst()
        return true
    }

    /// Reads hours, with minutes and seconds if present, as seconds.
    private static func time(_ rest: inout ArraySlice<UInt8>) -> Int32? {
        let isNegative = take("-", &rest)
        if !isNegative { _ = take("+", &rest) }
        guard let hours = number(&rest), hours <= 167 else { return nil }
        var seconds = hours * 3_600
        for unit in [Int32(60), 1] where take(":", &rest) {
            guard let value = number(&rest), value < 60 else { return nil }
            seconds += value * unit
        }
        return isNegative ? 0 - seconds : seconds
    }

    private static func change(_ rest: inout ArraySlice<UInt8>) -> ZoneRule.Change? {
        guard take(",", &rest) else { return nil }
        let day: ZoneRule.Change.Day
        if take("M", &rest) {
            guard let month = number(&rest), (1...12).contains(month), take(".", &rest),
                let week = number(&rest), (1...5).contains(week), take(".", &rest),
                let weekday = number(&rest), weekday <= 6
            else { return nil }
            // POSIX counts weekdays from Sunday.
            day = .ofMonth(month: month, week: week, weekday: (weekday + 6) % 7)
        } else {
            let isCommon = take("J", &rest)
            guard let number = number(&rest), (isCommon ? 1...365 : 0...365).contains(number) else {
                return nil
            }
            day = isCommon ? .ofCommonYear(number) : .ofYear(number)
        }
        guard take("/", &rest) else { return ZoneRule.Change(day: day, second: 7_200) }
        guard let second = time(&rest) else { return nil }
        return ZoneRule.Change(day: day, second: second)
    }
}
