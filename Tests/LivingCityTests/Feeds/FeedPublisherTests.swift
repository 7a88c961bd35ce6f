import Chronology
import Foundation
import HTTPClient
import LiveFeeds
import LivingCity
import TestClock
import TestSupport
import Testing
import TripPlanning

/// Issue 33, point 5: the demo's feeds over HTTP, as the server reads those of any city.
@Suite(
    "The published feeds of a demo",
    .serialized,
    .enabled(if: Effort.isRelease, Effort.releaseAdvice)
)
struct FeedPublisherTests {
    private let city: PublishedCity
    private let clock = SettableClock()
    private let start: Instant

    init() throws {
        city = try PublishedCity.shared.get()
        // A Wednesday morning, at the beginning of a version.
        start = try city.time("2026-05-13T09:00:00")
        let now = Instant(seconds: clock.now.milliseconds / 1_000)
        clock.advance(seconds: start.seconds - now.seconds)
    }

    private static func kinds(_ answer: TripAnswer) -> [TripKind] {
        [.bikeshare, .carshare].filter { kind in answer.options.contains { $0.kind == kind } }
    }

    @Test("V83, V86, V87: shared vehicles are offered while the feeds answer, and then for a while")
    func feedsTrips() async throws {
        let (city, clock, start) = (city, clock, start)
        let folder = try TemporaryFolder()
        let (ports, known) = AsyncStream.makeStream(of: LiveFeeds.self)
        try await city.publish(clock) { port in
            let feeds = try city.reader(port: port, folder: folder, now: start)
            _ = await feeds.poll(start)
            #expect(feeds.statuses.map(\.problem) == [nil, nil, nil, nil, nil, nil])
            #expect(feeds.statuses.allSatisfy { $0.knownSince == start && $0.isKept })
            #expect(feeds.world.systems.count == 2 && feeds.world.strikes.count == 1)
            #expect(feeds.world.alerts.map(\.alerts.count) == [1])
            #expect(feeds.world.rain(at: start, asOf: start) != nil)
            let answer = try city.trip(feeds.world, at: start)
            #expect(Self.kinds(answer) == [.bikeshare, .carshare], "\(answer.missing)")
            let ride = try #require(answer.options.first { $0.kind == .bikeshare })
            #expect(ride.price.minorUnits == 50)
            // The same versions still hold: the server answers 304, and nothing changes.
            clock.advance(seconds: 90)
            let soon = start.adding(seconds: 90)
            let epoch = feeds.world.epoch
            _ = await feeds.poll(soon)
            #expect(feeds.world.epoch == epoch)
            #expect(feeds.world.systems.map(\.knownSince) == [soon, soon])
            clock.advance(seconds: 90)
            _ = await feeds.poll(start.adding(seconds: 180))
            #expect(feeds.world.epoch > epoch, "the next version is another one")
            known.yield(feeds)
        }
        let feeds = try #require(await ports.first { _ in true })
        // The publisher has stopped: what was known is used with its age, also by a new process.
        let later = start.adding(seconds: 300)
        _ = await feeds.poll(later)
        #expect(feeds.statuses.filter { $0.problem != nil }.map(\.source.name).contains("bikes"))
        let port = try #require(feeds.statuses.first?.source.url.split(separator: ":").last)
        let number = try #require(Int(port.prefix { $0.isNumber }))
        let restarted = try city.reader(port: number, folder: folder, now: later)
        for world in [feeds.world, restarted.world] {
            #expect(Self.kinds(try city.trip(world, at: later)) == [.bikeshare, .carshare])
            let late = start.adding(seconds: 180 + LiveSystem.freshSeconds + 1)
            let answer = try city.trip(world, at: late)
            #expect(Self.kinds(answer) == [])
            let reason = try #require(answer.missing.first { $0.mode == .kind(.bikeshare) }?.reason)
            guard case .sharing(.silent(_, let since)) = reason else {
                Issue.record("\(reason)")
                continue
            }
            #expect(since == start.adding(seconds: 180))
        }
    }

    @Test("a client that has the current version is answered with 304, and others with the file")
    func validators() async throws {
        let city = city
        try await city.publish(clock) { port in
            let client = HTTPClient("viavai.test", scope: .loopbackOnly, threadLimit: 1)
            func get(
                _ path: String,
                _ known: HTTPClient.Validators = HTTPClient.Validators()
            ) async throws -> HTTPClient.Response {
                try await client.send(
                    .get(
                        "http://127.0.0.1:\(port)\(path)",
                        headers: [],
                        unlessUnchanged: known,
                        limit: .seconds(10),
                        bodyLimit: 1 << 20
                    )
                )
            }
            for document in city.feeds.documents {
                let first = try await get(document.path)
                #expect(first.status == 200 && !first.body.isEmpty, "\(document.path)")
                let again = try await get(document.path, first.validators)
                #expect(again.isUnchanged && again.body.isEmpty, "\(document.path)")
                let other = HTTPClient.Validators(entityTag: "\"0\"", lastModified: nil)
                #expect(try await get(document.path, other).body == first.body)
            }
            let entry = try await get("/bikes/gbfs.json")
            let text = String(decoding: entry.body, as: UTF8.self)
            #expect(text.contains("\"http://127.0.0.1:\(port)/bikes/station_status.json\""))
            #expect(try await get("/bikes").status == 404)
            #expect(try await get("/../secret").status == 404)
        }
    }

    @Test("a port that is taken is an error, and the next free one is found")
    func taken() async throws {
        let (city, clock) = (city, clock)
        try await city.publish(clock) { port in
            await #expect(throws: (any Error).self) {
                try await city.publish(clock, port: port) { _ in
                    Issue.record("Two publishers listen at one port")
                }
            }
            let free = try await DemoFeeds.freePort(after: port - 1)
            #expect(free > port)
        }
    }
}
