import Chronology
import Dispatching
import Geo
import HTTPTypes
import Identity
import Storage
import Taxi
import TestClock
import Testing
import WebTestSupport

@testable import DriverPages
@testable import WebApp
@testable import WebCore

/// Issue 5: who may drive, and which driver has the taxi (R13, R104, R124).
@Suite("Who may drive", .serialized)
struct WorkingDriverTests {
    @Test("who may not drive is told why and what to do, and gets no further on any page")
    func obstacles() async throws {
        try await DriverTown.open { town in
            let guest = try await town.site.visitor().get("/drive")
            #expect(guest.status == 303 && guest.header("location")?.hasPrefix("/login") == true)
            for (name, roles) in [("pia", [Role.traveller]), ("olga", [.serviceOperator])] {
                let visitor = try await town.site.person(name, Set(roles))
                let answer = try await visitor.get("/drive")
                #expect(answer.status == 403)
                #expect(answer.text.contains("This page is for taxi drivers"))
                let json = ["accept": "application/json"]
                for route in Site(town.site.installation).features.drivers.routes {
                    let refused =
                        route.method == .get
                        ? try await visitor.get(route.path, headers: json)
                        : try await visitor.submit([:], on: "/account/preferences", to: route.path)
                    #expect(refused.status == 403, "\(route.path)")
                }
            }
            let visitor = try await town.site.person("dino", [.driver])
            visitor.language = "it"
            #expect(try await visitor.get("/drive").text.contains("Ora non puoi guidare"))
        }
    }

    @Test("papers that wait or were refused keep a driver away, and lead to the papers")
    func papers() async throws {
        try await DriverTown.open { town in
            let driver = town.drivers[0]
            #expect(try await driver.visitor.get("/drive").status == 200)
            for (standing, words) in [
                ("awaiting", "has not checked your papers"), ("refused", "did not accept"),
            ] {
                try await town.site.accounts.data.write { transaction in
                    try transaction.execute("UPDATE driver SET standing = \(standing)")
                }
                let answer = try await driver.visitor.get("/drive")
                #expect(answer.status == 403 && answer.text.contains(words))
                #expect(answer.text.contains("href=\"/account/papers\""))
            }
        }
    }

    @Test("R104: an expired licence keeps a driver away, but not from finishing the ride")
    func expired() async throws {
        // The clock starts in the morning of 15 January 2027.
        try await DriverTown.atWork(drivers: 2, licensedUntil: "2027-01-15") { town, driver in
            try await town.call()
            #expect(try await driver.visitor.press("/drive/offer/accept").status == 303)
            town.clock.advance(seconds: 20 * 3_600)
            let riding = try await driver.visitor.get("/drive")
            #expect(riding.status == 200 && riding.text.contains("Complete this ride"))
            let other = try await town.drivers[1].visitor.get("/drive")
            #expect(other.status == 403 && other.text.contains("expired on Friday 15 January 2027"))
            _ = try await town.taxi.dispatch.give(.closeRide(driver.number, reason: "test"))
            #expect(try await driver.visitor.get("/drive").status == 403)
        }
    }

    @Test("nobody steers another's taxi, whatever a form says")
    func others() async throws {
        try await DriverTown.open(drivers: 2) { town in
            let (first, second) = (town.drivers[0], town.drivers[1])
            try await town.start(first)
            try await town.drive(second, to: DriverTown.centro)
            let request = try await town.call()
            let offer = try #require(try await town.taxi.offer(to: first.number))
            let names = [
                "request": "\(request.rawValue)", "epoch": "\(offer.epoch)",
                "taxi": "\(first.number.rawValue)", "wish": "off", "aboard": "1",
                "reason": "breakdown",
            ]
            for action in [
                "offer/accept", "offer/refuse", "ride/arrived", "ride/board",
                "ride/no-show", "ride/give-back", "ride/finish",
            ] {
                let answer = try await second.visitor.submit(
                    names,
                    on: "/drive",
                    to: "/drive/\(action)"
                )
                #expect(answer.status == 409 || answer.status == 303, "\(action)")
                #expect(!answer.text.contains("Via Dante"), "\(action)")
            }
            _ = try await second.visitor.submit(names, on: "/drive", to: "/drive/duty")
            #expect(try await town.status(first) == .pendingConfirmation)
            #expect(try await town.taxi.offer(to: first.number)?.epoch == offer.epoch)
            try await town.send(DriverTown.brera, of: second)
            let seen = try await town.taxi.position(
                of: first.number,
                for: .driver(first.number)
            )
            #expect(seen?.place == DriverTown.centro)
            let map = try await second.visitor.get("/drive/map.svg").text
            #expect(!map.contains("★"))
        }
    }

