import Dispatching
import Fares
import HTTPTypes
import Identity
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore

/// The page on which a passenger confirms an order, and the request it creates (R42, R45, R46).
extension PassengerPages {
    func showCheck(_ context: RequestContext) async throws -> Response {
        let now = try await callingNow(context)
        if let refused = guestsRefused(now.policy, context) { return refused }
        if let live = now.live, !wantsLater(context) {
            return .redirect(to: Self.ride(live, "already"))
        }
        guard let draft = draft(context), let order = order(draft, context, now.policy) else {
            return .redirect(to: Address("/taxi"))
        }
        if let until = now.limitedUntil { return unreliable(until, context) }
        if context.query["own"] == nil, try await !proposals(draft, order).isEmpty {
            return .redirect(to: Address("/taxi/shared"))
        }
        let quote: RideQuote
        do {
            quote = try await taxi.quote(order, at: draft.due)
        } catch let failure as TaxiService.Failure where failure != .notServing {
            return notRequested(failure.text, context)
        }
        let page = try await checkPage(draft, quote, now.policy, context)
        return response(page, to: context)
    }

    /// Returns the order of a complete draft; nil if the draft lacks something that the city
    /// requires.
    func order(_ draft: OrderDraft, _ context: RequestContext, _ policy: Policy) -> RideOrder? {
        // The preview does not depend on who the passenger is.
        let passenger = (try? passenger(context))?.passenger ?? PassengerNumber(rawValue: 0)
        let isGuest = context.session?.person == nil
        guard var order = draft.order(of: passenger, isGuest: isGuest) else { return nil }
        if draft.later != nil, draft.due == nil { return nil }
        if !draft.asksDestination(policy) { order.destination = nil }
        return draft.needsDestination(policy) && order.destination == nil ? nil : order
    }

    private func checkPage(
        _ draft: OrderDraft,
        _ quote: RideQuote,
        _ policy: Policy,
        _ context: RequestContext
    ) async throws -> Page {
        let isInside = quote.zone != nil
        let due = draft.due
        let check = due == nil ? CheckTexts.title : ReserveTexts.check
        let promise = due.map { ReserveTexts.checkTitle(written($0)) } ?? Self.waiting(quote)
        let title = isInside ? promise : CheckTexts.outside
        var lead: Text?
        if !isInside {
            lead = CheckTexts.outsideLead
        } else if let due {
            lead = ReserveTexts.plan(ReservationTimes(of: due, policy)) { clockTime($0) }
        } else if quote.taxisWaiting == 0 {
            lead = CheckTexts.noTaxiLead
        }
        var page = Page(
            isInside ? check : CheckTexts.outside,
            body: """
                <h1>\(context.say(title))</h1>
                <p class="hint">\(context.say(check)). \(context.say(CheckTexts.lead))</p>
                <dl class="ends">\(rows(draft, quote, policy, context))</dl>
                \(lead.map { "<p class=\"hint\">\(context.say($0))</p>" as HTML })
                \(checkChanges(draft, policy, context))
                \(HTML.when(isInside, Dock(confirmation(draft, quote, policy, context)).html))
                """
        )
        page.map = sceneMap(
            await scene(draft),
            still: Address("/taxi/check/map.svg"),
            topic: nil,
            context
        )
        page.layout = .mapSheet
        page.hasForm = true
        return page
    }

    /// The answer to "when?": the wait until a taxi comes.
    static func waiting(_ quote: RideQuote) -> Text {
        if quote.taxisWaiting == 0 { return CheckTexts.noTaxi }
        return quote.waitSeconds.map { CheckTexts.wait(wholeMinutes($0)) } ?? CheckTexts.someTaxi
    }

