import Chronology
import Dispatching
import Fares
import HTTPTypes
import Identity
import Localization
import Markup
import Storage
import Taxi
import TaxiPages
import WebCore

/// A passenger's reservations: the list, the details of each, and changing them (R72 to R81).
extension PassengerPages {
    var reservationRoutes: [Route] {
        let routes: [Route] = [
            .get("/reservations", as: "reservations", for: .person, showReservations)
                .open(to: [.reserve])
                .taking([.notice]),
            .post("/ride/{request}/change", as: "ride.change", for: .person, beginChange)
                .open(to: [.reserve])
                .taking([.request])
                .failing(.conflict)
                .repeated(because: "it sets a cookie, which a kept answer would lack"),
        ]
        return routes.map { $0.of(.reservations) }
    }

    // MARK: The list

    private func showReservations(_ context: RequestContext) async throws -> Response {
        let passenger = try knownPassenger(context).passenger
        let all = try await taxi.reservations(of: passenger)
        let policy = try await taxi.dispatch.read { $0.policy }
        let cards = all.map { card($0, policy, context) }
        let another = Button(
            ReserveTexts.another,
            .link(Address("/taxi", query: ["when": "later"])),
            look: .primary,
            icon: .calendar
        )
        let empty = EmptyState(
            .calendar,
            ReserveTexts.count(0),
            policy.reserving ? ReserveTexts.none : Refusal.reservationsDisabled.text,
            action: policy.reserving ? another : nil
        )
        var page = Page(
            ReserveTexts.list,
            body: """
                \(announced(ReserveTexts.count(all.count), as: "reservations-said", context))
                <h1>\(context.say(ReserveTexts.list))</h1>
                <div id="reservations" data-live="ride">
                \(all.isEmpty ? empty.html(context) : """
                    <p class="lead">\(context.say(ReserveTexts.count(all.count)))</p>
                    \(Card.grid(cards))\(HTML.when(
                        policy.reserving,
                        "<p class=\"actions\">\(another.html(context))</p>"
                    ))
                    """)</div>
                <p><a href="/account/rides">\(context.say(CommonTexts.rides))</a></p>
                """
        )
        page.isLive = true
        // Shortly before a pickup time, the state may change every minute.
        let soon = context.now.adding(seconds: 3_600)
        page.refresh = all.contains { $0.due <= soon } ? 20 : 120
        return response(page, to: context)
    }

    private func card(_ one: Reservation, _ policy: Policy, _ context: RequestContext) -> Card {
        let unknown = context.say(CommonTexts.unknownRide)
        let state = StateChip(
            ReserveTexts.state(one),
            icon: one.isOpen ? .clock : .taxi,
            tone: one.isOpen ? .plain : .live
        )
        let facts = [
            (Icon.pin, one.places.map { shortPlace($0.meetingPoint) } ?? unknown),
            (.flag, one.places?.destinationPoint.map { shortPlace($0) } ?? unknown),
            (.people, context.say(OrderTexts.people(one.needs.seats))),
        ]
        return Card(
            """
            <a href=\(Self.ride(one.request))>\(context.say(written(one.due)))</a>
            """,
            content: """
                <p>\(state.html(context))</p>
                \(facts.map { WebCore.Row($0, "\($1)").html })
                \(changing(one, policy, context))
                """
        )
    }

    /// The actions that change or delete a reservation, or the reason why neither is possible.
    private func changing(_ one: Reservation, _ policy: Policy, _ context: RequestContext) -> HTML {
        guard one.isOpen else {
            return "<span class=\"hint\">\(context.say(ReserveTexts.fixed))</span>"
        }
        let number = "\(one.request.rawValue)"
        let times = ReservationTimes(of: one.due, policy)
        let change: HTML = """
            <form method="post" action=\(Address("/ride", number, "change"))>\(context.formToken)\
            <button>\(context.say(ReserveTexts.change))</button></form>
            """
        let late: HTML = """
            <span class="hint">\(context.say(ReserveTexts.tooLateToChange(policy)))</span>
            """
        return """
            <div class="actions">\(context.now <= times.changeUntil ? change : late)
            <a class="button" href=\(Address("/ride", number, "cancel"))>\
            \(context.say(ReserveTexts.delete))</a></div>
            """
    }

