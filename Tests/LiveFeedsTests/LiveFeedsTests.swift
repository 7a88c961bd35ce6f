import Chronology
import Foundation
import HTTPClient
import OpenData
import TestSupport
import Testing

@testable import LiveFeeds

/// Issue 33, LiveFeeds: feeds from a real server on loopback, good, broken, late and lying.
@Suite("Live feeds (V86, V87)", .enabled(if: LocalServers.areAvailable, LocalServers.advice))
struct LiveFeedsTests {
    @Test("a system is read from its entry point, and asked again only for what is new")
    func sharing() async throws {
        let server = try await FeedServer()
        try server.publishSystem()
        let feeds = server.feeds([try server.source(.sharing, "gbfs.json")])
        #expect(feeds.world.systems.first?.knownSince == nil)
        let next = await feeds.poll(server.now)
        let system = try #require(feeds.world.systems.first)
        #expect(system.system.information?.name.text(in: "it") == "Bici")
        #expect(system.system.stationStates["s1"]?.rentable == 3)
        #expect(system.isFresh(server.now))
        let status = try #require(feeds.statuses.first)
        #expect(status.problem == nil && status.usableCount == status.totalCount)
        #expect(status.resources.count == 4)
        // After the time to live of a minute, a tenth more at most.
        #expect((60...66).contains(next.seconds - server.now.seconds))
        let epoch = feeds.world.epoch
        server.pass(70)
        _ = await feeds.poll(server.now)
        #expect(feeds.world.epoch == epoch, "a server that has nothing newer changes nothing")
        let requests = try await server.requests("station_status.json")
        #expect(requests.count == 2 && requests[0].headers["if-none-match"] == nil)
        #expect(requests[1].headers["if-none-match"] != nil)
        #expect(requests[1].headers["user-agent"] == "Viavai (test)")
        #expect(try await server.requests("station_information.json").count == 1)
        server.pass(70)
        try server.publishSystem(vehicles: 5)
        _ = await feeds.poll(server.now)
        #expect(feeds.world.systems.first?.system.stationStates["s1"]?.rentable == 5)
        #expect(feeds.world.epoch > epoch)
    }

    @Test(
        "whatever a server does, the last good copy stays in use with its age",
        arguments: [
            ("!503 900", "The server answered with status 503", 900),
            ("!404", "The server answered with status 404", 24),
            ("!drops", "", 24),
            ("!endless", "The response is too large", 24),
            ("!302 https://example.com/x", "The feed has moved to https://example.com/x", 24),
            ("<html>Down</html>", "station_status is not JSON", 24),
            ("{\"last_updated\": 1795766400, \"ttl\": 60", "station_status is not JSON", 24),
        ] as [(String, String, Int64)]
    )
    func misbehaviour(instruction: String, message: String, pause: Int64) async throws {
        let server = try await FeedServer()
        try server.publishSystem()
        let feeds = server.feeds([try server.source(.sharing, "gbfs.json")])
        _ = await feeds.poll(server.now)
        let good = server.now
        server.pass(70)
        try server.publish(instruction, as: "station_status.json")
        _ = await feeds.poll(server.now)
        let status = try #require(feeds.statuses.first)
        #expect(status.problem?.text.hasPrefix(message) == true, "\(status.problem?.text ?? "")")
        let failing = try #require(status.failing)
        #expect(failing.name == "station_status" && failing.failingSince == server.now)
        #expect(failing.nextAttempt.seconds - server.now.seconds >= pause)
        let system = try #require(feeds.world.systems.first)
        #expect(system.system.stationStates["s1"]?.rentable == 3 && system.knownSince == good)
        #expect(system.isFresh(server.now))
        server.pass(600)
        #expect(!system.isFresh(server.now), "nobody is sent to a vehicle of ten minutes ago")
    }

    @Test("a service that is back is used at once, and the problem is over")
    func recovery() async throws {
        let server = try await FeedServer()
        try server.publish("!500", as: "gbfs.json")
        let feeds = server.feeds([try server.source(.sharing, "gbfs.json")])
        var pauses: [Int64] = []
        for _ in 0..<10 {
            let next = await feeds.poll(server.now)
            pauses.append(next.seconds - server.now.seconds)
            server.pass(pauses[pauses.count - 1])
        }
        let middles: [Double] = [30, 60, 120, 240, 480, 960, 1_920, 3_600, 3_600, 3_600]
        for (pause, middle) in zip(pauses, middles) {
            #expect((middle * 0.79...middle * 1.21).contains(Double(pause)))
        }
        #expect(try await server.requests("gbfs.json").count == 10)
        try server.publishSystem()
        _ = await feeds.poll(server.now)
        #expect(feeds.statuses.first?.problem == nil)
        #expect(feeds.world.systems.first?.isFresh(server.now) == true)
    }

