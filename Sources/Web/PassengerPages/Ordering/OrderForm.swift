import CityData
import Dispatching
import Encoding
import Fares
import Geo
import HTTPTypes
import Identity
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore

extension PassengerPages {
    /// The reason why these order steps run on every submission instead of replaying a stored
    /// response.
    static let setsCookie: StaticString = "it sets a cookie, which a kept answer would lack"

    /// The routes for calling a taxi, from the form to the confirmation (ui.md 4.3, R42 to R46).
    var orderRoutes: [Route] {
        [
            .get("/taxi", as: "taxi.order.form", for: .everybody, showOrder)
                .taking([
                    .query("order", .choice(["new"]), "Begins a new order."),
                    .query("when", .choice(["later"]), "Asks for a reservation."),
                    .query("share", .choice(["yes"]), "Asks for a shared ride."),
                ])
                .answering(.page, .redirect),
            .post("/taxi", as: "taxi.order", for: .everybody, takeOrder)
                .taking(.orderForm)
                .taking(.endButtons)
                .taking([.order])
                .repeated(because: Self.setsCookie),
            .get("/taxi/places", as: "taxi.places.form", for: .everybody) {
                showPlaces(for: .order, next: Self.afterPlaces, $0)
            }
            .answering(.page, .redirect),
            .post("/taxi/places", as: "taxi.places", for: .everybody) {
                takePlaces(for: .order, next: Self.afterPlaces, $0)
            }
            .taking(.chosenPlaces)
            .repeated(because: Self.setsCookie),
            .get("/taxi/places/map.svg", as: "taxi.places.map.svg", for: .everybody, placesPicture)
                .answering(.picture)
                .failing(.notFound),
            .get("/taxi/point/{end}", as: "taxi.point.form", for: .everybody) { context in
                let now = try await callingNow(context)
                if let refused = guestsRefused(now.policy, context) { return refused }
                return try showPoint(for: .order, context)
            }
            .taking([.end])
            .answering(.page, .redirect),
            .post("/taxi/point/{end}", as: "taxi.point", for: .everybody) { context in
                let now = try await callingNow(context)
                if let refused = guestsRefused(now.policy, context) { return refused }
                return try takePoint(for: .order, context)
            }
            .taking(.mapPoint)
            .repeated(because: Self.setsCookie),
            .get(
                "/taxi/point/{end}/map.svg",
                as: "taxi.point.map.svg",
                for: .everybody,
                pointPicture
            )
            .taking([.end])
            .answering(.picture),
            .get("/taxi/check", as: "taxi.check", for: .everybody, showCheck)
                .taking([
                    .query("own", .text(10), "Asks for an own taxi instead of a shared ride."),
                    .query("when", .choice(["later"]), "Allows a reservation during a ride."),
                ])
                .answering(.page, .redirect)
                .failing(.unprocessableContent),
            .get("/taxi/check/map.svg", as: "taxi.check.map.svg", for: .everybody, checkPicture)
                .answering(.picture)
                .failing(.notFound),
            .post("/taxi/request", as: "taxi.request", for: .everybody, request)
                .open(to: [.callTaxis])
                .taking([.order])
                .taking(.orderForm)
                .failing(.notFound)
                .onceByKey,
        ]
    }

    /// The page that follows once both places are known.
    private static let afterPlaces: @Sendable (OrderDraft) -> Address = { _ in
        Address("/taxi/check")
    }

    /// The largest number of seats on offer.
    ///
    /// No taxi in the register has more.
    static let mostSeats: UInt8 = 9

    private func showOrder(_ context: RequestContext) async throws -> Response {
        let now = try await callingNow(context)
        if let refused = guestsRefused(now.policy, context) { return refused }
        if context.query["order"] == "new" {
            return Response.redirect(to: Address("/taxi")).setting(orderCookie(nil, context))
        }
        if let live = now.live, !wantsLater(context) {
            return .redirect(to: Self.ride(live, "already"))
        }
        let known = try await knownPlaces(context)
        var draft = draft(context) ?? known.draft
        if context.query["when"] == "later", draft.later == nil { draft.later = OrderDraft.Later() }
        if context.query["share"] == "yes" { draft.isShared = true }
        let page = await orderPage(draft, known, now, OrderProblems(), context)
        return response(page, to: context)
    }

    private func takeOrder(_ context: RequestContext) async throws -> Response {
        let now = try await callingNow(context)
        if let refused = guestsRefused(now.policy, context) { return refused }
        if let live = now.live, !wantsLater(context) {
            return .redirect(to: Self.ride(live, "already"))
        }
        let known = try await knownPlaces(context)
        return await take(draft(context) ?? known.draft, known, now, context)
    }

