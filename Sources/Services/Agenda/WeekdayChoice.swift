import Chronology
package import Identity
import OpenData

/// Chooses the days of the week of a task that is to be done so many times a week.
///
/// The days are those on which its window has room beside what else is in the calendar; of these
/// the ones that lie far apart, then the ones on which its owner is less busy. They are written
/// into the rule of the task, so that every calendar program shows them, and stay until their owner
/// asks for more or fewer: what is added to the calendar later moves none of them (A17).
struct WeekdayChoice {
    /// What a day of the week has besides the task.
    struct Load {
        /// In how many weeks the window has no room for the task.
        var fullWeeks = 0
        /// For how many seconds the owner is busy on these days.
        var busySeconds: Int64 = 0
    }

    /// How many weeks are looked at.
    static let weeks: Int32 = 4

    /// What the days of the week have, from Monday on.
    var loads = [Load](repeating: Load(), count: 7)

    /// The loads of days without anything.
    init() {}

    /// Looks at the weeks from the first day of a task on.
    ///
    /// - Parameters:
    ///   - details: what the task says.
    ///   - others: what else is in the calendar.
    ///   - zone: the city's clocks.
    init(_ details: EntryDetails, among others: [AgendaOccurrence], in zone: ZoneTable) {
        guard case .flexible(let from, let until, _, let least) = details.timing else { return }
        let window = until.wallSeconds - from.wallSeconds
        for offset in 0..<7 * Self.weeks {
            let date = from.date.adding(days: offset)
            let day = Self.span(from: date, days: 1, in: zone)
            let begin = LocalTime(date: date, second: from.second)
            let end = LocalTime(wallSeconds: begin.wallSeconds + window)
            let span = begin.instant(in: zone)..<max(begin.instant(in: zone), end.instant(in: zone))
            var room = Room(span)
            var busy: Int64 = 0
            for other in others where other.span.overlaps(day) || other.span.overlaps(span) {
                let part = other.span.clamped(to: day)
                let length = other.item.estimatedDuration?.plainSeconds
                busy += min(length ?? .max, part.upperBound.seconds - part.lowerBound.seconds)
                room.take(other.span, seconds: other.isFixed ? nil : length)
            }
            loads[Int(date.weekday)].busySeconds += busy
            let seconds = (details.pieceMinutes == nil ? room.longest : room.all) - room.wanted
            if seconds < least * 60 { loads[Int(date.weekday)].fullWeeks += 1 }
        }
    }

    /// Some days from midnight to midnight.
    static func span(from date: CivilDate, days: Int32, in zone: ZoneTable) -> Range<Instant> {
        let start = LocalTime(date: date, second: 0).instant(in: zone)
        let end = LocalTime(date: date.adding(days: days), second: 0).instant(in: zone)
        return start..<max(start, end)
    }

    /// The best days.
    ///
    /// - Parameters:
    ///   - times: how many there are to be, 1 to 7.
    ///   - kept: those that were chosen before: all of them stay, or where they are too many none
    ///     is added.
    /// - Returns: the days, 0 for Monday.
    func days(_ times: Int, keeping kept: Set<Int32> = []) -> Set<Int32> {
        precondition(EntryRepetition.timesLimits.contains(times), "no week has so many days")
        let all = (1..<128).map { bits in
            Set((0..<7 as Range<Int32>).filter { bits >> (6 - $0) & 1 == 1 })
        }
        let fitting = all.filter { days in
            days.count == times && (days.isSuperset(of: kept) || days.isSubset(of: kept))
        }
        // The sets are in an order in which those with late days come first.
        let best = fitting.reversed().min { rank($0).lexicographicallyPrecedes(rank($1)) }
        guard let best else { preconditionFailure("some days always fit to those before") }
        return best
    }

    private func rank(_ days: Set<Int32>) -> [Int64] {
        let sorted = days.sorted()
        let next = sorted.dropFirst() + [(sorted.first ?? 0) + 7]
        let gaps = zip(sorted, next).map { $1 - $0 }
        let loads = sorted.map { self.loads[Int($0)] }
        return [
            Int64(loads.reduce(0) { $0 + $1.fullWeeks }), -Int64(gaps.min() ?? 0),
            loads.reduce(0) { $0 + $1.busySeconds },
        ]
    }

