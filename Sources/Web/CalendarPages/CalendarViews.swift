import Chronology
import Localization
import Markup
import TaxiPages
import WebCore

/// The views of the calendar.
enum CalendarView {
    case day, week, month, list
}

extension CalendarPages {
    /// The way to the other views of the same day.
    func views(_ current: CalendarView, _ date: CivilDate, _ context: RequestContext) -> HTML {
        let day = date.iso8601
        return Segments(
            label: CalendarTexts.views,
            [
                (CalendarTexts.day, address(of: date), current == .day),
                (CalendarTexts.week, Address("/calendar/week", day), current == .week),
                (CalendarTexts.month, Address("/calendar/month", day), current == .month),
                (CalendarTexts.list, Address("/calendar/list"), current == .list),
            ]
        ).html(context)
    }

    /// What a page shows, between the ways to what is before and after it.
    func head(
        _ title: Text,
        _ before: (address: Address, text: Text),
        _ after: (address: Address, text: Text),
        _ context: RequestContext
    ) -> HTML {
        """
        <div class="day-head">\(step(before, .back, context))<h1>\(context.say(title))</h1>\
        \(step(after, .next, context))</div>
        """
    }

    private func step(
        _ link: (address: Address, text: Text),
        _ icon: Icon,
        _ context: RequestContext
    ) -> HTML {
        """
        <a class="round plain" href=\(link.address)>\(icon.html)\
        <span class="hidden">\(context.say(link.text))</span></a>
        """
    }

    /// The button that adds an entry, on a day if there is one.
    func addButton(day: CivilDate? = nil) -> Button {
        let address =
            day.map { Address("/calendar/new", query: ["day": $0.iso8601]) }
            ?? Address("/calendar/new")
        return Button(CalendarTexts.add, .link(address), look: .primary, icon: .plus)
    }
}
