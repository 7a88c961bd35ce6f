/// A set of civil days, as bits from a first day on: the days on which a service runs.
public struct DaySet: Hashable, Sendable {
    /// The day of the first bit, in days since 1970-01-01; a multiple of 64, so that sets of
    /// different extents combine word by word.
    public private(set) var firstDay: Int32
    /// One bit a day, lowest first; neither first nor last word is zero.
    public private(set) var words: [UInt64]

    /// Creates an empty set.
    public init() {
        firstDay = 0
        words = []
    }

    /// Whether the set contains no day.
    public var isEmpty: Bool { words.isEmpty }

    /// The first day; nil for the empty set.
    public var first: CivilDate? {
        guard let word = words.first else { return nil }
        return CivilDate(daysSince1970: firstDay &+ Int32(word.trailingZeroBitCount))
    }

    /// The last day; nil for the empty set.
    public var last: CivilDate? {
        guard let word = words.last else { return nil }
        let end = firstDay &+ Int32(words.count) * 64 &- 1
        return CivilDate(daysSince1970: end &- Int32(word.leadingZeroBitCount))
    }

    /// How many days are in it.
    public var count: Int {
        words.reduce(0) { $0 + $1.nonzeroBitCount }
    }

    /// Whether a day is in it.
    public func contains(_ date: CivilDate) -> Bool {
        let bit = date.daysSince1970 &- firstDay
        guard bit >= 0, Int(bit) / 64 < words.count else { return false }
        return words[Int(bit) / 64] >> UInt64(bit % 64) & 1 == 1
    }

    /// Adds a day to the set.
    public mutating func insert(_ date: CivilDate) {
        let start = Self.wordStart(date.daysSince1970)
        if words.isEmpty {
            firstDay = start
            words = [0]
        } else if start < firstDay {
            words.insert(contentsOf: repeatElement(0, count: Int(firstDay - start) / 64), at: 0)
            firstDay = start
        }
        let index = Int(start - firstDay) / 64
        while words.count <= index { words.append(0) }
        words[index] |= 1 << UInt64(date.daysSince1970 - start)
    }

    /// Removes a day from the set.
    public mutating func remove(_ date: CivilDate) {
        guard contains(date) else { return }
        let bit = date.daysSince1970 - firstDay
        words[Int(bit) / 64] &= ~(1 << UInt64(bit % 64))
        trim()
    }

    /// The days that are in both sets.
    public func intersection(_ other: DaySet) -> DaySet {
        combined(other) { $0 & $1 }
    }

    /// The days that are in either set.
    public func union(_ other: DaySet) -> DaySet {
        combined(other) { $0 | $1 }
    }

    /// The days that are in this set and not in the other.
    public func subtracting(_ other: DaySet) -> DaySet {
        combined(other) { $0 & ~$1 }
    }

    /// The set with every day moved by a number of days.
    public func shifted(days: Int32) -> DaySet {
        var result = DaySet()
        for date in dates { result.insert(date.adding(days: days)) }
        return result
    }

    /// The days in ascending order.
    public var dates: [CivilDate] {
        var result: [CivilDate] = []
        for (index, word) in words.enumerated() {
            var rest = word
            while rest != 0 {
                let bit = Int32(index) * 64 + Int32(rest.trailingZeroBitCount)
                result.append(CivilDate(daysSince1970: firstDay + bit))
                rest &= rest - 1
            }
        }
        return result
    }

    private func combined(
        _ other: DaySet,
        _ operation: (UInt64, UInt64) -> UInt64
    ) -> DaySet {
        if isEmpty && other.isEmpty { return self }
        let start =
            isEmpty ? other.firstDay : other.isEmpty ? firstDay : min(firstDay, other.firstDay)
        let end = max(
            isEmpty ? start : firstDay + Int32(words.count) * 64,
            other.isEmpty ? start : other.firstDay + Int32(other.words.count) * 64
        )
        var result = DaySet()
        result.firstDay = start
        for day in stride(from: start, to: end, by: 64) {
            result.words.append(operation(word(at: day), other.word(at: day)))
        }
        result.trim()
        return result
    }

    private func word(at day: Int32) -> UInt64 {
        let index = Int(day - firstDay) / 64
        return day >= firstDay && index < words.count ? words[index] : 0
    }

    private mutating func trim() {
        while words.last == 0 { words.removeLast() }
        var zeros = 0
        while zeros < words.count && words[zeros] == 0 { zeros += 1 }
        words.removeFirst(zeros)
        firstDay = words.isEmpty ? 0 : firstDay + Int32(zeros) * 64
    }

    private static func wordStart(_ day: Int32) -> Int32 {
        let remainder = day % 64
        return day - (remainder < 0 ? remainder + 64 : remainder)
    }
}
