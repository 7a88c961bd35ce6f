import Chronology
package import Dispatching
import Drivers
import Foundation
package import Geo
package import Identity
import NIOHTTP1
package import StorageTestSupport
package import Taxi
import TaxiPages
package import TestClock
package import Testing
import WebApp
import Zones

package struct TownDriver {
    package let visitor: Visitor
    package let person: PersonNumber
    package let number: TaxiNumber

    /// Creates a driver who is signed in.
    package init(visitor: Visitor, person: PersonNumber, number: TaxiNumber) {
        self.visitor = visitor
        self.person = person
        self.number = number
    }
}

/// An open town with two adjacent zones, Centro and Brera, whose drivers are signed in.
package struct DriverTown {
    package let site: ServedSite
    package let drivers: [TownDriver]

    /// Generous rate limits, since the clock stands still between two steps.
    package static let limits = [
        "limits.requests_per_second": "100000", "limits.requests_at_once": "100000",
    ]
    /// About 600 m from the middle of Centro.
    package static let near = Coordinate(latitude: 454_600_000, longitude: 91_577_000)
    /// A place in the middle of Centro, one in Brera, and one outside all zones.
    package static let centro = Coordinate(latitude: 454_600_000, longitude: 91_500_000)
    package static let brera = Coordinate(latitude: 454_600_000, longitude: 92_500_000)
    package static let suburb = Coordinate(latitude: 454_600_000, longitude: 93_500_000)

    package var taxi: TaxiService { site.installation.taxi }
    package var clock: SettableClock { site.clock }

    /// Serves a town under a policy with a number of drivers.
    package static func open(
        _ policy: Policy = .viavai,
        drivers count: Int = 1,
        on engine: TestEngine = .sqlite,
        licensedUntil last: String = "2030-06-30",
        _ further: [String: String] = [:],
        _ body: @Sendable (DriverTown) async throws -> Void
    ) async throws {
        try await withSite(limits.merging(further) { $1 }, on: engine) { site in
            let taxi = site.installation.taxi
            try await site.started()
            let zones = try ZoneSet.read(
                Array(Self.zones.utf8),
                file: "town",
                naming: ZoneNaming(codeProperty: "code", nameProperty: "name")
            )
            _ = try await taxi.draw(try await taxi.plan(zones))
            let (_, admin) = try await site.administrator()
            var people: [(Visitor, PersonNumber)] = []
            for number in 0..<count {
                let person = try await site.accounts.drivers.enter(
                    .numbered(number, until: last),
                    invites: true,
                    by: admin,
                    at: site.clock.now
                )
                people.append((try await site.invited(), person))
            }
            try await site.installation.fleet.reconcile()
            let old = try await taxi.policyInForce().hash
            _ = try await taxi.adopt(policy, by: nil, note: "", replacing: old)
            _ = try await taxi.dispatch.give(.completeSetup)
            var drivers: [TownDriver] = []
            for (visitor, person) in people {
                let own = try #require(try await site.accounts.drivers.taxi(of: person))
                let number = try #require(try await site.installation.fleet.number(of: own))
                drivers.append(TownDriver(visitor: visitor, person: person, number: number))
            }
            try await body(DriverTown(site: site, drivers: drivers))
        }
    }

    /// Serves a town in which the first driver is on duty in Centro.
    package static func atWork(
        _ policy: Policy = .viavai,
        drivers count: Int = 1,
        on engine: TestEngine = .sqlite,
        licensedUntil last: String = "2030-06-30",
        _ body: @Sendable (DriverTown, TownDriver) async throws -> Void
    ) async throws {
        try await open(policy, drivers: count, on: engine, licensedUntil: last) { town in
            let driver = town.drivers[0]
            try await town.start(driver)
            try await body(town, driver)
        }
    }

    private static let zones = """
        {"type":"FeatureCollection","features":[\(zone("Centro", 9.1, 9.2)),\
        \(zone("Brera", 9.2, 9.3))]}
        """

    private static func zone(_ name: String, _ left: Double, _ right: Double) -> String {
        """
        {"type":"Feature","properties":{"code":"\(name)","name":"\(name)"},"geometry":\
        {"type":"Polygon","coordinates":[[[\(left),45.4],[\(right),45.4],[\(right),45.5],\
        [\(left),45.5],[\(left),45.4]]]}}
        """
    }

    // MARK: What drivers do

    /// Sends a position as a device does, a second after the previous one.
    @discardableResult
    package func send(
        _ place: Coordinate,
        of driver: TownDriver,
        accuracy: Double = 5,
        asksRide: Bool = false
    ) async throws -> Visitor.Answer {
        clock.advance(seconds: 1)
        let at = clock.now.milliseconds
        let json = """
            {"sentAt":\(at),"positions":[{"at":\(at),"latitude":\(place.latitudeDegrees),\
            "longitude":\(place.longitudeDegrees),"accuracy":\(accuracy)}],\
            "ride":\(asksRide)}
            """
        return try await driver.visitor.sendJSON(json, to: "/drive/positions")
    }

    /// Drives to a place: sends as many reports as it takes to be believed.
    package func drive(_ driver: TownDriver, to place: Coordinate) async throws {
        for _ in 0..<4 {
            try await send(place, of: driver)
            clock.advance(seconds: 8)
        }
        let expected = taxi.zone(at: place)
        try await site.until("the taxi is seen at the place") {
            let number = driver.number
            let seen = try await taxi.dispatch.read { $0.taxi(number) }
            return seen?.isReachable == true
                && seen?.place == (expected.map { .zone($0) } ?? .outside)
        }
    }

    /// Waits until the dispatcher has received a driver's report.
    package func untilHeard(_ driver: TownDriver) async throws {
        let number = driver.number
        try await site.until("the taxi is heard from") {
            try await taxi.dispatch.read { $0.taxi(number)?.isReachable } == true
        }
    }

    /// Goes on duty in Centro.
    package func start(_ driver: TownDriver) async throws {
        try await drive(driver, to: Self.centro)
        let done = try await driver.visitor.submit(
            ["wish": "on"],
            on: "/drive",
            to: "/drive/duty"
        )
        #expect(done.status == 303, "\(done.text)")
    }

    /// The page that the driver has open.
    package func page(_ driver: TownDriver) async throws -> String {
        try await driver.visitor.get("/drive").text
    }

    /// Waits until the driver's page contains a text.
    package func until(
        _ driver: TownDriver,
        sees words: String,
        _ comment: Comment = ""
    ) async throws {
        try await site.until("the page says \(words)") { try await page(driver).contains(words) }
    }

    // MARK: What others do

    /// A passenger calls a taxi from a place.
    @discardableResult
    package func call(
        _ passenger: UInt64 = 7,
        from place: Coordinate = DriverTown.centro,
        to destination: Coordinate? = nil,
        needs: Capacity = Capacity(seats: 1),
        isShared: Bool = false
    ) async throws -> RequestNumber {
        var order = RideOrder(
            PassengerNumber(rawValue: passenger),
            from: place,
            to: destination,
            needs: needs
        )
        order.originDescription = "Via Dante 7"
        order.destinationDescription = destination == nil ? nil : "Stazione Centrale"
        order.isShared = isShared
        return try await taxi.call(order).request
    }

    /// A passenger joins the ride, with a minute to walk.
    @discardableResult
    package func join(
        _ passenger: UInt64,
        _ owner: RequestNumber,
        needs: Capacity = Capacity(seats: 1)
    ) async throws -> RequestNumber {
        let form = RequestForm(
            passenger: PassengerNumber(rawValue: passenger),
            zone: taxi.zone(at: DriverTown.centro),
            needs: needs,
            hasDestination: true
        )
        let estimate = SharingEstimate(
            walkSeconds: 60,
            taxiSeconds: 300,
            detourPercent: 0,
            extraWaitSeconds: 0
        )
        let receipt = try await taxi.dispatch.give(.join(form, owner, estimate))
        for case .request(.joined(let number, _, _)) in receipt.events { return number }
        throw Refusal.noSuchRequest
    }

    /// The status of a driver's taxi.
    package func status(_ driver: TownDriver) async throws -> TaxiStatus? {
        let number = driver.number
        return try await taxi.dispatch.read { $0.taxi(number)?.status }
    }
}

