import Agenda
import Chronology
import CityData
import DayPlanning
import Encoding
import HTTPTypes
import Identity
import Localization
import Markup
import OpenData
import TaxiPages
import TripPlanning
import WebCore

/// Deleting an entry or one of its occurrences, which is confirmed once (V31).
extension CalendarPages {
    func showDeletion(
        _ context: RequestContext,
        _ person: SignedIn
    ) async throws -> Response {
        let target = try await self.target(context, person)
        guard let entry = target.entry,
            let details = entry.details(of: target.occurrence, zone: agenda.zone)
        else { throw Failure.notFound }
        let address = Address("/calendar/entry", "\(entry.number.rawValue)", "delete")
        var buttons: [HTML] = []
        if let id = target.occurrence, let day = target.day {
            var button = Button(
                EntryTexts.deleteOne(day),
                .submit(name: "at", value: "\(id.seconds)"),
                look: .destructive
            )
            button.isWide = true
            buttons.append(button.html(context))
            if target.isDivisible {
                var later = Button(
                    EntryTexts.deleteLater(day),
                    .submit(name: "from", value: "\(id.seconds)"),
                    look: .secondary
                )
                later.isWide = true
                buttons.append(later.html(context))
            }
        }
        var all = Button(
            target.isRepeated ? EntryTexts.deleteAll : EntryTexts.delete,
            look: target.occurrence == nil ? .destructive : .secondary
        )
        all.isWide = true
        buttons.append(all.html(context))
        var dialog = Dialog(
            EntryTexts.deleteTitle,
            icon: .bin,
            text: "\(context.say(EntryTexts.deleteLead(details.title)))"
        )
        dialog.isBad = true
        let taxis = try await taxis(for: entry, at: target.occurrence, context, person)
        let tickets = try await tickets(for: entry, at: target.occurrence, context, person)
        let loss = tickets.isEmpty ? nil : lossNotice(tickets, context)
        dialog.content = """
            \(loss)<form method="post" action=\(address)>\(context.formToken)\
            \(taxiQuestion(taxis, context))\
            <div class="actions">\(buttons)\
            \(Button(CalendarTexts.back, .link(target.address)).html(context))</div></form>
            """
        var page = Page(EntryTexts.deleteTitle, body: dialog.html(context))
        page.hasForm = true
        return response(page, to: context)
    }

    func delete(_ context: RequestContext, _ person: SignedIn) async throws -> Response {
        let entry = try await entry(context, person)
        func occurrence(_ field: String) -> OccurrenceID? {
            context.form[field].flatMap { Int64($0) }.map { OccurrenceID(seconds: $0) }
        }
        let (one, first) = (occurrence("at"), occurrence("from"))
        let id = one ?? first
        // Of what is no series any more, one occurrence is not all that there is.
        guard let details = entry.details(of: id, zone: agenda.zone) else {
            throw Failure.notFound
        }
        let day = details.timing.start?.date
        let isAsked = context.form["taxi"] != nil
        let taxis = isAsked ? try await taxis(for: entry, at: one, context, person) : []
        let now = Instant(context.now)
        if let id, entry.isRepeated {
            let rest =
                one != nil
                ? entry.removing(id, zone: agenda.zone, at: now)
                : entry.divided(at: id, uid: Self.newIdentifier(), zone: agenda.zone, at: now)?
                    .before
            guard let rest else { throw Failure.notFound }
            try await refusing { try await agenda.change(entry, to: rest, of: person.person) }
        } else {
            try await refusing { try await agenda.remove(entry.number, of: person.person) }
        }
        let notice = try await cancelTaxis(taxis, context) ? "deleted" : "taxi-stays"
        guard let day else {
            return .redirect(to: Address("/calendar/list", query: ["notice": notice]))
        }
        return .redirect(to: address(of: day, notice: notice))
    }
}
