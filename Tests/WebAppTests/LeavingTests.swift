import Chronology
import Dispatching
import Drivers
import Geo
import Identity
import Positions
import Storage
import StorageTestSupport
import Taxi
import TestClock
import TestSupport
import Testing
import WebTestSupport

@testable import TaxiPages
@testable import WebApp

/// taxi.md F24, R103, issue 4: deleting an account with something in progress.
@Suite("Leaving with something under way", .serialized)
struct LeavingTests {
    private static let place = Coordinate(latitude: 455_100_000, longitude: 91_500_000)

    /// An open city with one zone and a taxi on duty.
    private struct Town {
        var site: ServedSite
        var driver: PersonNumber
        var car: TaxiNumber
        var admin: Session

        var taxi: TaxiService { site.installation.taxi }

        init(_ site: ServedSite) async throws {
            self.site = site
            let taxi = site.installation.taxi
            try await taxi.dispatch.started()
            (_, admin) = try await site.administrator()
            driver = try await site.accounts.drivers.enter(
                .numbered(1),
                invites: false,
                by: admin,
                at: site.clock.now
            )
            try await site.installation.fleet.reconcile()
            try await FleetSamples.openCity(site)
            let own = try #require(try await site.accounts.drivers.taxi(of: driver))
            car = try #require(try await site.installation.fleet.number(of: own))
            let report = PositionReport(
                at: site.clock.now,
                place: place,
                accuracyMetres: 5
            )
            try await site.until("the taxi is heard") { [car] in
                let batch = PositionBatch(taxi: car, sentAt: report.at, reports: [report])
                _ = try taxi.report(batch)
                return try await taxi.dispatch.read { $0.taxi(car)?.isReachable == true }
            }
            _ = try await taxi.dispatch.give(.goOnDuty(car))
        }

        func call(_ person: PersonNumber) async throws -> RequestNumber {
            try await taxi.call(RideOrder(person.passenger, from: place)).request
        }

        func reserve(_ person: PersonNumber, hours: Int64) async throws -> RequestNumber {
            let to = Coordinate(latitude: place.latitude + 10_000, longitude: place.longitude)
            var order = RideOrder(person.passenger, from: place, to: to)
            order.originDescription = "Via Dante 7"
            let due = site.clock.now.adding(seconds: hours * 3_600)
            return try await taxi.reserve(order, due: due).request
        }

        func accept(_ request: RequestNumber) async throws {
            let offer = try await taxi.dispatch.read { $0.request(request)?.offer }
            _ = try await taxi.accept(request, by: car, epoch: try #require(offer).epoch)
        }

        func requests() async throws -> [RequestNumber] {
            try await taxi.dispatch.read { $0.requests.map(\.number) }
        }

        func places() async throws -> Int {
            try await site.installation.database.read { transaction in
                try transaction.rows("SELECT request FROM ride_place").count
            }
        }
    }

    private static func with(
        _ engine: TestEngine = .sqlite,
        _ body: @Sendable (Town, Visitor, PersonNumber) async throws -> Void
    ) async throws {
        try await withSite(on: engine) { site in
            let town = try await Town(site)
            let visitor = try await site.person("pia")
            let person = try #require(try await site.session(of: visitor).person)
            try await body(town, visitor, person)
        }
    }

    @Test(
        "the page says what will be cancelled, and cancels it before the account goes",
        arguments: TestEngine.allCases
    )
    func cancels(engine: TestEngine) async throws {
        try await Self.with(engine) { town, visitor, person in
            _ = try await town.reserve(person, hours: 5)
            _ = try await town.call(person)
            let other = try await town.reserve(PersonNumber(rawValue: 99), hours: 5)
            let page = try await visitor.get("/account/delete")
            #expect(page.text.contains("This will be cancelled"))
            #expect(page.text.contains("The taxi that we are looking for now"))
            #expect(page.text.contains("Via Dante 7"))
            #expect(!page.text.contains("Your account cannot be deleted now"))
            visitor.language = "it"
            #expect(
                try await visitor.get("/account/delete").text.contains("Questo verrà annullato")
            )
            visitor.language = "en"
            #expect(try await visitor.submit([:], on: "/account/delete").status == 422)
            #expect(try await town.requests().count == 3, "nothing before the word is given")
            let gone = try await visitor.submit(["proceed": "yes"], on: "/account/delete")
            #expect(gone.text.contains("Your account is deleted"), "\(gone.text)")
            #expect(try await town.requests() == [other])
            #expect(try await town.places() == 1, "only what is somebody else's")
            #expect(try await town.site.accounts.standing(of: person) == .erased)
            let taxi = try await town.taxi.dispatch.read { [car = town.car] in $0.taxi(car)?.status
            }
            #expect(taxi == .available, "the driver is free again")
        }
    }

    @Test("during a ride it is refused with the reason, and nothing is cancelled (F24)")
    func riding() async throws {
        try await Self.with { town, visitor, person in
            _ = try await town.reserve(person, hours: 5)
            let ride = try await town.call(person)
            try await town.accept(ride)
            let page = try await visitor.get("/account/delete")
            #expect(page.status == 409)
            #expect(page.text.contains("A taxi is on its way to you or is driving you."))
            let shown = try await visitor.get("/account")
            let token = try #require(shown.text.firstMatch(of: /name="token" value="([^"]*)"/)).1
            let forced = try await visitor.post(
                "/account/delete",
                ["proceed": "yes", "token": String(token)]
            )
            #expect(forced.status == 409)
            #expect(try await town.requests().count == 2)
            #expect(try await town.site.accounts.standing(of: person) == .active)
            _ = try await town.taxi.dispatch.give(.closeRide(town.car, reason: "brought home"))
            let gone = try await visitor.submit(["proceed": "yes"], on: "/account/delete")
            #expect(gone.text.contains("Your account is deleted"), "\(gone.text)")
            #expect(try await town.requests().isEmpty)
        }
    }

