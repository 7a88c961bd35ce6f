import Agenda
import Chronology
import DayPlanning
import Localization
import Markup
import OpenData
import TaxiPages
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
        let trips = try await trips(of: person, monday, days[6], all)
        let timed = all.filter { !$0.isWholeDay }.map(\.span) + trips.map(\.span)
        let hours = Self.hours(timed.flatMap { span in days.compactMap { part(span, $0) } })
        let columns = days.map { day in
            let items = all.filter { part($0.span, day) != nil }.map {
                (start: $0.span.lowerBound, html: block($0, day, hours, context))
            }
            let ways = trips.filter { part($0.span, day) != nil }.map {
                (start: $0.span.lowerBound, html: block($0, day, hours, context))
            }
            return column(day, (items + ways).sorted { $0.start < $1.start }, context)
        }
        let title = CalendarTexts.weekOf(LaterTexts.monthDay(monday))
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

    /// A journey of a planned day.
    private struct WeekTrip {
        /// From its departure to its arrival.
        let span: Range<Instant>
        /// To what it leads; nil on the way back.
        let title: String?
    }

    /// The journeys of the days of a week that are planned, as far as they lead to what is still in
    /// the calendar.
    private func trips(
        of person: SignedIn,
        _ first: CivilDate,
        _ last: CivilDate,
        _ occurrences: [AgendaOccurrence]
    ) async throws -> [WeekTrip] {
        let memories = try await agenda.memories(
            of: person.person,
            from: first,
            before: last.adding(days: 1)
        )
        let legs = memories.compactMap { DayMemory($0.memory) }.flatMap(\.legs)
        return legs.compactMap { leg in
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
        let marks = hours.map { hour -> HTML in "<li>\(hour):00</li>" }
        return "<ol class=\"hours\" aria-hidden=\"true\">\(marks)</ol>"
    }

    private func column(
        _ day: CivilDate,
        _ items: [(start: Instant, html: HTML)],
        _ context: RequestContext
    ) -> HTML {
        let isToday = day == cityDay(context.now)
        let none: HTML = "<p class=\"hint\">\(context.say(CalendarTexts.nothing))</p>"
        let weekday = context.say(LaterTexts.weekdays[Int(day.weekday)]).prefix(3)
        return """
            <li\(HTML.when(isToday, " class=\"today\""))><h2><a href=\(address(of: day)) \
            data-brief="\(String(weekday)) \(day.numbers.day)"><span>\
            \(context.say(LaterTexts.weekdayAndDay(day)))</span></a></h2>\
            \(items.isEmpty ? none : "<ul>\(items.map(\.html))</ul>" as HTML)</li>
            """
    }

    private func block(
        _ occurrence: AgendaOccurrence,
        _ day: CivilDate,
        _ hours: Range<Int32>,
        _ context: RequestContext
    ) -> HTML {
        let details = EntryDetails(occurrence.item, zone: agenda.zone)
        let place = occurrence.isWholeDay ? "whole" : rows(part(occurrence.span, day), hours)
        let time: HTML =
            occurrence.isWholeDay
            ? "\(context.say(TimelineTexts.allDay))" : "\(clockRange(occurrence.span))"
        return """
            <li class="\(place)"><a class="block \(details.category.rawValue)\
            \(HTML.when(!occurrence.isFixed, " loose"))" href=\(address(of: occurrence))>\
            <b>\(details.title)</b> <small>\(time)</small></a></li>
            """
    }

    /// A journey: when to leave, and how long it takes.
    private func block(
        _ trip: WeekTrip,
        _ day: CivilDate,
        _ hours: Range<Int32>,
        _ context: RequestContext
    ) -> HTML {
        let leave = clockTime(trip.span.lowerBound)
        let purpose: HTML? = trip.title.map { " \(context.say(TimelineTexts.forTask($0)))" }
        let length = context.say(
            TimelineTexts.duration(trip.span.upperBound.seconds - trip.span.lowerBound.seconds)
        )
        // On the grid there is room for the time and the duration only.
        return """
            <li class="\(rows(part(trip.span, day), hours))"><a class="block trip" \
            href=\(address(of: day))><small data-brief="\(leave) · \(length)"><span>\
            \(context.say(TimelineTexts.leaveAt(leave)))\(purpose), \(length)</span></small></a>\
            </li>
            """
    }

    /// The classes that place something on the grid.
    private func rows(_ part: Range<Int32>?, _ hours: Range<Int32>) -> String {
        let part = part ?? 0..<0
        let from = part.lowerBound - hours.lowerBound * 3_600
        let start = max(0, min(47, from / Self.partSeconds))
        let length = Int32(part.count)
        let rows = max(1, min(48 - start, (length + Self.partSeconds - 1) / Self.partSeconds))
        return "s\(start) d\(rows)"
    }
}
