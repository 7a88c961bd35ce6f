import Agenda
import Chronology
import CityData
import DayPlanning
import Dispatching
import HTTPTypes
import Identity
import Localization
import Markup
import OpenData
import Taxi
import TaxiPages
import TripPlanning
import WebCore

/// A taxi of a day as its passenger sees it.
struct DayTaxi: Sendable {
    /// The journey for which it is ordered.
    let order: OrderedTaxi
    /// The state of its request; nil once that has ended.
    let view: RideView?
    /// By what the passenger recognises it; nil until a taxi is found.
    let face: TaxiFace?
}

/// The taxis of a day, and by which rules others can be ordered.
struct DayTaxis: Sendable {
    /// The taxis that are ordered.
    var ordered: [DayTaxi] = []
    /// The city's rules; nil if no taxi can be ordered now.
    var policy: Policy?
}

/// Orders the taxi of a journey with one press, and shows its state in the plan (V82, ST15).
///
/// The taxi service decides by its rules: a journey that begins soon is a request, a later one a
/// reservation, and a person has one live request (R68).
extension CalendarPages {
    var taxiRoutes: [Route] {
        [
            .post("/calendar/day/{date}/taxi", as: "calendar.taxi", for: .person, orderTaxi)
                .taking(.date)
                .taking([
                    .set("departure", .anyNumber, "When the journey begins, in seconds.").required
                ])
                .answering(.page, .redirect)
                .failing(.conflict)
                .onceByKey
        ]
    }

    /// How long before a journey a taxi is requested rather than reserved, in seconds.
    private static let soonSeconds: Int64 = 900

    /// The taxis that are ordered for a day, with what a person may know of each.
    func taxis(of day: PersonDay, _ context: RequestContext) async throws -> DayTaxis {
        let hasJourney = day.plan?.journeys.contains { $0.trip.kind == .taxi } ?? false
        guard hasJourney || !day.memory.taxis.isEmpty,
            let passenger = try passenger(context)?.passenger, await mayOrder()
        else { return DayTaxis() }
        var taxis = DayTaxis()
        taxis.policy = try? await taxi.dispatch.read { $0.policy }
        for order in day.memory.taxis {
            let view = await view(of: order, for: passenger)
            var face: TaxiFace?
            if let view { face = try? await taxi.face(view, in: accounts) }
            taxis.ordered.append(DayTaxi(order: order, view: view, face: face))
        }
        return taxis
    }

    /// The request of a taxi; nil once it has ended, or where nobody can tell now.
    private func view(of order: OrderedTaxi, for passenger: PassengerNumber) async -> RideView? {
        try? await taxi.view(RequestNumber(rawValue: order.request), for: passenger)
    }

    /// Whether the city's taxis are in service: the calendar works without them (R4).
    private func mayOrder() async -> Bool { (try? await isOpen()) ?? false }

    private func orderTaxi(_ context: RequestContext, _ person: SignedIn) async throws -> Response {
        let date = try date(context)
        guard let departure = context.form["departure"].flatMap({ Int64($0) }) else {
            throw Failure.badField("departure")
        }
        try await checkOpen(context)
        let day = try await day(date, of: person.person, context)
        guard let plan = day.plan,
            let journey = plan.journeys.first(where: {
                $0.trip.kind == .taxi && $0.trip.departure.seconds == departure
            }),
            let from = plan.place(of: journey.from), let to = plan.place(of: journey.to),
            let origin = from.coordinate, let goal = to.coordinate
        else { throw Failure.changedMeanwhile }
        let now = try await callingNow(context)
        return try await ordering(context) {
            var request = try await requestMadeBefore(context)
            if request == nil {
                let passenger = try knownPassenger(context).passenger
                var order = RideOrder(passenger, from: origin, to: goal)
                order.originDescription = from.name
                order.destinationDescription = to.name
                request = try await self.request(order, journey, now, context)
            }
            guard let request, let ordered = OrderedTaxi(request.rawValue, for: journey, of: plan)
            else { throw Failure.changedMeanwhile }
            try await wish(of: person.person, on: date) { memory in
                memory.taxis.removeAll {
                    $0.request == ordered.request || $0.serves(journey, of: plan)
                }
                memory.taxis.append(ordered)
            }
            return .redirect(to: address(of: date, notice: "taxi"))
        }
    }

    private func request(
        _ order: RideOrder,
        _ journey: DayJourney,
        _ now: ServiceNow,
        _ context: RequestContext
    ) async throws -> RequestNumber {
        let key = Self.orderKey(context)
        let due = journey.trip.departure
        guard due.seconds - Instant(context.now).seconds > Self.soonSeconds else {
            return try await taxi.call(order, given: now, key: key).request
        }
        let moment = Moment(milliseconds: due.seconds * 1_000)
        return try await taxi.reserve(order, due: moment, given: now, key: key).request
    }

    // MARK: Deleting a task

    /// The taxis that are ordered for an entry from today on: those of one occurrence, or of all.
    func taxis(
        for entry: AgendaEntry,
        at occurrence: OccurrenceID?,
        _ context: RequestContext,
        _ person: SignedIn
    ) async throws -> [OrderedTaxi] {
        guard let uid = entry.item?.uid else { return [] }
        let passenger = try knownPassenger(context).passenger
        let today = cityDay(context.now)
        let memories = try await agenda.memories(of: person.person, from: today)
        var taxis: [OrderedTaxi] = []
        for taxi in memories.compactMap({ DayMemory($0.memory) }).flatMap(\.taxis) {
            guard taxi.to?.uid == uid,
                occurrence == nil || taxi.to?.from == occurrence?.seconds,
                await view(of: taxi, for: passenger) != nil
            else { continue }
            taxis.append(taxi)
        }
        return taxis.sorted { ($0.departure, $0.request) < ($1.departure, $1.request) }
    }

