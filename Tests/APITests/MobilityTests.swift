import Chronology
import Dispatching
import Drivers
import Geo
import Identity
import OpenData
import Storage
import StorageTestSupport
import Taxi
import TaxiPages
import TestClock
import TestSupport
import Testing
import WebTestSupport
import Zones

@testable import API
@testable import WebApp
@testable import WebCore

/// What regulators read by the Mobility Data Specification 2.0; issue 34, "Open data of the taxis";
/// decision 0061.
@Suite("Mobility data for regulators", .serialized)
struct MobilityTests {
    /// Words of people that no open data may contain.
    private static let planted = [
        "Mirabella", "pia@example.org", "Corso Lungo", "3331234567",
    ]

    /// A town in which one ride was completed and another cancelled after its taxi was found.
    private static func rides(
        on engine: TestEngine = .sqlite,
        _ body: @escaping @Sendable (RideTown, Program) async throws -> Void
    ) async throws {
        try await RideTown.open(.viavai, taxis: 2, on: engine) { town in
            let pia = try await town.passenger("pia")
            _ = try await pia.submit(
                ["name": "Mirabella", "surname": "Mirabella", "phone": "+39 333 1234567"],
                on: "/account/edit"
            )
            let number = try RideTown.number(try await town.call(pia))
            let taxi = town.taxis[0]
            try await town.accept(taxi)
            try await town.wait(seconds: 120)
            try await town.reach(taxi)
            try await town.board(taxi)
            try await town.wait(seconds: 300)
            try await town.end(taxi)
            let ugo = try await town.passenger("ugo")
            let second = try RideTown.number(try await town.call(ugo))
            try await town.accept(town.taxis[1])
            let person = try #require(try await town.site.accounts.findPerson("ugo"))
            _ = try await town.taxi.cancel(second, for: person.passenger)
            await town.taxi.settled()
            #expect(number != second)
            town.site.clock.advance(seconds: 7_200)
            let program = try await Program.registered(at: town.site, [.readMobility])
            try await body(town, program)
        }
    }

    private static func hour(_ town: RideTown, before seconds: Int64) -> String {
        let moment = town.site.clock.now.adding(seconds: -seconds)
        return String((JSONValue(moment).text ?? "").prefix(13))
    }

    /// The answers about the hours in which the rides took place.
    private static func answers(
        _ town: RideTown,
        _ program: Program
    ) async throws -> [(path: String, reply: Program.Reply)] {
        var found: [(path: String, reply: Program.Reply)] = []
        func get(_ path: String, _ query: String = "") async throws {
            let reply = try await program.get("/api/mds\(path)\(query)")
            #expect(reply.status == 200, "\(path): \(reply.text)")
            found.append((path, reply))
        }
        try await get("/vehicles")
        try await get("/vehicles/status")
        for hour in Set([hour(town, before: 7_200), hour(town, before: 7_700)]).sorted() {
            try await get("/trips", "?end_time=\(hour)")
            try await get("/events/historical", "?event_time=\(hour)")
        }
        let now = town.site.clock.now.milliseconds
        let (start, end) = (now - 9_000_000, now - 5_400_000)
        try await get("/events/recent", "?start_time=\(start)&end_time=\(end)")
        return found
    }

    @Test(
        "vehicles, state, events and trips fit the published schemas",
        .enabled(if: PublishedSchemas.python != nil, PublishedSchemas.advice)
    )
    func schemas() async throws {
        try RealData.require("schemas/mds/2.0/reference/provider.yaml")
        try await Self.rides { town, program in
            let answers = try await Self.answers(town, program).map { ($0.path, $0.reply.text) }
            #expect(try PublishedSchemas.problemsOfMDS(answers) == "")
            // The check would find a state that does not belong to its event.
            let broken = answers.filter { $0.0.hasPrefix("/events") }.map { path, text in
                (path, text.replacing("\"on_trip\"", with: "\"removed\""))
            }
            #expect(try PublishedSchemas.problemsOfMDS(broken) != "")
        }
    }

