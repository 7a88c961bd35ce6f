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
    package var routes: [Route] { workRoutes + offerRoutes + rideRoutes + leavingRoutes }

    /// The driver's page, availability, place, positions and navigation program.
    private var workRoutes: [Route] {
        [
            .get("/drive", as: "drive.show", for: .person) { context in
                // Wait before reading any state, so that the page shows the outcome of the
                // driver's last action.
                await taxi.settled()
                return try await atTheWheel(showDrive)(context)
            }
            .failing(.conflict)
            .taking([
                .notice,
                .query("at", .identifier, "When the notice was true, in seconds."),
                .query("ride", .identifier, "The ride that the notice is about."),
            ]),
            .get("/drive/map.svg", as: "drive.map.svg", for: .person, atTheWheel(showDriveMap))
                .failing(.conflict)
                .answering(.picture),
            .post("/drive/duty", as: "drive.duty", for: .person, atTheWheel(changeDuty))
                .failing(.conflict)
                .open(to: .driverDuty)
                .taking([
                    .set("wish", .choice(["on", "off"]), "Whether the driver is available.")
                ])
                .repeated(because: "it says what should hold, however often"),
            .get("/drive/where", as: "drive.where.form", for: .person, atTheWheel(showWhere))
                .failing(.conflict)
                .taking([.query("q", .text(256), "The address to look for.").explained, .box])
                .taking(Self.pressedQuery),
            .get("/drive/where.svg", as: "drive.where.svg", for: .person, atTheWheel(showWhereMap))
                .failing(.conflict)
                .taking([
                    .box,
                    .query(
                        "here",
                        .text(40),
                        "The latitude and longitude of the mark, in 1e-7 degrees."
                    ),
                ])
                .answering(.picture),
            .post("/drive/where", as: "drive.where", for: .person, atTheWheel(statePlace))
                .taking([
                    .set(
                        "latitude",
                        .number(-900_000_000...900_000_000),
                        "The latitude, in 1e-7 degrees."
                    ),
                    .set(
                        "longitude",
                        .number(-1_800_000_000...1_800_000_000),
                        "The longitude, in 1e-7 degrees."
                    ),
                ])
                .failing(.conflict)
                .repeated(because: "who is still there says so again"),
            .post(
                "/drive/positions",
                as: "drive.positions",
                for: .person,
                bodyLimit: PositionMessage.bodyLimit,
                reporting(takePositions)
            )
            .open(to: .driverPosition)
            .taking([
                .body(
                    PositionMessage.bodyLimit,
                    "Measured positions, newest last, with the time at which they were sent."
                )
            ])
            .answering(.nothing, .json)
            .failing(.conflict)
            .believingSession
            .repeated(because: "a position that comes twice changes nothing"),
            .get(
                "/drive/navigation",
                as: "drive.navigation.form",
                for: .person,
                atTheWheel(showNavigation)
            )
            .failing(.conflict),
            .post(
                "/drive/navigation",
                as: "drive.navigation",
                for: .person,
                atTheWheel(chooseNavigation)
            )
            .taking([
                .set(
                    "program",
                    .choice(of: Preferences.Navigation.self),
                    "The navigation program."
                ),
                .set("opens", .flag("itself"), "Whether it opens by itself."),
            ]),
        ]
    }

    /// The answer to an offer.
    private var offerRoutes: [Route] {
        [
            .post(
                "/drive/offer/accept",
                as: "drive.offer.accept",
                for: .person,
                atTheWheel(acceptOffer)
            )
            .open(to: .driverDuty)
            .taking([
                .set("request", .identifier, "The request that is offered."),
                .set(
                    "epoch",
                    .number(Int64.min...Int64.max),
                    "The offer, of several for one request."
                ),
            ])
            .failing(.conflict)
            .repeated(because: "an offer is accepted once, and says so each time"),
            .post(
                "/drive/offer/refuse",
                as: "drive.offer.refuse",
                for: .person,
                atTheWheel(refuseOffer)
            )
            .open(to: .driverDuty)
            .taking([
                .set("request", .identifier, "The request that is offered."),
                .set(
                    "epoch",
                    .number(Int64.min...Int64.max),
                    "The offer, of several for one request."
                ),
            ])
            .failing(.conflict),
        ]
    }

    /// A ride that takes place: arrival, boarding and end.
    private var rideRoutes: [Route] {
        [
            .post("/drive/ride/arrived", as: "drive.ride.arrived", for: .person, atTheWheel(arrive))
                .open(to: .driverRides)
                .taking([.ride])
                .failing(.conflict)
                .repeated(because: "it asks what the positions show now"),
            .post("/drive/ride/board", as: "drive.ride.board", for: .person, atTheWheel(board))
                .open(to: .driverRides)
                .taking([
                    .ride,
                    .typed("code", .secret(10), "The code that the passenger says."),
                    .typed("aboard", .number(1...16), "How many people are on board."),
                ])
                .failing(.conflict)
                .onceByKey,
            .get(
                "/drive/ride/finish",
                as: "drive.ride.finish.form",
                for: .person,
                atTheWheel(showFinish)
            )
            .failing(.conflict),
            .post("/drive/ride/finish", as: "drive.ride.finish", for: .person, atTheWheel(finish))
                .open(to: .driverRides)
                .taking([
                    .ride,
                    .reason,
                    .typed(
                        "extra-*",
                        .number(0...FinishTexts.mostExtras),
                        "How often a surcharge applies."
                    ),
                ])
                .failing(.conflict),
        ]
    }

    /// A ride that does not take place, or only in part.
    private var leavingRoutes: [Route] {
        [
            .get(
                "/drive/ride/no-show",
                as: "drive.ride.no-show.form",
                for: .person,
                atTheWheel(showNoShow)
            )
            .failing(.conflict),
            .post(
                "/drive/ride/no-show",
                as: "drive.ride.no-show",
                for: .person,
                atTheWheel(reportNoShow)
            )
            .taking([.ride])
            .failing(.conflict),
            .get(
                "/drive/ride/absent",
                as: "drive.ride.absent.form",
                for: .person,
                atTheWheel(showAbsent)
            )
            .taking([
                .query("party", .identifier, "The request of the party that did not come.")
            ])
            .failing(.conflict),
            .post(
                "/drive/ride/absent",
                as: "drive.ride.absent",
                for: .person,
                atTheWheel(leaveBehind)
            )
            .taking([
                .ride,
                .set("party", .identifier, "The request of the party that did not come."),
            ])
            .failing(.conflict),
            .get(
                "/drive/ride/give-back",
                as: "drive.ride.give-back.form",
                for: .person,
                atTheWheel(showGiveBack)
            )
            .failing(.conflict),
            .post(
                "/drive/ride/give-back",
                as: "drive.ride.give-back",
                for: .person,
                atTheWheel(giveBack)
            )
            .taking([
                .ride,
                .set(
                    "reason",
                    .choice(GiveBackCause.allCases.map { "\($0)" }),
                    "Why the ride is given back."
                ).explained,
            ])
            .failing(.conflict),
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
            driver = try await self.seat(context)
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

extension InputField {
    /// The ride that the driver saw: a form of an earlier ride does nothing (F6).
    fileprivate static let ride = set("ride", .identifier, "The ride that the page showed.")
}
