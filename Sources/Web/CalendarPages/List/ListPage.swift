import Agenda
import Chronology
import Localization
import Markup
import OpenData
import TaxiPages
import WebCore

/// The entries of the coming weeks, and the tasks without a date (V38).
extension CalendarPages {
    /// How many days the list shows.
    private static let listDays: Int32 = 28
    /// A list of so many entries ends with the day that it has reached: a page with all of a full
    /// calendar would be too heavy for a telephone.
    private static let listEntries = 50

    var listRoutes: [Route] {
        [
            .get("/calendar/list", as: "calendar.list", for: .person, showList)
                .taking([
                    .notice, .query("from", .date, "The first day of the list."),
                ])
        ]
    }

    private func showList(_ context: RequestContext, _ person: SignedIn) async throws -> Response {
        let today = cityDay(context.now)
        let first = context.query["from"].flatMap { CivilDate(iso8601: $0) } ?? today
        let last = first.adding(days: Self.listDays - 1)
        let span = span(of: first).lowerBound..<span(of: last).upperBound
        let excerpt = try await agenda.entries(of: person.person, in: span, hasUndated: true)
        let occurrences = excerpt.occurrences(in: span, zone: agenda.zone)
        let days = Dictionary(grouping: occurrences) { occurrence in
            max(first, LocalTime(occurrence.span.lowerBound, in: web.settings.zoneTable).date)
        }
        let dates = days.keys.sorted()
        var count = 0
        let shown = dates.prefix { date in
            defer { count += days[date]?.count ?? 0 }
            return count < Self.listEntries
        }
        let lists = shown.map { date -> HTML in
            let rows = (days[date] ?? []).map { row($0, context) }
            return """
                <section class="agenda"><h2><a href=\(address(of: date))>\
                \(dayName(date, context))</a></h2>
                \(Rows(rows).html)</section>
                """
        }
        let undated = excerpt.undated(zone: agenda.zone).map { entry in
            Row(
                .check,
                "\(entry.details(of: nil, zone: agenda.zone)?.title ?? "")",
                address: .entry(entry.number)
            )
        }
        let undatedList: HTML = """
            <section><h2>\(context.say(EntryTexts.someday))</h2>\(Rows(undated).html)</section>
            """
        let empty = EmptyState(.calendar, CalendarTexts.emptyTitle, CalendarTexts.emptyList)
        let next =
            shown.count < dates.count ? dates[shown.count] : first.adding(days: Self.listDays)
        let later = Address("/calendar/list", query: ["from": next.iso8601])
        let body: HTML = """
            \(views(.list, first, context))
            \(consoleNotice(Self.notices, context))
            <h1>\(context.say(CalendarTexts.title))</h1>
            <p class="actions">\(addButton().html(context))</p>
            \(lists)\(HTML.when(!undated.isEmpty, undatedList))
            \(HTML.when(lists.isEmpty && undated.isEmpty, empty.html(context)))
            <p class="actions">\
            \(Button(CalendarTexts.later, .link(later), icon: .next).html(context))</p>
            \(Chips([exchangeChip], isLine: true).html(context))
            """
        return response(Page(CalendarTexts.title, body: body), to: context)
    }

    private func row(_ occurrence: AgendaOccurrence, _ context: RequestContext) -> Row {
        let details = EntryDetails(occurrence.item, zone: agenda.zone)
        let place = details.place.map { shortPlace($0.name) } ?? ""
        let window: HTML? = occurrence.isFixed ? nil : windowWords(occurrence, details, context)
        let detail: HTML = window ?? "\(place)"
        let time: HTML =
            occurrence.isWholeDay
            ? "\(context.say(TimelineTexts.allDay))"
            : occurrence.isFixed ? "\(clockRange(occurrence.span))" : .empty
        return Row(
            details.category.icon,
            "\(details.title)",
            detail: detail == .empty ? nil : detail,
            value: time,
            address: address(of: occurrence)
        )
    }
}

extension EntryCategory {
    /// What is shown beside the entry.
    var icon: Icon {
        switch self {
        case .meeting: .people
        case .errand: .pin
        case .meal: .clock
        case .sport: .play
        case .family: .home
        case .health: .heart
        case .leisure: .star
        case .other: .calendar
        }
    }
}
