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
    func showCheck(_ visit: Visit) async throws -> Reply {
        let now = try await callingNow(visit)
        if let refused = guestsRefused(now.policy, visit) { return refused }
        if let live = now.live, !wantsLater(visit) {
            return .redirect(to: Self.ride(live, "already"))
        }
        guard let draft = draft(visit), let order = order(draft, visit, now.policy) else {
            return .redirect(to: Address("/taxi"))
        }
        if let limited = try await unreliable(visit) { return limited }
        if visit.query["own"] == nil, try await !proposals(draft, order).isEmpty {
            return .redirect(to: Address("/taxi/shared"))
        }
        let quote: RideQuote
        do {
            quote = try await taxi.quote(order, at: draft.due)
        } catch let failure as TaxiService.Failure where failure != .notServing {
            return notRequested(failure.words, visit)
        }
        let page = try await checkPage(draft, quote, now.policy, visit)
        return reply(page, to: visit)
    }

    /// Returns the order of a complete draft; nil if the draft lacks something that the city
    /// requires.
    func order(_ draft: OrderDraft, _ visit: Visit, _ policy: Policy) -> RideOrder? {
        // The preview does not depend on who the passenger is.
        let passenger = (try? passenger(visit))?.passenger ?? PassengerNumber(rawValue: 0)
        let isGuest = visit.session?.person == nil
        guard var order = draft.order(of: passenger, isGuest: isGuest) else { return nil }
        if draft.later != nil, draft.due == nil { return nil }
        if !draft.asksDestination(policy) { order.destination = nil }
        return draft.needsDestination(policy) && order.destination == nil ? nil : order
    }

    private func checkPage(
        _ draft: OrderDraft,
        _ quote: RideQuote,
        _ policy: Policy,
        _ visit: Visit
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
                <h1>\(visit.say(title))</h1>
                \(lead.map { "<p class=\"lead\">\(visit.say($0))</p>" as HTML })
                <h2>\(visit.say(check))</h2>
                <p>\(visit.say(CheckTexts.lead))</p>
                <dl class="summary">\(rows(draft, quote, policy, visit))</dl>
                \(HTML.when(isInside, confirmation(draft, policy, visit)))
                \(stillPicture(at: Address("/taxi/check/map.svg"), places(draft), visit))
                """
        )
        page.hasForm = true
        return page
    }

    private static func waiting(_ quote: RideQuote) -> Text {
        if quote.taxisWaiting == 0 { return CheckTexts.noTaxi }
        return quote.waitSeconds.map { CheckTexts.wait(wholeMinutes($0)) } ?? CheckTexts.someTaxi
    }

    private func rows(
        _ draft: OrderDraft,
        _ quote: RideQuote,
        _ policy: Policy,
        _ visit: Visit
    ) -> [HTML] {
        let needs =
            visit.say(OrderTexts.people(draft.seats))
            + (draft.hasWheelchair ? "; " + visit.say(OrderTexts.wheelchair).lowercased() : "")
        let change: HTML = """
            <a href="/taxi">\(visit.say(CheckTexts.change))</a>
            """
        func map(_ end: RideEnd) -> HTML {
            """
            \(change)<br><a href=\(Address("/taxi/point", end.rawValue))>\
            \(visit.say(CheckTexts.onMap))</a>
            """
        }
        var rows = [row(CheckTexts.meeting, quote.originWords.text, map(.from), visit)]
        if draft.asksDestination(policy) {
            let words = draft[.to].place?.called.text ?? visit.say(CheckTexts.notSaid)
            rows.append(row(CheckTexts.destination, words, map(.to), visit))
        }
        rows.append(row(OrderTexts.passengers, needs, change, visit))
        if draft.isShared {
            rows.append(row(ShareTexts.title, visit.say(ShareTexts.allow), change, visit))
        }
        if let due = draft.due {
            rows.append(row(LaterTexts.when, visit.say(written(due)), change, visit))
        }
        if quote.zone != nil, draft.due == nil {
            let wait = quote.waitSeconds.map { CheckTexts.about(wholeMinutes($0)) }
            let words = [wait, CheckTexts.taxis(quote.taxisWaiting)].compactMap { $0 }
                .map(visit.say).joined(separator: "; ")
            rows.append(row(CheckTexts.waiting, words, "", visit))
        }
        if quote.zone != nil, draft.asksDestination(policy) {
            rows.append(row(CheckTexts.fare, fare(quote, draft, visit), "", visit))
        }
        return rows
    }

    private func row(_ label: Text, _ value: String, _ way: HTML, _ visit: Visit) -> HTML {
        "<div><dt>\(visit.say(label))</dt><dd>\(value)</dd><dd>\(way)</dd></div>"
    }

    private func fare(_ quote: RideQuote, _ draft: OrderDraft, _ visit: Visit) -> String {
        guard draft[.to].place != nil else {
            return visit.say(CheckTexts.fareWithoutDestination)
        }
        guard let fare = quote.fare else { return visit.say(CheckTexts.unknown) }
        let likely = money(fare.likely.total, visit)
        if fare.isFixed { return visit.say(CheckTexts.fixed(likely)) }
        return visit.say(
            CheckTexts.estimate(likely, money(fare.low, visit), money(fare.high, visit))
        )
    }

    /// The confirmation form, or a link to sign in or verify a contact first (G9).
    private func confirmation(_ draft: OrderDraft, _ policy: Policy, _ visit: Visit) -> HTML {
        if draft.due != nil, visit.session?.person == nil {
            return """
                <p>\(visit.say(ReserveTexts.needsAccount))</p>
                \(signInActions(visit, next: "/taxi/check"))
                """
        }
        let way = GuestWay(policy, settings)
        guard mayConfirm(visit, way) else {
            return """
                <p class="actions"><a class="button primary" href="/taxi/guest">\
                \(visit.say(CheckTexts.asGuest))</a>
                <a class="button" href="/login?next=%2Ftaxi%2Fcheck">\
                \(visit.say(CommonTexts.signIn))</a></p>
                """
        }
        // Confirms exactly the order on this page, even if another window has changed the draft
        // since.
        return """
            <form method="post" action="/taxi/request">
            \(visit.formToken)
            <input type="hidden" name="order" value="\(orders.seal(draft, at: visit.now) ?? "")">
            <p class="actions"><button class="primary" data-busy="\(visit.say(CheckTexts.busy))">\
            \(visit.say(ReserveTexts.confirm(draft) ?? CheckTexts.confirm))</button></p>
            </form>
            """
    }

    func checkPicture(_ visit: Visit) throws -> Reply {
        guard let draft = draft(visit) else { throw Failure.notFound }
        return try picture(of: places(draft), visit)
    }

    private func places(_ draft: OrderDraft) -> [NamedPlace] {
        [(RideEnd.from, CheckTexts.meeting), (.to, CheckTexts.destination)].compactMap {
            end,
            words in
            draft[end].place.map { NamedPlace(place: $0.coordinate, words: words) }
        }
    }

    // MARK: The request

    func request(_ visit: Visit) async throws -> Reply {
        let now = try await callingNow(visit)
        guard let draft = visit.form["order"].flatMap({ orders.open($0, at: visit.now) }),
            order(draft, visit, now.policy) != nil
        else { return .redirect(to: Address("/taxi")) }
        if let made = try await requestMadeBefore(visit) {
            return try await requested(made, draft, visit)
        }
        // The check page explains the refusal and offers verification.
        guard mayConfirm(visit, GuestWay(now.policy, settings)) else {
            return .redirect(to: Address("/taxi/check"))
        }
        if let limited = try await unreliable(visit) { return limited }
        do {
            let passenger = try await caller(visit)
            guard
                var order = draft.order(
                    of: passenger.passenger,
                    isGuest: passenger.isGuest
                )
            else { return .redirect(to: Address("/taxi")) }
            if !draft.asksDestination(now.policy) { order.destination = nil }
            if let due = draft.due { return try await reserve(order, due, draft, visit) }
            let request = try await taxi.call(order, key: Self.orderKey(visit)).request
            // The request exists by now, so a failure to extend the guest's retention is not an
            // error.
            if passenger.isGuest {
                try? await accounts.keepGuest(passenger.number, at: visit.now)
            }
            return Reply.redirect(to: Self.ride(request)).setting(orderCookie(nil, visit))
        } catch Refusal.liveRequest(let live) {
            return .redirect(to: Self.ride(live, "already"))
        } catch let refusal as Refusal where refusal.failure == nil {
            return notRequested(refusal.words, visit)
        } catch let failure as TaxiService.Failure where failure != .notServing {
            return notRequested(failure.words, visit)
        } catch AccountFailure.tooManyFromNetwork {
            throw Failure.tooMany(retryAfter: Int(accounts.settings.guestWindow))
        }
    }

    /// Redirects to the request that this form created before its response was lost.
    private func requested(
        _ number: RequestNumber,
        _ draft: OrderDraft,
        _ visit: Visit
    ) async throws -> Reply {
        var notice: String?
        if let old = draft.changes {
            notice = "changed"
            let old = RequestNumber(rawValue: old)
            try await taxi.completeChange(of: old, for: try knownPassenger(visit).passenger)
        } else if draft.due != nil {
            notice = "booked"
        }
        return Reply.redirect(to: Self.ride(number, notice)).setting(orderCookie(nil, visit))
    }
}
