import Agenda
import Chronology
import DayPlanning
import Fares
import HTTPTypes
import Localization
import Markup
import OpenData
import TaxiPages
import TravelPages
import TripPlanning
import WebCore

/// The tickets that people have for journeys of a day (ST3): the plan keeps these journeys, and
/// says before it loses one.
extension CalendarPages {
    /// The most tickets of a day; nobody has more journeys.
    private static let ticketsLimit = 20

    var ticketRoutes: [Route] {
        [
            .post("/calendar/day/{date}/ticket", as: "calendar.ticket", for: .person, keepTicket)
                .taking(.date)
                .taking([
                    .set("departure", .anyNumber, "When the journey begins, in seconds.").required,
                    .set("release", .flag("yes"), "Whether the ticket is not kept any more."),
                ])
                .answering(.redirect)
                .failing(.conflict)
        ]
    }

    /// Notes that a person has the ticket for a journey, or does not keep to it any more.
    private func keepTicket(
        _ context: RequestContext,
        _ person: SignedIn
    ) async throws -> Response {
        let date = try date(context)
        guard let departure = context.form["departure"].flatMap({ Int64($0) }) else {
            throw Failure.badField("departure")
        }
        if context.form["release"] == "yes" {
            try await wish(of: person.person, on: date) { memory in
                memory.tickets.removeAll { $0.departure == departure }
            }
            return .redirect(to: address(of: date, notice: "ticket-released"))
        }
        let day = try await day(date, of: person.person, context)
        guard let plan = day.plan, plan.isFeasible,
            let journey = plan.journeys.first(where: {
                $0.trip.kind == .transit && $0.trip.departure.seconds == departure
            }),
            let ticket = BoughtTicket(for: journey, of: plan)
        else { throw Failure.changedMeanwhile }
        try await wish(of: person.person, on: date) { memory in
            memory.tickets.removeAll { $0.serves(journey, of: plan) }
            guard memory.tickets.count < Self.ticketsLimit else {
                throw Failure.badField("departure")
            }
            memory.tickets.append(ticket)
        }
        return .redirect(to: address(of: date, notice: "ticket"))
    }

    /// The tickets that an entry's owner would lose by a change of it: those that its day as it is
    /// keeps and the changed one does not, and on a day that it leaves all that lead to it.
    func ticketsLost(
        by target: EntryTarget,
        _ changed: PersonDay,
        _ context: RequestContext,
        _ person: SignedIn
    ) async throws -> [BoughtTicket] {
        let now = Instant(context.now)
        var lost: [BoughtTicket] = []
        if let plan = changed.plan, !changed.memory.tickets.isEmpty {
            let before = try await day(changed.date, of: person.person, context)
            let known = before.plan?.lostTickets(at: now) ?? []
            lost = plan.lostTickets(at: now).filter { !known.contains($0) }
        }
        guard let former = target.details(agenda.zone)?.timing.start?.date,
            former != changed.date, let uid = target.entry?.item?.uid
        else { return lost }
        let memory = try await memory(of: person.person, on: former)
        return lost + memory.tickets.filter { $0.to?.uid == uid && $0.departure > now.seconds }
    }

    /// The tickets for journeys to an entry from today on: to one occurrence, or to all.
    func tickets(
        for entry: AgendaEntry,
        at occurrence: OccurrenceID?,
        _ context: RequestContext,
        _ person: SignedIn
    ) async throws -> [BoughtTicket] {
        guard let uid = entry.item?.uid else { return [] }
        let now = Instant(context.now)
        let memories = try await agenda.memories(of: person.person, from: cityDay(context.now))
        return memories.compactMap { DayMemory($0.memory) }.flatMap(\.tickets).filter { ticket in
            ticket.to?.uid == uid && ticket.departure > now.seconds
                && (occurrence == nil || ticket.to?.from == occurrence?.seconds)
        }
    }

    // MARK: On the page

