import ConsolePages
import Dispatching
import DriverPages
import Drivers
import HTTPTypes
import Identity
import Logging
import Markup
import Notify
import PassengerPages
import Storage
import Taxi
import TaxiPages
import WebCore

extension Site {
    /// The city's contributions to the handling of each request.
    var hooks: RequestHooks {
        var hooks = RequestHooks()
        hooks.newestEvent = { [live] in live.hub.newest }
        hooks.attach = attach
        hooks.admit = { [self] route, context in
            // Before the access check, so that people do not sign in only to learn that the service
            // is closed.
            if route.needsOpenCity { try await checkOpen(context) }
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
    private func attach(_ context: inout RequestContext, _ route: Route) async {
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
            return "\(map)\n\(features.live.liveHead(page, context))"
        }
        slots.aboveHeader = demonstrationBanner
        slots.tabs = { $0.tabs }
        slots.navigation = { [self] context in features.passengers.rideItem(context.ride, context) }
        slots.banner = { [self] context in features.passengers.rideBanner(context.ride, context) }
        slots.alert = features.drivers.driveCall
        slots.trail = features.console.consoleTrail
        slots.notice = features.live.serviceNotice
        slots.mayHoldForms = demonstration != nil
        return slots
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
    private func tellPages(of route: Route, _ response: Response, _ context: RequestContext) async {
        // A form that is shown again with errors changed nothing; a flood of sign-in attempts
        // consists of these.
        guard !route.needsOpenCity, response.status.kind != .clientError else { return }
        if let secret = context.secret { web.sessions.forget(secret) }
        // A new cookie makes the same browser a different caller.
        if response.headers[.setCookie] != nil { live.hub.end(of: context.caller) }
        await live.somethingWasDone()
    }
}

extension DatabaseFailure {
    /// The failure that the client receives; nil for faults that an operator cannot fix.
    fileprivate var failure: Failure? {
        if case .outcomeUnknown = self { return .unknownOutcome }
        return isOutage ? .unavailable(retryAfter: 5) : nil
    }
}
