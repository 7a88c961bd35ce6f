import CalendarPages
import ConsolePages
import Dispatching
import DriverPages
import Drivers
import HTTPTypes
import Hummingbird
import Identity
import LiveUpdates
import Logging
import Markup
import Notify
import PassengerPages
import Storage
import Taxi
import TaxiPages
import TravelPages
import WebCore

extension Site {
    /// The router of all routes, within the steps that every request takes.
    func router() -> Router<RoutingContext> {
        let router = Router(context: RoutingContext.self, options: .autoGenerateHeadEndpoints)
        let responder = WebResponder(web, hooks: hooks)
        router.add(middleware: RequestMiddleware(responder))
        let routes = routes
        let pages = Dictionary(
            routes.filter {
                $0.method == .get && ![.anonymous, .application, .client].contains($0.access)
            }
            .map { ($0.path, $0) }
        ) { first, _ in first }
        let actions = Set(routes.filter { $0.method == .post }.map(\.path))
        let others = pages.values.filter { !actions.contains($0.path) }.map(\.showingAgain)
        for route in routes + others {
            let page = route.method == .post ? pages[route.path] : nil
            router.on(RouterPath(route.path), method: route.method) { request, context in
                try await responder.answer(request, context, route, page: page)
            }
        }
        return router
    }

    /// The city's contributions to the handling of each request.
    var hooks: RequestHooks {
        var hooks = RequestHooks()
        hooks.sandbox = environment.sandbox
        hooks.newestEvent = { [live] in live.hub.newest }
        hooks.attach = attach
        hooks.admit = { [self] route, context in
            // Before the access check, so that people do not sign in only to learn that the service
            // is closed.
            try await admit(to: route, context)
        }
        hooks.performed = tellPages
        let logger = logLevels.logger("web", clock: clock.now)
        hooks.failure = { [self] error in
            guard let failure = error as? DatabaseFailure else { return Self.failure(for: error) }
            // Log an ongoing outage only once, when it begins.
            if failure.isOutage, database.trouble == nil, keyDatabase.trouble == nil {
                logger.warning("the database failed", metadata: ["error": "\(failure)"])
            }
            return failure.failure
        }
        hooks.slots = slots
        return hooks
    }

    /// Attaches the data that the person's pages show in addition to their own content.
    private func attach(_ context: inout WebCore.RequestContext, _ route: Route) async {
        if route.method == .get, !context.isRefresh {
            context.ride = await features.passengers.rideBanner(context)
            if context.ride == nil {
                context.lastTaxi = await features.passengers.lastTaxi(context)
            }
        }
        // Include pages that report form errors: a driver may stay on one for a long time.
        context.call = await features.drivers.driverCall(context)
    }

    private var slots: PageSlots {
        var slots = PageSlots()
        slots.head = { [self] page, context in
            // Pages that refresh themselves already have their map.
            let map = context.isRefresh ? nil : features.map.mapHead(page, context)
            let head = consoleHead(context) ?? travelHead(context)
            return "\(map)\n\(head)\n\(live.head(page, context))"
        }
        slots.aboveHeader = demonstrationBanner
        slots.tabs = { $0.tabs }
        slots.navigation = { [self] context in
            // The page of the search has the field already.
            let hasSearch = context.isInConsole && context.path != "/console/search"
            let search = hasSearch ? consoleSearch(context) : nil
            return "\(search)\(features.passengers.rideItem(context.ride, context))"
        }
        slots.banner = { [self] context in features.passengers.rideBanner(context.ride, context) }
        slots.alert = features.drivers.driveCall
        slots.trail = features.console.consoleTrail
        slots.notice = serviceNotice
        slots.mayHoldForms = environment.demonstration != nil
        let head = slots.head
        slots.head = { [self] page, context in
            "\(features.drivers.driveHead(context))\(head(page, context))"
        }
        return slots
    }

    /// The style sheets of the trip planner's, the calendar's and the developers' pages; nil for
    /// other pages.
    private func travelHead(_ context: WebCore.RequestContext) -> HTML? {
        let isCalendar = CalendarPages.isCalendar(context.path)
        let isDesign = context.path.split(separator: "/").first == "design"
        let isForDevelopers = context.path.split(separator: "/").first == "developers"
        guard isCalendar || isDesign || isForDevelopers || TravelPages.isTravel(context.path) else {
            return nil
        }
        // Weeks and months show no journeys, and days no grid; the design system shows everything.
        let sheets =
            if isDesign {
                [
                    assets.consoleStyle, assets.travelStyle, assets.linesStyle, assets.weekStyle,
                    assets.calendarStyle, assets.dayStyle, assets.mapStyle, assets.developersStyle,
                ]
            } else if isForDevelopers {
                [assets.developersStyle]
            } else if !isCalendar {
                [assets.travelStyle, assets.linesStyle]
            } else if CalendarPages.isWeekOrMonth(context.path) {
                [assets.weekStyle, assets.calendarStyle]
            } else {
                [assets.travelStyle, assets.calendarStyle, assets.dayStyle]
            }
        return .joined(
            sheets.map { "<link rel=\"stylesheet\" href=\($0.address)>" }
        )
    }