    private func rows(
        _ draft: OrderDraft,
        _ quote: RideQuote,
        _ policy: Policy,
        _ context: RequestContext
    ) -> [HTML] {
        let needs =
            context.say(OrderTexts.people(draft.seats))
            + (draft.hasWheelchair ? "; " + context.say(OrderTexts.wheelchair).lowercased() : "")
        var rows = [row(.pin, CheckTexts.meeting, shortPlace(quote.originDescription), context)]
        if draft.asksDestination(policy) {
            let words =
                draft[.to].place.map { shortPlace($0.called) } ?? context.say(CheckTexts.notSaid)
            rows.append(row(.flag, CheckTexts.destination, words, context))
        }
        if let due = draft.due {
            rows.append(row(.calendar, LaterTexts.when, context.say(written(due)), context))
        }
        if quote.zone != nil, draft.due == nil {
            let wait = quote.waitSeconds.map { CheckTexts.about(wholeMinutes($0)) }
            let words = [wait, CheckTexts.taxis(quote.taxisWaiting)].compactMap { $0 }
                .map(context.say).joined(separator: "; ")
            rows.append(row(.clock, CheckTexts.waiting, words, context))
        }
        if quote.zone != nil, draft.asksDestination(policy) {
            let fare =
                draft[.to].place == nil
                ? CheckTexts.fareWithoutDestination : fareText(quote.fare, context)
            rows.append(row(.coin, CheckTexts.fare, context.say(fare), context))
        }
        rows.append(row(.people, OrderTexts.passengers, needs, context))
        if draft.isShared {
            rows.append(row(.share, ShareTexts.title, context.say(ShareTexts.allow), context))
        }
        return rows
    }

    private func row(
        _ icon: Icon,
        _ label: Text,
        _ value: String,
        _ context: RequestContext
    ) -> HTML {
        "<div><dt>\(icon.html)\(context.say(label))</dt><dd>\(value)</dd></div>"
    }

    /// The ways to change what the page shows: in the form, or on the map.
    private func checkChanges(
        _ draft: OrderDraft,
        _ policy: Policy,
        _ context: RequestContext
    ) -> HTML {
        let points = draft.asksDestination(policy) ? RideEnd.allCases : [.from]
        let chips =
            [Chip(CheckTexts.change, icon: .edit, .link(Address("/taxi")))]
            + points.map { end in
                Chip(
                    KnownPlaceTexts.onMap(end, .order),
                    icon: .pin,
                    .link(Address("/taxi/point", end.rawValue))
                )
            }
        return Chips(chips).html(context)
    }

    /// The likely fare with its range, or the fixed one.
    func fareText(_ fare: FareEstimate?, _ context: RequestContext) -> Text {
        guard let fare else { return CheckTexts.unknown }
        let likely = money(fare.likely.total, context)
        if fare.isFixed { return CheckTexts.fixed(likely) }
        if fare.low == fare.high { return CheckTexts.roughly(likely) }
        return CheckTexts.estimate(likely, money(fare.low, context), money(fare.high, context))
    }

    /// The fare as a button carries it: "about €8", or the fixed one.
    func roughly(_ fare: FareEstimate, _ context: RequestContext) -> Text {
        fare.isFixed
            ? Text(same: money(fare.likely.total, context))
            : CheckTexts.roughly(roundMoney(fare.likely.total, context))
    }

    /// The confirmation form, or a link to sign in or verify a contact first (G9).
    private func confirmation(
        _ draft: OrderDraft,
        _ quote: RideQuote,
        _ policy: Policy,
        _ context: RequestContext
    ) -> HTML {
        if draft.due != nil, context.session?.person == nil {
            return """
                <p>\(context.say(ReserveTexts.needsAccount))</p>
                \(signInActions(context, next: "/taxi/check"))
                """
        }
        let way = GuestWay(policy, settings)
        guard mayConfirm(context, way) else {
            return """
                <p class="actions"><a class="button primary" href="/taxi/guest">\
                \(context.say(CheckTexts.asGuest))</a>
                <a class="button" href="/login?next=%2Ftaxi%2Fcheck">\
                \(context.say(CommonTexts.signIn))</a></p>
                """
        }
        var button = Button(ReserveTexts.confirm(draft) ?? CheckTexts.confirm, look: .primary)
        button.busy = CheckTexts.busy
        let wait = draft.due == nil ? quote.waitSeconds : nil
        button.details = [
            wait.map { CheckTexts.minutes(wholeMinutes($0)) },
            quote.fare.map { roughly($0, context) },
        ].compactMap(\.self)
        // Confirms exactly the order on this page, even if another window has changed the draft
        // since.
        return """
            <form method="post" action="/taxi/request">
            \(context.formToken)
            <input type="hidden" name="order" value="\(orders.seal(draft, at: context.now) ?? "")">
            \(button.html(context))
            </form>
            """
    }

