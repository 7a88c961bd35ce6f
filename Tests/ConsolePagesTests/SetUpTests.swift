import AsyncHTTPClient
import Chronology
import Dispatching
import Fares
import Identity
import Notify
import Storage
import StorageTestSupport
import Synchronization
import Taxi
import TestClock
import Testing
import WebTestSupport

@testable import TaxiPages
@testable import WebApp
@testable import WebCore

/// taxi.md R4, R8, R9, R12; issue 4, "What must be seen" 3.
@Suite("From nothing to an open city, on pages without scripts", .serialized)
struct SetUpTests {
    /// The mails that a relay accepted.
    private final class Taken: Sendable {
        private let mails = Mutex<[MailMessage]>([])

        var all: [MailMessage] { mails.withLock { $0 } }

        func take(_ mail: MailMessage) -> Outcome {
            mails.withLock { $0.append(mail) }
            return .accepted
        }
    }

    @Test(
        "an administrator goes through all steps and opens the city (R4)",
        arguments: TestEngine.allCases
    )
    func wholeWay(engine: TestEngine) async throws {
        try await withSite(CityStaff.limits, on: engine) { site in
            let taxi = site.installation.taxi
            let admin = try await CityStaff.administrator(site)
            let dashboard = try await admin.get("/dashboard")
            #expect(dashboard.text.contains("href=\"/console\""))
            #expect(dashboard.text.contains("The taxi service has not opened yet"))
            let home = try await admin.get("/console")
            #expect(home.text.contains("The service is not open yet: 0 of 7 steps are done"))
            #expect(home.text.contains("href=\"/console/setup\""))
            let first = try await admin.get("/console/setup")
            #expect(first.text.contains("Required steps still to be done: 4"))
            #expect(!first.text.contains("href=\"/console/setup/confirm\""))
            // Too early, by address or by form: the city does not open.
            let early = try await admin.get("/console/setup/confirm")
            #expect(early.header("location") == "/console/setup?notice=missing")
            let forced = try await admin.submit(
                ["zones": "0", "taxis": "0"],
                on: "/console/setup",
                to: "/console/setup/confirm"
            )
            #expect(forced.header("location") == "/console/setup?notice=missing")

            try await CityStaff.fill(site)
            let policy = try await admin.submit(
                ["note": "council of 3 March"],
                on: "/console/policy/compare?preset=milano-a",
                to: "/console/policy/adopt"
            )
            #expect(policy.header("location") == "/console/policy?notice=adopted")
            let tariff = try await admin.submit(
                ["tariff": TariffBook.example, "note": "order 12"],
                on: "/console/tariffs/change",
                to: "/console/tariffs/adopt"
            )
            #expect(tariff.header("location") == "/console/tariffs?notice=adopted")
            let ready = try await admin.get("/console/setup")
            #expect(ready.text.contains("Everything required is there"))
            #expect(ready.text.contains("href=\"/console/setup/confirm\""))
            let confirm = try await admin.get("/console/setup/confirm")
            #expect(confirm.text.contains("<dd>2</dd>"))
            #expect(confirm.text.contains("milano-a"))
            #expect(confirm.text.contains("No mail server is set"))
            // Changes made in the meantime must be seen before they are confirmed.
            let stale = try await admin.submit(
                ["taxis": "0"],
                on: "/console/setup/confirm"
            )
            #expect(stale.status == 409)
            #expect(try await !taxi.dispatch.read { $0.isSetUp })
            let opened = try await admin.submit([:], on: "/console/setup/confirm")
            #expect(opened.header("location") == "/console/setup?notice=opened")
            #expect(try await taxi.dispatch.read { $0.isSetUp })
            let again = try await admin.submit(
                ["zones": "2", "taxis": "1"],
                on: "/console/setup",
                to: "/console/setup/confirm"
            )
            #expect(again.header("location") == "/console/setup?notice=open")
            #expect(try await admin.get("/console").text.contains("The service is open · Taxis: 1"))
            #expect(!(try await admin.get("/").text.contains("has not opened yet")))
            let acts = try await site.installation.accounts.audit().map(\.note.act)
            #expect(acts.starts(with: ["open the service", "change tariffs", "adopt policy"]))
        }
    }

