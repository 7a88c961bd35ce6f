import Agenda
import Chronology
import Localization
import Markup
import OpenData
import TaxiPages
import WebCore

/// A month with the number of entries of each day (V38).
extension CalendarPages {
    /// The most entries of a day that are shown as marks.
    private static let marksLimit = 4

    var monthRoutes: [Route] {
        [
            .get("/calendar/month", as: "calendar.month.now", for: .person) {
                try await showMonth(cityDay($0.now), $0, $1)
            },
            .get("/calendar/month/{date}", as: "calendar.month", for: .person) {
                try await showMonth(try date($0), $0, $1)
            }
            .taking(.date),
        ]
    }

    private func showMonth(
        _ date: CivilDate,
        _ context: RequestContext,
        _ person: SignedIn
    ) async throws -> Response {
        let first = date.adding(days: 1 - Int32(date.numbers.day))
        let next = first.nextMonth
        let monday = first.adding(days: -Int32(first.weekday))
        let weeks = (next.daysSince1970 - monday.daysSince1970 + 6) / 7
        let last = monday.adding(days: weeks * 7)
        let span = span(of: monday).lowerBound..<span(of: last).lowerBound
        let excerpt = try await agenda.entries(of: person.person, in: span)
        let all = excerpt.occurrences(in: span, zone: agenda.zone).filter { !$0.isClosed }
        let days = byDay(all, monday..<last)
        let rows = (0..<weeks).map { week -> HTML in
            let cells = (Int32(0)..<7).map { weekday -> HTML in
                let day = monday.adding(days: week * 7 + weekday)
                return cell(day, days[day] ?? [], isOfMonth: first..<next ~= day, context)
            }
            return "<tr>\(cells)</tr>"
        }
        let heads = LaterTexts.weekdays.map { weekday -> HTML in
            let name = context.say(weekday)
            return "<th scope=\"col\" abbr=\"\(name)\">\(String(name.prefix(3)))</th>"
        }
        let month = LaterTexts.months[Int(date.numbers.month) - 1]
        let title = Text(joining: [month, Text(same: "\(date.numbers.year)")], separator: " ")
        let before = first.adding(days: -1).iso8601
        let body: HTML = """
            \(views(.month, date, context))
            \(head(
                title,
                (Address("/calendar/month", before), CalendarTexts.monthBefore),
                (Address("/calendar/month", next.iso8601), CalendarTexts.monthAfter),
                context
            ))
            <table class="month"><caption class="hidden">\(context.say(title))</caption>\
            <thead><tr>\(heads)</tr></thead><tbody>\(rows)</tbody></table>
            <p class="actions">\(addButton(day: date).html(context))</p>
            """
        return response(Page(title, body: body), to: context)
    }

    /// The occurrences of each day, also of those on which they go on.
    private func byDay(
        _ occurrences: [AgendaOccurrence],
        _ days: Range<CivilDate>
    ) -> [CivilDate: [AgendaOccurrence]] {
        let zone = web.settings.zoneTable
        var found: [CivilDate: [AgendaOccurrence]] = [:]
        for occurrence in occurrences {
            let start = occurrence.span.lowerBound
            // What ends at midnight is not of the next day.
            let end = max(start, occurrence.span.upperBound.adding(seconds: -1))
            var day = max(LocalTime(start, in: zone).date, days.lowerBound)
            let last = LocalTime(end, in: zone).date
            while day <= last, day < days.upperBound {
                found[day, default: []].append(occurrence)
                day = day.adding(days: 1)
            }
        }
        return found
    }

    private func cell(
        _ day: CivilDate,
        _ occurrences: [AgendaOccurrence],
        isOfMonth: Bool,
        _ context: RequestContext
    ) -> HTML {
        let marks = occurrences.prefix(Self.marksLimit).map { occurrence -> HTML in
            let details = EntryDetails(occurrence.item, zone: agenda.zone)
            // The style sheet shows the title where there is room; text browsers read the number.
            return "<i class=\"\(details.category.rawValue)\" data-title=\"\(details.title)\"></i>"
        }
        let isToday = day == cityDay(context.now)
        let count = CalendarTexts.entries(occurrences.count)
        let more = occurrences.count - Self.marksLimit
        let rest: HTML = "<small class=\"more\" aria-hidden=\"true\">+\(more)</small>"
        return """
            <td\(HTML.when(!isOfMonth, " class=\"other\""))><a href=\(address(of: day))\
            \(HTML.when(isToday, " aria-current=\"date\""))><b>\(day.numbers.day)</b>\
            <span class="hidden">, \(context.say(count))</span>\
            <span class="dots" aria-hidden="true">\(marks)</span>\
            <small aria-hidden="true">\(HTML.when(!occurrences.isEmpty, "\(occurrences.count)"))\
            </small>\(HTML.when(more > 0, rest))</a></td>
            """
    }
}

extension CivilDate {
    /// The first day of the next month.
    fileprivate var nextMonth: CivilDate {
        // No month has more than 31 days, and the fourth day after them is in the next one.
        let later = adding(days: 35 - Int32(numbers.day))
        return later.adding(days: 1 - Int32(later.numbers.day))
    }
}
