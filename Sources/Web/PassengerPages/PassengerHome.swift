import Dispatching
import Fares
import Identity
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore

/// The home page: the order form, or the ride that runs (ui.md 4.3, R71b; issue 30, 2).
extension PassengerPages {
    func homePage(_ context: RequestContext) async throws -> Page {
        let now: ServiceNow
        do {
            now = try await taxi.now(for: try passenger(context)?.passenger)
        } catch {
            // The home page is also available while another server is active.
            return try await closedPage(context)
        }
        guard now.isOpen, now.suspension == nil else { return try await closedPage(context) }
        guard guestsRefusedWords(now.policy, context) == nil else {
            return try await closedPage(needsAccount: true, context)
        }
        if let live = now.live, let passenger = now.passenger {
            if let view = context.ride?.view, view.request == live {
                return await ridingPage(view, now.policy, context)
            }
            if let view = try await taxi.liveView(for: passenger), view.request == live {
                return await ridingPage(view, now.policy, context)
            }
        }
        let known = try await knownPlaces(context)
        let draft = draft(context) ?? known.draft
        return await orderPage(draft, known, now, OrderProblems(), context)
    }

    /// The ride that runs, in place of the form for another one.
    private func ridingPage(
        _ view: RideView,
        _ policy: Policy,
        _ context: RequestContext
    ) async -> Page {
        let path = Self.ride(view.request)
        let ends = [(Icon.pin, view.meetingDescription), (.flag, view.destinationDescription)]
        let rows = ends.compactMap { icon, place in
            place.map { Row(icon, "\(shortPlace($0))") }
        }
        let later = Address("/taxi", query: ["when": "later"])
        let chips = Chips([Chip(LaterTexts.later, icon: .calendar, .link(later))])
        let follow = Button(RideTexts.follow, .link(path), look: .primary)
        var page = Page(
            HomeTexts.name,
            body: """
                <div id="home-ride" data-live="ride">
                <h1>\(context.say(RideTexts.banner(RideState(view))))</h1>
                \(HTML.when(!rows.isEmpty, Rows(rows).html))</div>
                \(HTML.when(policy.reserving, chips.html(context)))
                \(Dock(follow.html(context)).html)
                """
        )
        let picture = Address("/ride", "\(view.request.rawValue)", "map.svg")
        page.map = sceneMap(await scene(view, context), still: picture, topic: "ride", context)
        if page.map != nil { page.layout = .mapSheet }
        page.isLive = true
        return page
    }

    /// The home page of somebody who cannot call a taxi: why, and what is possible.
    ///
    /// - Parameters:
    ///   - needsAccount: whether the city calls taxis only for people who are signed in.
    ///   - context: the visitor's request.
    /// - Returns: the page.
    /// - Throws: any `DatabaseFailure`.
    private func closedPage(
        needsAccount: Bool = false,
        _ context: RequestContext
    ) async throws -> Page {
        let isVisitor = context.session?.person == nil
        var chips = Array(visitorChips.dropFirst())
        let actions: HTML
        if needsAccount {
            // What needs no account stays within reach, but signing in comes first (R114).
            if city != nil {
                chips.insert(
                    Chip(CommonTexts.planTrip, icon: .route, .link(JourneyForm.plan.address)),
                    at: 0
                )
            }
            actions = signingIn(context)
        } else {
            actions = firstActions(context)
        }
        var page = Page(
            HomeTexts.name,
            body: """
                <h1>\(context.say(HomeTexts.title))</h1>
                \(HTML.when(isVisitor, promise(context)))
                \(try await serviceState(context))
                \(await livingRow(context).map { FoldedRow.list([$0], context) })
                \(HTML.when(isVisitor, Chips(chips).html(context)))
                \(Dock(actions).html)
                """
        )
        page.map = await cityMap(context)
        if page.map != nil { page.layout = .mapSheet }
        return page
    }

    /// What visitors without an account may want besides a taxi.
    var visitorChips: [Chip] {
        [
            Chip(CommonTexts.createAccount, icon: .person, .link(Address("/register"))),
            Chip(HomeTexts.driveATaxi, icon: .taxi, .link(Address("/register/driver"))),
        ]
    }

    /// Signing in, or getting the account that it takes.
    private func signingIn(_ context: RequestContext) -> HTML {
        let buttons = [
            Button(CommonTexts.signIn, .link(Address("/login")), look: .primary),
            Button(CommonTexts.createAccount, .link(Address("/register"))),
        ]
        return HTML.joined(buttons.map { $0.html(context) })
    }

    /// The primary action and another one, the ones that most visitors come for.
    private func firstActions(_ context: RequestContext) -> HTML {
        // Planning needs no taxi.
        let plan = Button(CommonTexts.planTrip, .link(JourneyForm.plan.address), icon: .route)
        let account =
            context.session?.person == nil
            ? [
                Button(CommonTexts.createAccount, .link(Address("/register"))),
                Button(CommonTexts.signIn, .link(Address("/login"))),
            ] : [Button(CommonTexts.dashboard, .link(Address("/dashboard")))]
        var buttons = Array(((city == nil ? [] : [plan]) + account).prefix(2))
        buttons[0].look = .primary
        return HTML.joined(buttons.map { $0.html(context) })
    }
}