    /// Asks what becomes of the taxis of an entry that is deleted.
    func taxiQuestion(_ taxis: [OrderedTaxi], _ context: RequestContext) -> HTML? {
        guard !taxis.isEmpty else { return nil }
        return Field(
            name: "taxi",
            label: DayTaxiTexts.question,
            kind: .several(
                taxis.map { taxi in
                    let time = clockTime(Instant(seconds: taxi.departure))
                    return ("\(taxi.request)", DayTaxiTexts.cancelToo(time))
                }
            ),
            value: taxis.map { "\($0.request)" }.joined(separator: ",")
        ).html(context)
    }

    /// Cancels taxis that were for an entry which is deleted.
    ///
    /// - Returns: whether all could be cancelled: by the city's rules it may be too late.
    func cancelTaxis(
        _ taxis: [OrderedTaxi],
        _ context: RequestContext
    ) async throws -> Bool {
        let wanted = Set(context.form.all("taxi").compactMap { UInt64($0) })
        let passenger = try knownPassenger(context).passenger
        var areAllCancelled = true
        for taxi in taxis where wanted.contains(taxi.request) {
            do {
                _ = try await self.taxi.cancel(
                    RequestNumber(rawValue: taxi.request),
                    for: passenger
                )
            } catch Refusal.noSuchRequest {
                continue
            } catch is Refusal {
                areAllCancelled = false
            }
        }
        return areAllCancelled
    }

    // MARK: On the page

    /// The taxi of a journey: its state, or the button that orders it, or when that is possible.
    func taxiLine(
        _ journey: DayJourney,
        _ plan: PlannedDay,
        _ day: PersonDay,
        _ context: RequestContext
    ) -> HTML? {
        guard journey.trip.kind == .taxi else { return nil }
        if let known = day.taxis.ordered.first(where: { $0.order.serves(journey, of: plan) }),
            known.view != nil
        {
            return taxiState(known, context)
        }
        let now = Instant(context.now)
        let seconds = journey.trip.departure.seconds - now.seconds
        guard let policy = day.taxis.policy, seconds > 0,
            plan.place(of: journey.from)?.coordinate != nil
        else { return nil }
        let isSoon = seconds <= Self.soonSeconds
        guard isSoon || seconds >= policy[.reserveMin] * 3_600 else {
            let from = clockTime(journey.trip.departure.adding(seconds: -Self.soonSeconds))
            return "<p class=\"hint\">\(context.say(DayTaxiTexts.later(from)))</p>"
        }
        guard isSoon || policy.reserving else {
            let words = context.say(Refusal.reservationsDisabled.text)
            return "<p class=\"hint\">\(words)</p>"
        }
        guard isSoon || seconds <= policy[.reserveMax] * 3_600 else {
            return "<p class=\"hint\">\(context.say(DayTaxiTexts.tooFar))</p>"
        }
        let time = clockTime(journey.trip.departure)
        let label = isSoon ? DayTaxiTexts.order : DayTaxiTexts.reserve(time)
        var button = Button(label, icon: .taxi)
        button.busy = DayTaxiTexts.ordering
        let address = Address("/calendar/day", day.date.iso8601, "taxi")
        return """
            <form method="post" action=\(address)>\(context.formToken)\
            <input type="hidden" name="departure" value="\(journey.trip.departure.seconds)">\
            \(button.html(context))</form>
            """
    }

    private func taxiState(_ taxi: DayTaxi, _ context: RequestContext) -> HTML? {
        guard let view = taxi.view else { return nil }
        let state = RideState(view)
        let signs = [taxi.face?.code, taxi.face?.plate].compactMap(\.self)
            .joined(separator: " · ")
        var arrival: String?
        if case .coming(.at(let moment)) = state { arrival = clockTime(Instant(moment)) }
        return """
            <p class="taxi-state">\(StateChip(
                RideTexts.banner(state),
                icon: .taxi,
                tone: state.hasTaxi ? .live : .plain
            ).html(context)) \(HTML.when(!signs.isEmpty, "<b>\(signs)</b>")) \
            \(arrival.map { "<span>\(context.say(DayTaxiTexts.comes($0)))</span>" as HTML }) \
            <a href=\(Self.ride(view.request))>\(context.say(RideTexts.follow))</a></p>
            """
    }

    /// The ordered taxis that the plan no longer needs: their owner decides what becomes of them.
    func unneededTaxis(_ day: PersonDay, _ context: RequestContext) -> HTML? {
        guard let plan = day.plan, plan.isFeasible else { return nil }
        let unneeded = plan.unneeded(day.memory.taxis)
        let items = day.taxis.ordered.compactMap { taxi -> HTML? in
            guard let view = taxi.view, unneeded.contains(taxi.order) else { return nil }
            let time = clockTime(Instant(seconds: taxi.order.departure))
            return Notice(
                .warning,
                """
                \(context.say(DayTaxiTexts.unneeded(time))) \
                <a href=\(Self.ride(view.request))>\(context.say(DayTaxiTexts.see))</a>
                """
            ).html(context)
        }
        return items.isEmpty ? nil : .joined(items)
    }
}
