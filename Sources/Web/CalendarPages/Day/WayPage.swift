import Agenda
import Chronology
import DayPlanning
import HTTPTypes
import Localization
import Markup
import OpenData
import TaxiPages
import TravelPages
import TripPlanning
import WebCore

/// The ways to an appointment, of which its owner takes one (V64, ST13).
///
/// Each is the journey of the day as it would be planned then, so that what is offered works with
/// everything else. What is chosen is the means that the entry asks for: it stays.
extension CalendarPages {
    var wayRoutes: [Route] {
        [
            .get("/calendar/entry/{entry}/way", as: "calendar.way.form", for: .person) {
                context,
                person in
                try await showWays(context, person)
            }
            .taking([.entry, .occurrence]),
            .post("/calendar/entry/{entry}/way", as: "calendar.way", for: .person) {
                context,
                person in
                try await takeWay(context, person)
            }
            .taking([.entry, .occurrence])
            .taking([
                .set("means", .choice(of: TravelMeans.self), "The means; absent for the best one.")
            ])
            .answering(.redirect)
            .failing(.conflict),
        ]
    }

    /// Leads to the ways to an occurrence.
    func wayAddress(of occurrence: AgendaOccurrence) -> Address {
        Address(
            "/calendar/entry",
            "\(occurrence.entry.rawValue)",
            "way",
            query: ["at": "\(occurrence.id.seconds)"]
        )
    }

    /// How long a plan of the day is waited for, in milliseconds.
    private static let wayPatience: Int64 = 3_000

    /// A way to an appointment.
    private struct Way {
        /// The only means; nil for whichever is best.
        let means: TravelMeans?
        /// The journey; nil if none is needed, or the day does not work out.
        let trip: TripOption?
        /// Whether the day works out.
        let isFeasible: Bool
        /// How long its owner is on the way that day, in seconds.
        let travelSeconds: Int64
        /// Whether the day is planned so.
        let isChosen: Bool
    }

    private func showWays(_ context: RequestContext, _ person: SignedIn) async throws -> Response {
        let target = try await target(context, person)
        let details = try details(of: target)
        let settings = try await agenda.settings(of: person.person)
        let usual = settings.means.union(details.means ?? [])
        var ways = [try await way(by: details.means, details, target, context, person)]
        for means in TravelMeans.allCases where usual.contains(means) {
            if ways[0].trip?.kind == means.kind { continue }
            ways.append(try await way(by: [means], details, target, context, person))
        }
        if details.means != nil {
            ways.append(try await way(by: nil, details, target, context, person))
        }
        let address = Address(
            "/calendar/entry",
            "\(target.number.rawValue)",
            "way",
            query: target.occurrence.map { ["at": "\($0.seconds)"] } ?? [:]
        )
        return response(waysPage(ways, details, address, context), to: context)
    }

    private func details(of target: EntryTarget) throws -> EntryDetails {
        guard let details = target.entry?.details(of: target.occurrence, zone: agenda.zone) else {
            throw Failure.notFound
        }
        return details
    }

    /// The journey of the day as it would be if the entry asked for some means.
    private func way(
        by means: Set<TravelMeans>?,
        _ details: EntryDetails,
        _ target: EntryTarget,
        _ context: RequestContext,
        _ person: SignedIn
    ) async throws -> Way {
        guard let date = details.timing.start?.date else { throw Failure.notFound }
        var wished = details
        wished.means = means
        let isChosen = means == details.means
        let draft = draft(of: wished, target, context)
        let day = try await day(
            date,
            of: person.person,
            with: isChosen ? [] : [draft],
            patience: Self.wayPatience,
            context
        )
        let task = day.plan.flatMap { day.tasks(of: draft.number, in: $0).first }
        return Way(
            means: means.flatMap { $0.count == 1 ? $0.first : nil },
            trip: task.flatMap { day.plan?.journey(to: $0)?.trip },
            isFeasible: day.plan?.isFeasible ?? false,
            travelSeconds: day.plan?.travelSeconds ?? 0,
            isChosen: isChosen
        )
    }

    private func takeWay(_ context: RequestContext, _ person: SignedIn) async throws -> Response {
        let target = try await target(context, person)
        var details = try details(of: target)
        guard let entry = target.entry, let date = details.timing.start?.date else {
            throw Failure.notFound
        }
        details.means = context.form["means"].flatMap(TravelMeans.init).map { [$0] }
        let changed = draft(of: details, target, context).calendar
        try await refusing { try await agenda.change(entry, to: changed, of: person.person) }
        return .redirect(to: address(of: date, notice: "changed"))
    }

    // MARK: The page

    private func waysPage(
        _ ways: [Way],
        _ details: EntryDetails,
        _ address: Address,
        _ context: RequestContext
    ) -> Page {
        let title = WayTexts.title(details.title)
        let items = ways.map { item($0, address, context) }
        let none: HTML = """
            <p class="hint">\(context.say(WayTexts.noneElse)) <a href="/calendar/settings">\
            \(context.say(CalendarTexts.settings))</a></p>
            """
        var page = Page(
            title,
            body: """
                <h1>\(context.say(title))</h1>
                <p class="lead">\(context.say(WayTexts.lead))</p>
                <ul class="cards">\(items)</ul>
                \(HTML.when(ways.count == 1, none))
                \(details.timing.start.map { back($0.date, context) })
                """
        )
        page.hasForm = true
        return page
    }

    private func back(_ date: CivilDate, _ context: RequestContext) -> HTML {
        "<p><a href=\(address(of: date))>\(context.say(CalendarTexts.back))</a></p>"
    }

    private func item(_ way: Way, _ address: Address, _ context: RequestContext) -> HTML {
        let kind = way.trip.flatMap { TravelMeans(rawValue: $0.kind.rawValue) }
        let name = way.isChosen || way.means == nil ? kind?.text : way.means?.text
        let heading = name ?? WayTexts.best
        let chip = StateChip(WayTexts.planned, icon: .check, tone: .good).html(context)
        return """
            <li><article class="event"><h2>\(context.say(heading)) \
            \(HTML.when(way.isChosen, chip))</h2>\
            \(facts(way, context))\(choice(way, address, context))</article></li>
            """
    }

    private func facts(_ way: Way, _ context: RequestContext) -> HTML {
        guard way.isFeasible else { return "<p>\(context.say(WayTexts.impossible))</p>" }
        guard let trip = way.trip else { return "<p>\(context.say(WayTexts.noJourney))</p>" }
        let leave = TimelineTexts.leaveAt(clockTime(trip.departure))
        let arrive = TimelineTexts.arrive(clockTime(trip.arrival, roundsUp: true))
        let duration = PlanTexts.duration(from: trip.departure, to: trip.arrival)
        let whole = WayTexts.wholeDay(TimelineTexts.duration(way.travelSeconds))
        return """
            <p><b class="when">\(context.say(leave))</b> \
            <span>\(context.say(duration)), \(context.say(arrive))</span></p>\
            \(LegBar(trip).html(context))\
            <p>\(context.say(whole))</p>
            """
    }

    /// The button that takes a way; none for one that is taken or does not work.
    private func choice(_ way: Way, _ address: Address, _ context: RequestContext) -> HTML? {
        guard way.isFeasible, !way.isChosen else { return nil }
        let value: HTML? = way.means.map {
            "<input type=\"hidden\" name=\"means\" value=\"\($0.rawValue)\">"
        }
        return """
            <form class="actions" method="post" action=\(address)>\(context.formToken)\(value)\
            \(Button(WayTexts.take).html(context))</form>
            """
    }
}