extension ServedSite {
    /// The person invited last, signed in with a new password.
    package func invited() async throws -> Visitor {
        let visitor = visitor()
        let token = try #require(try await message(.invitation)?.facts["token"])
        _ = try await visitor.submit([:], on: "/password/new?token=\(token)")
        let chosen = try await visitor.submit(
            ["password": Self.password, "password_again": Self.password],
            on: "/account/password"
        )
        #expect(chosen.status == 303, "\(chosen.text)")
        return visitor
    }
}

extension Visitor {
    /// Sends JSON with the token of a form, as a page's script does.
    package func sendJSON(_ json: String, to path: String) async throws -> Answer {
        let page = try await get("/drive/where")
        let token = page.text.firstMatch(of: /name="token" value="([^"]*)"/)?.1 ?? ""
        return try await send(
            .POST,
            path,
            headers: [
                "content-type": "application/json", "x-form-token": String(token),
                "accept": "application/problem+json",
            ],
            body: Array(json.utf8)
        )
    }

    /// Submits the form of a page that has the given action, with its hidden fields.
    package func press(
        _ action: String,
        on page: String = "/drive",
        _ fields: [String: String] = [:]
    ) async throws -> Answer {
        try await sendForm(action, of: try await get(page).text, fields)
    }

    /// Submits a form from a page that was loaded before.
    package func sendForm(
        _ action: String,
        of page: String,
        _ fields: [String: String] = [:]
    ) async throws -> Answer {
        var all = fields
        let start = page.range(of: "action=\"\(action)\"")?.lowerBound ?? page.startIndex
        let form = page[start...].prefix(
            upTo: page[start...].range(of: "</form>")?.lowerBound
                ?? page.endIndex
        )
        for match in form.matches(
            of: /<input type="hidden" name="([^"]*)" value="([^"]*)">/
        ) where all[String(match.1)] == nil {
            all[String(match.1)] = String(match.2)
        }
        return try await post(action, all)
    }
}
