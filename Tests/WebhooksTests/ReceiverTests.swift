import Chronology
import HTTPClient
import Identity
import IdentityTestSupport
import StorageTestSupport
import Synchronization
import TestSupport
import Testing

@testable import Webhooks

/// Issue 34, point 3: real receivers, slow receivers, and addresses that may not be reached.
@Suite("Receivers of webhooks", .serialized)
struct ReceiverTests {
    @Test("a receiver that hangs delays no other one")
    func hanging() async throws {
        try await WebhookScene.with(.sqlite) { scene in
            let hanging = try await scene.endpoint(of: scene.app, "https://hangs.example/")
            _ = try await scene.endpoint()
            try await scene.grant([.followRides])
            for ride: Int64 in 1...40 {
                try await scene.order(ride)
                try await scene.tell([.found(request: ride)], of: scene.person, cause: "a\(ride)")
                try await scene.tell([.found(request: ride)], cause: "b\(ride)")
            }
            let (ends, end) = AsyncStream<Void>.makeStream()
            let delivered = Mutex(0)
            let hung = Mutex(0)
            let worker = scene.worker { message in
                if message.address.contains("hangs") {
                    hung.withLock { $0 += 1 }
                    try? await ContinuousClock().sleep(for: .seconds(60))
                    return .failure("Timeout was reached")
                }
                if delivered.withLock({ count in
                    count += 1
                    return count == 40
                }) {
                    end.finish()
                }
                return .status(200)
            }
            let running = Task { await worker.run { _ in } }
            for await _ in ends {}
            running.cancel()
            await running.value
            #expect(delivered.withLock { $0 } == 40)
            #expect(hung.withLock { $0 } <= 2, "it holds few places")
            let held = try await scene.deliveries(hanging, of: scene.app)
            #expect(held.allSatisfy { $0.state != .delivered })
        }
    }