    /// What a person says of the ticket of a journey: that there is one, or that the journey need
    /// not be kept; nothing for one that costs nothing or has begun.
    func ticketLine(
        _ journey: DayJourney,
        _ plan: PlannedDay,
        _ day: PersonDay,
        _ context: RequestContext
    ) -> HTML? {
        guard journey.trip.kind == .transit, plan.isFeasible,
            journey.trip.departure > Instant(context.now),
            journey.trip.steps.contains(where: { $0.ride != nil })
        else { return nil }
        if let ticket = plan.input.memory.tickets.first(where: { $0.serves(journey, of: plan) }) {
            let chip = StateChip(DayTicketTexts.owned, icon: .ticket, tone: .good).html(context)
            return """
                <p>\(chip)</p>\(ticketForm(
                    ticket.departure,
                    DayTicketTexts.release,
                    releases: true,
                    day,
                    context
                ))
                """
        }
        guard journey.trip.price.minorUnits != 0 else { return nil }
        let departure = journey.trip.departure.seconds
        return ticketForm(departure, DayTicketTexts.have, releases: false, day, context)
    }

    private func ticketForm(
        _ departure: Int64,
        _ label: Text,
        releases: Bool,
        _ day: PersonDay,
        _ context: RequestContext
    ) -> HTML {
        let address = Address("/calendar/day", day.date.iso8601, "ticket")
        let time = clockTime(Instant(seconds: departure))
        let release: HTML = "<input type=\"hidden\" name=\"release\" value=\"yes\">"
        return """
            <form method="post" action=\(address)>\(context.formToken)\
            <input type="hidden" name="departure" value="\(departure)">\
            \(HTML.when(releases, release))<button class="plain">\(Icon.ticket.html) \
            <span>\(context.say(label))<span class="hidden"> (\(time))</span></span>\
            </button></form>
            """
    }

    /// The tickets for which the plan has no journey any more: their owner decides what becomes of
    /// them.
    func lostTickets(_ day: PersonDay, _ context: RequestContext) -> HTML? {
        guard let plan = day.plan else { return nil }
        let items = plan.lostTickets(at: Instant(context.now)).map { ticket -> HTML in
            let form = ticketForm(
                ticket.departure,
                DayTicketTexts.forget,
                releases: true,
                day,
                context
            )
            return """
                <div class="notice warn"><p>\(context.say(lost(ticket, context)))</p>\(form)</div>
                """
        }
        return items.isEmpty ? nil : .joined(items)
    }

    /// Tickets that a change would lose, as a warning before it.
    func lossNotice(_ tickets: [BoughtTicket], _ context: RequestContext) -> HTML {
        let items = tickets.map { "<li>\(context.say(lost($0, context)))</li>" as HTML }
        return """
            <section class="notice warn" role="alert"><h2>\(context.say(DayTicketTexts.warning))\
            </h2><ul>\(items)</ul></section>
            """
    }

    /// The changes of a repair in words, with the tickets that it would lose.
    func words(
        _ repair: CalendarRepair,
        _ plan: PlannedDay,
        _ context: RequestContext
    ) -> Text {
        let tickets = repair.lostTickets.map { ticket -> Text in
            let time = clockTime(Instant(seconds: ticket.departure))
            return price(of: ticket, context).map { DayTicketTexts.losesFor(time, $0) }
                ?? DayTicketTexts.loses(time)
        }
        return tickets.isEmpty
            ? repair.words(plan) : Text(joining: [repair.words(plan)] + tickets, separator: ", ")
    }

    /// A ticket whose journey is not made, with its price.
    private func lost(_ ticket: BoughtTicket, _ context: RequestContext) -> Text {
        let time = clockTime(Instant(seconds: ticket.departure))
        let place = shortPlace(ticket.goalName)
        return price(of: ticket, context).map { DayTicketTexts.lostFor(time, place, $0) }
            ?? DayTicketTexts.lost(time, place)
    }

    /// What a ticket cost; nil if unknown.
    private func price(of ticket: BoughtTicket, _ context: RequestContext) -> Amount? {
        guard let units = ticket.price, let code = ticket.currency else { return nil }
        let usual = travel.limitCurrency(context)
        let currency = usual.code == code ? usual : Currency(code: code) ?? usual
        return Amount(Money(units, currency))
    }
}
