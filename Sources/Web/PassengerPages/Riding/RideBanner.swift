package import Dispatching
import Drivers
import HTTPTypes
import Identity
package import Markup
package import Taxi
import TaxiPages
package import WebCore

/// A live ride as every page shows it (R114, ui.md 4.3).
package struct RideBanner: Hashable, Sendable {
    /// The passenger's view of the ride.
    package var view: RideView

    /// The number of the request.
    package var request: RequestNumber { view.request }
}

/// The taxi of the passenger's latest ride, as every page shows it (R114).
package struct LastTaxi: Hashable, Sendable {
    /// The request of the ride.
    package var request: RequestNumber
    /// The taxi's code in the city.
    package var code: String
}

extension RequestContext {
    /// The passenger's live ride, as every page shows it.
    package var ride: RideBanner? {
        get { self[RideBanner.self] }
        set { self[RideBanner.self] = newValue }
    }

    /// The taxi of the passenger's latest ride.
    ///
    /// Pages show it if there is no live ride.
    package var lastTaxi: LastTaxi? {
        get { self[LastTaxi.self] }
        set { self[LastTaxi.self] = newValue }
    }
}

extension PassengerPages {
    /// Returns the visitor's live ride; nil if there is none or it cannot be determined now.
    ///
    /// An error here never fails the page, because the ride's own page has the same information.
    package func rideBanner(_ context: RequestContext) async -> RideBanner? {
        guard context.wantsPage, let passenger = try? passenger(context),
            let view = try? await taxi.liveView(for: passenger.passenger)
        else { return nil }
        return RideBanner(view: view)
    }

    /// Translates the dispatcher's code of a taxi into the city's code.
    private func taxiCode(_ code: String?) async -> String? {
        guard let own = code.flatMap(PersonNumber.init(dispatcherCode:)) else { return code }
        return try? await accounts.drivers.taxiNames(of: [own])[own]?.code
    }

    /// Returns the taxi of the visitor's latest ride (R114); nil if there is none or it cannot be
    /// determined now.
    ///
    /// Driver and console pages are requested often and show other content, so they skip this
    /// query.
    package func lastTaxi(_ context: RequestContext) async -> LastTaxi? {
        let isWork = ["/drive", "/console"].contains { context.path.hasPrefix($0) }
        guard context.wantsPage, !isWork, let passenger = try? passenger(context),
            let last = try? await taxi.store.latestTaxi(of: passenger.passenger),
            let code = await taxiCode(last.code)
        else { return nil }
        return LastTaxi(request: last.request, code: code)
    }

    /// The banner on every page except the ride's own, and the home page, which shows the ride.
    package func rideBanner(_ ride: RideBanner?, _ context: RequestContext) -> HTML? {
        guard let ride else { return nil }
        let own = Self.ride(ride.request).text
        guard context.path != "/", context.path != own, !context.path.hasPrefix(own + "/") else {
            return nil
        }
        return """
            <aside class="banner" aria-label="\(context.say(RideTexts.region))"><div class="wide">\
            <p>\(context.say(RideTexts.banner(RideState(ride.view)))). \
            <a href=\(Self.ride(ride.request))>\(context.say(RideTexts.follow))</a></p></div>\
            </aside>
            """
    }

    /// The taxi link in the top bar: the latest taxi, with a link to all rides (R114).
    ///
    /// A live ride has ``rideBanner(_:_:)`` on every page except its own, and needs no second link.
    /// Guests see only the latest. All rides of a person have a tab of their own.
    package func rideItem(_ ride: RideBanner?, _ context: RequestContext) -> HTML? {
        guard ride == nil, let last = context.lastTaxi else { return nil }
        let isPerson = context.session?.person != nil
        let address = isPerson ? Address("/account/rides") : Self.ride(last.request)
        return """
            <li class="ride-item"><a href=\(address)>\(Icon.history.html) \
            <span>\(context.say(RideTexts.last(last.code)))</span></a></li>
            """
    }
}