    func checkPicture(_ context: RequestContext) async throws -> Response {
        let known = try await knownPlaces(context)
        let draft = draft(context) ?? known.draft
        return try picture(of: await scene(draft), context)
    }

    /// The ends of an order, and the way between them.
    func scene(_ draft: OrderDraft) async -> MapScene {
        let (from, to) = (draft[.from].place?.coordinate, draft[.to].place?.coordinate)
        let marks = [
            from.map { MapScene.Mark(.meeting, at: $0, CheckTexts.meeting) },
            to.map { MapScene.Mark(.destination, at: $0, CheckTexts.destination) },
        ]
        let way = await taxi.way(from: from, to: to)
        return MapScene(
            marks.compactMap(\.self),
            lines: [way.map { MapScene.Line(.route, $0) }].compactMap(\.self)
        )
    }

    // MARK: The request

    func request(_ context: RequestContext) async throws -> Response {
        let sent = confirmedDraft(context)
        if let made = try await requestMadeBefore(context),
            let response = try await requested(made, sent, context)
        {
            return response
        }
        let now = try await callingNow(context)
        // The passenger has changed the form since: nothing is ordered that the page did not show.
        if context.form[RideEnd.from.rawValue] != nil, let sent {
            var edited = sent
            let problems = read(context, now.policy, &edited)
            if !problems.isEmpty || !edited.orders(sameAs: sent) {
                return await take(sent, try await knownPlaces(context), now, context)
            }
        }
        guard let draft = sent, order(draft, context, now.policy) != nil else {
            return .redirect(to: Address("/taxi"))
        }
        // The check page explains the refusal and offers verification.
        guard mayConfirm(context, GuestWay(now.policy, settings)) else {
            return .redirect(to: Address("/taxi/check"))
        }
        if let until = now.limitedUntil { return unreliable(until, context) }
        do {
            return try await ordering(context) { try await give(draft, now, context) }
        } catch AccountFailure.tooManyFromNetwork {
            throw Failure.tooMany(retryAfter: Int(accounts.settings.guestWindow))
        }
    }

    /// Gives a confirmed order to the taxi service.
    private func give(
        _ draft: OrderDraft,
        _ now: ServiceNow,
        _ context: RequestContext
    ) async throws -> Response {
        let passenger = try await caller(context)
        guard var order = draft.order(of: passenger.passenger, isGuest: passenger.isGuest) else {
            return .redirect(to: Address("/taxi"))
        }
        if !draft.asksDestination(now.policy) { order.destination = nil }
        if let due = draft.due { return try await reserve(order, due, draft, now, context) }
        let key = Self.orderKey(context)
        let request = try await taxi.call(order, given: now, key: key).request
        // The request exists by now, so a failure to extend the guest's retention is not an error.
        if passenger.isGuest {
            try? await accounts.keepGuest(passenger.number, at: context.now)
        }
        return Response.redirect(to: Self.ride(request)).setting(orderCookie(nil, context))
    }

    /// Redirects to the request that an earlier submission of this form created; nil if it was to
    /// replace a reservation and could not.
    private func requested(
        _ number: RequestNumber,
        _ draft: OrderDraft?,
        _ context: RequestContext
    ) async throws -> Response? {
        var notice: String?
        if let old = draft?.changes {
            notice = "changed"
            let old = RequestNumber(rawValue: old)
            let passenger = try knownPassenger(context).passenger
            guard try await taxi.completeChange(of: old, to: number, for: passenger) else {
                return nil
            }
        } else if draft?.due != nil {
            notice = "booked"
        }
        return Response.redirect(to: Self.ride(number, notice)).setting(orderCookie(nil, context))
    }
}