    @Test("R13: only the driver who began the shift drives a shared taxi")
    func shared() async throws {
        try await DriverTown.open(drivers: 2) { town in
            let (first, second) = (town.drivers[0], town.drivers[1])
            try await Self.share(first, in: town)
            try await town.start(first)
            let kept = try await second.visitor.get("/drive")
            #expect(kept.status == 409 && kept.text.contains("the other driver is on shift"))
            // The page returns to the driver's own view with the event that announces the end of
            // the shift.
            #expect(kept.text.contains("id=\"drive-waits\" data-live=\"drive\""))
            let tried = try await second.visitor.submit(
                ["wish": "off"],
                on: "/account/preferences",
                to: "/drive/duty"
            )
            #expect(tried.status == 409)
            #expect(try await town.status(first) == .available)
            _ = try await first.visitor.press("/drive/duty", ["wish": "off"])
            #expect(try await second.visitor.get("/drive").status == 200)
        }
    }

    @Test("R13: the next driver learns nothing of what the other was told or stated")
    func handedOver() async throws {
        try await DriverTown.open(drivers: 2) { town in
            let (first, second) = (town.drivers[0], town.drivers[1])
            try await Self.share(first, in: town)
            try await Self.state(first, in: town)
            #expect(try await first.visitor.press("/drive/duty", ["wish": "on"]).status == 303)
            let command = Command.takeOffDuty(first.number, reason: "a complaint of Rossi")
            _ = try await town.taxi.dispatch.give(command)
            try await town.until(first, sees: "a complaint of Rossi")
            let next = try await town.page(second)
            #expect(next.contains("<h1>You are unavailable</h1>"))
            #expect(
                !next.contains("a complaint of Rossi")
                    && !next.contains("you entered your position")
            )
            // Nor does the page report the other driver's position again.
            town.clock.advance(seconds: 20)
            let before = try await Self.lastHeard(first, in: town)
            _ = try await town.page(second)
            #expect(try await Self.lastHeard(first, in: town) == before)
            _ = try await town.page(first)
            #expect(try await Self.lastHeard(first, in: town) == town.clock.now)
        }
    }

    @Test("I14, R104: when papers end during a shift of a shared taxi, it brings no ride any more")
    func expiredInShift() async throws {
        try await DriverTown.open(drivers: 2) { town in
            let (first, second) = (town.drivers[0], town.drivers[1])
            try await Self.share(first, in: town)
            try await town.start(first)
            let person = first.person
            try await town.site.accounts.data.write { transaction in
                try transaction.execute(
                    """
                    UPDATE driver SET driving_licence_expires = 1
                    WHERE person = \(person)
                    """
                )
            }
            // The same holds for any further request of the device.
            #expect(try await town.send(DriverTown.centro, of: first).status == 403)
            #expect(try await town.status(first) == .unavailable)
            #expect(try await second.visitor.get("/drive").status == 200)
        }
    }

    /// Gives the first driver's taxi to the second driver.
    static func share(_ first: TownDriver, in town: DriverTown) async throws {
        let owner = first.person
        try await town.site.accounts.data.write { transaction in
            try transaction.execute(
                "UPDATE driver SET taxi = (SELECT taxi FROM driver WHERE person = \(owner))"
            )
        }
    }

    /// States that a driver is in the middle of Centro.
    private static func state(_ driver: TownDriver, in town: DriverTown) async throws {
        let place = DriverTown.centro
        let stated = try await driver.visitor.submit(
            ["latitude": "\(place.latitude)", "longitude": "\(place.longitude)"],
            on: "/drive/where"
        )
        #expect(stated.status == 303, "\(stated.text)")
        try await town.untilHeard(driver)
    }

    /// The time of a taxi's last position.
    private static func lastHeard(
        _ driver: TownDriver,
        in town: DriverTown
    ) async throws -> Moment? {
        try await town.taxi.position(of: driver.number, for: .driver(driver.number))?.at
    }
}