    @Test("where the city lets nobody cancel a call, it is said so; a reservation may go (C27)")
    func never() async throws {
        try await Self.with { town, visitor, person in
            let policy = try Policy.viavai.with(.cancelRequest, "never")
            _ = try await town.taxi.dispatch.give(.adopt(policy))
            let call = try await town.call(person)
            let page = try await visitor.get("/account/delete")
            #expect(page.text.contains("in this city that cannot be cancelled"))
            await #expect(throws: LeavingObstacle.calling) {
                try await town.taxi.leave(person, nil)
            }
            _ = try await town.taxi.dispatch.give(.withdraw(call, reason: "test"))
            _ = try await town.reserve(person, hours: 5)
            try await town.taxi.leave(person, nil)
            #expect(try await town.requests().isEmpty)
        }
    }

    @Test("a driver leaves neither with a ride nor with an open offer; else the taxi goes first")
    func driver() async throws {
        try await Self.with { town, _, person in
            let request = try await town.call(person)
            let own = try #require(try await town.site.accounts.drivers.taxi(of: town.driver))
            let remove = { @Sendable in
                try await town.site.accounts.drivers.remove(
                    town.driver,
                    by: town.admin,
                    at: town.site.clock.now
                )
            }
            await #expect(throws: LeavingObstacle.asked) { try await remove() }
            try await town.accept(request)
            await #expect(throws: LeavingObstacle.driving) { try await remove() }
            #expect(try await town.site.accounts.drivers.driver(town.driver) != nil)
            _ = try await town.taxi.dispatch.give(.closeRide(town.car, reason: "brought home"))
            // Killed after the taxi left the register: the driver's documents bring it back, off
            // duty.
            let driven = LeavingTaxi(own, hasOthers: false)
            try await town.taxi.leave(town.driver, driven)
            let car = town.car
            #expect(try await town.taxi.dispatch.read { $0.taxi(car)?.status } == .removed)
            try await town.site.installation.fleet.reconcile()
            let again = try #require(try await town.taxi.number(of: own))
            #expect(try await town.taxi.dispatch.read { $0.taxi(again)?.status } == .unavailable)
            try await remove()
            #expect(try await town.site.accounts.drivers.driver(town.driver) == nil)
            #expect(try await town.taxi.number(of: own) == nil)
        }
    }

    @Test(
        "killed between the steps, a second try ends what the first began",
        arguments: TestEngine.allCases
    )
    func killed(engine: TestEngine) async throws {
        try await withDatabase(on: engine) { database in
            try await withTemporaryFolder { folder in
                // First run: what is in progress is cancelled, and the server dies.
                try await withSite(in: folder, of: database) { site in
                    let town = try await Town(site)
                    let visitor = try await site.person("pia")
                    let person = try #require(try await site.session(of: visitor).person)
                    _ = try await town.reserve(person, hours: 5)
                    try await town.taxi.leave(person, nil)
                }
                try await withSite(in: folder, of: database) { site in
                    let taxi = site.installation.taxi
                    try await site.started()
                    let person = try #require(try await site.accounts.findPerson("pia"))
                    #expect(try await site.accounts.standing(of: person) == .active)
                    #expect(try await taxi.passengersUnderWay().isEmpty)
                    let visitor = try await site.signedIn("pia")
                    // Second run: a request is made at the moment in which the rows are deleted.
                    _ = try await visitor.submit(["proceed": "yes"], on: "/account/delete")
                    let order = RideOrder(
                        person.passenger,
                        from: Self.place,
                        to: Coordinate(latitude: 455_110_000, longitude: 91_500_000)
                    )
                    _ = try await taxi.reserve(order, due: site.clock.now.adding(seconds: 20_000))
                }
                // Third run: nothing is carried out for somebody whose account is gone.
                try await withSite(in: folder, of: database) { site in
                    let taxi = site.installation.taxi
                    try await site.started()
                    try await site.installation.fleet.reconcile()
                    #expect(try await taxi.passengersUnderWay().isEmpty)
                    let left = try await site.installation.database.read { transaction in
                        try transaction.rows("SELECT request FROM ride_place").count
                    }
                    #expect(left == 0)
                }
            }
        }
    }

    @Test("an unconfirmed registration goes after 7 days, whichever server has the taxis (R98)")
    func unconfirmed() async throws {
        try await withSite(hasTaxis: false) { site in
            let form = Registration(
                userName: "late",
                email: "late@example.org",
                password: ServedSite.password,
                passwordAgain: ServedSite.password,
                name: "Lea",
                surname: "Tardi",
                consent: site.accounts.settings.consentVersion
            )
            let address = ClientAddress("192.0.2.1")
            try await site.accounts.register(form, from: address, at: site.clock.now)
            site.clock.advance(seconds: 8 * 86_400)
            let report = try await site.accounts.sweep(at: site.clock.now)
            #expect(report.deleted.count == 1)
        }
    }
}
