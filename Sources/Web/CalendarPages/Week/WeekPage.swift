import Agenda
import Chronology
import DayPlanning
import Localization
import Markup
import OpenData
import TaxiPages
import TravelPages
import WebCore

/// A week: a list of days on phones, a grid of hours on larger screens (V38, ui.md 4.7).
extension CalendarPages {
    /// The hours that the grid shows at least.
    private static let usualHours: Range<Int32> = 8..<19
    /// The parts of an hour into which the grid is divided: classes `s0` to `s47` and `d1` to `d48`
    /// of the style sheet place an entry.
    private static let partSeconds: Int32 = 1_800

    var weekRoutes: [Route] {
        [
            .get("/calendar/week", as: "calendar.week.now", for: .person) {
                try await showWeek(cityDay($0.now), $0, $1)
            },
            .get("/calendar/week/{date}", as: "calendar.week", for: .person) {
                try await showWeek(try date($0), $0, $1)
            }
            .taking(.date),
        ]
    }

    private func showWeek(
        _ date: CivilDate,
        _ context: RequestContext,
        _ person: SignedIn
    ) async throws -> Response {
        let monday = date.adding(days: -Int32(date.weekday))
        let days = (0..<7).map { monday.adding(days: Int32($0)) }
        let span = span(of: monday).lowerBound..<span(of: days[6]).upperBound
        let excerpt = try await agenda.entries(of: person.person, in: span)
        let all = excerpt.occurrences(in: span, zone: agenda.zone).filter { !$0.isClosed }
        let memories = try await memories(of: person, monday, days[6])
        let entries = all.flatMap { placed($0, memories) }
        let trips = trips(memories, all)
        let timed = entries.filter { !$0.occurrence.isWholeDay }.map(\.span) + trips.map(\.span)
        let hours = Self.hours(timed.flatMap { span in days.compactMap { part(span, $0) } })
        let columns = days.map { day in
            let items = entries.filter { part($0.span, day) != nil }.map {
                block($0, day, hours, context)
            }
            let ways = trips.filter { part($0.span, day) != nil }.map {
                block($0, day, hours, context)
            }
            return column(day, (items + ways).sorted { $0.start < $1.start }, context)
        }
        // On telephones a line has no room for the year, which is nearly always this one.
        let isOtherYear = monday.numbers.year != cityDay(context.now).numbers.year
        let title = CalendarTexts.weekOf(LaterTexts.monthDay(monday, hasYear: isOtherYear))
        let body: HTML = """
            <div class="wide">\(views(.week, date, context))
            \(head(
                title,
                (Address("/calendar/week", iso(monday, -7)), CalendarTexts.weekBefore),
                (Address("/calendar/week", iso(monday, 7)), CalendarTexts.weekAfter),
                context
            ))
            <div class="week">\(axis(hours))<ol>\(columns)</ol></div>
            <p class="actions">\(addButton(day: date).html(context))</p></div>
            """
        var page = Page(title, body: body)
        page.isWide = true
        return response(page, to: context)
    }

    private func iso(_ date: CivilDate, _ days: Int32) -> String {
        date.adding(days: days).iso8601
    }

    /// An entry as a week shows it.
    private struct WeekEntry {
        let occurrence: AgendaOccurrence
        /// The time of an event, the time that the plan found for a task or for one of its pieces,
        /// or the whole window of a task that is not planned yet.
        let span: Range<Instant>
        /// Whether the time is only the window within which the task will be done.
        let isWindow: Bool
    }

    /// A journey of a planned day.
    private struct WeekTrip {
        /// From its departure to its arrival.
        let span: Range<Instant>
        /// To what it leads; nil on the way back.
        let title: String?
    }

    /// An entry or a journey as it stands in the column of a day.
    private struct WeekBlock {
        let start: Instant
        /// The half hours of the grid that it takes; nil for what lasts all day.
        let rows: Range<Int32>?
        let content: HTML
    }

    /// What is remembered of the plans of the days of a week.
    private func memories(
        of person: SignedIn,
        _ first: CivilDate,
        _ last: CivilDate
    ) async throws -> [DayMemory] {
        try await agenda.memories(of: person.person, from: first, before: last.adding(days: 1))
            .compactMap { DayMemory($0.memory) }
    }