    @Test("a file whose entries are mostly broken, or older than the known one, is not accepted")
    func lies() async throws {
        let server = try await FeedServer()
        try server.publishSystem()
        let feeds = server.feeds([try server.source(.sharing, "gbfs.json")])
        _ = await feeds.poll(server.now)
        server.pass(70)
        try server.publishSystem(vehicles: 9, made: server.now.adding(seconds: -7_200))
        _ = await feeds.poll(server.now)
        #expect(feeds.statuses.first?.problem == .older)
        #expect(feeds.world.systems.first?.system.stationStates["s1"]?.rentable == 3)
        server.pass(70)
        let broken = #"{"station_id": "s1", "num_vehicles_available": -4}"#
        try server.publish(
            """
            {"last_updated": \(server.now.seconds), "ttl": 60, "version": "3.0",
            "data": {"stations": [\(broken)]}}
            """,
            as: "station_status.json"
        )
        _ = await feeds.poll(server.now)
        let text = try #require(feeds.statuses.first?.problem?.text)
        #expect(text.hasPrefix("Only 0 of 1 entries can be used"), "\(text)")
        #expect(text.contains("data.stations[0].num_vehicles_available"), "\(text)")
    }

    @Test("states of stations that do not exist lower the share that is matched")
    func matched() async throws {
        let server = try await FeedServer()
        try server.publishSystem(station: "unknown")
        let feeds = server.feeds([try server.source(.sharing, "gbfs.json")])
        _ = await feeds.poll(server.now)
        let status = try #require(feeds.statuses.first)
        #expect(status.problem == nil)
        let state = try #require(status.resources.first { $0.name == "station_status" })
        #expect(state.usableCount == 0 && state.totalCount == 1)
    }

    @Test("a new process begins with the last good copies, and asks whether they still hold")
    func restart() async throws {
        let server = try await FeedServer()
        try server.publishSystem()
        let sources = [try server.source(.sharing, "gbfs.json")]
        let first = server.feeds(sources)
        _ = await first.poll(server.now)
        let good = server.now
        server.pass(300)
        try server.publish("!503", as: "station_status.json")
        let second = server.feeds(sources)
        let system = try #require(second.world.systems.first)
        #expect(system.system.stationStates["s1"]?.rentable == 3 && system.knownSince == good)
        _ = await second.poll(server.now)
        let request = try #require(try await server.requests("gbfs.json").last)
        #expect(request.headers["if-none-match"] != nil)
        #expect(second.world.systems.first?.system.stationStates["s1"]?.rentable == 3)
    }

    @Test("copies that are damaged on disk are ignored", arguments: ["", "{}\n", "x", "\n\n"])
    func damagedCopies(text: String) async throws {
        let server = try await FeedServer()
        try server.publishSystem()
        for name in ["gbfs", "station_status"] {
            try server.copies.write(text, to: "gbfs.\(name)")
        }
        let feeds = server.feeds([try server.source(.sharing, "gbfs.json")])
        #expect(feeds.world.systems.first?.system.stationStates.isEmpty == true)
        _ = await feeds.poll(server.now)
        #expect(feeds.world.systems.first?.system.stationStates.isEmpty == false)
    }

    @Test("a feed cannot send the server to another address of a private network")
    func privateAddresses() async throws {
        let server = try await FeedServer()
        let other = try await FeedServer()
        try server.publishSystem()
        try other.publishSystem()
        // The same host with another spelling of the port counts as another address.
        let text = """
            {"last_updated": \(server.now.seconds), "ttl": 60, "version": "3.0", "data": {"feeds": [
            {"name": "system_information", "url": "http://127.0.0.1:1/internal"},
            {"name": "station_status", "url": "https://127.0.0.1:1/internal"}]}}
            """
        try server.publish(text, as: "gbfs.json")
        let feeds = server.feeds([try server.source(.sharing, "gbfs.json")])
        _ = await feeds.poll(server.now)
        let problems = try #require(feeds.statuses.first).resources.dropFirst().map(\.problem)
        #expect(problems == [.noAnswer(.badRequest), .noAnswer(.addressNotPermitted)])
    }