    @Test("many hanging receivers leave places for the others, and a slow one gets nothing more")
    func windows() {
        let windows = ReceiverWindows()
        let start = TestCity.start
        func waiting(
            _ numbers: ClosedRange<Int64>,
            isFailing: Bool = false
        )
            -> [WebhookQueue.Waiting]
        {
            numbers.map { WebhookQueue.Waiting(endpoint: $0, due: start, isFailing: isFailing) }
        }
        func claim(
            _ endpoint: Int64,
            _ position: Int64,
            isFailing: Bool = false
        )
            -> WebhookQueue.Claim
        {
            WebhookQueue.Claim(
                endpoint: endpoint,
                position: position,
                id: "",
                subject: "",
                body: "",
                address: "",
                secrets: [],
                isFailing: isFailing,
                attempt: 1,
                made: start,
                began: start
            )
        }
        // Receivers that failed before take at most their own places.
        let failing = windows.capacities(for: waiting(1...100, isFailing: true), at: start)
        #expect(
            failing.count == ReceiverWindows.failingMost && failing.allSatisfy { $0.capacity == 1 }
        )
        for (endpoint, _) in failing { windows.begin(claim(endpoint, 1, isFailing: true)) }
        // New ones that hang fill the quick places for a second at most.
        let first = windows.capacities(for: waiting(101...200), at: start)
        #expect(first.map(\.capacity).reduce(0, +) == ReceiverWindows.quickMost)
        for (endpoint, capacity) in first {
            for position in 0..<Int64(capacity) { windows.begin(claim(endpoint, position)) }
        }
        #expect(windows.capacities(for: waiting(201...201), at: start).isEmpty)
        let later = start.adding(milliseconds: ReceiverWindows.slow)
        let next = windows.capacities(for: waiting(101...300), at: later)
        #expect(next.map(\.capacity).reduce(0, +) == ReceiverWindows.quickMost)
        #expect(next.allSatisfy { $0.endpoint > 132 }, "a slow receiver gets nothing more")
        // A receiver that answers gets more at a time.
        let quick = ReceiverWindows()
        for position: Int64 in 0..<20 {
            quick.begin(claim(1, position))
            quick.end(claim(1, position), isSuccess: true, at: start)
        }
        #expect(quick.capacities(for: waiting(1...1), at: start).map(\.capacity) == [8])
        quick.begin(claim(1, 21))
        quick.end(claim(1, 21), isSuccess: false, at: start)
        #expect(quick.capacities(for: waiting(1...1), at: start).map(\.capacity) == [2])
        // One that acknowledges late does not.
        for position: Int64 in 30..<40 {
            quick.begin(claim(1, position))
            quick.end(claim(1, position), isSuccess: true, at: later)
        }
        #expect(quick.capacities(for: waiting(1...1), at: start).map(\.capacity) == [2])
    }

    @Test(
        "a real receiver gets the message with its headers; errors and redirects are no success",
        .enabled(if: LocalServers.areAvailable, LocalServers.advice)
    )
    func http() async throws {
        let servers = try await LocalServers.started()
        try await WebhookScene.with(.sqlite, scope: .anywhere) { scene in
            let mark = "hook\(UInt32.random(in: .min ... .max))"
            let base = "http://127.0.0.1:\(servers.places.http)"
            let paths = [
                "/status/204/\(mark)", "/redirect/\(mark)", "/status/500/\(mark)",
                "/retry/503/600/\(mark)", "/drops/\(mark)",
            ]
            var endpoints: [Int64] = []
            for path in paths { endpoints.append(try await scene.endpoint(base + path)) }
            try await scene.order(1)
            try await scene.tell([.found(request: 1)])
            let worker = WebhookWorker(
                scene.register,
                clock: WebhookWorker.Clock(now: { scene.clock.now }, sleep: { _ in })
            )
            let report = try await worker.round()
            #expect(report.attempts == 5 && report.delivered == 1)
            let got = try #require(try await servers.requests(of: paths[0]).first)
            let message = try await scene.deliveries(endpoints[0])[0]
            #expect(got.method == "POST" && got.headers["content-type"] == "application/json")
            #expect(got.headers["webhook-id"] == message.id)
            #expect(String(decoding: got.body, as: UTF8.self) == message.body)
            #expect(got.headers["webhook-signature"]?.hasPrefix("v1,") == true)
            var ends: [[Int64?]] = []
            for endpoint in endpoints {
                ends.append(try await scene.deliveries(endpoint)[0].attempts.map(\.status))
            }
            #expect(ends == [[204], [302], [500], [503], [nil]])
            #expect(try await scene.deliveries(endpoints[4])[0].attempts[0].error != nil)
            #expect(try await servers.requests(of: "/status/201/redirected").isEmpty)
            let wished = try await scene.deliveries(endpoints[3])[0].due
            #expect(wished == scene.clock.now.adding(seconds: 600))
        }
    }

    @Test(
        "addresses that are not public are refused when connecting, also behind a name",
        .enabled(if: LocalServers.areAvailable, LocalServers.advice),
        arguments: ["127.0.0.1", "localhost", "[::1]", "10.0.0.1", "169.254.169.254"]
    )
    func notPublic(host: String) async throws {
        let servers = try await LocalServers.started()
        try await WebhookScene.with(.sqlite) { scene in
            let mark = "/status/200/private\(UInt32.random(in: .min ... .max))"
            let endpoint = try await scene.endpoint(
                "https://\(host):\(servers.places.https)\(mark)"
            )
            try await scene.order(1)
            try await scene.tell([.found(request: 1)])
            let worker = WebhookWorker(
                scene.register,
                clock: WebhookWorker.Clock(now: { scene.clock.now }, sleep: { _ in })
            )
            #expect(try await worker.round().delivered == 0)
            let attempt = try await scene.deliveries(endpoint)[0].attempts[0]
            #expect(attempt.error == "The address is not permitted" && attempt.status == nil)
            #expect(try await servers.requests(of: mark).isEmpty)
        }
    }
}
