package import Chronology

extension SharingSystem {
    /// When a system or a station operates: each day of a week, and in which seasons.
    package struct OperatingHours: Hashable, Sendable {
        /// The daily hours; empty for all hours.
        package var periods: [Period] = []
        /// The parts of the year; empty for the whole year.
        package var seasons: [Season] = []
        /// The text of the hours if it could not be understood; the hours are then unknown.
        package var unreadText: String?

        /// Hours without a limit.
        package init() {}

        /// Hours of certain days of the week.
        package struct Period: Hashable, Sendable {
            /// The days of the week, from 0 for Monday to 6 for Sunday.
            package let weekdays: Set<Int32>
            /// The first second of the day.
            package let startSecond: Int32
            /// The second after the last; beyond 86,400 on the next day.
            package let endSecond: Int32
        }

        /// A part of each year, or of one.
        package struct Season: Hashable, Sendable {
            /// The first month, from 1, and day.
            package let start: Day
            /// The last month, from 1, and day.
            package let end: Day

            /// A day of the year.
            package struct Day: Hashable, Sendable {
                /// The year; nil for each.
                package let year: Int32?
                /// The month, from 1.
                package let month: Int32
                /// The day of the month, from 1.
                package let day: Int32
            }

            /// Whether a day lies in it; a season may last beyond the end of the year.
            func contains(_ date: CivilDate) -> Bool {
                let (year, month, day) = date.numbers
                let number = month * 100 + day
                let first = start.month * 100 + start.day
                let last = end.month * 100 + end.day
                if let firstYear = start.year, (year, number) < (firstYear, first) { return false }
                if let lastYear = end.year, (year, number) > (lastYear, last) { return false }
                if start.year != nil || end.year != nil { return true }
                return first <= last
                    ? (first...last).contains(number) : number >= first || number <= last
            }
        }

        /// Whether it operates at a local time; nil if the hours could not be understood.
        package func isOpen(_ time: LocalTime) -> Bool? {
            guard unreadText == nil else { return nil }
            guard seasons.isEmpty || seasons.contains(where: { $0.contains(time.date) }) else {
                return false
            }
            if periods.isEmpty { return true }
            let weekday = time.date.weekday
            return periods.contains { period in
                period.weekdays.contains(weekday)
                    && (period.startSecond..<period.endSecond).contains(time.second)
                    || period.weekdays.contains((weekday + 6) % 7)
                        && time.second + 86_400 < period.endSecond
            }
        }
    }
}

extension SharingSystem.OperatingHours {
    /// Reads hours such as `Su-Th 05:00-22:00; Fr-Sa 05:00-01:00` or `Apr 1-Nov 3 00:00-24:00`.
    ///
    /// That is the part of OpenStreetMap's syntax that systems use, without public holidays and
    /// exceptions: any other text is kept in ``unreadText``.
    init(openingHours text: String) {
        self.init()
        for rule in text.split(separator: ";") {
            var words = rule.split(separator: " ").map(String.init)
            if words == ["24/7"] { continue }
            let season = Self.season(&words)
            let days = words.first.flatMap(Self.weekdays)
            if days != nil { words.removeFirst() }
            let spans = words.isEmpty ? [0..<86_400] : Self.spans(words.joined())
            guard let spans, season != nil || days != nil || !words.isEmpty else {
                self.init()
                unreadText = text
                return
            }
            if let season { seasons.append(season) }
            periods += spans.map {
                Period(
                    weekdays: days ?? Set(0..<7),
                    startSecond: $0.lowerBound,
                    endSecond: $0.upperBound
                )
            }
        }
        // Hours that differ between seasons cannot be told apart once they are joined.
        if seasons.count > 1, Set(periods).count > 1 {
            self.init()
            unreadText = text
        }
    }

