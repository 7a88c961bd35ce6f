import Dispatching
import Drivers
import HTTPTypes
import Identity
import Logging
import Markup
import Notify
import Storage
import Taxi
import TaxiPages
import PassengerPages
import DriverPages
import ConsolePages
import WebCore

extension Site {
    /// What the city's services do with every request, beside the answer of its route.
    var hooks: RequestHooks {
        var hooks = RequestHooks()
        hooks.newestEvent = { [live] in live.hub.newest }
        hooks.attach = attach
        hooks.admit = { [self] route, visit in
            // Before access is checked: nobody signs in only to be told that it is closed.
            if route.needsOpenCity { try await checkOpen(visit) }
        }
        hooks.performed = tellPages
        let logger = logLevels.logger("web", clock: clock.now)
        hooks.failure = { [self] error in
            guard let failure = error as? DatabaseFailure else { return Self.failure(for: error) }
            // An outage that lasts is said once, when it begins.
            if failure.isOutage, database.trouble == nil, keyDatabase.trouble == nil {
                logger.warning("the database failed", metadata: ["error": "\(failure)"])
            }
            return failure.failure
        }
        hooks.slots = slots
        return hooks
    }

    /// Attaches what pages of this person show besides their own content.
    private func attach(_ visit: inout Visit, _ route: Route) async {
        if route.method == .get, !visit.isRefresh {
            visit.ride = await features.passengers.rideBanner(visit)
            if visit.ride == nil { visit.lastTaxi = await features.passengers.lastTaxi(visit) }
        }
        // Also to the page that says what was wrong with a form: a driver may read it for long.
        visit.call = await features.drivers.driverCall(visit)
    }

    private var slots: PageSlots {
        var slots = PageSlots()
        slots.head = { [self] page, visit in
            // Pages that look again by themselves have their map already.
            let map = visit.isRefresh ? nil : features.map.mapHead(page.body, visit)
            return "\(map)\n\(features.live.liveHead(page, visit))"
        }
        slots.aboveHeader = demonstrationBanner
        slots.navigation = { [self] visit in features.passengers.rideItem(visit.ride, visit) }
        slots.banner = { [self] visit in features.passengers.rideBanner(visit.ride, visit) }
        slots.alert = features.drivers.driveCall
        slots.trail = features.console.consoleTrail
        slots.notice = features.live.serviceNotice
        slots.mayHoldForms = demonstration != nil
        return slots
    }

    /// The failure that an error of the city's services means; nil for what nobody expected.
    private static func failure(for error: any Error) -> Failure? {
        if let failure = (error as? AccountFailure)?.failure { return failure }
        if error is DriverFailure { return .notFound }
        if let failure = (error as? Refusal)?.failure { return failure }
        if let failure = (error as? DispatchService.Failure)?.failure { return failure }
        return error as? TaxiService.Failure == .notServing ? .standingBy : nil
    }

    /// Tells open pages what was done, where it may concern sessions or the service as a whole.
    private func tellPages(of route: Route, _ reply: Reply, _ visit: Visit) async {
        // A form that comes back with what is wrong did nothing: a storm of log-ins is that.
        guard !route.needsOpenCity, reply.status.kind != .clientError else { return }
        if let secret = visit.secret { web.sessions.forget(secret) }
        // With another cookie the same browser is somebody else.
        if reply.headers[.setCookie] != nil { live.hub.end(of: visit.caller) }
        await live.somethingWasDone()
    }
}

extension DatabaseFailure {
    /// What whoever asked is told; nil for what an operator cannot remove.
    fileprivate var failure: Failure? {
        if case .outcomeUnknown = self { return .unknownOutcome }
        return isOutage ? .unavailable(retryAfter: 5) : nil
    }
}