    // MARK: Details

    /// A reservation before its pickup time or its next attempt: what happens next, and when.
    func reservationPage(
        _ view: RideView,
        _ due: Moment,
        _ context: RequestContext
    ) async throws -> Page {
        let passenger = try knownPassenger(context).passenger
        let now = try await taxi.now(for: passenger)
        guard let one = try await taxi.reservation(view.request, for: passenger) else {
            return try await endedPage(view.request, context)
        }
        let times = ReservationTimes(of: due, now.policy)
        let number = "\(view.request.rawValue)"
        let isBusy = now.live.map { $0 != view.request } ?? false
        let people = context.say(OrderTexts.people(one.needs.seats))
        let tried = one.tries > 0 ? ReserveTexts.tried(one.tries) : ReserveTexts.title(written(due))
        let said = view.hasLostTaxi ? RideTexts.lostTaxi : tried
        var page = Page(
            ReserveTexts.title(written(due)),
            body: """
                \(rideNotice(context))
                \(announced(said, as: "reservation-said", context))
                <div id="reservation" data-live="ride">
                <h1>\(context.say(ReserveTexts.title(written(due))))</h1>
                \(lostTaxi(view, context))
                <dl class="summary facts">\(facts(view, context))\
                <div><dt>\(context.say(OrderTexts.passengers))</dt><dd>\(people)</dd></div>\
                \(try await agreement(one, passenger, context))</dl>\
                \(reservationState(one, times, isBusy: isBusy, context))
                </div>
                <p class="hint">\(context.say(ReserveTexts.thenTold))</p>
                <h2>\(context.say(ReserveTexts.changeTitle))</h2>
                <p class="hint">\(context.say(ReserveTexts.rules(
                    times,
                    written(times.changeUntil)
                )))</p>
                <div id="reservation-change" data-live="ride">\
                \(changing(one, now.policy, context))</div>
                <p><a href="/reservations">\(context.say(ReserveTexts.list))</a></p>
                """
        )
        page.map = sceneMap(
            await scene(view, context),
            still: Address("/ride", number, "map.svg"),
            topic: nil,
            context
        )
        if page.map != nil { page.layout = .mapSheet }
        page.hasForm = true
        // Refresh often only near the search: days earlier nothing changes from minute to minute.
        page.refresh = context.now.adding(seconds: 120) < times.first ? 120 : 20
        return page
    }

    /// What the passenger saw before confirming: whether others may join, and the likely fare.
    private func agreement(
        _ one: Reservation,
        _ passenger: PassengerNumber,
        _ context: RequestContext
    ) async throws -> [HTML] {
        var facts: [(label: Text, words: Text)] = []
        if one.isShared { facts.append((ShareTexts.title, ShareTexts.allow)) }
        if let places = one.places, let destination = places.destination {
            let order = RideOrder(
                passenger,
                from: places.meeting,
                to: destination,
                needs: one.needs
            )
            // The fare is information only: the page must open without it.
            let fare = try? await taxi.quote(order, at: one.due).fare
            facts.append((CheckTexts.fare, fareText(fare, context)))
        }
        return facts.map { label, words in
            "<div><dt>\(context.say(label))</dt><dd>\(context.say(words))</dd></div>"
        }
    }

