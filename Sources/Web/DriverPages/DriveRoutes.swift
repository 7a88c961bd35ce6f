import Chronology
import Dispatching
import Drivers
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
                if let person = context.session?.person {
                    taxiEvents.driverPages.noteLoad(person, at: context.now)
                }
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
                .open(to: [.driverDuty])
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
            .open(to: [.driverPosition])
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
            .post("/drive/way", as: "drive.way", for: .person, atTheWheel(renewWay))
                .taking([
                    .set("latitude", .latitude, "Where the taxi is, in degrees."),
                    .set("longitude", .longitude, "Where the taxi is, in degrees."),
                    .set(
                        "heading",
                        .decimal(0...360),
                        "Where it moves, in degrees clockwise from north."
                    ),
                ])
                .failing(.conflict)
                .repeated(because: "it finds the fastest way from a place, however often"),
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

    /// The offer that the driver saw.
    private static let offerInput: [InputField] = [
        .set("request", .identifier, "The request that is offered."),
        .set("epoch", .anyNumber, "The offer, of several for one request."),
    ]

    /// The answer to an offer.
    private var offerRoutes: [Route] {
        [
            .post(
                "/drive/offer/accept",
                as: "drive.offer.accept",
                for: .person,
                atTheWheel(acceptOffer)
            )
            .open(to: [.driverDuty])
            .taking(Self.offerInput)
            .failing(.conflict)
            .repeated(because: "an offer is accepted once, and says so each time"),
            .post(
                "/drive/offer/refuse",
                as: "drive.offer.refuse",
                for: .person,
                atTheWheel(refuseOffer)
            )
            .open(to: [.driverDuty])
            .taking(Self.offerInput)
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
            driver = try await self.workingDriver(context)
            work = try await workPage(context, driver)
        }
        let page = if let work { work } else { try await driveHome(context, driver) }
        return response(atWork(page, driver, context), to: context)
    }

    /// The page of the offer or the ride; nil if there is none, or where it has just ended.
    private func workPage(_ context: RequestContext, _ driver: WorkingDriver) async throws -> Page?
    {
        switch driver.view.taxi.work {
        case .offer: return try await offerPage(context, driver)
        case .ride: return try await ridePage(context, driver)
        case .none:
            drivers.guide(driver.number, along: nil)
            return nil
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

    /// The current ride of the taxi, if it has this number.
    func rideNamed(_ number: RequestNumber, _ driver: WorkingDriver) async throws -> RideShown {
        let shown = try await rideShown(driver)
        guard number == shown.request else { throw Refusal.wrongPhase }
        return shown
    }

    /// The hidden field that identifies the ride in a form.
    func rideField(_ shown: RideShown) -> HTML {
        "<input type=\"hidden\" name=\"ride\" value=\"\(shown.request.rawValue)\">"
    }
}

/// A driver and the taxi assigned to them by their licence documents.
///
/// The taxi never comes from a form. The session identifies the person, the documents assign the
/// taxi, and the fleet gives the number under which the dispatcher knows it (decision 0017).
struct WorkingDriver: Sendable {
    /// The account of the driver.
    let person: PersonNumber
    /// The dispatcher's view of the taxi.
    let view: DriverView
    /// Why the driver may no longer drive; they can then only complete the current ride.
    let obstacle: DrivingObstacle?

    /// The dispatcher's number of the taxi.
    var number: TaxiNumber { view.taxi.number }
}

/// Why a person with a session cannot drive now.
enum DutyObstacle: Error, Hashable, Sendable {
    /// The documents do not permit driving.
    case papers(DrivingObstacle)
    /// The dispatcher does not know the taxi yet.
    case notRegistered
    /// Another driver of the same taxi has the shift (R13).
    case anotherDrives
}

extension DriverPages {
    /// The driver with the current session and their taxi (R104, R124).
    ///
    /// - Throws: ``DutyObstacle``; `TaxiService.Failure.notServing`.
    func workingDriver(_ context: RequestContext) async throws -> WorkingDriver {
        guard let person = context.session?.person else { throw Failure.notSignedIn }
        return try await workingDriver(person, at: context.now)
    }

    /// A person with the taxi that they may drive now.
    ///
    /// - Throws: as ``workingDriver(_:)``.
    func workingDriver(_ person: PersonNumber, at now: Moment) async throws -> WorkingDriver {
        do {
            return try await checkedDriver(person, at: now)
        } catch let obstacle as DutyObstacle {
            // A driver who waits for a colleague's shift to end keeps receiving its events.
            if obstacle != .anotherDrives { taxiEvents.driverPages.remove(person) }
            throw obstacle
        }
    }

    private func checkedDriver(_ person: PersonNumber, at now: Moment) async throws -> WorkingDriver
    {
        let papers = try await accounts.drivers.assignment(of: person, at: now)
        guard let taxi = papers.taxi else { throw DutyObstacle.papers(.noDriver) }
        guard var view = try await driverView(of: taxi, for: person, at: now) else {
            throw papers.obstacle.map { DutyObstacle.papers($0) } ?? .notRegistered
        }
        if let driver = try await self.taxi.shift(of: view.taxi.number), driver != person.rawValue {
            // In a taxi shared by several drivers, only the one who began the shift can drive.
            if view.taxi.isOnDuty || view.taxi.work != .none {
                taxiEvents.driverPages.registerWaiting(person, for: view.taxi.number, at: now)
                throw DutyObstacle.anotherDrives
            }
            // Events from a colleague's shift do not concern the next driver.
            view.news = DriverNews()
        }
        if let obstacle = papers.obstacle {
            // A driver whose documents expire during a ride completes it.
            guard case .ride = view.taxi.work else {
                try await leaveDuty(view, person)
                throw DutyObstacle.papers(obstacle)
            }
        }
        return WorkingDriver(person: person, view: view, obstacle: papers.obstacle)
    }

    /// Ends the shift of a driver who may no longer drive (I14).
    ///
    /// The dispatcher checks only the licence of the taxi, which remains valid
    /// for its other drivers.
    private func leaveDuty(_ view: DriverView, _ person: PersonNumber) async throws {
        guard view.taxi.isOnDuty else { return }
        do {
            _ = try await taxi.endShift(view.taxi.number, person.rawValue)
        } catch is Refusal {
            // The shift has ended in the meantime.
        }
    }

    /// The dispatcher's view of a taxi; nil if the dispatcher does not know it.
    ///
    /// The driver's page registers before the state is read, so that it receives every event
    /// from then on.
    private func driverView(
        of taxi: PersonNumber,
        for person: PersonNumber,
        at now: Moment
    ) async throws -> DriverView? {
        let code = taxi.dispatcherCode
        if let number = drivers.number(of: taxi) {
            taxiEvents.driverPages.register(person, for: number, at: now)
            if let view = try await self.taxi.driver(number, code: code) { return view }
        }
        guard let number = try await fleet.number(of: taxi) else { return nil }
        drivers.remember(number, of: taxi)
        taxiEvents.driverPages.register(person, for: number, at: now)
        return try await self.taxi.driver(number, code: code)
    }

    /// Wraps a handler that requires a person who may drive a taxi now; anyone else gets an
    /// explanation.
    func atTheWheel(
        _ answer: @escaping @Sendable (RequestContext, WorkingDriver) async throws -> Response
    ) -> @Sendable (RequestContext) async throws -> Response {
        { context in
            try await driving(context) {
                try await answer(context, try await workingDriver(context))
            }
        }
    }

    /// How long verified documents are cached for position reports, in seconds.
    ///
    /// A fleet of ten thousand taxis sends two thousand reports per second. The start or end of a
    /// shift takes effect at once.
    private static let believedSeconds = KnownSessions.seconds

    /// Wraps a handler that only reports positions, for which cached documents suffice.
    func reporting(
        _ answer:
            @escaping @Sendable (RequestContext, PersonNumber, TaxiNumber) async throws -> Response
    ) -> @Sendable (RequestContext) async throws -> Response {
        { context in
            try await driving(context) {
                guard let person = context.session?.person else { throw Failure.notSignedIn }
                let taxi = try await reportingTaxi(of: person, at: context.now)
                return try await answer(context, person, taxi)
            }
        }
    }

    /// The taxi whose positions a driver reports.
    func reportingTaxi(of person: PersonNumber, at now: Moment) async throws -> TaxiNumber {
        let since = now.adding(seconds: -Self.believedSeconds)
        if let taxi = taxiEvents.driverPages.taxi(of: person, since: since) { return taxi }
        return try await workingDriver(person, at: now).number
    }

    private func driving(
        _ context: RequestContext,
        _ answer: () async throws -> Response
    ) async throws -> Response {
        do {
            return try await answer()
        } catch {
            guard let trouble = trouble(for: error) else { throw error }
            // A refused action is shown with how the driver stands.
            if error is DriveTrouble || error is Refusal { return await refused(trouble, context) }
            let waits = error as? DutyObstacle == .anotherDrives && context.path == "/drive"
            return response(trouble, to: context, waits: waits)
        }
    }

    /// What a driver is told about an error; nil if it concerns the city as a whole.
    func trouble(for error: any Error) -> DriveTrouble? {
        switch error {
        case let trouble as DriveTrouble: trouble
        case let obstacle as DutyObstacle: obstacle.trouble
        case ShiftObstacle.anotherDrives: DutyObstacle.anotherDrives.trouble
        case let refusal as Refusal where refusal.failure == nil:
            DriveTrouble(refusal) { clockTime($0, hasSeconds: true) }
        case let failure as DispatchService.Failure: DriveTrouble(failure)
        default: nil
        }
    }
}