    @Test("a folder that cannot be written costs the copies, not the feed")
    func unwritable() async throws {
        let server = try await FeedServer()
        try server.publishSystem()
        try server.copies.write("a file, not a folder", to: "taken")
        let feeds = server.feeds(
            [try server.source(.sharing, "gbfs.json")],
            folder: server.copies.path("taken")
        )
        _ = await feeds.poll(server.now)
        #expect(feeds.world.systems.first?.isFresh(server.now) == true)
        #expect(feeds.statuses.first?.isKept == false)
        // That it has not changed since keeps nothing.
        server.pass(3_600)
        _ = await feeds.poll(server.now)
        #expect(feeds.statuses.first?.isKept == false)
    }

    @Test("several feeds are told apart, and one that is slow does not hold up the others' state")
    func several() async throws {
        let server = try await FeedServer()
        try server.publishSystem()
        try server.publish(
            """
            {"latitude": 45.46, "longitude": 9.19, "utc_offset_seconds": 0, "hourly":
            {"time": ["2026-11-27T09:00"], "precipitation": [2.5],
            "precipitation_probability": [80]}}
            """,
            as: "weather.json"
        )
        try RealData.require("gtfs-rt/halifax/Alerts.pb")
        let alerts = try Data(contentsOf: RealData.url("gtfs-rt/halifax/Alerts.pb"))
        try server.publish([UInt8](alerts), as: "alerts.pb")
        let feeds = server.feeds([
            try server.source(.sharing, "gbfs.json"), try server.source(.openMeteo, "weather.json"),
            try server.source(.alerts, "alerts.pb"), try server.source(.strikes, "none.xml"),
        ])
        _ = await feeds.poll(server.now)
        let world = feeds.world
        let half = server.now.adding(seconds: 1_800)
        #expect(world.rain(at: half, asOf: server.now)?.probability == 0.8)
        let later = server.now.adding(seconds: 6 * 3_600 + 1)
        #expect(world.rain(at: half, asOf: later) == nil, "six hours later it is unknown")
        #expect(world.alerts.first?.alerts.count == 46)
        #expect(feeds.statuses.map { $0.problem == nil } == [true, true, true, false])
    }

    @Test("a forecast that its service confirms stays in use, however long it is the same (V87)")
    func confirmedForecast() async throws {
        let server = try await FeedServer()
        let end = LocalTime(server.now.adding(seconds: 8 * 3_600), in: .utc).iso8601.prefix(16)
        try server.publish(
            """
            {"latitude": 45.46, "longitude": 9.19, "utc_offset_seconds": 0, "hourly":
            {"time": ["\(end)"], "precipitation": [2.5]}}
            """,
            as: "weather.json"
        )
        let feeds = server.feeds([try server.source(.openMeteo, "weather.json")])
        let wet = server.now.adding(seconds: 7 * 3_600 + 1_800)
        for _ in 0..<7 {
            _ = await feeds.poll(server.now)
            server.pass(3_600)
        }
        #expect(try await server.requests("weather.json").count == 7)
        #expect(feeds.world.epoch == 1)
        #expect(feeds.world.rain(at: wet, asOf: server.now)?.millimetres == 2.5)
        let later = server.now.adding(seconds: 6 * 3_600)
        #expect(feeds.world.rain(at: wet, asOf: later) == nil, "six hours later it is unknown")
    }

    @Test(
        "names and addresses of feeds are checked",
        arguments: [
            ("bikes", "https://a.example/gbfs.json", true), ("", "https://a.example", false),
            ("a/b", "https://a.example", false), ("Ä", "https://a.example", false),
            ("bikes", "ftp://a.example", false), ("bikes", "https://", false),
            ("bikes", "https://user@a.example/", false), ("bikes", "https://a.example/ x", false),
        ]
    )
    func sources(name: String, url: String, isValid: Bool) {
        let source = LiveFeedSource(name: name, kind: .sharing, url: url, isFromConfiguration: true)
        #expect((source != nil) == isValid)
    }
}