    /// What happens next.
    ///
    /// A reservation promises no taxi until one is found (R78, R79).
    private func reservationState(
        _ one: Reservation,
        _ times: ReservationTimes,
        isBusy: Bool,
        _ context: RequestContext
    ) -> HTML {
        guard one.tries > 0 || isBusy && times.first <= context.now else {
            let plan = ReserveTexts.plan(times) { clockTime($0) }
            return "<p class=\"lead\">\(context.say(plan))</p>"
        }
        var next: String?
        if case .reserved(let moment) = one.phase { next = clockTime(moment) }
        let tried = isBusy ? ReserveTexts.busy : ReserveTexts.tried(one.tries)
        let again = ReserveTexts.again(next, last: clockTime(times.last))
        return """
            <p class="notice warn">\(context.say(tried))</p>
            <p class="lead">\(context.say(again))</p>
            """
    }

    // MARK: Creating and changing

    /// Creates the confirmed reservation.
    ///
    /// It replaces another one if the draft names it.
    func reserve(
        _ order: RideOrder,
        _ due: Moment,
        _ draft: OrderDraft,
        _ now: ServiceNow,
        _ context: RequestContext
    ) async throws -> Response {
        // The form is that of rides now; from here on it is the module's.
        try await ModuleAccess.within(.reservations) {
            try await reserved(order, due, draft, now, context)
        }
    }

    private func reserved(
        _ order: RideOrder,
        _ due: Moment,
        _ draft: OrderDraft,
        _ now: ServiceNow,
        _ context: RequestContext
    ) async throws -> Response {
        let key = Self.orderKey(context)
        let number: RequestNumber
        var notice = "booked"
        if let old = draft.changes {
            do {
                number = try await taxi.change(
                    RequestNumber(rawValue: old),
                    to: order,
                    due: due,
                    given: now,
                    key: key
                )
            } catch TaxiService.Failure.notYours {
                throw Failure.notFound
            }
            notice = "changed"
        } else {
            number = try await taxi.reserve(order, due: due, given: now, key: key).request
        }
        return Response.redirect(to: Self.ride(number, notice)).setting(orderCookie(nil, context))
    }

    /// Fills the form with the reservation to be changed.
    private func beginChange(_ context: RequestContext) async throws -> Response {
        let number = try requestNumber(context)
        let found: Reservation?
        do {
            found = try await taxi.reservation(number, for: try knownPassenger(context).passenger)
        } catch TaxiService.Failure.notYours {
            throw Failure.notFound
        }
        guard let one = found, one.isOpen else { return try await leadToRide(number, context) }
        let local = LocalTime(Instant(one.due), in: web.settings.zoneTable).iso8601
        var draft = OrderDraft()
        draft.changes = number.rawValue
        draft.later = OrderDraft.Later(
            day: String(local.prefix(10)),
            time: String(local.dropFirst(11).prefix(5))
        )
        draft.seats = one.needs.seats
        draft.hasWheelchair = one.needs.wheelchair
        draft.isShared = one.isShared
        if let places = one.places {
            draft[.from] = Self.wish(ChosenPlace(places.meeting, words: places.meetingDescription))
            if let destination = places.destination {
                draft[.to] = Self.wish(
                    ChosenPlace(destination, words: places.destinationDescription)
                )
            }
        }
        return Response.redirect(to: Address("/taxi")).setting(orderCookie(draft, context))
    }

    private static func wish(_ place: ChosenPlace) -> OrderDraft.Wish {
        let typed = String(place.called.text.prefix(OrderDraft.Wish.limit))
        return OrderDraft.Wish(typed: typed, place: place)
    }

    /// The note on the form that it changes a reservation, with a link that discards the change.
    func changeNote(_ draft: OrderDraft, _ context: RequestContext) -> HTML? {
        guard let number = draft.changes else { return nil }
        return """
            <div class="notice"><p>\(context.say(ReserveTexts.changing))</p>
            <p><a href=\(Address("/ride", "\(number)"))>\(context.say(ReserveTexts.seeOld))</a> · \
            <a href="/taxi?order=new">\(context.say(ReserveTexts.leave))</a></p></div>
            """
    }
}