    @Test("until the city opens a new route is refused unless the gate names it (R4)")
    func gate() async throws {
        try await withSite(CityStaff.limits) { site in
            let routes = Site(site.installation).routes
            let closed = Set(
                routes.filter(\.needsOpenCity).map { OpeningGate.part(of: $0.path) }
            )
            let service: Set = [
                "taxi", "ride", "receipt", "drive", "reservations", "reliability", "trip",
                "living", "api/queues", "api/estimate", "api/rides", "api/reservations",
                "api/reservation-times", "api/fleet", "api/statistics", "api/shared-rides",
                "api/driver", "api/mds", "gofs", "open-data",
            ]
            #expect(closed == service, "the service itself")
            for path in ["/taxi", "/rides/{number}", "/driver/offer", "/api/requests"] {
                #expect(OpeningGate.closes(path), "\(path)")
            }
            let byPolicy = Dictionary(grouping: routes) { OpeningGate.access(to: $0.path) }
            let taxis: [OpeningGate.Access] = [.always, .afterOpening]
            #expect(
                Set(byPolicy.keys) == Set(taxis + Policy.EarlyUse.allCases.map { .byPolicy($0) })
            )
        }
    }

    /// A page of each use, and whether it is open before the city confirms its data.
    private static func uses(_ guest: Visitor) async throws -> [String: Bool] {
        var open: [String: Bool] = [:]
        for (use, path) in [
            ("registration", "/register"), ("planner", "/plan"), ("calendar", "/calendar"),
            ("programs", "/developers"), ("taxis", "/taxi"),
        ] {
            open[use] = try await guest.get(path).status != 503
        }
        return open
    }

    @Test("R4: the policy says what is open before the city confirms its data")
    func early() async throws {
        try await RideTown.open(.viavai, isOpen: false) { town in
            let site = town.site
            try await site.started()
            let guest = site.visitor()
            let all = ["registration", "planner", "calendar", "programs"]
            func expected(_ uses: [String]) -> [String: Bool] {
                var open = Dictionary(uniqueKeysWithValues: all.map { ($0, uses.contains($0)) })
                open["taxis"] = false
                return open
            }
            #expect(try await Self.uses(guest) == expected(all), "by default")
            for policy in [Policy.milanoA, .milanoB] {
                _ = try await town.taxi.dispatch.give(.adopt(policy))
                #expect(try await Self.uses(guest) == expected([]), "\(policy.name)")
                for path in ["/", "/login", "/privacy", "/health/ready", "/api/openapi.json"] {
                    #expect(try await guest.get(path).status == 200, "\(path)")
                }
                let sent = try await guest.submit([:], on: "/login", to: "/register")
                #expect(sent.status == 503)
            }
            for use in all {
                let policy = try Policy.milanoA.with(.earlyUse, "[\(use)]")
                _ = try await town.taxi.dispatch.give(.adopt(policy))
                #expect(try await Self.uses(guest) == expected([use]), "\(use)")
            }
        }
        try await RideTown.open(.milanoA) { town in
            let open = try await Self.uses(town.site.visitor())
            #expect(!open.values.contains(false), "once the data is confirmed: \(open)")
        }
    }

    @Test("people who use the service before it opens are told so; staff learn what is missing")
    func refused() async throws {
        try await withSite(CityStaff.limits) { site in
            let guest = site.visitor()
            let admin = try await CityStaff.administrator(site)
            let told = try await guest.get("/taxi")
            #expect(told.status == 503)
            #expect(told.text.contains("The taxi service has not opened yet"))
            #expect(told.text.contains("come back soon"))
            guest.language = "it"
            #expect(try await guest.get("/taxi").text.contains("non è ancora aperto"))
            let json = try await guest.get("/taxi", headers: ["accept": "application/json"])
            #expect(json.text.contains("\"type\":\"/problems/not-open-yet\""))
            let posted = try await guest.submit([:], on: "/login", to: "/drive/duty")
            #expect(posted.status == 503)
            let missing = try await admin.get("/taxi")
            #expect(missing.status == 503)
            let words = "Zones; Drivers and taxis; Rules of the service; Confirm and open."
            #expect(missing.text.contains(words))
            // Accounts, the page frame and operations work.
            for path in ["/", "/register", "/login", "/privacy", "/health/ready"] {
                #expect(try await guest.get(path).status == 200, "\(path)")
            }
            try await CityStaff.open(site)
            #expect(try await admin.get("/taxi").text.contains("Where are you going?"))
            let later = try await guest.submit([:], on: "/login", to: "/drive/duty")
            #expect(later.header("location")?.hasPrefix("/login?") == true)
        }
    }

    @Test("without the backup that comes first nothing changes (R8)")
    func noBackup() async throws {
        struct Full: Error {}
        try await withSite(CityStaff.limits) { site in
            _ = try await CityStaff.administrator(site)
            try await CityStaff.fill(site)
            let before = try await site.installation.taxi.dispatch.read { $0.policyHash }
            try await site.withFurtherRoutes([], safetyBackup: { _ in throw Full() }) {
                base,
                client in
                let clerk = Visitor(base, client: client)
                let login = ["name": "ana", "password": CityStaff.password]
                _ = try await clerk.submit(login, on: "/login")
                let policy = try await clerk.submit(
                    [:],
                    on: "/console/policy/compare?preset=milano-a",
                    to: "/console/policy/adopt"
                )
                #expect(policy.status == 409)
                #expect(policy.text.contains("The backup that must be made first failed"))
                let tariff = try await clerk.submit(
                    ["tariff": TariffBook.example],
                    on: "/console/tariffs/change",
                    to: "/console/tariffs/adopt"
                )
                #expect(tariff.status == 409)
            }
            let after = try await site.installation.taxi.dispatch.read { $0.policyHash }
            #expect(after == before)
            #expect(site.installation.taxi.tariffs.tariffs.isEmpty)
        }
    }

    @Test("a test mail goes to the person who asks for it, and the step says what became of it")
    func mail() async throws {
        let options = CityStaff.limits.merging([
            "mail.server": "smtp://127.0.0.1:1", "mail.from": "taxi@city.example",
        ]) { $1 }
        try await withSite(options, isPosted: true) { site in
            let admin = try await CityStaff.administrator(site)
            #expect(
                try await admin.get("/console/setup").text.contains(
                    "Send a test e-mail to make sure"
                )
            )
            for _ in 0..<2 {
                let sent = try await admin.submit(
                    [:],
                    on: "/console/setup",
                    to: "/console/setup/mail"
                )
                #expect(sent.header("location") == "/console/setup?notice=mail")
            }
            let waiting = try await admin.get("/console/setup")
            #expect(waiting.text.contains("A test e-mail is on its way."))
            let taken = Taken()
            let home = try #require(Link("https://taxi.example.org"))
            let worker = DeliveryWorker(
                site.installation.database,
                directory: AccountMessages(home: home) { site.installation.accounts },
                browsers: site.browsers,
                channels: Channels(mail: taken.take),
                letterhead: DeliveryWorker.Letterhead(
                    name: "Taxi",
                    city: City(name: "Milano", zone: .utc),
                    sender: try #require(MailAddress("taxi@example.org")),
                    settings: home
                )
            )
            for _ in 0..<3 { _ = try await worker.round(at: site.clock.now) }
            #expect(taken.all.map(\.recipient) == [MailAddress("ana@city.example")])
            let done = try await admin.get("/console/setup")
            #expect(done.text.contains("The mail server accepted the test e-mail."))
        }
    }
}
