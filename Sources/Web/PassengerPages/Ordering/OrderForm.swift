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
                .taking([
                    .order,
                    .set("known", .text(200), "The end of the ride and the name of a known place."),
                    .set("swap", .flag("yes"), "Swaps both ends of the ride."),
                    .set("point", .choice(of: RideEnd.self), "The end to choose on the map."),
                ])
                .repeated(because: Self.setsCookie),
            .get("/taxi/places", as: "taxi.places.form", for: .everybody, showPlaces)
                .answering(.page, .redirect),
            .post("/taxi/places", as: "taxi.places", for: .everybody, takePlaces)
                .taking([
                    .set("from", .identifier, "Which of several places is the start.").explained,
                    .set("to", .identifier, "Which of several places is the destination.")
                        .explained,
                ])
                .repeated(because: Self.setsCookie),
            .get("/taxi/places/map.svg", as: "taxi.places.map.svg", for: .everybody, placesPicture)
                .answering(.picture)
                .failing(.notFound),
            .get("/taxi/point/{end}", as: "taxi.point.form", for: .everybody, showPoint)
                .taking([.end])
                .answering(.page, .redirect),
            .post("/taxi/point/{end}", as: "taxi.point", for: .everybody, takePoint)
                .taking([
                    .end,
                    .set(
                        "move",
                        .choice(["in", "out", "north", "south", "east", "west"]),
                        "How the map moves."
                    ),
                    .set("latitude", .latitude, "The latitude below the pin, in degrees.")
                        .explained,
                    .set("longitude", .longitude, "The longitude below the pin, in degrees.")
                        .explained,
                ])
                .taking(.pressedPoint)
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
            .get(
                "/taxi/suggestions.json",
                as: "taxi.suggestions.json",
                for: .anonymous,
                suggestPlaces
            )
            .answering(.json),
            .get("/taxi/address.json", as: "taxi.address.json", for: .anonymous, describePosition)
                .answering(.json),
            .post("/taxi/request", as: "taxi.request", for: .everybody, request)
                .open(to: .callTaxis)
                .taking([.order])
                .taking(.orderForm)
                .failing(.notFound)
                .onceByKey,
        ]
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
        if let end = draft.choose(context.form["known"] ?? "", of: known) {
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
        let isMeasured = isMeasured(context)
        return draft.asksDestination(policy) && !(isMeasured && problems[.from] != nil)
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
        let typed = context.form[RideEnd.from.rawValue]?.trimmingBlanks() ?? ""
        if isMeasured(context) {
            problems[.from] = readPosition(context, policy, &draft)
        } else {
            problems[.from] = readPlace(typed, .from, isRequired: true, context, &draft)
        }
        if draft.asksDestination(policy) {
            let typed = context.form[RideEnd.to.rawValue]?.trimmingBlanks() ?? ""
            problems[.to] = readPlace(
                typed,
                .to,
                isRequired: draft.needsDestination(policy),
                context,
                &draft
            )
            if typed.isEmpty, draft.isShared { problems[.to] = ShareTexts.noDestination }
            if typed.isEmpty, draft.later != nil { problems[.to] = LaterTexts.noDestination }
        } else {
            draft[.to] = OrderDraft.Wish()
        }
        return problems
    }

    /// Whether the form sends a phone's position.
    ///
    /// An address that the passenger types takes precedence. The script fills the field in with the
    /// address of the position, and says so.
    private func isMeasured(_ context: RequestContext) -> Bool {
        guard context.form["latitude"]?.isEmpty == false else { return false }
        let typed = context.form[RideEnd.from.rawValue]?.trimmingBlanks() ?? ""
        return typed.isEmpty || context.form["from-id"] == "here"
    }

    /// Reads a phone's position, which must be accurate enough for a pickup (R45).
    private func readPosition(
        _ context: RequestContext,
        _ policy: Policy,
        _ draft: inout OrderDraft
    ) -> Text? {
        let accuracy = PlaceSearch.number(context.form["accuracy"] ?? "")
        guard
            let place = PlaceSearch.coordinates(
                latitude: context.form["latitude"] ?? "",
                longitude: context.form["longitude"] ?? ""
            )
        else { return OrderTexts.noPosition }
        let allowed = policy[.gpsAccuracy]
        let chosen = placeSearch.chosen(place, accuracyMetres: accuracy)
        // An inaccurate position still suggests an address, which the passenger then confirms.
        draft[.from] = OrderDraft.Wish(typed: chosen.words ?? "")
        guard let accuracy, accuracy >= 0 else { return OrderTexts.noPosition }
        guard allowed < 0 || accuracy <= Double(allowed) else {
            return OrderTexts.vague(accuracy, allowed: allowed)
        }
        draft[.from] = OrderDraft.Wish(typed: String(chosen.called.text), place: chosen)
        return nil
    }

    private func readPlace(
        _ typed: String,
        _ end: RideEnd,
        isRequired: Bool,
        _ context: RequestContext,
        _ draft: inout OrderDraft
    ) -> Text? {
        let text = String(typed.prefix(OrderDraft.Wish.limit))
        if text.isEmpty {
            draft[end] = OrderDraft.Wish()
            return isRequired ? OrderTexts.missing(end) : nil
        }
        // What was typed, and not the name of the place, led to the suggestion.
        let query = context.form["\(end.rawValue)-typed"].flatMap { $0.isEmpty ? nil : $0 }
        if let id = context.form["\(end.rawValue)-id"], !id.isEmpty,
            let place = PlaceSearch.choice(id, of: placeSearch.matches(query ?? text)),
            query == nil || place.words == text
        {
            draft[end] = OrderDraft.Wish(typed: text, place: place)
            return nil
        }
        if text == draft[end].typed, draft[end].place != nil { return nil }
        draft[end] = OrderDraft.Wish(typed: text)
        switch placeSearch.find(text) {
        case .found(let place): draft[end].place = place
        case .several: break
        case .nothing: return city == nil ? placeHint : OrderTexts.unknownPlace
        }
        return nil
    }
}

extension OrderDraft {
    /// Swaps origin and destination for the return trip.
    mutating func swapEnds() {
        (self[.from], self[.to]) = (self[.to], self[.from])
        // Accuracy matters only for the pickup point, not for the destination.
        self[.to].place?.accuracyMetres = nil
    }

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
        [
            .from,
            .to,
            .set("from-id", .text(60), "The suggestion that was chosen as the start."),
            .set("to-id", .text(60), "The suggestion that was chosen as the destination."),
            .set("from-typed", .text(100), "What the start was suggested for."),
            .set("to-typed", .text(100), "What the destination was suggested for."),
            .set("latitude", .latitude, "The measured latitude, in degrees.").explained,
            .set("longitude", .longitude, "The measured longitude, in degrees.").explained,
            .set("accuracy", .decimal(0...1e9), "The accuracy of the position, in metres.")
                .explained,
            .set("share", .several(.choice(["share"]), 1), "Whether others may join the ride."),
        ] + .pickupTime + .party
}

extension InputField {
    /// The end of the ride that is chosen on a map.
    fileprivate static let end = path("end", .choice(of: RideEnd.self), "The end of the ride.")
}
