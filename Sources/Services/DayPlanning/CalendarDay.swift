package import Chronology
package import CityData
import DayPlan
package import Geo
package import OpenData

/// What a calendar has on one day, before its places are looked up.
///
/// Of events those count that take their owner's time: not whole days, such as birthdays, nor
/// those that are cancelled or transparent, nor journeys that were added before. A task counts if
/// it says from when until when it is to be done (`DTSTART` to `DUE`) and how long it takes
/// (`ESTIMATED-DURATION`), and is not done yet.
package struct CalendarDay: Sendable, Equatable {
    /// The most events and tasks of a day; nobody does more, and all are planned together.
    package static let entriesLimit = Day.pieceLimit
    /// The most steps that all rules of a calendar may take, to find the day and then what is on
    /// it; a second or so.
    static let stepsLimit = 1_000_000

    /// An event or task of the day.
    package struct Entry: Sendable, Equatable {
        /// What identifies it in its calendar.
        package var uid: String
        /// What it is, in one line.
        package var title: String
        /// Whether it is a task and no event.
        package var isTask = false
        /// A fixed time, or a window with a length.
        package var timing: CalendarTask.Timing
        /// Where it is on the earth; nil where that is not said.
        package var position: Coordinate?
        /// Where it is in words; nil where nothing is said, or where it is only on the web.
        package var location: String?
        /// How short a piece of it may be, in seconds; nil for one in one piece.
        package var leastPieceSeconds: Int64?
        /// What it asks of the journey to it and of other entries.
        package var demands = CalendarTask.Demands()
        /// Its line in the file, from 1.
        package var line: Int
        /// The line that says where it is; ``line`` where nothing does.
        package var placeLine: Int

        /// The texts that may name its place, the fullest first: many programs write the name of a
        /// room or a firm before the address.
        package var placeTexts: [String] {
            let parts = (location ?? "").split { $0.isNewline || $0 == "," }
                .map { $0.drop(while: \.isWhitespace) }.filter { !$0.isEmpty }
            return (0..<min(parts.count, Self.textsLimit)).map {
                parts[$0...].joined(separator: ", ")
            }
        }

        /// How many texts are tried: a room, a floor, a firm, and what follows.
        private static let textsLimit = 4
    }

    /// What people should know about how the calendar was read.
    package enum Remark: Sendable, Hashable {
        /// An event could not be read, but is not of this day.
        case leftOut(ICalendarFailure)
        /// A line is no property; it stays in the file and means nothing.
        case ignored(ICalendarFailure)
        /// A task does not say when it is to be done or how long it takes.
        case noWindow(line: Int)
        /// The event at a place takes the whole day, so nobody knows when to be there.
        case wholeDay(line: Int)
    }

    /// Why a day cannot be read.
    package enum Failure: Error, Sendable, Hashable {
        /// Events that cannot be read and may be of this day, or may recur on it.
        case unreadable([ICalendarFailure])
        /// Nothing in the calendar takes time.
        case empty
        /// The rules of the calendar recur too often to be followed, at last that in this line.
        case tooManySteps(line: Int)
        /// More is on the day than is planned.
        case tooMany(CivilDate)
        /// The least time that a task needs is longer than it usually takes, or than its window.
        case tooLong(line: Int)
    }

    /// The date in the city's time zone.
    package let date: CivilDate
    /// The day from midnight to midnight on the city's clocks.
    package let span: Range<Instant>
    /// What is on it, by the time from which it may begin, then by line.
    package let entries: [Entry]
    /// What people should know.
    package let remarks: [Remark]
    private let zone: ZoneTable

    /// Reads a day of a calendar.
    ///
    /// - Parameters:
    ///   - calendar: the calendar.
    ///   - date: the day; nil for the first one on which something is.
    ///   - zone: the city's clocks, from which floating times are read.
    ///   - zones: the zones of the calendar.
    /// - Throws: ``Failure``.
    package init(
        _ calendar: ICalendar,
        on date: CivilDate?,
        zone: ZoneTable,
        zones: ICalendarZones
    ) throws(Failure) {
        try self.init([(calendar, zones)], on: date, zone: zone)
    }

    /// Reads a day of several calendars, each with zones of its own.
    ///
    /// - Throws: ``Failure``.
    package init(
        _ calendars: [(calendar: ICalendar, zones: ICalendarZones)],
        on date: CivilDate?,
        zone: ZoneTable
    ) throws(Failure) {
        var all: [ICalendarSeries] = []
        var failures: [ICalendarFailure] = []
        var found: [(items: [ICalendarComponent], failures: [ICalendarFailure])] = []
        for (calendar, zones) in calendars {
            var zones = zones
            let (own, wrong) = calendar.series(&zones)
            all += own
            failures += wrong
            found.append((calendar.items, wrong))
        }
        let series = all.filter { $0.item.component.property(JourneyEvents.mark) == nil }
        let day: CivilDate
        if let date { day = date } else { day = try Self.firstDay(of: series, zone, failures) }
        self.date = day
        self.zone = zone
        span = day.span(in: zone)
        let touching = found.flatMap { items, failures in
            failures.filter { items.mayConcern(day, $0) }
        }
        guard touching.isEmpty else { throw .unreadable(touching) }
        var reader = DayReader(span: span, zone: zone)
        for one in series { try reader.read(one) }
        guard reader.entries.count <= Self.entriesLimit else { throw .tooMany(day) }
        entries = reader.entries.sorted { one, other in
            let (first, second) = (one.timing.window, other.timing.window)
            return (first.lowerBound, first.upperBound, one.line, one.uid)
                < (second.lowerBound, second.upperBound, other.line, other.uid)
        }
        let leftOut: [Remark] = failures.map { .leftOut($0) }
        let ignored: [Remark] = calendars.flatMap(\.calendar.unreadable).map { .ignored($0) }
        remarks = leftOut + ignored + reader.remarks
    }

    /// The first day on which something is.
    private static func firstDay(
        of series: [ICalendarSeries],
        _ zone: ZoneTable,
        _ failures: [ICalendarFailure]
    ) throws(Failure) -> CivilDate {
        var first: Instant?
        var steps = stepsLimit
        for one in series {
            guard let start = try one.firstStart(zone, before: first, &steps) else { continue }
            first = min(first ?? start, start)
        }
        guard let first else { throw failures.isEmpty ? .empty : .unreadable(failures) }
        return zone.local(first).date
    }

    /// How many places of tasks that may be at any of several are considered, but for one of each:
    /// each takes a search for the rides of a day.
    private static let placesLimit = 4 * CalendarTask.placesLimit

    /// The day with its places.
    ///
    /// A task of which `branches` knows several places is at any of those that are nearest to the
    /// day's other places (``CalendarTask/placesLimit``).
    ///
    /// - Parameters:
    ///   - base: where the day begins and ends; nil for its first and its last place.
    ///   - place: finds the place of an entry that says where it is; nil if it counts as done
    ///     wherever its owner is.
    ///   - branches: finds the places of which a task may be at any; none if it is at one place.
    /// - Returns: the day, to be planned.
    /// - Throws: what `place` and `branches` throw.
    package func input<PlaceFailure: Error>(
        base: ResolvedPlace? = nil,
        place: (Entry) throws(PlaceFailure) -> ResolvedPlace?,
        branches: (Entry) throws(PlaceFailure) -> [ResolvedPlace]
    ) throws(PlaceFailure) -> DayInput {
        var input = DayInput(date: date, span: span, base: base)
        var open: [(task: Int, places: [ResolvedPlace])] = []
        for entry in entries {
            var task = CalendarTask(
                uid: entry.uid,
                title: entry.title,
                timing: entry.timing,
                line: entry.line
            )
            task.location = entry.placeTexts.first
            task.demands = entry.demands
            task.leastPieceSeconds = entry.leastPieceSeconds
            // Its owner travels to a transfer by what it is itself.
            let isReached = !entry.demands.isTransfer
            if isReached, entry.position != nil || entry.location != nil {
                let all = entry.isTask && entry.position == nil ? try branches(entry) : []
                if all.count > 1 {
                    open.append((input.tasks.count, all))
                } else {
                    var only = all.first
                    if only == nil { only = try place(entry) }
                    task.places =
                        only.map { only in
                            task.timing.isFlexible ? hours(of: [only], task) : [TaskPlace(only)]
                        } ?? []
                    task.knownPlaces = task.places.count
                }
            }
            input.tasks.append(task)
        }
        var positions = ([base] + input.tasks.map(\.place)).compactMap { $0?.coordinate }
        if positions.isEmpty { positions = open.prefix(1).compactMap { $0.places[0].coordinate } }
        let limit = max(1, min(CalendarTask.placesLimit, Self.placesLimit / max(1, open.count)))
        for (number, places) in open {
            var task = input.tasks[number]
            // Places have hours, unlike people with whom a time was fixed.
            let window = task.timing.window
            let seconds = window.upperBound.seconds - window.lowerBound.seconds
            if !task.timing.isFlexible {
                task.timing = .flexible(window: window, seconds: seconds, minimumSeconds: seconds)
            }
            // All pieces of a task are at one place.
            let isWhole = task.leastPieceSeconds == nil
            let most = isWhole ? limit : 1
            task.choose(from: hours(of: places, task), near: positions, limit: most)
            input.tasks[number] = task
        }
        return input
    }

    /// Places with their hours from the beginning of a task's window to a day after its end, since
    /// it may be postponed.
    private func hours(of places: [ResolvedPlace], _ task: CalendarTask) -> [TaskPlace] {
        let window = task.timing.window
        let first = max(window.lowerBound, span.lowerBound)
        // No longer day is planned.
        let last = max(first, min(window.upperBound, first.adding(seconds: Day.longestSeconds)))
        let span = first..<last.adding(seconds: 86_400)
        return places.map { TaskPlace($0, openings: $0.openings(in: span, zone: zone)) }
    }
}