    /// What is left of a window.
    private struct Room {
        private var free: [Range<Instant>]
        /// How many seconds tasks without a fixed time want of it.
        private(set) var wanted: Int64 = 0

        init(_ window: Range<Instant>) { free = [window] }

        /// The seconds of the longest span.
        var longest: Int64 { free.map(Self.seconds).max() ?? 0 }
        /// The seconds of all of it.
        var all: Int64 { free.reduce(0) { $0 + Self.seconds($1) } }

        /// Takes the time of an occurrence; of a task without a fixed time only its seconds.
        mutating func take(_ span: Range<Instant>, seconds: Int64?) {
            guard seconds == nil else {
                if free.contains(where: { $0.overlaps(span) }) { wanted += seconds ?? 0 }
                return
            }
            free = free.flatMap { part -> [Range<Instant>] in
                guard part.overlaps(span) else { return [part] }
                let before = part.lowerBound..<max(part.lowerBound, span.lowerBound)
                let after = min(part.upperBound, span.upperBound)..<part.upperBound
                return [before, after].filter { !$0.isEmpty }
            }
        }

        private static func seconds(_ span: Range<Instant>) -> Int64 {
            span.upperBound.seconds - span.lowerBound.seconds
        }
    }
}

extension Agenda {
    /// What an entry says, with the days chosen of one that is to be done so many times a week, and
    /// from the first of its days of the week on.
    ///
    /// - Parameters:
    ///   - details: what the entry says, without flaws.
    ///   - former: what it said before; nil for a new one.
    ///   - entry: the entry, which is not in its own way; nil for a new one.
    ///   - person: the owner.
    /// - Returns: the details, whose first day is one of those chosen.
    /// - Throws: `noSuchPerson`, any database error.
    package func choosingDays(
        of details: EntryDetails,
        since former: EntryDetails? = nil,
        replacing entry: EntryNumber? = nil,
        of person: PersonNumber
    ) async throws -> EntryDetails {
        guard let start = details.timing.start else { return details }
        if details.repetition.frequency == .weekly { return details.onItsDays }
        guard details.repetition.frequency == .timesAWeek else { return details }
        let kept =
            former?.repetition.frequency == .timesAWeek ? former?.repetition.weekdays ?? [] : []
        var changed = details
        if kept.count == details.repetition.times {
            changed.repetition.weekdays = kept
        } else {
            let span = WeekdayChoice.span(
                from: start.date,
                days: 7 * WeekdayChoice.weeks + 1,
                in: zone.table
            )
            let excerpt = try await entries(of: person, in: span)
            let others = excerpt.occurrences(in: span, zone: zone).filter { other in
                other.entry != entry && !other.isClosed && !other.isWholeDay
                    && !other.item.isTransparent && other.exclusivity != .overlappable
            }
            changed.repetition.weekdays = WeekdayChoice(details, among: others, in: zone.table)
                .days(details.repetition.times, keeping: kept)
        }
        return changed.onItsDays
    }
}

extension EntryDetails {
    /// The same from the first of its days of the week on; those of a frequency without such days
    /// as they are.
    fileprivate var onItsDays: EntryDetails {
        let days = repetition.weekdays
        guard !days.isEmpty, let first = timing.start?.date else { return self }
        let offset = (0..<7 as Range<Int32>).first {
            days.contains(first.adding(days: $0).weekday)
        }
        var moved = self
        moved.timing = timing.moved(days: Int64(offset ?? 0))
        return moved
    }
}

extension EntryTiming {
    /// The same so many days later.
    fileprivate func moved(days: Int64) -> EntryTiming {
        func later(_ time: LocalTime) -> LocalTime {
            LocalTime(wallSeconds: time.wallSeconds + days * 86_400)
        }
        return switch self {
        case .fixed(let start, let end): .fixed(start: later(start), end: later(end))
        case .flexible(let from, let until, let minutes, let least):
            .flexible(
                from: later(from),
                until: later(until),
                minutes: minutes,
                leastMinutes: least
            )
        case .someday: .someday
        }
    }
}
