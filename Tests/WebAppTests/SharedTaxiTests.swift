import Chronology
import Dispatching
import Drivers
import Geo
import Identity
import Positions
import StorageTestSupport
import Taxi
import TaxiPages
import TestClock
import Testing
import WebTestSupport

@testable import WebApp

/// taxi.md R13 and C13: rules of the policy about drivers and taxis.
@Suite("Taxis shared by shifts, and who enters drivers", .serialized)
struct SharedTaxiTests {
    /// Puts a policy into force with another value for one key.
    private static func set(
        _ key: Policy.Key,
        _ value: String,
        _ site: ServedSite
    ) async throws {
        let taxi = site.installation.taxi
        let policy = try await taxi.dispatch.read { $0.policy }
        _ = try await taxi.adopt(
            try policy.with(key, value),
            by: nil,
            note: "",
            replacing: policy.hash
        )
    }

    /// The form for a driver who shares the first driver's taxi.
    private static let form = {
        let entry = DriverEntry.numbered(2)
        let first = DriverEntry.numbered(1).papers
        return [
            "name": entry.name, "surname": entry.surname, "email": entry.email,
            "phone": entry.mobile, "taxi_code": first.taxiCode, "plate": first.plate,
            "taxi_licence": entry.papers.taxiLicence,
            "taxi_licence_expires": entry.papers.taxiLicenceExpires,
            "driving_licence": entry.papers.drivingLicence,
            "driving_licence_expires": entry.papers.drivingLicenceExpires,
            "seats": "4", "wheelchair": "no",
        ]
    }()

