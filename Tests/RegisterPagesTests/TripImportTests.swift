import Chronology
import Dispatching
import Drivers
import Encoding
import Identity
import Storage
import StorageTestSupport
import Taxi
import TestClock
import Testing
import WebTestSupport

@testable import TaxiPages
@testable import WebApp
@testable import WebCore

/// taxi.md R10: open reservations and past rides of the old system.
@Suite("Importing trips of the old system", .serialized)
struct TripImportTests {
    /// The day and hour in Rome, a number of hours after the test begins.
    private static func hour(_ hours: Int64, _ site: ServedSite) -> String {
        let moment = site.clock.now.adding(seconds: hours * 3_600)
        let instant = Instant(seconds: moment.milliseconds / 1_000)
        let local = site.installation.settings.zoneTable.local(instant)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let (hour, minute) = (local.second / 3_600, local.second / 60 % 60)
        return "\(local.date.iso8601) \(two(hour)):\(two(minute))"
    }

    private static func send(
        _ text: String,
        _ kind: String,
        _ visitor: Visitor
    ) async throws -> String {
        let answer = try await visitor.upload(Array(text.utf8), on: "/console/import/\(kind)")
        return try #require(answer.header("location"))
    }

    @Test("reservations are tried, made by the dispatcher, and not made twice")
    func reservations() async throws {
        try await withSite { site in
            try await site.started()
            let (visitor, admin) = try await site.administrator()
            _ = try await site.person("pia")
            _ = try await site.accounts.drivers.enter(
                .numbered(1),
                invites: false,
                by: admin,
                at: site.clock.now
            )
            try await site.installation.fleet.reconcile()
            let header =
                "email,due,origin_latitude,origin_longitude,origin,destination_latitude,"
                + "destination_longitude,destination,seats\n"
            let good = "pia@example.org,\(Self.hour(24, site)),45.51,9.15,Duomo,45.52,9.16,,2\n"
            let early = try await Self.send(header + good, "reservations", visitor)
            _ = try await FleetSamples.openCity(site)
            _ = try await visitor.get(early)
            let wrong = [
                "eve@example.org,\(Self.hour(24, site)),45.51,9.15,,45.52,9.16,,1",
                "pia@example.org,\(Self.hour(1, site)),45.51,9.15,,45.52,9.16,,1",
                "pia@example.org,\(Self.hour(9_000, site)),45.51,9.15,,45.52,9.16,,1",
                "pia@example.org,tomorrow,45.51,9.15,,45.52,9.16,,1",
                "pia@example.org,\(Self.hour(25, site)),48.51,9.15,,45.52,9.16,,1",
                "pia@example.org,\(Self.hour(26, site)),nan,9.15,,1e99,9.16,,99",
                good.trimmingBlanks(),
            ].joined(separator: "\n")
            let page = try await Self.send(header + good + wrong + "\n", "reservations", visitor)
            let tried = try await visitor.get(page)
            #expect(tried.text.contains("1 line is in order, 7 are not."), "\(tried.text)")
            for text in [
                "Nobody has this address", "hours ahead", "Enter a day and a time",
                "outside all zones", "Enter coordinates", "Line 2 has the same value.",
            ] {
                #expect(tried.text.contains(text), "\(text)")
            }
            let done = try await visitor.submit(["mode": "good"], on: page)
            #expect(done.header("location") == "/console/import?entered=1", "\(done.text)")
            let made = try await site.installation.taxi.dispatch.read { $0.requests }
            let person = try #require(try await site.accounts.findPerson("pia"))
            #expect(made.map(\.form.passenger) == [person.passenger])
            #expect(made.map(\.needs) == [Capacity(seats: 2)])
            let again = try await Self.send(header + good, "reservations", visitor)
            #expect(try await visitor.get(again).text.contains("This already exists."))
        }
    }

    @Test("before the city has confirmed its data no reservation is made, and it is said why")
    func gate() async throws {
        try await withSite { site in
            try await site.started()
            let (visitor, _) = try await site.administrator()
            _ = try await site.person("pia")
            let text =
                "email,due,origin_latitude,origin_longitude,destination_latitude,"
                + "destination_longitude\npia@example.org,\(Self.hour(24, site)),45.51,9.15,"
                + "45.52,9.16\n"
            let page = try await Self.send(text, "reservations", visitor)
            let tried = try await visitor.get(page)
            #expect(tried.text.contains("0 lines are in order, 1 are not."))
            #expect(tried.text.contains("outside all zones"))
            let forced = try await visitor.get(page)
            #expect(forced.status == 200)
        }
    }

    @Test(
        "past rides become history with their origin, once, and places go with their passenger",
        arguments: TestEngine.allCases
    )
    func rides(engine: TestEngine) async throws {
        try await withSite(on: engine) { site in
            let (visitor, admin) = try await site.administrator()
            _ = try await site.person("pia")
            let driver = try await site.accounts.drivers.enter(
                .numbered(1),
                invites: false,
                by: admin,
                at: site.clock.now
            )
            let header =
                "email,taxi_code,asked,ended,origin_latitude,origin_longitude,origin,"
                + "destination_latitude,destination_longitude,destination\n"
            let text =
                header
                + "pia@example.org,t-1000001,2025-03-01 08:00,2025-03-01 08:20,45.5,9.1,Duomo,,,\n"
                + ",,2025-03-02 09:00,2025-03-02 09:10,,,,,,\n"
                + "pia@example.org,T9,2025-03-03 08:00,2025-03-03 08:20,,,,,,\n"
                + "pia@example.org,,2025-03-04 08:00,2025-03-04 07:20,,,,,,\n"
                + "pia@example.org,,2045-03-04 08:00,2045-03-04 09:20,,,,,,\n"
            let page = try await Self.send(text, "rides", visitor)
            let tried = try await visitor.get(page)
            #expect(tried.text.contains("2 lines are in order, 3 are not."), "\(tried.text)")
            #expect(tried.text.contains("No taxi has this code"))
            let done = try await visitor.submit(["mode": "good"], on: page)
            #expect(done.header("location") == "/console/import?entered=2", "\(done.text)")
            let store = OldRideStore(in: site.installation.database)
            let person = try #require(try await site.accounts.findPerson("pia"))
            let rides = try await store.rides(of: person.passenger)
            let taxi = try #require(try await site.accounts.drivers.driver(driver)).taxi
            #expect(rides.count == 1 && rides[0].taxiCode == taxi.dispatcherCode)
            #expect(rides[0].places?.meetingDescription == "Duomo")
            let again = try await Self.send(text, "rides", visitor)
            #expect(try await visitor.get(again).text.contains("This already exists."))
            let pia = try await site.signedIn("pia")
            let history = try await pia.get("/account/rides")
            #expect(history.text.contains("from the old system"), "\(history.text)")
            #expect(history.text.contains("Duomo") && history.text.contains("T1000001"))
            #expect(try await pia.get("/account/export").text.contains("\"isOfOldSystem\" : true"))
            try await site.started()
            let gone = try await pia.submit(["proceed": "yes"], on: "/account/delete")
            #expect(gone.text.contains("Your account is deleted"))
            #expect(try await store.rides(of: person.passenger).map(\.places) == [nil])
        }
    }
}
