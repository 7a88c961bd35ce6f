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

/// Shared rides (R83 to R92).
///
/// A passenger who agrees to share sees rides to join, and either joins one or requests a taxi that
/// others may join.
extension PassengerPages {
    var sharingRoutes: [Route] {
        let routes: [Route] = [
            .get("/taxi/shared", as: "taxi.shared", for: .person, showProposals)
                .open(to: [.shareRides])
                .answering(.page, .redirect),
            .post("/taxi/join", as: "taxi.join", for: .person, join)
                .open(to: [.shareRides])
                .taking([
                    .order,
                    .set("ride", .identifier, "The request whose ride is joined."),
                ])
                .failing(.unprocessableContent).onceByKey,
        ]
        return routes.map { $0.of(.sharing) }
    }

    /// The field that asks whether others may join; nil if the city or the visitor does not support
    /// sharing.
    func shareField(_ draft: OrderDraft, _ policy: Policy, _ context: RequestContext) -> Field? {
        guard policy.sharing, context.session?.person != nil else { return nil }
        return Field(
            name: "share",
            label: ShareTexts.title,
            kind: .several([("share", ShareTexts.allow)]),
            hint: ShareTexts.hint,
            value: draft.isShared ? "share" : "",
            isRequired: false
        )
    }

    /// Whether the visitor agrees to share the taxi.
    func readShare(_ context: RequestContext, _ policy: Policy) -> Bool {
        policy.sharing && context.session?.person != nil
            && context.form.all("share").contains("share")
    }

    /// The rides that an order could join; empty if the order cannot be shared.
    func proposals(_ draft: OrderDraft, _ order: RideOrder) async throws -> [RideProposal] {
        // A reservation joins no other ride. Others can join it once it has a taxi.
        guard draft.isShared, draft.due == nil, !order.isGuest else { return [] }
        do {
            return try await ModuleAccess.within(.sharing) {
                try await taxi.proposals(for: order)
            }
        } catch let failure as TaxiService.Failure where failure != .notServing {
            // The check page reports errors in the places.
            return []
        }
    }

    // MARK: Joining

    private func showProposals(_ context: RequestContext) async throws -> Response {
        let now = try await callingNow(context)
        if let live = now.live { return .redirect(to: Self.ride(live, "already")) }
        // Register before reading, so that this page is notified of every later change.
        if let person = context.session?.person {
            taxiEvents.sharingPages.register(.person(person), at: context.now)
        }
        let own = Address("/taxi/check", query: ["own": "1"])
        guard let draft = draft(context), let order = order(draft, context, now.policy) else {
            return .redirect(to: Address("/taxi"))
        }
        let rides = try await proposals(draft, order)
        guard !rides.isEmpty else { return .redirect(to: own) }
        let seal = orders.seal(draft, at: context.now) ?? ""
        let items = rides.enumerated().map { place, ride in
            proposal(ride, seal, isFirst: place == 0, context)
        }
        var page = Page(
            ShareTexts.found(rides.count),
            body: """
                \(announced(ShareTexts.found(rides.count), as: "shared-said", context))
                <div id="shared-rides" data-live="ride">
                <h1>\(context.say(ShareTexts.found(rides.count)))</h1>
                <p class="hint">\(context.say(ShareTexts.foundLead))</p>
                \(items)</div>
                <h2>\(context.say(ShareTexts.none))</h2>
                <p class="hint">\(context.say(ShareTexts.noneLead))</p>
                \(Dock(Button(ShareTexts.refuse, .link(own)).html(context)).html)
                """
        )
        page.map = sceneMap(
            await scene(draft),
            still: Address("/taxi/check/map.svg"),
            topic: nil,
            context
        )
        if page.map != nil { page.layout = .mapSheet }
        page.isLive = true
        return response(page, to: context)
    }