    @Test(
        "two drivers share a taxi where the policy says so, one at a time (R13)",
        arguments: TestEngine.allCases
    )
    func shares(engine: TestEngine) async throws {
        try await withSite(on: engine) { site in
            let taxi = site.installation.taxi
            try await site.started()
            let (visitor, admin) = try await site.administrator()
            let first = try await site.accounts.drivers.enter(
                .numbered(1),
                invites: false,
                by: admin,
                at: site.clock.now
            )
            try await site.installation.fleet.reconcile()
            try await FleetSamples.openCity(site)
            let refused = try await visitor.submit(Self.form, on: "/console/drivers/new")
            #expect(refused.status == 422)
            #expect(refused.text.contains("Someone else already uses this."))
            try await Self.set(.sharedTaxis, "true", site)
            let rules = try await visitor.get("/console/policy").text
            #expect(rules.contains("Taxis shared by shifts"))
            let entered = try await visitor.submit(Self.form, on: "/console/drivers/new")
            #expect(entered.status == 303, "\(entered.text)")
            let second = try #require(
                try await site.accounts.findPerson(DriverEntry.numbered(2).email)
            )
            let own = try #require(try await site.accounts.drivers.taxi(of: first))
            #expect(try await site.accounts.drivers.taxi(of: second) == own)
            let car = try #require(try await taxi.number(of: own))
            try await Self.shifts(car, own, first, second, admin, site)
        }
    }

    private static func shifts(
        _ car: TaxiNumber,
        _ own: PersonNumber,
        _ first: PersonNumber,
        _ second: PersonNumber,
        _ admin: Session,
        _ site: ServedSite
    ) async throws {
        let taxi = site.installation.taxi
        let place = Coordinate(latitude: 455_100_000, longitude: 91_500_000)
        let report = PositionReport(at: site.clock.now, place: place, accuracyMetres: 5)
        try await site.until("the taxi is heard") {
            let batch = PositionBatch(taxi: car, sentAt: report.at, reports: [report])
            _ = try taxi.report(batch)
            return try await taxi.dispatch.read { $0.taxi(car)?.isReachable == true }
        }
        _ = try await taxi.beginShift(car, first.rawValue)
        await #expect(throws: Refusal.alreadyOnDuty) {
            try await taxi.beginShift(car, first.rawValue)
        }
        await #expect(throws: ShiftObstacle.anotherDrives) {
            try await taxi.beginShift(car, second.rawValue)
        }
        await #expect(throws: ShiftObstacle.anotherDrives) {
            try await taxi.endShift(car, second.rawValue)
        }
        _ = try await taxi.endShift(car, first.rawValue)
        _ = try await taxi.beginShift(car, second.rawValue)
        #expect(try await taxi.shift(of: car) == second.rawValue)
        // While the second driver is on shift, the first may leave, but not the second.
        let request = try await taxi.call(RideOrder(PassengerNumber(rawValue: 7), from: place))
        let offer = try await taxi.dispatch.read { $0.request(request.request)?.offer }
        _ = try await taxi.accept(request.request, by: car, epoch: try #require(offer).epoch)
        await #expect(throws: LeavingObstacle.driving) {
            try await site.accounts.drivers.remove(second, by: admin, at: site.clock.now)
        }
        try await site.accounts.drivers.remove(first, by: admin, at: site.clock.now)
        #expect(try await taxi.dispatch.read { $0.taxi(car)?.status } == .riding)
        _ = try await taxi.dispatch.give(.closeRide(car, reason: "brought home"))
        try await site.accounts.drivers.remove(second, by: admin, at: site.clock.now)
        #expect(try await taxi.dispatch.read { $0.taxi(car)?.status } == .removed)
        #expect(try await taxi.shift(of: car) == nil)
    }

    @Test("a table of drivers shares taxis where the policy says so, with the same plate (R13)")
    func tables() async throws {
        try await withSite { site in
            try await site.started()
            let (visitor, _) = try await site.administrator()
            let header =
                "name,surname,email,mobile,taxi_code,plate,taxi_licence,taxi_licence_expires,"
                + "driving_licence,driving_licence_expires\n"
            let lines = (1...3).map { number in
                let entry = DriverEntry.numbered(number)
                let shared = DriverEntry.numbered(1).papers
                let plate = number == 3 ? entry.papers.plate : shared.plate
                return "\(entry.name),\(entry.surname),\(entry.email),\(entry.mobile),"
                    + "\(shared.taxiCode),\(plate),\(entry.papers.taxiLicence),2030-01-31,"
                    + "\(entry.papers.drivingLicence),2030-01-31\n"
            }
            func tried() async throws -> String {
                let table = Array((header + lines.joined()).utf8)
                let sent = try await visitor.upload(table, on: "/console/import/drivers")
                return try await visitor.get(try #require(sent.header("location"))).text
            }
            #expect(try await tried().contains("1 line is in order, 2 are not."))
            try await Self.set(.sharedTaxis, "true", site)
            #expect(try await tried().contains("2 lines are in order, 1 are not."))
        }
    }

    @Test("each value of driver.onboarding opens and closes its doors, and says why (C13)")
    func onboarding() async throws {
        try await withSite(CityStaff.limits) { site in
            let admin = try await CityStaff.administrator(site)
            let entries = ["/console/drivers/new", "/console/import/drivers"]
            let closed = "Drivers register themselves"
            // The city itself enters its initial drivers, whatever the rule (R4, R10).
            try await Self.set(.onboarding, "self+verify", site)
            for path in entries {
                #expect(try await !admin.get(path).text.contains(closed), "\(path)")
            }
            try await CityStaff.fill(site)
            _ = try await site.installation.taxi.dispatch.give(.completeSetup)
            for (value, cityEnters, driversRegister) in [
                ("admin", true, false), ("self+verify", false, true), ("both", true, true),
            ] {
                try await Self.set(.onboarding, value, site)
                for path in entries {
                    let page = try await admin.get(path)
                    #expect(page.text.contains(closed) == !cityEnters, "\(value) \(path)")
                    #expect(page.status == (cityEnters ? 200 : 409), "\(value) \(path)")
                }
                let register = try await site.visitor().get("/register/driver")
                #expect(register.text.contains("name=\"plate\"") == driversRegister, "\(value)")
                #expect(register.status == (driversRegister ? 200 : 409), "\(value)")
            }
            try await Self.set(.onboarding, "self+verify", site)
            let forced = try await admin.submit(
                Self.form,
                on: "/console/policy/edit",
                to: "/console/drivers/new"
            )
            #expect(forced.status == 409)
            #expect(try await site.accounts.drivers.fleet().isEmpty)
        }
    }
}
