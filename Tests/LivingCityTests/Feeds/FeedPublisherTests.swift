import Chronology
import Foundation
import HTTPClient
import LivingCity
import TestClock
import TestSupport
import Testing

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

    @Test("a client that has the current version is answered with 304, and others with the file")
    func validators() async throws {
        let city = city
        try await city.publish(clock) { port in
            let client = HTTPClient("viavai.test", reach: .loopbackOnly, threadLimit: 1)
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