    /// When an entry takes place; a task has the times of the latest plan, as long as its window
    /// still contains them.
    private func placed(_ occurrence: AgendaOccurrence, _ memories: [DayMemory]) -> [WeekEntry] {
        let window = occurrence.span
        guard !occurrence.isFixed, !occurrence.isWholeDay else {
            return [WeekEntry(occurrence: occurrence, span: window, isWindow: false)]
        }
        let subject = DayMemory.Subject(
            uid: occurrence.item.uid,
            from: window.lowerBound.seconds
        )
        let times = memories.flatMap(\.placements).filter {
            $0.task == subject && $0.start < $0.end && $0.end <= window.upperBound.seconds
        }
        guard !times.isEmpty else {
            return [WeekEntry(occurrence: occurrence, span: window, isWindow: true)]
        }
        return times.map {
            WeekEntry(
                occurrence: occurrence,
                span: Instant(seconds: $0.start)..<Instant(seconds: $0.end),
                isWindow: false
            )
        }
    }

    /// The journeys of the days of a week that are planned, as far as they lead to what is still in
    /// the calendar.
    private func trips(_ memories: [DayMemory], _ occurrences: [AgendaOccurrence]) -> [WeekTrip] {
        memories.flatMap(\.legs).compactMap { leg in
            guard let arrival = leg.arrival, arrival > leg.departure else { return nil }
            let goal = leg.to.flatMap { goal in
                occurrences.first {
                    $0.item.uid == goal.uid && $0.span.lowerBound.seconds == goal.from
                }
            }
            guard leg.to == nil || goal != nil else { return nil }
            return WeekTrip(
                span: Instant(seconds: leg.departure)..<Instant(seconds: arrival),
                title: goal?.item.summary
            )
        }
    }

    /// From when until when something is on a day, in seconds on the city's clocks; nil if it is
    /// not on that day.
    private func part(_ whole: Range<Instant>, _ day: CivilDate) -> Range<Int32>? {
        let span = span(of: day)
        let isMoment = whole.isEmpty && span.contains(whole.lowerBound)
        guard whole.overlaps(span) || isMoment else { return nil }
        let part = whole.clamped(to: span)
        let start = LocalTime(part.lowerBound, in: web.settings.zoneTable).second
        let length = Int32(clamping: part.upperBound.seconds - part.lowerBound.seconds)
        return start..<min(start + length, 86_400)
    }

    /// The hours that a week shows: the usual ones, and those of its entries.
    private static func hours(_ parts: [Range<Int32>]) -> Range<Int32> {
        let first = parts.map { $0.lowerBound / 3_600 }.min() ?? usualHours.lowerBound
        let last = parts.map { ($0.upperBound + 3_599) / 3_600 }.max() ?? usualHours.upperBound
        return min(first, usualHours.lowerBound)..<max(last, usualHours.upperBound)
    }

    /// The hours beside the grid, for those who see it.
    private func axis(_ hours: Range<Int32>) -> HTML {
        let marks = hours.map { hour -> HTML in "<li>\(hour < 10 ? "0" : "")\(hour):00</li>" }
        return "<ol class=\"hours\" aria-hidden=\"true\">\(marks)</ol>"
    }

    private func column(
        _ day: CivilDate,
        _ blocks: [WeekBlock],
        _ context: RequestContext
    ) -> HTML {
        let isToday = day == cityDay(context.now)
        let none: HTML = "<p class=\"hint\">\(context.say(CalendarTexts.nothing))</p>"
        let weekday = context.say(LaterTexts.weekdays[Int(day.weekday)]).prefix(3)
        let items = zip(blocks, Self.shares(blocks.map(\.rows))).map { block, share -> HTML in
            let place = block.rows.map { "s\($0.lowerBound) d\($0.count)" } ?? "whole"
            // More than four at once have a sixth of the width.
            let width = share > 1 ? " of\(min(share, 5))" : ""
            return "<li class=\"\(place)\(width)\">\(block.content)</li>"
        }
        return """
            <li\(HTML.when(isToday, " class=\"today\""))><h2><a href=\(address(of: day)) \
            data-brief="\(String(weekday)) \(day.numbers.day)"><span>\
            \(context.say(LaterTexts.weekdayAndDay(day)))</span></a></h2>\
            \(items.isEmpty ? none : "<ul>\(items)</ul>" as HTML)</li>
            """
    }

