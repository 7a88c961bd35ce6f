import Chronology
import Dispatching
import Geo
import Identity
import Positions
import SeededRandom
import Storage
import StorageTestSupport
import Taxi
import TestClock
import TestSupport
import Testing
import WebTestSupport
import Zones

@testable import Drivers
@testable import RegisterPages
@testable import TaxiPages
@testable import WebApp
@testable import WebCore

/// Issue 4: the dispatcher knows exactly the taxis whose driver is verified (R1, R6, R104).
@Suite("The fleet", .serialized)
struct FleetTests {
    /// The register of taxis as the dispatcher has it.
    private static func register(_ site: ServedSite) async throws -> [String: TaxiForm] {
        let taxis = try await site.installation.taxi.dispatch.read { $0.taxis }
        return Dictionary(
            uniqueKeysWithValues: taxis.filter { !$0.isRemoved }.map { taxi in
                let form = TaxiForm(
                    code: taxi.code,
                    capacity: taxi.capacity,
                    licensedUntil: taxi.licensedUntil
                )
                return (taxi.code, form)
            }
        )
    }

    /// What the register should be, computed driver by driver in the simplest, slowest way.
    private static func reference(_ site: ServedSite) async throws -> [String: TaxiForm] {
        var forms: [String: TaxiForm] = [:]
        for driver in try await site.accounts.drivers.list(limit: 10_000, at: site.clock.now) {
            guard driver.verification == .verified, !driver.isSuspended else { continue }
            let papers = driver.papers
            let last = min(papers.taxiLicenceExpires, papers.drivingLicenceExpires)
            let day = try #require(CivilDate(iso8601: last)).adding(days: 1)
            let end = site.installation.settings.zoneTable.instant(day, second: 0)
            let code = "\(driver.taxi.rawValue)"
            forms[code] = TaxiForm(
                code: code,
                capacity: Capacity(
                    seats: try #require(UInt8(papers.seats)),
                    wheelchair: papers.wheelchair == "yes"
                ),
                licensedUntil: Moment(milliseconds: end.seconds * 1_000)
            )
        }
        return forms
    }

    @Test(
        "whatever is done to drivers, afterwards the register is the verified fleet",
        arguments: TestEngine.allCases
    )
    func random(engine: TestEngine) async throws {
        try await withSite(on: engine) { site in
            try await site.started()
            let (_, admin) = try await site.administrator()
            var random = SeededRandom(seed: 4_855)
            var people: [PersonNumber] = []
            for step in 0..<60 {
                try await Self.change(&people, step, admin, site, &random)
                if step % 3 == 0 {
                    try await site.installation.fleet.reconcile()
                    #expect(try await Self.register(site) == Self.reference(site), "\(step)")
                }
            }
            let idle = try await site.installation.fleet.reconcile()
            #expect(try await Self.register(site) == Self.reference(site))
            let again = try await site.installation.fleet.reconcile()
            #expect(again == Fleet.Report(), "\(idle)")
        }
    }

    /// Applies a random change to the drivers.
    private static func change(
        _ people: inout [PersonNumber],
        _ step: Int,
        _ admin: Session,
        _ site: ServedSite,
        _ random: inout SeededRandom
    ) async throws {
        let (accounts, now) = (site.accounts, site.clock.now)
        guard let person = people.randomElement(using: &random),
            Int.random(in: 0..<3, using: &random) > 0,
            let driver = try await accounts.drivers.driver(person)
        else {
            var entry = DriverEntry.numbered(step)
            entry.papers.seats = "\(Int.random(in: 1...9, using: &random))"
            let person = try await accounts.drivers.enter(entry, invites: false, by: admin, at: now)
            return people.append(person)
        }
        switch Int.random(in: 0..<5, using: &random) {
        case 0: try await accounts.setSuspension("late", of: person, by: admin, at: now)
        case 1: try await accounts.setSuspension(nil, of: person, by: admin, at: now)
        case 2:
            try await accounts.drivers.remove(person, by: admin, at: now)
            people.removeAll { $0 == person }
        case 3:
            var papers = driver.papers
            papers.taxiLicenceExpires = "20\(Int.random(in: 28...40, using: &random))-02-28"
            papers.wheelchair = "yes"
            try await accounts.drivers.update(person, ProfileChange(), papers, by: admin, at: now)
        default:
            try await accounts.drivers.decide(
                on: driver.papersToDecide,
                of: person,
                refusal: "unreadable",
                by: admin,
                at: now
            )
        }
    }

    @Test("passes at the same time register no taxi twice, and leave foreign taxis alone")
    func together() async throws {
        try await withSite { site in
            let dispatch = site.installation.taxi.dispatch
            try await dispatch.started()
            _ = try await dispatch.give(.register(TaxiForm(code: "T1")))
            let (_, admin) = try await site.administrator()
            for number in 0..<20 {
                try await site.accounts.drivers.enter(
                    .numbered(number),
                    invites: false,
                    by: admin,
                    at: site.clock.now
                )
            }
            let fleet = site.installation.fleet
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<10 { group.addTask { try await fleet.reconcile() } }
                try await group.waitForAll()
            }
            let codes = try await dispatch.read { $0.taxis.map(\.code) }
            #expect(codes.count == 21 && Set(codes).count == 21 && codes.contains("T1"))
            let taxis = try await site.accounts.drivers.fleet().map(\.taxi)
            let number = try #require(try await fleet.number(of: taxis[0]))
            let code = try await dispatch.read { $0.taxi(number)?.code }
            #expect(PersonNumber(dispatcherCode: code ?? "") == taxis[0])
            for text in ["", "T1", "-1", "0", "01", " 1", "9223372036854775808"] {
                #expect(PersonNumber(dispatcherCode: text) == nil)
            }
        }
    }

    @Test("a taxi that rides brings its passenger home, gets no other, and then leaves")
    func riding() async throws {
        try await withSite { site in
            let taxi = site.installation.taxi
            let (admin, person, car) = try await FleetSamples.drivenTaxi(site)
            try await site.accounts.setSuspension(
                "reported",
                of: person,
                by: admin,
                at: site.clock.now
            )
            let first = try await site.installation.fleet.reconcile()
            #expect(first == Fleet.Report(done: 1, riding: 1))
            let second = try await site.installation.fleet.reconcile()
            #expect(second == Fleet.Report(riding: 1))
            #expect(try await taxi.dispatch.read { $0.taxi(car)?.status } == .riding)
            _ = try await taxi.dispatch.give(.closeRide(car, reason: "brought home"))
            #expect(try await taxi.dispatch.read { $0.taxi(car)?.status } == .unavailable)
            try await site.installation.fleet.reconcile()
            #expect(try await taxi.dispatch.read { $0.taxi(car)?.status } == .removed)
        }
    }

    @Test("where another server has the dispatcher, a change is kept and told by that server")
    func elsewhere() async throws {
        try await withSite { site in
            try await site.started()
            let other = try TaxiService(
                TaxiService.City(
                    name: "city",
                    zone: .utc,
                    secret: [UInt8](repeating: 7, count: 32)
                ),
                in: site.installation.database,
                clock: site.clock.clock,
                settings: DispatchService.Settings(holder: "other")
            )
            let fleet = Fleet(site.accounts, taxis: other, zone: .utc)
            await #expect(throws: DispatchService.Failure.notServing) {
                try await fleet.reconcile()
            }
        }
    }
}