    private func proposal(
        _ ride: RideProposal,
        _ seal: String,
        isFirst: Bool,
        _ context: RequestContext
    ) -> HTML {
        let walk = CheckTexts.about(wholeMinutes(ride.walkSeconds))
        let facts: [(Icon, HTML, Text)] = [
            (.pin, "\(shortPlace(ride.meeting))", CheckTexts.meeting),
            (.clock, clock(ride.at), ShareTexts.thereAt),
            (.walking, "\(context.say(walk))", ShareTexts.walk),
            (.people, "\(context.say(ShareTexts.people(ride.people)))", ShareTexts.riding),
            (.coin, "\(context.say(partText(ride.split, context)))", EndTexts.fare),
        ]
        let rows = facts.map { icon, value, label in
            WebCore.Row(icon, value, detail: "\(context.say(label))").html
        }
        return """
            <form class="card" method="post" action="/taxi/join">
            \(context.formToken)
            \(rows)
            <input type="hidden" name="order" value="\(seal)">
            <p class="actions"><button id="join-\("\(ride.ride.rawValue)")"\
            \(HTML.when(isFirst, " class=\"primary\"")) name="ride" \
            value="\("\(ride.ride.rawValue)")" data-busy="\(context.say(OrderTexts.busy))">\
            \(context.say(ShareTexts.join))</button></p>
            </form>
            """
    }

    /// The price information before joining.
    ///
    /// The fare of the whole ride is left out, because it would reveal how far the others travel
    /// (I27).
    private func partText(_ split: ShareEstimate?, _ context: RequestContext) -> Text {
        guard let split else { return CheckTexts.unknown }
        return ShareTexts.part(money(split.share, context), alone: money(split.alone, context))
    }

    private func splitText(_ split: ShareEstimate?, _ context: RequestContext) -> Text {
        guard let split else { return CheckTexts.unknown }
        return ShareTexts.split(
            money(split.share, context),
            of: money(split.total, context),
            alone: money(split.alone, context)
        )
    }

    private func join(_ context: RequestContext) async throws -> Response {
        if let made = try await requestMadeBefore(context) {
            return .redirect(to: Self.ride(made, "joined"))
        }
        let now = try await callingNow(context)
        guard now.policy.sharing else {
            return notRequested(Refusal.sharingDisabled.text, context)
        }
        guard let draft = confirmedDraft(context),
            let order = order(draft, context, now.policy), !order.isGuest, draft.later == nil,
            let ride = context.form["ride"].flatMap({ UInt64($0) })
        else { return .redirect(to: Address("/taxi")) }
        if let until = now.limitedUntil { return unreliable(until, context) }
        return try await ordering(context) {
            do {
                let joined = try await taxi.join(
                    order,
                    to: RequestNumber(rawValue: ride),
                    given: now,
                    key: Self.orderKey(context)
                )
                return Response.redirect(to: Self.ride(joined.request, "joined"))
                    .setting(orderCookie(nil, context))
            } catch Refusal.noSuchRequest {
                return notRequested(Refusal.notShared.text, context)
            }
        }
    }

    // MARK: The ride

    /// The sharing details for a passenger of a shared ride: that others share it, and the
    /// passenger's own fare.
    ///
    /// It reveals neither who the others are nor where they go (I27).
    func sharingPart(_ view: RideView, _ context: RequestContext) async throws -> HTML? {
        guard view.isShared else { return nil }
        let passenger = try knownPassenger(context).passenger
        let split = try await taxi.shareEstimate(of: view.request, for: passenger)
        let isOpen = !RideState(view).hasTaxi || RideState(view).step == 1
        var lines = [view.parties > 1 ? ShareTexts.parties(view.parties) : ShareTexts.alone]
        if view.ride != view.request { lines.append(ShareTexts.noWait) }
        if isOpen { lines.append(ShareTexts.open) }
        if split != nil { lines.append(splitText(split, context)) }
        return """
            <h2>\(context.say(ShareTexts.title))</h2>
            \(lines.map { "<p>\(context.say($0))</p>" as HTML })
            """
    }
}
