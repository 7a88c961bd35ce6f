import Encoding
package import Streets

extension WeekHours {
    /// Minutes in a day.
    private static let dayMinutes = 1_440
    private static let dayNames = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]
    /// The greatest number of rules that are read.
    private static let ruleLimit = 16

    /// Reads hours such as `Mo-Fr 07:30-09:00,17:00-19:30; Sa 22:00-06:00; PH off`; nil if the text
    /// is not understood.
    ///
    /// It supports the part of OpenStreetMap's opening hours that streets use: days of the week and
    /// times; a later rule replaces earlier ones on its days. Public and school holidays (`PH`,
    /// `SH`) are ignored, since there is no calendar of them: they count as other days. Months,
    /// dates, weeks and sunrise are not understood.
    package init?(openingHours text: Substring) {
        var days = [[Range<Int>]](repeating: [], count: 7)
        let rules = text.split(separator: ";")
        guard !rules.isEmpty, rules.count <= Self.ruleLimit else { return nil }
        for rule in rules {
            guard let rule = Self.rule(rule) else { return nil }
            for day in rule.days { days[day] = rule.times }
        }
        var ranges: [Range<UInt16>] = []
        for (day, times) in days.enumerated() {
            for time in times {
                let start = day * Self.dayMinutes + time.lowerBound
                let end = day * Self.dayMinutes + time.upperBound
                let week = Int(Self.weekMinutes)
                ranges.append(UInt16(start)..<UInt16(min(end, week)))
                // Sunday night ends on Monday.
                if end > week { ranges.append(0..<UInt16(end - week)) }
            }
        }
        self.init(ranges)
    }

    /// The hours that are in both sets.
    package func intersection(_ other: WeekHours) -> WeekHours {
        WeekHours(
            minutes.flatMap { own in
                other.minutes.filter { own.overlaps($0) }.map { own.clamped(to: $0) }
            }
        )
    }

    /// Reads a rule: the days of the week to which it applies, and the minutes of these days,
    /// beyond midnight if they end on the next day.
    private static func rule(_ text: Substring) -> (days: [Int], times: [Range<Int>])? {
        let all = Array(0..<7)
        let whole = [0..<dayMinutes]
        var rest = trimmed(text)
        if rest == "24/7" { return (all, whole) }
        guard let first = rest.first else { return nil }
        var days = all
        if first.isLetter {
            // The days end at the first digit, or at the word that ends the rule.
            let isOff = rest.hasSuffix(" off") || rest.hasSuffix(" closed")
            let end = rest.firstIndex { $0.isNumber } ?? rest.endIndex
            var selector = rest[..<end]
            if isOff, let space = rest.lastIndex(of: " ") { selector = rest[..<space] }
            guard let own = Self.days(selector) else { return nil }
            days = own
            if isOff { return (days, []) }
            rest = rest[end...]
            if rest.isEmpty { return (days, whole) }
        }
        var times: [Range<Int>] = []
        for part in rest.split(separator: ",", omittingEmptySubsequences: false) {
            guard let time = time(trimmed(part)) else { return nil }
            times.append(time)
        }
        return (days, times)
    }

    /// Reads the days of `Mo-Fr`, `Su, Mo-Sa` or `Sa,Su,PH`; nil if the text is not understood.
    private static func days(_ text: Substring) -> [Int]? {
        var days: [Int] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let part = trimmed(part)
            if part == "PH" || part == "SH" { continue }
            let ends = part.split(separator: "-", omittingEmptySubsequences: false).map { name in
                dayNames.firstIndex(of: String(trimmed(name)))
            }
            guard ends.count <= 2, let begin = ends.first ?? nil, let end = ends.last ?? nil
            else { return nil }
            var day = begin
            days.append(day)
            while day != end {
                day = (day + 1) % 7
                days.append(day)
            }
        }
        return days
    }

    /// Reads the minutes of `07:30-09:00`, `15-17` or `22:00-06:00`; the last one ends beyond
    /// midnight.
    private static func time(_ text: Substring) -> Range<Int>? {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false).map {
            minute(trimmed($0))
        }
        guard ends.count == 2, let begin = ends[0], let end = ends[1], begin < dayMinutes else {
            return nil
        }
        return begin..<(end > begin ? end : end + dayMinutes)
    }

    /// Reads the minute of `7`, `07:30` or `10:30:00`, 0 to 1,440.
    private static func minute(_ text: Substring) -> Int? {
        // A few mappers write seconds, which do not matter.
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count) else { return nil }
        let numbers = parts.compactMap { part in
            (1...2).contains(part.utf8.count) ? Int(part) : nil
        }
        guard numbers.count == parts.count, numbers.allSatisfy({ (0..<60).contains($0) }) else {
            return nil
        }
        let total = numbers[0] * 60 + (numbers.count > 1 ? numbers[1] : 0)
        return total <= dayMinutes ? total : nil
    }

    private static func trimmed(_ text: some StringProtocol) -> Substring {
        Substring(text.trimmingBlanks())
    }
}