extension CivilDate {
    /// The day from midnight to midnight on the clocks of a zone; empty if they leave it out.
    package func span(in zone: ZoneTable) -> Range<Instant> {
        let start = zone.instant(self, second: 0)
        return start..<max(start, zone.instant(adding(days: 1), second: 0))
    }
}

extension ICalendar {
    /// The events and tasks of the file, read or not, in its order.
    fileprivate var items: [ICalendarComponent] {
        components.flatMap { $0.name == "VCALENDAR" ? $0.components : [$0] }
            .filter { ICalendarItem.Kind(rawValue: $0.name) != nil }
    }
}

extension [ICalendarComponent] {
    /// Whether the one in which a failure is may have an occurrence on a day: unless it says, in
    /// dates that can be read, that it is on another.
    fileprivate func mayConcern(_ day: CivilDate, _ failure: ICalendarFailure) -> Bool {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].line <= failure.line { low = middle + 1 } else { high = middle }
        }
        // Of two revisions with one identifier the other one is planned.
        guard low > 0, failure.problem != .duplicate,
            self[low - 1].property(JourneyEvents.mark) == nil
        else { return false }
        return self[low - 1].mayBe(on: day)
    }
}

extension ICalendarComponent {
    fileprivate func mayBe(on day: CivilDate) -> Bool {
        guard let start = try? property("DTSTART")?.time().local.date else { return true }
        // Clocks elsewhere may show another date.
        if start > day.adding(days: 1) { return false }
        let recurs = ["RRULE", "RDATE", "DURATION"].contains { property($0) != nil }
        guard let property = property("DTEND") ?? property("DUE") else {
            return recurs || start >= day.adding(days: -1)
        }
        guard let end = try? property.time().local.date else { return true }
        return recurs || end >= day.adding(days: -1)
    }
}