    /// Maps an error of the city's services to a failure; nil for unexpected errors.
    private static func failure(for error: any Error) -> Failure? {
        if let failure = (error as? AccountFailure)?.failure { return failure }
        if error is DriverFailure { return .notFound }
        if let failure = (error as? Refusal)?.failure { return failure }
        if let failure = (error as? DispatchService.Failure)?.failure { return failure }
        return error as? TaxiService.Failure == .notServing ? .standingBy : nil
    }

    /// Notifies open pages of an action that may affect sessions or the whole service.
    private func tellPages(
        of route: Route,
        _ response: WebCore.Response,
        _ context: WebCore.RequestContext
    ) async {
        // A form that is shown again with errors changed nothing; a flood of sign-in attempts
        // consists of these. An action without a session affects none.
        guard !route.needsOpenCity, route.access != .anonymous,
            response.status.kind != .clientError
        else { return }
        if let secret = context.secret { web.sessions.forget(secret) }
        // A new cookie makes the same browser a different caller.
        if response.headers[.setCookie] != nil { live.reopen(of: context.caller) }
        live.recheckSessions()
        await taxiEvents.checkSuspension()
    }
}

extension Site {
    /// Refuses a route that is closed until an administrator confirms the city's data (R4).
    ///
    /// - Throws: `Failure.notOpenYet`; `Failure.standingBy` for taxis on a server that stands by.
    private func admit(to route: Route, _ context: WebCore.RequestContext) async throws {
        switch OpeningGate.access(to: route.path) {
        case .always: break
        case .byPolicy(let use):
            if try await !opensEarly(use) { try await checkOpen(context) }
        case .afterOpening: try await checkOpen(context)
        }
    }
}

/// The routes that are closed until an administrator confirms that the city's data is complete
/// (R4).
///
/// The rule uses the beginning of a path and closes every path that it does not list. A new
/// page or action for passengers, drivers or other programs is therefore closed by default.
enum OpeningGate {
    /// When a route may be used.
    enum Access: Hashable {
        case always
        /// Before the opening too, if the policy says so (`setup.open`).
        case byPolicy(Policy.EarlyUse)
        case afterOpening
    }

    /// The beginnings of paths that always work: the shared files, public information, signing in,
    /// accounts, operations, the console in which staff set up the city, the design system, and
    /// what programs may ask without a key.
    private static let always: Set<String> = [
        "", "accessibility", "privacy", "terms",
        "assets", "icons", "language", "manifest.webmanifest", "offline", "service-worker.js",
        "account", "confirm", "dashboard", "events", "login", "logout", "password",
        "console", "design", "map.svg", "tiles", "health", "metrics", "places",
        "api/openapi.json", "api/status",
    ]

    /// The beginnings of paths that the policy may open: none of them needs a taxi.
    private static let early: [Policy.EarlyUse: Set<String>] = [
        .registration: ["register", "api/people"],
        .planner: [
            "plan", "stops", "lines", "reach", "rentals", "api/places", "api/address", "api/plan",
            "api/reach", "api/stops", "api/lines",
        ],
        .calendar: ["calendar", "device", "devices", "api/calendar"],
        .programs: [
            "developers", "oauth", ".well-known", "api/profile", "api/application", "api/city",
            "api/zones", "api/zone", "api/zone-versions", "api/policy", "api/policies",
            "api/tariffs", "api/webhooks", "api/streams",
        ],
    ]

    /// When a path may be used.
    static func access(to path: String) -> Access {
        let part = part(of: path)
        if always.contains(part) { return .always }
        let use = Policy.EarlyUse.allCases.first { early[$0]?.contains(part) == true }
        return use.map { .byPolicy($0) } ?? .afterOpening
    }

    /// Whether a path is closed before the city opens, whatever the policy says.
    static func closes(_ path: String) -> Bool {
        access(to: path) == .afterOpening
    }

    /// The part of a path that decides: its first component, and for programs the second one too.
    static func part(of path: String) -> String {
        let parts = path.split(separator: "/")
        return parts.prefix(parts.first == "api" ? 2 : 1).joined(separator: "/")
    }
}

extension Route {
    /// Whether the route is closed until the city's data is confirmed as complete (R4).
    var needsOpenCity: Bool { OpeningGate.closes(path) }
}

extension DatabaseFailure {
    /// The failure that the client receives; nil for faults that an operator cannot fix.
    fileprivate var failure: Failure? {
        if case .outcomeUnknown = self { return .unknownOutcome }
        return isOutage ? .unavailable(retryAfter: 5) : nil
    }
}