    private static let dayNames = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]

    /// Takes a season such as `Apr 1-Nov 3` off the words.
    private static func season(_ words: inout [String]) -> Season? {
        guard words.count >= 3, let month = RFC822.months.firstIndex(of: words[0]),
            let last = Int32(words[2]), (1...31).contains(last)
        else { return nil }
        let middle = words[1].split(separator: "-").map(String.init)
        guard middle.count == 2, let first = Int32(middle[0]), (1...31).contains(first),
            let lastMonth = RFC822.months.firstIndex(of: middle[1])
        else { return nil }
        words.removeFirst(3)
        return Season(
            start: Season.Day(year: nil, month: Int32(month) + 1, day: first),
            end: Season.Day(year: nil, month: Int32(lastMonth) + 1, day: last)
        )
    }

    /// The days of a list such as `Mo-We,Sa`; nil if it is not one.
    private static func weekdays(_ text: String) -> Set<Int32>? {
        var days: Set<Int32> = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false)
            guard (1...2).contains(ends.count),
                let first = dayNames.firstIndex(of: String(ends[0])),
                let last = dayNames.firstIndex(of: String(ends[ends.count - 1]))
            else { return nil }
            for step in 0...((last - first + 7) % 7) { days.insert(Int32((first + step) % 7)) }
        }
        return days
    }

    /// The spans of a list such as `08:00-12:00,14:00-01:00`; nil if it is not one.
    private static func spans(_ text: String) -> [Range<Int32>]? {
        var spans: [Range<Int32>] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false)
            guard ends.count == 2, let start = second(ends[0]), let end = second(ends[1]),
                start < 86_400
            else { return nil }
            spans.append(start..<(end <= start ? end + 86_400 : end))
        }
        return spans
    }

    /// The second of the day of a time such as `05:00` or `23:59:59`, up to `48:00`.
    fileprivate static func second(_ text: some StringProtocol) -> Int32? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { $0.count == 2 ? Int32($0) : nil }
        guard (2...3).contains(parts.count), numbers.count == parts.count,
            (0...48).contains(numbers[0]), numbers.dropFirst().allSatisfy({ (0..<60).contains($0) })
        else { return nil }
        return numbers[0] * 3_600 + numbers[1] * 60 + (numbers.count == 3 ? numbers[2] : 0)
    }
}

extension SharingSystem.OperatingHours.Period {
    init(_ fields: FeedFields) throws(FeedTrouble) {
        let names = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
        var days: Set<Int32> = []
        for (index, name) in (try fields.texts("days")).enumerated() {
            guard let day = names.firstIndex(of: name) else {
                throw FeedTrouble("days[\(index)]", .badValue(name))
            }
            days.insert(Int32(day))
        }
        weekdays = days
        func second(_ name: String) throws(FeedTrouble) -> Int32 {
            let text = try fields.required(name, try fields.text(name))
            guard let second = SharingSystem.OperatingHours.second(text) else {
                throw FeedTrouble(name, .badValue(text))
            }
            return second
        }
        startSecond = try second("start_time")
        let end = try second("end_time")
        // The format writes the last second of the day, which is included.
        endSecond = end % 60 == 59 ? end + 1 : end
        guard startSecond < endSecond else {
            throw FeedTrouble("end_time", .badValue(try fields.text("end_time") ?? ""))
        }
    }
}

extension SharingSystem.OperatingHours.Season {
    init(_ fields: FeedFields) throws(FeedTrouble) {
        func day(_ end: String) throws(FeedTrouble) -> Day {
            let month = try fields.required("\(end)_month", try fields.count("\(end)_month"))
            let day = try fields.required("\(end)_day", try fields.count("\(end)_day"))
            guard (1...12).contains(month) else {
                throw FeedTrouble("\(end)_month", .badValue("\(month)"))
            }
            guard (1...31).contains(day) else {
                throw FeedTrouble("\(end)_day", .badValue("\(day)"))
            }
            return Day(
                year: try fields.count("\(end)_year").map { Int32($0) },
                month: Int32(month),
                day: Int32(day)
            )
        }
        start = try day("start")
        end = try day("end")
    }
}
