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
    /// What is known of it.
    package var view: RideView
    /// The code of the taxi; nil while none was found.
    package var taxi: String?

    /// The request.
    package var request: RequestNumber { view.request }
}

/// The taxi that somebody rode with last, as every page shows it (R114).
package struct LastTaxi: Hashable, Sendable {
    /// The ride.
    package var request: RequestNumber
    /// The code of the taxi.
    package var code: String
}

extension Visit {
    /// The passenger's live ride, as every page shows it.
    package var ride: RideBanner? {
        get { self[RideBanner.self] }
        set { self[RideBanner.self] = newValue }
    }

    /// The taxi of the passenger's latest ride, which pages show where there is no live one.
    package var lastTaxi: LastTaxi? {
        get { self[LastTaxi.self] }
        set { self[LastTaxi.self] = newValue }
    }
}

extension PassengerPages {
    /// The visitor's live ride; nil where there is none, or nobody can say just now.
    ///
    /// A page never fails for it: what it says stands on the ride's own page too.
    package func rideBanner(_ visit: Visit) async -> RideBanner? {
        guard visit.wantsPage, let passenger = try? passenger(visit),
            let view = try? await taxi.liveView(for: passenger.passenger)
        else { return nil }
        return RideBanner(view: view, taxi: await taxiCode(view.taxi))
    }

    /// The code that the city gave the taxi that the dispatcher knows by another.
    private func taxiCode(_ code: String?) async -> String? {
        guard let own = code.flatMap(PersonNumber.init(dispatcherCode:)) else { return code }
        return try? await accounts.drivers.taxiNames(of: [own])[own]?.code
    }

    /// The taxi that the visitor rode with last (R114); nil where there is none, or nobody can say.
    ///
    /// Who works here, at the wheel or in the console, is shown something else on those pages, of
    /// which there are many.
    package func lastTaxi(_ visit: Visit) async -> LastTaxi? {
        let isWork = ["/drive", "/console"].contains { visit.path.hasPrefix($0) }
        guard visit.wantsPage, !isWork, let passenger = try? passenger(visit),
            let last = try? await taxi.store.latestTaxi(of: passenger.passenger),
            let code = await taxiCode(last.code)
        else { return nil }
        return LastTaxi(request: last.request, code: code)
    }

    /// The banner on every page but the ride's own.
    package func rideBanner(_ ride: RideBanner?, _ visit: Visit) -> HTML? {
        guard let ride else { return nil }
        let own = Self.ride(ride.request).text
        guard visit.path != own, !visit.path.hasPrefix(own + "/") else { return nil }
        return """
            <aside class="banner" aria-label="\(visit.say(RideTexts.region))"><div class="wide">\
            <p>\(visit.say(RideTexts.banner(RideState(ride.view)))). \
            <a href=\(Self.ride(ride.request))>\(visit.say(RideTexts.follow))</a></p></div></aside>
            """
    }

    /// The latest taxi in the top bar: of the request while it lives, afterwards the one that was
    /// ridden with last, with the way to all of them (R114); guests have that one only.
    package func rideItem(_ ride: RideBanner?, _ visit: Visit) -> HTML? {
        guard let ride else {
            let isPerson = visit.session?.person != nil
            guard isPerson || visit.lastTaxi != nil else { return nil }
            let address =
                isPerson
                ? Address("/account/rides") : visit.lastTaxi.map { Self.ride($0.request) }
            let words = visit.lastTaxi.map { RideTexts.last($0.code) } ?? CommonTexts.rides
            return address.map { address in
                """
                <li><a href=\(address)>\(Icon.taxi.html) \
                <span>\(visit.say(words))</span></a></li>
                """
            }
        }
        let words = [visit.say(RideTexts.taxi), ride.taxi ?? ""].filter { !$0.isEmpty }
        return """
            <li><a href=\(Self.ride(ride.request))>\(Icon.taxi.html) \
            <span>\(words.joined(separator: " "))</span></a></li>
            """
    }
}
