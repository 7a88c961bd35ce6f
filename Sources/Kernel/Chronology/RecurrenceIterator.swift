/// The readings of the clocks at which a rule recurs, each computed when it is asked for.
///
/// A rule takes its occurrences from periods: every n-th year, month, week, day, hour, minute or
/// second. The days of a period come from the masks of ``RecurrenceDays``, its times from lists of
/// hours, minutes and seconds. An occurrence is a number that counts these times through all days,
/// so that `BYSETPOS` is arithmetic and no list is built. ``skip(to:)`` finds a period by division.
/// Only rules with `COUNT` are counted from their beginning, unless their only part is the
/// interval.
///
/// A rule without occurrences, such as 30 February, ends with the year 9999 or when its steps are
/// used up, whichever comes first.
public struct RecurrenceIterator: Sequence, IteratorProtocol, Sendable {
    /// The steps of a rule unless the caller sets another limit: enough for each month of ten
    /// thousand years, and for each day since 1900 several times.
    public static let stepsLimit = 1_000_000

    /// The last day that is tried, 9999-12-31.
    static let lastDay: Int32 = 2_932_896

    /// How many more periods and occurrences may be examined.
    public internal(set) var stepsLeft: Int
    let rule: RecurrenceRule
    let start: LocalTime
    let days: RecurrenceDays
    let interval: Int64
    private let last: LocalTime
    private var countLeft: Int64
    private var minimum: LocalTime
    private var isAtEnd = false

    /// The number of the next period to examine, or of its hour, minute or second.
    var nextPeriod: Int64 = 0
    /// The year, month, week or day from which periods are counted.
    var base: Int64 = 0
    /// The days of the current period, ascending.
    var periodDays: [Int32] = []
    /// The times of each of those days, ascending.
    var hours: [Int32]
    var minutes: [Int32]
    var seconds: [Int32]
    /// The occurrences of the current period that `BYSETPOS` chooses; unused without it.
    private var chosen: [Int] = []
    private var position = 0
    private var positionEnd = 0
    /// The month that was examined last.
    var month = MonthOfDays()

    /// The allowed days of a month, by their bits.
    struct MonthOfDays: Sendable {
        var first: Int32 = 0
        var length: Int32 = 0
        var mask: UInt32 = 0
    }

    /// Starts at the beginning of a rule.
    ///
    /// - Parameters:
    ///   - rule: the rule; if it has a flaw, some of its occurrences may be missing.
    ///   - start: the reading from which the rule counts (`DTSTART`). It is an occurrence only if
    ///     the rule produces it.
    ///   - isDate: whether only days matter, so that hours, minutes and seconds are ignored.
    ///   - until: the last possible reading; by default that of the rule, read as if clocks showed
    ///     UTC.
    ///   - steps: how many periods and occurrences may be examined before the rule ends.
    public init(
        _ rule: RecurrenceRule,
        start: LocalTime,
        isDate: Bool = false,
        until: LocalTime? = nil,
        steps: Int = stepsLimit
    ) {
        self.rule = rule
        self.start = start
        stepsLeft = steps
        minimum = start
        days = RecurrenceDays(rule, start: start.date)
        interval = Int64(Swift.max(1, rule.interval))
        let time = start.second
        func list(_ part: [Int32], _ limit: Int32, default value: Int32) -> [Int32] {
            if part.isEmpty || isDate { return [value] }
            let sorted = part.map { $0 == 60 ? 59 : $0 }.filter { $0 >= 0 && $0 < limit }.sorted()
            return sorted.indices.filter { $0 == 0 || sorted[$0] != sorted[$0 - 1] }
                .map { sorted[$0] }
        }
        hours = list(rule.hours, 24, default: time / 3_600)
        minutes = list(rule.minutes, 60, default: time / 60 % 60)
        seconds = list(rule.seconds, 60, default: time % 60)
        countLeft = .max
        var last = LocalTime(date: CivilDate(daysSince1970: Self.lastDay), second: 86_399)
        switch rule.end {
        case .never: break
        case .count(let count): countLeft = Int64(count)
        case .date(let date): last = LocalTime(date: date, second: 86_399)
        case .local(let time): last = isDate ? LocalTime(date: time.date, second: 86_399) : time
        case .instant(let instant):
            last = LocalTime(instant, in: .utc)
            if isDate { last.second = 86_399 }
        }
        self.last = until ?? last
        let isSelfless = hours.isEmpty || minutes.isEmpty || seconds.isEmpty
        isAtEnd = isSelfless || rule.frequency.rawValue < 3 && isDate
        base = firstPeriod
    }

