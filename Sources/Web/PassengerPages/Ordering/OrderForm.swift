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
                .taking([
                    .from,
                    .to,
                    .set("from-id", .text(60), "The suggestion that was chosen as the start."),
                    .set("to-id", .text(60), "The suggestion that was chosen as the destination."),
                    .set("latitude", .latitude, "The measured latitude, in degrees.").explained,
                    .set("longitude", .longitude, "The measured longitude, in degrees.").explained,
                    .set("accuracy", .decimal(0...1e9), "The accuracy of the position, in metres.")
                        .explained,
                    .set(
                        "share",
                        .several(.choice(["share"]), 1),
                        "Whether others may join the ride."
                    ),
                    .set("known", .text(200), "The end of the ride and the name of a known place."),
                    .set("swap", .flag("yes"), "Swaps both ends of the ride."),
                    .set("point", .choice(of: RideEnd.self), "The end to choose on the map."),
                ])
                .taking(.pickupTime)
                .taking(.party)
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
            .post("/taxi/request", as: "taxi.request", for: .everybody, request)
                .open(to: .callTaxis)
                .taking([.order])
                .failing(.notFound)
                .onceByKey,
        ]
    }

    /// The largest number of seats on offer.
    ///
    /// No taxi in the register has more.
    private static let mostSeats: UInt8 = 9

    /// The form "Where are you going?".
    func orderForm(
        _ draft: OrderDraft,
        _ policy: Policy,
        _ problems: OrderProblems,
        _ context: RequestContext
    ) -> FormPage {
        var fields = [
            Field(
                name: RideEnd.from.rawValue,
                label: OrderTexts.from,
                hint: placeHint,
                value: draft[.from].typed,
                error: problems[.from]
            )
        ]
        if draft.asksDestination(policy) {
            let isNeeded = draft.needsDestination(policy)
            fields.append(
                Field(
                    name: RideEnd.to.rawValue,
                    label: OrderTexts.to,
                    hint: isNeeded ? nil : OrderTexts.toHint,
                    value: draft[.to].typed,
                    error: problems[.to],
                    isRequired: isNeeded
                )
            )
            fields += whenFields(draft, policy, problems, context)
        }
        fields += needs(draft, problems)
        if draft.asksDestination(policy), let share = shareField(draft, policy, context) {
            fields.append(share)
        }
        var form = FormPage(
            action: Address("/taxi"),
            fields: fields,
            button: OrderTexts.goOn,
            busy: OrderTexts.busy
        )
        if map.bounds != nil {
            form.otherButtons = """
                 <button name="point" value="\(RideEnd.from.rawValue)">\
                \(context.say(OrderTexts.pointInstead))</button>
                """
        }
        // Enter presses the first button of a form, so this one must not come between the fields.
        if draft.asksDestination(policy) {
            form.otherButtons += """
                 <button name="swap" value="yes">\(context.say(OrderTexts.swap))</button>
                """
        }
        // The script fills these fields in when a passenger asks to be picked up at their position.
        form.extra = """
            <input type="hidden" name="latitude" value="">\
            <input type="hidden" name="longitude" value="">\
            <input type="hidden" name="accuracy" value="">
            """
        return form
    }

    /// The fields for the number of passengers and their needs.
    private func needs(_ draft: OrderDraft, _ problems: OrderProblems) -> [Field] {
        [
            Field(
                name: "seats",
                label: OrderTexts.passengers,
                kind: .choice((1...Self.mostSeats).map { ("\($0)", OrderTexts.people($0)) }),
                value: "\(draft.seats)",
                error: problems.fields["seats"]
            ),
            Field(
                name: "needs",
                label: OrderTexts.needs,
                kind: .several([("wheelchair", OrderTexts.wheelchair)]),
                value: draft.hasWheelchair ? "wheelchair" : "",
                isRequired: false
            ),
        ]
    }

    /// The form with its title, as the body of a page.
    func orderBody(
        _ draft: OrderDraft,
        _ policy: Policy,
        _ problems: OrderProblems,
        _ context: RequestContext
    ) async throws -> HTML {
        var form = orderForm(draft, policy, problems, context)
        form.moreButtons = placeButtons(try await knownPlaces(context), draft, policy, context)
        return """
            <h1>\(context.say(OrderTexts.title))</h1>
            \(changeNote(draft, context))
            \(locatingButton(policy, context))
            \(form.html(context))
            \(reservationLinks(draft, policy, context))
            """
    }

    private func showOrder(_ context: RequestContext) async throws -> Response {
        let now = try await callingNow(context)
        if let refused = guestsRefused(now.policy, context) { return refused }
        if context.query["order"] == "new" {
            return Response.redirect(to: Address("/taxi")).setting(orderCookie(nil, context))
        }
        if let live = now.live, !wantsLater(context) {
            return .redirect(to: Self.ride(live, "already"))
        }
        var draft = draft(context) ?? OrderDraft()
        if context.query["when"] == "later", draft.later == nil { draft.later = OrderDraft.Later() }
        if context.query["share"] == "yes" { draft.isShared = true }
        let body = try await orderBody(draft, now.policy, OrderProblems(), context)
        return response(orderPage(body), to: context)
    }

    func orderPage(_ body: HTML) -> Page {
        var page = Page(OrderTexts.title, body: body)
        page.hasForm = true
        return page
    }

    private func takeOrder(_ context: RequestContext) async throws -> Response {
        let now = try await callingNow(context)
        if let refused = guestsRefused(now.policy, context) { return refused }
        if let live = now.live, !wantsLater(context) {
            return .redirect(to: Self.ride(live, "already"))
        }
        var draft = draft(context) ?? OrderDraft()
        let problems = read(context, now.policy, &draft)
        // Reset the map section so that the map is centred on the places known now.
        draft.window = nil
        let answer: Response
        if let chosen = try await withKnownPlace(draft, context) {
            return Response.redirect(to: Address("/taxi")).setting(orderCookie(chosen, context))
        } else if context.form["swap"] != nil, maySwap(draft, problems, context, now.policy) {
            draft.swapEnds()
            answer = .redirect(to: Address("/taxi"))
        } else if let end = context.form["point"].flatMap(RideEnd.init(rawValue:)) {
            answer = .redirect(to: Address("/taxi/point", end.rawValue))
        } else if problems.isEmpty {
            let isOpen = RideEnd.allCases.contains { draft[$0].isOpen }
            answer = .redirect(to: isOpen ? Address("/taxi/places") : Address("/taxi/check"))
        } else {
            var page = orderPage(try await orderBody(draft, now.policy, problems, context))
            page.status = .unprocessableContent
            answer = response(page, to: context)
        }
        return answer.setting(orderCookie(draft, context))
    }

    /// Whether origin and destination can be swapped: the form has both, and the swap does not
    /// silently discard a measured position.
    private func maySwap(
        _ draft: OrderDraft,
        _ problems: OrderProblems,
        _ context: RequestContext,
        _ policy: Policy
    ) -> Bool {
        let isMeasured = context.form["latitude"]?.isEmpty == false
        return draft.asksDestination(policy) && !(isMeasured && problems[.from] != nil)
    }

    /// Reads the submitted fields into the draft.
    private func read(
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
        let latitude = context.form["latitude"] ?? ""
        let typed = context.form[RideEnd.from.rawValue]?.trimmingBlanks() ?? ""
        if typed.isEmpty, !latitude.isEmpty {
            problems[.from] = readPosition(context, latitude, policy, &draft)
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

    /// Reads a phone's position, which must be accurate enough for a pickup (R45).
    private func readPosition(
        _ context: RequestContext,
        _ latitude: String,
        _ policy: Policy,
        _ draft: inout OrderDraft
    ) -> Text? {
        let accuracy = PlaceSearch.number(context.form["accuracy"] ?? "")
        guard
            let place = PlaceSearch.coordinates(
                latitude: latitude,
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
        if let id = context.form["\(end.rawValue)-id"], !id.isEmpty,
            let place = PlaceSearch.choice(id, of: placeSearch.matches(text))
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
}

extension InputField {
    /// The end of the ride that is chosen on a map.
    fileprivate static let end = path("end", .choice(of: RideEnd.self), "The end of the ride.")
}
