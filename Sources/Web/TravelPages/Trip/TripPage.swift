import Chronology
import Encoding
import Localization
import Markup
import TaxiPages
import TripPlanning
import WebCore

/// A trip as a vertical line in the colours of its legs, with everything needed on the way.
extension TravelPages {
    /// The page of a trip.
    func tripPage(
        _ option: TripOption,
        _ question: TripQuestion,
        _ context: RequestContext
    ) -> Page {
        let title = leaveAndArrive(option)
        let back = Button.Target.link(Address("/plan", context.parameters["trip"] ?? ""))
        var page = Page(
            title,
            body: """
                \(Button(TripPageTexts.all, back, look: .plain, icon: .back).html(context))
                <h1>\(context.say(title))</h1>
                <p class="lead">\(facts(option, context))</p>
                \(HTML.when(!option.excesses.isEmpty, "<p>\(excesses(option, context))</p>"))
                \(LegBar(option).html(context))
                \(steps(option, question, context))
                \(tickets(option, question, context))
                \(Chips([reachChip(question.from, at: option.departure)]).html(context))
                \(sharing(tripAddress(changes: changes(context), context), context))
                \(Dock(primary(option, context)).html)
                """
        )
        page.map = tripMap(
            scene(question, option.steps),
            still: tripAddress("map.svg", changes: changes(context), context),
            context
        )
        page.layout = .mapSheet
        page.hasForm = option.taxiStep != nil
        return page
    }

    /// The day, the time until departure, and the duration of the trip.
    private func facts(_ option: TripOption, _ context: RequestContext) -> String {
        let now = Instant(context.now)
        let ahead = option.departure.seconds - now.seconds
        let day = LocalTime(option.departure, in: web.settings.zoneTable).date
        let words: [Text?] = [
            day == cityDay(context.now) ? nil : LaterTexts.weekdayAndDay(day),
            (60..<3_600).contains(ahead) ? TripsTexts.inMinutes(ahead / 60) : nil,
            PlanTexts.duration(from: option.departure, to: option.arrival),
            option.taxi?.waitSeconds.map { TripsTexts.taxiIn(wholeMinutes(Int64($0))) },
            option.kind == .transit ? TripsTexts.changes(option.transfers) : nil,
            option.walkMetres > 0 && option.kind != .walk
                ? TripsTexts.onFoot(CommonTexts.distance(Int64(option.walkMetres))) : nil,
            price(option, context), emissions(option.emissions),
        ]
        return joined(words.compactMap(\.self), context)
    }

    /// The primary action: ordering the taxi, otherwise keeping the trip.
    private func primary(_ option: TripOption, _ context: RequestContext) -> HTML {
        guard option.kind != .taxi else {
            var order = Button(PlanTexts.order, look: .primary, icon: .taxi)
            order.details = [
                option.taxi?.waitSeconds.map { CheckTexts.minutes(wholeMinutes(Int64($0))) },
                option.taxi?.fare.map { TripsTexts.about(roundMoney($0, context)) },
            ].compactMap(\.self)
            return """
                <form method="post" action=\(orderAddress(context))>\(context.formToken)\
                \(order.html(context))</form>
                """
        }
        let file = tripAddress("calendar.ics", changes: changes(context), context)
        return Button(TripPageTexts.calendar, .link(file), look: .primary, icon: .calendar)
            .html(context)
    }

    /// The link of a page, what it reveals, and the buttons that need scripts.
    func sharing(_ path: Address, _ context: RequestContext) -> HTML {
        let full = full(path, context)
        let row = FoldedRow(
            .link,
            TripPageTexts.sharing,
            value: "",
            content: """
                <p>\(context.say(TripPageTexts.sharingLead))</p>
                <p><a class="link" href=\(path)>\(full)</a></p>
                """
        )
        return """
            <p class="actions"><button type="button" hidden data-share="\(full)" \
            data-done="\(context.say(TripPageTexts.copied))">\(Icon.share.html) \
            <span>\(context.say(TripPageTexts.share))</span></button>
            <button type="button" hidden data-print>\(Icon.printer.html) \
            <span>\(context.say(TripPageTexts.print))</span></button></p>
            \(FoldedRow.list([row], context))
            """
    }
}