    /// The next reading; nil after the last.
    public mutating func next() -> LocalTime? {
        while !isAtEnd {
            guard position < positionEnd else {
                guard stepsLeft > 0, findPeriod() else { break }
                positionEnd = count
                if !rule.positions.isEmpty { choose() }
                position = 0
                jump()
                continue
            }
            guard stepsLeft > 0 else { break }
            stepsLeft -= 1
            let time = time(rule.positions.isEmpty ? position : chosen[position])
            position += 1
            if time < start { continue }
            guard time <= last, countLeft > 0 else { break }
            countLeft -= 1
            if time < minimum { continue }
            return time
        }
        isAtEnd = true
        return nil
    }

    /// Skips to the first occurrence at or after a reading; never back.
    ///
    /// - Complexity: constant, except for rules with `COUNT` and parts about days or times.
    public mutating func skip(to time: LocalTime) {
        guard time > minimum, !isAtEnd else { return }
        minimum = time
        guard time <= last else {
            isAtEnd = true
            return
        }
        let isCounted = countLeft != .max
        if isCounted, !isRegular { return }
        let target = Swift.max(nextPeriod, period(before: time))
        guard target > nextPeriod else { return jump() }
        if isCounted {
            // Every period has one occurrence, and the current one may not have been returned yet.
            let passed = target - nextPeriod + Int64(positionEnd - position)
            countLeft -= passed
        }
        nextPeriod = target
        positionEnd = 0
        position = 0
    }

    /// Whether every period has exactly one occurrence.
    private var isRegular: Bool {
        rule.isEveryDay && rule.frequency.rawValue <= RecurrenceRule.Frequency.weekly.rawValue
            && rule.hours.isEmpty && rule.minutes.isEmpty && rule.seconds.isEmpty
            && rule.positions.isEmpty
    }

    /// How many occurrences the current period has before `BYSETPOS`.
    private var count: Int { periodDays.count * hours.count * minutes.count * seconds.count }

    /// The n-th occurrence of the current period.
    private func time(_ number: Int) -> LocalTime {
        var rest = number
        let second = seconds[rest % seconds.count]
        rest /= seconds.count
        let minute = minutes[rest % minutes.count]
        rest /= minutes.count
        let hour = hours[rest % hours.count]
        let date = CivilDate(daysSince1970: periodDays[rest / hours.count])
        return LocalTime(date: date, second: hour * 3_600 + minute * 60 + second)
    }

    private mutating func choose() {
        chosen.removeAll(keepingCapacity: true)
        for place in rule.positions {
            let number = place > 0 ? Int(place) - 1 : positionEnd + Int(place)
            if place != 0, number >= 0, number < positionEnd { chosen.append(number) }
        }
        chosen.sort()
        var kept = 0
        for number in chosen where kept == 0 || chosen[kept - 1] != number {
            chosen[kept] = number
            kept += 1
        }
        positionEnd = kept
    }

    /// Skips the occurrences of the current period before the requested reading.
    private mutating func jump() {
        guard countLeft == .max, rule.positions.isEmpty else { return }
        var low = position
        var high = positionEnd
        while low < high {
            let middle = (low + high) / 2
            if time(middle) < minimum { low = middle + 1 } else { high = middle }
        }
        position = low
    }
}