    @Test(
        "a ride is told by its events and its trip, from the log",
        arguments: TestEngine.allCases
    )
    func ride(engine: TestEngine) async throws {
        try await Self.rides(on: engine) { town, program in
            let answers = try await Self.answers(town, program)
            let vehicles = answers[0].reply.json["vehicles"]?.list ?? []
            #expect(vehicles.count == 2)
            let codes = Set(vehicles.compactMap { $0["vehicle_id"]?.text })
            #expect(codes.contains(try await town.signs(town.taxis[0]).code))
            let trips = answers.flatMap { $0.reply.json["trips"]?.list ?? [] }
            #expect(trips.count == 1, "the cancelled one is no trip")
            let trip = try #require(trips.first)
            #expect(trip["trip_type"] == ["private"] && trip["duration"] == 300, "\(trip)")
            #expect(trip["trip_attributes"]?["passenger_count"] == 1)
            #expect(trip["currency"] == "EUR" && trip["actual_cost"]?.double ?? 0 > 0)
            // Afterwards the phones fall silent.
            func isOfRides(_ event: JSONValue) -> Bool {
                let kind = event["event_types"]?.list?.first?.text ?? ""
                return !kind.hasPrefix("comms") && kind != "service_end"
            }
            let events = answers.filter { $0.path == "/events/historical" }
                .flatMap { $0.reply.json["events"]?.list ?? [] }.filter(isOfRides)
            func kinds(_ device: JSONValue?) -> [String] {
                events.filter { $0["device_id"] == device }
                    .compactMap { $0["event_types"]?.list?.first?.text }
            }
            #expect(
                kinds(trip["device_id"]) == [
                    "service_start", "reservation_start", "reservation_stop", "trip_start",
                    "trip_end",
                ]
            )
            let other = vehicles.first { $0["device_id"] != trip["device_id"] }
            #expect(
                kinds(other?["device_id"]) == [
                    "service_start", "reservation_start", "passenger_cancellation",
                ]
            )
            for event in events where event["device_id"] == trip["device_id"] {
                let kind = event["event_types"]?.list?.first?.text ?? ""
                let ids: JSONValue? = kind == "service_start" ? nil : [trip["trip_id"] ?? .null]
                #expect(event["trip_ids"] == ids, "\(event)")
            }
            // The same event has the same number, however it is asked for.
            let recent = (answers.last?.reply.json["events"]?.list ?? []).filter(isOfRides)
            let ids = Set(events.compactMap { $0["event_id"]?.text })
            #expect(Set(recent.compactMap { $0["event_id"]?.text }) == ids)
            let status = answers[1].reply.json["vehicles_status"]?.list ?? []
            let last = status.first { $0["device_id"] == trip["device_id"] }?["last_event"]
            #expect(ids.contains(last?["event_id"]?.text ?? ""), "\(status)")
            #expect(last?["vehicle_state"] == "available")
        }
    }

    @Test("no name, contact, address, plate or place of a person is in open data")
    func planted() async throws {
        try await Self.rides { town, program in
            var texts = try await Self.answers(town, program).map(\.reply.text)
            let signs = try await town.signs(town.taxis[0])
            let day = Site(town.site.installation).web.day(town.site.clock.now)
            let paths =
                GOFSFeed.File.allCases.map { "/gofs/en/\($0.rawValue).json" }
                + ["/gofs/gofs.json", "/open-data/zones.geojson"]
                + ["/open-data/statistics.csv?first=\(day.iso8601)&last=\(day.iso8601)"]
            for path in paths { texts.append(try await town.site.visitor().get(path).text) }
            let place = RideTown.place(500)
            let words = Self.planted + [signs.plate, "\(place.longitudeDegrees)"]
            for text in texts {
                for word in words {
                    #expect(!text.contains(word), "\(word): \(text.prefix(400))")
                }
            }
            // Where a trip begins and ends is the middle of a zone.
            let trip = texts.first { $0.contains("start_location") } ?? ""
            let box = try #require(town.taxi.zonesInForce?.zones.first?.area.bounds?.centre)
            #expect(trip.contains("\(box.longitudeDegrees)"), "\(trip)")
        }
    }

    @Test("only the permission for it opens it, an hour must have passed, and periods are limited")
    func limits() async throws {
        try await Self.rides { town, program in
            let other = try await Program.registered(
                at: town.site,
                Set(Scope.allCases).subtracting([.readMobility]),
                name: "Other"
            )
            let past = Self.hour(town, before: 7_700)
            for path in ["/vehicles", "/vehicles/status", "/trips?end_time=\(past)"] {
                #expect(try await other.get("/api/mds\(path)").status == 403, "\(path)")
            }
            let now = Self.hour(town, before: 0)
            #expect(try await program.get("/api/mds/trips?end_time=\(now)").status == 404)
            let wrong = try await program.get("/api/mds/trips?end_time=2027-1-1T8")
            #expect(wrong.status == 422 && wrong.blamed == ["end_time"], "\(wrong.text)")
            let end = town.site.clock.now.milliseconds
            for start in [end - 3_600_001, end + 1, end - 15 * 86_400_000] {
                let stop = start < end - 4_000_000 ? start + 1 : end
                let answer = try await program.get(
                    "/api/mds/events/recent?start_time=\(start)&end_time=\(stop)"
                )
                #expect(answer.status == 422, "\(answer.text)")
            }
        }
    }
}