    /// Among how many each block divides the width of its day: as many as there are at once among
    /// those that it overlaps, and that those overlap.
    ///
    /// - Parameter rows: the half hours of the blocks in the order in which they begin.
    /// - Returns: a number for each; 1 for a block that overlaps nothing.
    private static func shares(_ rows: [Range<Int32>?]) -> [Int] {
        var shares = Array(repeating: 1, count: rows.count)
        var group: [Int] = []
        // When each of the strips beside each other is free again.
        var ends: [Int32] = []
        for (number, rows) in rows.enumerated() {
            guard let rows else { continue }
            if ends.allSatisfy({ $0 <= rows.lowerBound }) { (group, ends) = ([], []) }
            group.append(number)
            if let free = ends.firstIndex(where: { $0 <= rows.lowerBound }) {
                ends[free] = rows.upperBound
            } else {
                ends.append(rows.upperBound)
            }
            for member in group { shares[member] = ends.count }
        }
        return shares
    }

    private func block(
        _ entry: WeekEntry,
        _ day: CivilDate,
        _ hours: Range<Int32>,
        _ context: RequestContext
    ) -> WeekBlock {
        let occurrence = entry.occurrence
        let details = EntryDetails(occurrence.item, zone: agenda.zone)
        // Like an arrival, a time that was found is rounded up (``clockRange(_:isFixed:)``).
        let isFound = !occurrence.isFixed && !entry.isWindow
        let start = clockTime(entry.span.lowerBound, roundsUp: isFound)
        let end = clockTime(entry.span.upperBound, roundsUp: isFound)
        // A narrow block of the grid hides when it ends.
        let range: HTML = "<time>\(start)</time><span>–<time>\(end)</time></span>"
        // A task that has no time yet does not take its whole window.
        let window = entry.isWindow ? windowWords(occurrence, details, context) : nil
        let time =
            occurrence.isWholeDay ? "\(context.say(TimelineTexts.allDay))" : window ?? range
        let content: HTML = """
            <a class="block \(details.category.rawValue)\
            \(HTML.when(entry.isWindow, " loose"))" href=\(address(of: occurrence))>\
            <b>\(details.title)</b> <small>\(time)</small></a>
            """
        return WeekBlock(
            start: entry.span.lowerBound,
            rows: occurrence.isWholeDay ? nil : rows(part(entry.span, day), hours),
            content: content
        )
    }

    /// A journey: when to leave, and how long it takes.
    private func block(
        _ trip: WeekTrip,
        _ day: CivilDate,
        _ hours: Range<Int32>,
        _ context: RequestContext
    ) -> WeekBlock {
        let leave = clockTime(trip.span.lowerBound)
        let purpose: HTML? = trip.title.map { " \(context.say(TimelineTexts.forTask($0)))" }
        let length = context.say(
            PlanTexts.duration(from: trip.span.lowerBound, to: trip.span.upperBound)
        )
        // On the grid there is room for the time and the duration only.
        let content: HTML = """
            <a class="block trip" \
            href=\(address(of: day))><small data-brief="\(leave)" data-length=" · \(length)">\
            <span>\(context.say(TimelineTexts.leaveAt(leave)))\(purpose), \(length)</span>\
            </small></a>
            """
        return WeekBlock(
            start: trip.span.lowerBound,
            rows: rows(part(trip.span, day), hours),
            content: content
        )
    }

    /// The half hours of the grid that something takes.
    private func rows(_ part: Range<Int32>?, _ hours: Range<Int32>) -> Range<Int32> {
        let part = part ?? 0..<0
        let from = part.lowerBound - hours.lowerBound * 3_600
        let start = max(0, min(47, from / Self.partSeconds))
        let length = Int32(part.count)
        let rows = max(1, min(48 - start, (length + Self.partSeconds - 1) / Self.partSeconds))
        return start..<start + rows
    }
}
