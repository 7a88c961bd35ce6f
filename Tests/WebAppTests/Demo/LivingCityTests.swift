import Audit
import Chronology
import Dispatching
import Geo
import Identity
import LivingCity
import Taxi
import TestClock
import Testing
import WebCore
import WebTestSupport
import Zones

@testable import TaxiPages
@testable import WebApp

/// Issue 5, "What must be seen", 1: "`make demo` opens a living city".
@Suite("The living city", .serialized)
struct LivingCityTests {
    @Test("the home page shows taxis driving, and not which is which")
    func firstPage() async throws {
        try await LivingTown.open(taxis: 40) { town in
            try await town.live(seconds: 60)
            let visitor = town.site.visitor()
            let page = try await visitor.get("/").text
            let moving = "data-map=\"living\" data-source=\"/living/taxis.json\" data-every=\"3\""
            #expect(page.contains(moving) && page.contains("data-still=\"Pause map"))
            // On the map, a key says what each of its marks is.
            let key = try #require(page.firstMatch(of: /map-key" aria-label="[^"]+">(.*?)<\/ul>/))
            #expect(
                key.1.matches(of: /class="stand [a-z]+"/).count == 5
            )
            // The text before the map says what the map shows.
            let counts = page.matches(of: /<\/svg> ([A-Z][^<:]*): (\d+)<\/li>/)
            #expect(counts.map(\.1).first == "Free" && counts.count == 5)
            let said = counts.compactMap { Int($0.2) }.reduce(0, +)
            let before = try await visitor.get("/living/taxis.json")
            #expect(before.header("cache-control") == "private, no-store")
            #expect(said > 30 && before.text.matches(of: /"coordinates":\[/).count == said)
            for telling in ["\"id\"", "\"name\"", "\"page\""] {
                #expect(!before.text.contains(telling), "\(telling)")
            }
            let picture = try await visitor.get("/living/taxis.svg").text
            #expect(picture.matches(of: /<circle/).count > 30)
            try await town.live(seconds: 5 * 60)
            #expect(try await visitor.get("/living/taxis.json").text != before.text)
            #expect(try await visitor.get("/living/taxis.svg").text != picture)
        }
    }

    @Test("people call, are found taxis, are driven, and no rule is broken")
    func lives() async throws {
        try await LivingTown.open(taxis: 40) { town in
            #expect(town.taxi.zonesInForce?.zones.count == 17)
            try await town.live(seconds: 60)
            let onDuty = try await town.taxi.dispatch.read { $0.taxis.count(where: \.isOnDuty) }
            #expect(onDuty > 30, "\(onDuty) of 40 are on duty")
            try await town.live(seconds: 25 * 60)
            var audit = Audit()
            var asked = 0
            var driven = 0
            for entry in try await town.entries() {
                audit.add(entry)
                for event in entry.events {
                    switch event {
                    case .request(.requested): asked += 1
                    case .request(.ended(_, .completed, _)): driven += 1
                    default: break
                    }
                }
            }
            #expect(asked >= 8, "\(asked) have asked")
            #expect(driven >= 3, "\(driven) were driven")
            #expect(audit.findings.violations == 0, "\(audit.findings.examples)")
            #expect(audit.findings.doubleAssignments == 0)
            #expect(audit.findings.overtakings == 0)
        }
    }

    @Test("drivers whom no message reaches see offers on their pages, and come (issue 30, R53)")
    func seeOffers() async throws {
        try await LivingTown.open(taxis: 40) { town in
            // Long enough that a driver without a page would be passed over.
            await town.events.noteServing(at: town.site.clock.now)
            try await town.live(seconds: 60)
            let accounts = town.site.installation.accounts
            let person = try #require(try await accounts.findPerson("passenger"))
            let bounds = try #require(town.taxi.zonesInForce?.zones.first?.area.bounds)
            let order = RideOrder(person.passenger, from: bounds.centre, to: DriverTown.centro)
            let request = try await town.taxi.call(order).request
            try await town.live(atMost: 5, until: "nobody comes") {
                try await town.deliver()
                await town.events.passOverUnreached()
                return try await town.taxi.dispatch.read { $0.request(request)?.ride != nil }
            }
        }
    }

    @Test("a visitor drives: the car drives by itself, and the visitor makes the decisions")
    func drives() async throws {
        try await LivingTown.open(taxis: 6) { town in
            let driver = try await town.visitor(.driver)
            let number = try await town.taxi(of: .driver)
            try await town.live(seconds: 30)
            #expect(try await town.state(number).taxi?.isOnDuty == false)
            let on = try await driver.submit(["wish": "on"], on: "/drive", to: "/drive/duty")
            #expect(on.status == 303, "\(on.text)")
            try await town.live(atMost: 20, until: "the driver is asked") {
                try await town.state(number).request?.offer?.taxi == number
            }
            try await town.live(seconds: 3)
            #expect(try await town.state(number).request?.ride == nil)
            let accepted = try await driver.press("/drive/offer/accept")
            #expect(accepted.status == 303, "\(accepted.text)")
            try await town.live(atMost: 20, until: "the taxi is at the meeting point") {
                try await town.state(number).request?.ride?.stage == .atMeetingPoint
            }
            try await town.live(seconds: 200)
            #expect(try await town.state(number).request?.ride?.stage == .atMeetingPoint)
            let page = try await driver.get("/drive").text
            let code = try #require(page.firstMatch(of: /<code>([0-9]{4})<\/code>/)).1
            let boarded = try await driver.press(
                "/drive/ride/board",
                ["code": String(code), "aboard": "1"]
            )
            #expect(boarded.status == 303, "\(boarded.text)")
            try await town.live(atMost: 20, until: "the taxi is at the destination") {
                let request = try await town.state(number).request
                return request?.ride?.isAtDestination == true
                    || request?.form.hasDestination == false
            }
            let ended = try await driver.press("/drive/ride/finish", on: "/drive/ride/finish")
            #expect(ended.status == 303, "\(ended.text)")
            // Another request may already have been assigned to the taxi.
            #expect(try await town.state(number).request?.ride == nil)
        }
    }

    @Test("the real position of a driving visitor's device does not count")
    func ignoresTheLaptop() async throws {
        try await LivingTown.open(taxis: 1) { town in
            let driver = try await town.visitor(.driver)
            let number = try await town.taxi(of: .driver)
            try await town.live(seconds: 30)
            let before = try await town.taxi.position(of: number, for: .driver(number))?.place
            let at = town.site.clock.now.milliseconds
            let sent = try await driver.sendJSON(
                """
                {"sentAt":\(at),"positions":[{"at":\(at - 2_000),"latitude":60.1,"longitude":24.9},\
                {"at":\(at),"latitude":60.1,"longitude":24.9}]}
                """,
                to: "/drive/positions"
            )
            #expect(sent.status == 204)
            let after = try await town.taxi.position(of: number, for: .driver(number))?.place
            #expect(before == after)
        }
    }

    @Test("a visitor's request goes to the visitor's own driver first, in any zone (issue 30)")
    func both() async throws {
        try await LivingTown.open(taxis: 12) { town in
            let driver = try await town.visitor(.driver)
            let number = try await town.taxi(of: .driver)
            try await town.live(seconds: 40)
            _ = try await driver.submit(["wish": "on"], on: "/drive", to: "/drive/duty")
            try await town.live(seconds: 2)
            let accounts = town.site.installation.accounts
            let person = try #require(try await accounts.findPerson("passenger"))
            let zones = try #require(town.taxi.zonesInForce).zones
            let own = try await town.state(number).taxi?.zone
            let others = zones.indices.filter { ZoneNumber(rawValue: UInt32($0)) != own }
            // Three orders in three other zones, as in the issue: all must reach the visitor.
            for zone in others.suffix(3) {
                let bounds = try #require(zones[zone].area.bounds)
                let order = RideOrder(person.passenger, from: bounds.centre, to: DriverTown.centro)
                let asked = try await town.taxi.call(order).request
                try await town.live(atMost: 3, until: "the visitor is asked for the visitor") {
                    try await town.state(number).request?.number == asked
                }
                _ = try await town.taxi.cancel(asked, for: person.passenger)
                try await town.live(seconds: 2)
            }
        }
    }

    @Test("the mailbox shows the letters that would have gone out, and guests may order")
    func mailbox() async throws {
        try await LivingTown.open(taxis: 3) { town in
            let guest = town.site.visitor()
            guest.language = "en"
            let form = try await guest.get("/taxi")
            #expect(form.status == 200 && form.text.contains("name=\"from\""))
            let sent = try await guest.submit(
                ["contact": "+39 333 1234567"],
                on: "/taxi/guest"
            )
            #expect(sent.status == 303)
            let sentence = try await guest.get("/taxi/code").text
            #expect(sentence.contains("href=\"/living/mailbox\""))
            #expect(try await guest.get("/living/mailbox").text.contains("No messages yet"))
            try await town.deliver()
            let page = try await guest.get("/living/mailbox").text
            #expect(page.contains("+393331234567"))
            let code = try #require(page.firstMatch(of: /code is ([0-9]+)/)?.1)
            let proved = try await guest.submit(["code": String(code)], on: "/taxi/code")
            #expect(proved.status == 303)
            _ = try await guest.submit(["name": "passenger"], on: "/password/forgotten")
            try await town.deliver()
            let letters = try await guest.get("/living/mailbox").text
            let link = try #require(letters.firstMatch(of: /href="(\/password\/new[^"]*)"/)).1
            #expect(try await guest.get(String(link)).status == 200)
        }
    }

    @Test("the operator of the demo calls a taxi for a caller")
    func caller() async throws {
        try await LivingTown.open(taxis: 3) { town in
            let staff = try await town.visitor(.serviceOperator)
            let page = try await staff.get("/console/operations/call")
            #expect(page.status == 200 && page.text.contains("name=\"contact\""))
        }
    }

    @Test("the invented city credits nobody, opens no other map, and its cars need no location")
    func invented() async throws {
        try await LivingTown.open(taxis: 3) { town in
            #expect(try await !town.site.visitor().get("/map.svg").text.contains("OpenStreetMap"))
            let driver = try await town.visitor(.driver)
            let number = try await town.taxi(of: .driver)
            try await town.live(seconds: 30)
            _ = try await driver.submit(["wish": "on"], on: "/drive", to: "/drive/duty")
            let home = try await driver.get("/drive").text
            #expect(home.contains("data-driven=\"Demo: the car drives itself.\""))
            #expect(!home.contains("/drive/navigation"))
            try await town.live(atMost: 20, until: "the driver is asked") {
                try await town.state(number).request?.offer?.taxi == number
            }
            _ = try await driver.press("/drive/offer/accept")
            let way = try await driver.get("/drive").text
            #expect(!way.contains("openstreetmap.org") && !way.contains("geo:"))
        }
    }

    /// The text of the element with an id that has no elements within.
    private static func shown(_ id: String, in page: String) -> String? {
        let parts = page.split(separator: "id=\"\(id)\">", maxSplits: 1)
        return parts.count == 2 ? parts[1].split(separator: "<").first.map(String.init) : nil
    }

    @Test("issue 30: on the way the map has the line to the pickup, and the distance runs down")
    func onTheWay() async throws {
        try await LivingTown.open(taxis: 3) { town in
            let driver = try await town.visitor(.driver)
            let number = try await town.taxi(of: .driver)
            try await town.live(seconds: 30)
            _ = try await driver.submit(["wish": "on"], on: "/drive", to: "/drive/duty")
            let home = try await driver.get("/drive").text
            #expect(home.contains("data-kind=\"zone\"") && home.contains("data-kind=\"taxi\""))
            try await town.live(atMost: 20, until: "the driver is asked") {
                try await town.state(number).request?.offer?.taxi == number
            }
            let offer = try await driver.get("/drive").text
            #expect(offer.contains("data-kind=\"meeting\""), "\(offer)")
            _ = try await driver.press("/drive/offer/accept")
            let before = try await driver.get("/drive").text
            #expect(before.contains("id=\"scene\" data-live=\"drive\""))
            let isThere = try await town.state(number).request?.ride?.stage == .atMeetingPoint
            guard !isThere, let way = Self.shown("ride-way", in: before) else { return }
            #expect(before.contains("data-kind=\"route\""), "\(before)")
            // The browser measures nothing: the page follows the positions of the simulated car.
            try await town.live(atMost: 20, until: "the distance has changed") {
                let page = try await driver.get("/drive", headers: ["x-page-refresh": "1"]).text
                return Self.shown("ride-way", in: page) != way
            }
        }
    }

    @Test("pages that are fetched for a refresh carry the demo's panel")
    func panel() async throws {
        try await LivingTown.open(taxis: 1) { town in
            let driver = try await town.visitor(.driver)
            let page = try await driver.get("/drive", headers: ["x-page-refresh": "1"]).text
            #expect(page.contains("id=\"demo\"") && page.contains("id=\"drive\""))
        }
    }

    @Test("what was set up once is not set up again, and everybody is found")
    func startsAgain() async throws {
        try await LivingTown.open(taxis: 3) { town in
            let people = DemoPeople(mailbox: town.people.mailbox)
            let site = Site(town.site.installation)
            let before = try await town.entries().count
            let again = LivingCity(
                town.site.installation,
                site,
                letters: SetUpLetters(),
                people: people,
                size: LivingCity.Size(taxis: 3, seed: 7),
                logger: site.logLevels.logger("demo", clock: town.site.clock.clock.now)
            ) {}
            try await again.begin()
            #expect(try await town.entries().count == before)
            for account in DemoAccount.allCases {
                #expect(people.userNames.contains(account.userName))
            }
        }
    }
}
