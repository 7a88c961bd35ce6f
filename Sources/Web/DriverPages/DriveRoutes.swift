import Dispatching
import HTTPTypes
import Identity
import Markup
import Taxi
import TaxiPages
package import WebCore

extension DriverPages {
    /// The pages and actions of drivers; each works without scripts.
    ///
    /// `/drive` always shows what is relevant now: the queue, an offer, or the ride.
    package var routes: [Route] {
        [
            .get("/drive", for: .person) { context in
                // Wait before reading any state, so that the page shows the outcome of the
                // driver's last action.
                await taxi.settled()
                return try await atTheWheel(showDrive)(context)
            },
            .get("/drive/map.svg", for: .person, atTheWheel(showDriveMap)),
            .post("/drive/duty", for: .person, atTheWheel(changeDuty))
                .repeated(because: "it says what should hold, however often"),
            .get("/drive/where", for: .person, atTheWheel(showWhere)),
            .get("/drive/where.svg", for: .person, atTheWheel(showWhereMap)),
            .post("/drive/where", for: .person, atTheWheel(statePlace))
                .repeated(because: "who is still there says so again"),
            .post(
                "/drive/positions",
                for: .person,
                bodyLimit: PositionMessage.bodyLimit,
                reporting(takePositions)
            )
            .ofJSON.believingSession
            .repeated(because: "a position that comes twice changes nothing"),
            .post("/drive/offer/accept", for: .person, atTheWheel(acceptOffer))
                .repeated(because: "an offer is accepted once, and says so each time"),
            .post("/drive/offer/refuse", for: .person, atTheWheel(refuseOffer)),
            .post("/drive/ride/arrived", for: .person, atTheWheel(arrive))
                .repeated(because: "it asks what the positions show now"),
            .post("/drive/ride/board", for: .person, atTheWheel(board))
                .findingEarlierSending,
            .get("/drive/ride/no-show", for: .person, atTheWheel(showNoShow)),
            .post("/drive/ride/no-show", for: .person, atTheWheel(reportNoShow)),
            .get("/drive/ride/absent", for: .person, atTheWheel(showAbsent)),
            .post("/drive/ride/absent", for: .person, atTheWheel(leaveBehind)),
            .get("/drive/ride/give-back", for: .person, atTheWheel(showGiveBack)),
            .post("/drive/ride/give-back", for: .person, atTheWheel(giveBack)),
            .get("/drive/ride/finish", for: .person, atTheWheel(showFinish)),
            .post("/drive/ride/finish", for: .person, atTheWheel(finish)),
            .get("/drive/navigation", for: .person, atTheWheel(showNavigation)),
            .post("/drive/navigation", for: .person, atTheWheel(chooseNavigation)),
        ]
    }

    /// Shows the offer, the ride, or the home page, as the current state requires.
    private func showDrive(
        _ context: RequestContext,
        _ driver: WorkingDriver
    ) async throws -> Response {
        repeatStatedPlace(driver, context)
        var driver = driver
        var work = try await workPage(context, driver)
        if work == nil, driver.view.taxi.work != .none {
            // The offer or the ride has ended since the state was read, so read it again.
            driver = try await self.workingDriver(context)
            work = try await workPage(context, driver)
        }
        let page = if let work { work } else { try await driveHome(context, driver) }
        return response(atWork(page, driver, context), to: context)
    }

    /// The page of the offer or the ride; nil where there is none, or where it has just ended.
    private func workPage(_ context: RequestContext, _ driver: WorkingDriver) async throws -> Page?
    {
        switch driver.view.taxi.work {
        case .offer: try await offerPage(context, driver)
        case .ride: try await ridePage(context, driver)
        case .none: nil
        }
    }

    /// The current ride of the taxi.
    ///
    /// - Throws: `Refusal.notRiding` where there is none.
    func rideShown(_ driver: WorkingDriver) async throws -> RideShown {
        guard let shown = try await taxi.ride(of: driver.number) else { throw Refusal.notRiding }
        return shown
    }

    /// The current ride of the taxi, if it is the one that the form names.
    ///
    /// A form left open from an earlier ride, as on another device, has no effect on this one (F6).
    ///
    /// - Throws: `Refusal.notRiding`, `Refusal.wrongPhase`; `Failure.badRequest`.
    func rideNamed(_ context: RequestContext, _ driver: WorkingDriver) async throws -> RideShown {
        let shown = try await rideShown(driver)
        guard let number = context.form["ride"].flatMap({ UInt64($0) }) else {
            throw Failure.badRequest
        }
        guard number == shown.request.rawValue else { throw Refusal.wrongPhase }
        return shown
    }

    /// The hidden field that identifies the ride in a form.
    func rideField(_ shown: RideShown) -> HTML {
        "<input type=\"hidden\" name=\"ride\" value=\"\(shown.request.rawValue)\">"
    }
}
