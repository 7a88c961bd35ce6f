import Agenda
import Chronology
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
        let timed = all.filter { !$0.isWholeDay }
        let hours = Self.hours(
            timed.flatMap { occurrence in days.compactMap { part(occurrence, $0) } }
        )
        let columns = days.map { day in
            column(day, all.filter { part($0, day) != nil }, hours, context)
        }
        let title = CalendarTexts.weekOf(monday)
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

    /// From when until when an occurrence is on a day, in seconds on the city's clocks; nil if it
    /// is not on that day.
    private func part(_ occurrence: AgendaOccurrence, _ day: CivilDate) -> Range<Int32>? {
        let span = span(of: day)
        let isMoment = occurrence.span.isEmpty && span.contains(occurrence.span.lowerBound)
        guard occurrence.span.overlaps(span) || isMoment else { return nil }
        let part = occurrence.span.clamped(to: span)
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
        _ occurrences: [AgendaOccurrence],
        _ hours: Range<Int32>,
        _ context: RequestContext
    ) -> HTML {
        let isToday = day == cityDay(context.now)
        let items = occurrences.map { block($0, day, hours, context) }
        let none: HTML = "<p class=\"hint\">\(context.say(CalendarTexts.nothing))</p>"
        return """
            <li\(HTML.when(isToday, " class=\"today\""))><h2><a href=\(address(of: day))>\
            \(context.say(LaterTexts.weekdayAndDay(day)))</a></h2>\
            \(items.isEmpty ? none : "<ul>\(items)</ul>" as HTML)</li>
            """
    }

    private func block(
        _ occurrence: AgendaOccurrence,
        _ day: CivilDate,
        _ hours: Range<Int32>,
        _ context: RequestContext
    ) -> HTML {
        let details = EntryDetails(occurrence.item, zone: agenda.zone)
        let part = part(occurrence, day) ?? 0..<0
        let from = part.lowerBound - hours.lowerBound * 3_600
        let start = max(0, min(47, from / Self.partSeconds))
        let length = Int32(part.count)
        let rows = max(1, min(48 - start, (length + Self.partSeconds - 1) / Self.partSeconds))
        let place = occurrence.isWholeDay ? "whole" : "s\(start) d\(rows)"
        let time: HTML =
            occurrence.isWholeDay
            ? "\(context.say(TimelineTexts.allDay))" : "\(clockRange(occurrence.span))"
        return """
            <li class="\(place)"><a class="block \(details.category.rawValue)\
            \(HTML.when(!occurrence.isFixed, " loose"))" href=\(address(of: occurrence))>\
            <b>\(details.title)</b> <small>\(time)</small></a></li>
            """
    }
}