    /// Answers a submitted form: with the next step of the order, or with the form and its errors.
    ///
    /// - Parameters:
    ///   - draft: what was known before the passenger changed the form.
    ///   - known: the passenger's places.
    ///   - now: the state of the service.
    ///   - context: the visitor's request.
    /// - Returns: the response, which stores the changed draft.
    func take(
        _ draft: OrderDraft,
        _ known: KnownPlaces,
        _ now: ServiceNow,
        _ context: RequestContext
    ) async -> Response {
        var draft = draft
        var problems = read(context, now.policy, &draft)
        // Reset the map section so that the map is centred on the places known now.
        draft.window = nil
        let answer: Response
        if context.form["plan"] != nil {
            // Text browsers send this here, as they know no `formaction`.
            answer = .redirect(to: JourneyForm.plan.address)
        } else if let end = draft.choose(context.form["known"] ?? "", of: known) {
            problems[end] = nil
            // The form that comes back says what else is missing.
            let isWhole = problems.isEmpty && !draft[.from].typed.isEmpty
            answer = .redirect(to: isWhole ? step(draft, now, context) : Address("/taxi"))
        } else if context.form["swap"] != nil, maySwap(draft, problems, context, now.policy) {
            draft.swapEnds()
            answer = .redirect(to: Address("/taxi"))
        } else if let end = context.form["point"].flatMap(RideEnd.init(rawValue:)) {
            answer = .redirect(to: Address("/taxi/point", end.rawValue))
        } else if problems.isEmpty {
            answer = .redirect(to: step(draft, now, context))
        } else {
            answer = response(await orderPage(draft, known, now, problems, context), to: context)
        }
        return answer.setting(orderCookie(draft, context))
    }

    /// The page that follows a form without errors.
    private func step(
        _ draft: OrderDraft,
        _ now: ServiceNow,
        _ context: RequestContext
    ) -> Address {
        if RideEnd.allCases.contains(where: { draft[$0].isOpen }) { return Address("/taxi/places") }
        // Text browsers send the order to the form's own address, as they know no `formaction`.
        let isOrdered = confirmedDraft(context).map(draft.orders(sameAs:)) ?? false
        return isDirect(draft, now, context) && !isOrdered
            ? Address("/taxi") : Address("/taxi/check")
    }

    /// Whether the order page shows all that the passenger confirms, so that no other page is
    /// needed: a ride now, for a signed-in person, with both ends in the city.
    func isDirect(_ draft: OrderDraft, _ now: ServiceNow, _ context: RequestContext) -> Bool {
        guard context.session?.person != nil, draft.later == nil, draft.changes == nil,
            !draft.isShared, now.limitedUntil == nil, !draft[.to].isOpen,
            let from = draft[.from].place, taxi.zone(at: from.coordinate) != nil
        else { return false }
        return draft[.to].place != nil || !draft.asksDestination(now.policy)
    }

    /// Whether origin and destination can be swapped: the form has both, and the swap does not
    /// silently discard a measured position.
    private func maySwap(
        _ draft: OrderDraft,
        _ problems: OrderProblems,
        _ context: RequestContext,
        _ policy: Policy
    ) -> Bool {
        let isRefused = RideEnd.allCases.contains { end in
            isMeasured(context, as: end) && problems[end] != nil
        }
        return draft.asksDestination(policy) && !isRefused
    }

    /// Reads the submitted fields into the draft.
    func read(
        _ context: RequestContext,
        _ policy: Policy,
        _ draft: inout OrderDraft
    ) -> OrderProblems {
        var problems = OrderProblems()
        let seats = UInt8(context.form["seats"] ?? "1") ?? 0
        if (1...Self.mostSeats).contains(seats) {
            draft.seats = seats
        } else {
            problems.fields["seats"] = OrderTexts.badSeats(Self.mostSeats)
        }
        draft.hasWheelchair = context.form.all("needs").contains("wheelchair")
        readLater(context, policy, &draft, &problems)
        draft.isShared = readShare(context, policy)
        let allowed = policy[.gpsAccuracy]
        if isMeasured(context) {
            problems[.from] = readPosition(allowedMetres: allowed, context, &draft)
        } else {
            let missing = OrderTexts.missing(.from)
            problems[.from] = readPlace(.from, missing: missing, context, &draft)
        }
        if draft.asksDestination(policy) {
            let typed = context.form[RideEnd.to.rawValue]?.trimmingBlanks() ?? ""
            let missing = draft.needsDestination(policy) ? OrderTexts.missing(.to) : nil
            if isMeasured(context, as: .to) {
                problems[.to] = readPosition(as: .to, allowedMetres: allowed, context, &draft)
                return problems
            }
            problems[.to] = readPlace(.to, missing: missing, context, &draft)
            if typed.isEmpty, draft.isShared { problems[.to] = ShareTexts.noDestination }
            if typed.isEmpty, draft.later != nil { problems[.to] = LaterTexts.noDestination }
        } else {
            draft[.to] = OrderDraft.Wish()
        }
        return problems
    }
}

extension OrderDraft {
    /// Whether another draft describes the same order.
    ///
    /// What is only looked at, such as the section of a map, makes no difference.
    func orders(sameAs other: OrderDraft) -> Bool {
        RideEnd.allCases.allSatisfy { self[$0] == other[$0] } && seats == other.seats
            && hasWheelchair == other.hasWheelchair && isShared == other.isShared
            && later == other.later && changes == other.changes
    }
}

extension [InputField] {
    /// The fields of the order form.
    fileprivate static let orderForm: [InputField] =
        .ends + .pickupTime + .party + [
            .set("share", .several(.choice(["share"]), 1), "Whether others may join the ride."),
            .set("plan", .flag("yes"), "Asks for trips instead of a taxi."),
        ]
}
