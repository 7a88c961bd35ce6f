import Chronology
import IdentityTestSupport
import SeededRandom
import Storage
import StorageTestSupport
import Synchronization
import Testing

@testable import Identity
@testable import Webhooks

/// Issue 34, point 3: messages arrive at least once, in order for their subject, and end.
@Suite("Deliveries of webhooks")
struct DeliveryTests {
    @Test(
        "messages of a ride arrive in their order whatever fails, and others do not wait for it",
        arguments: TestEngine.allCases,
        0..<4
    )
    func order(engine: TestEngine, seed: UInt64) async throws {
        try await WebhookScene.with(engine) { scene in
            let random = Mutex(SeededRandom(seed: seed))
            let receiver = Receiver()
            receiver.answer { _ in
                switch random.withLock({ Int.random(in: 0..<10, using: &$0) }) {
                case 0..<3: .status(500)
                case 3: .failure("Timeout was reached")
                case 4: .status(302)
                default: .status(202)
                }
            }
            let endpoint = try await scene.endpoint()
            let rides: [Int64] = [1, 2, 3, 4, 5]
            for ride in rides { try await scene.order(ride) }
            let worker = scene.worker(receiver.take)
            func story(_ ride: Int64) -> [WebhookEvent] {
                [
                    .found(request: ride), .lost(request: ride), .found(request: ride),
                    .arrived(request: ride), .ended(request: ride, outcome: "completed"),
                ]
            }
            for step in 0..<5 {
                for ride in rides {
                    try await scene.tell([story(ride)[step]], cause: "\(ride) \(step)")
                }
                _ = try await worker.round()
                let pause = random.withLock { Int64.random(in: 0...4_000, using: &$0) }
                scene.clock.advance(milliseconds: pause)
            }
            for _ in 0..<2_000 where receiver.bodies.count < 25 {
                scene.clock.advance(milliseconds: 4_000)
                _ = try await worker.round()
            }
            for ride in rides {
                let got = receiver.bodies.filter { $0.contains("\"ride\":\(ride),") }
                let types = got.map { body in
                    WebhookEvent.Kind.allCases.first { body.contains("\"\($0.rawValue)\"") }
                }
                #expect(
                    types == [.rideFound, .rideLost, .rideFound, .rideArrived, .rideEnded],
                    "seed \(seed), ride \(ride)"
                )
            }
            let all = try await scene.deliveries(endpoint)
            #expect(all.count == 25 && all.allSatisfy { $0.state == .delivered })
            // The page shows what the receiver saw.
            #expect(all.map(\.attempts.count).reduce(0, +) == receiver.got.count)
            for message in all {
                let got = receiver.got.filter { $0.id == message.id }
                #expect(message.attempts.map(\.status) == got.map(\.answer.status))
                #expect(Set(got.map(\.body)) == [message.body])
            }
        }
    }

    @Test("the same news told twice is one message (at least once from the outbox, once queued)")
    func once() async throws {
        try await WebhookScene.with(.sqlite) { scene in
            let endpoint = try await scene.endpoint()
            try await scene.order(1)
            for _ in 0..<2 { try await scene.tell([.found(request: 1), .arrived(request: 1)]) }
            #expect(try await scene.deliveries(endpoint).count == 2)
        }
    }

    @Test("a message is repeated with growing pauses until it is acknowledged (simulated clock)")
    func repeated() async throws {
        try await WebhookScene.with(.sqlite) { scene in
            let receiver = Receiver()
            receiver.answer { _ in .status(503) }
            let endpoint = try await scene.endpoint()
            try await scene.order(1)
            try await scene.tell([.found(request: 1)])
            let worker = scene.worker(receiver.take)
            var pauses: [Int64] = []
            for _ in 0..<8 {
                #expect(try await worker.round().attempts == 1)
                let waiting = try await worker.queue.waiting()
                let due = try #require(waiting.first?.due)
                pauses.append(due.milliseconds - scene.clock.now.milliseconds)
                scene.clock.advance(milliseconds: pauses[pauses.count - 1] - 1)
                #expect(try await worker.round().attempts == 0, "not before it is due")
                scene.clock.advance(milliseconds: 1)
            }
            #expect(pauses == [5, 10, 20, 40, 80, 160, 320, 640].map { $0 * 1_000 })
            let since = try await scene.register.endpoint(endpoint, of: scene.hotel).state
            #expect(since == .failing(since: TestCity.start))
            receiver.answer { _ in .status(200) }
            #expect(try await worker.round().delivered == 1)
            #expect(Set(receiver.got.map(\.id)).count == 1, "always the same id")
            let state = try await scene.register.endpoint(endpoint, of: scene.hotel).state
            #expect(state == .working)
        }
    }

    @Test("Retry-After extends a pause, to two hours at most, and shortens none")
    func wishes() {
        #expect(WebhookPauses.pause(after: 1, wished: 60_000) == 60_000)
        #expect(WebhookPauses.pause(after: 4, wished: 1_000) == 40_000)
        #expect(WebhookPauses.pause(after: 1, wished: .max) == 7_200_000)
        #expect(WebhookPauses.pause(after: .max) == 7_200_000)
        #expect(WebhookAnswer.status(429, retryAfterSeconds: .max).pause == 86_400_000)
        #expect(WebhookAnswer.status(429, retryAfterSeconds: -5).pause == 0)
    }

    @Test(
        "after a day without an acknowledgement the endpoint is shut and the city told once",
        arguments: TestEngine.allCases
    )
    func shut(engine: TestEngine) async throws {
        try await WebhookScene.with(engine) { scene in
            let receiver = Receiver()
            receiver.answer { _ in .failure("Couldn't connect to server") }
            let endpoint = try await scene.endpoint()
            for ride: Int64 in 1...3 {
                try await scene.order(ride)
                try await scene.tell(
                    [.found(request: ride), .arrived(request: ride)],
                    cause: "\(ride)"
                )
            }
            let worker = scene.worker(receiver.take)
            var rounds = 0
            while try await !worker.queue.waiting().isEmpty, rounds < 5_000 {
                rounds += 1
                _ = try await worker.round()
                guard let due = try await worker.queue.waiting().first?.due else { break }
                scene.clock.advance(
                    milliseconds: max(1, due.milliseconds - scene.clock.now.milliseconds)
                )
            }
            let state = try await scene.register.endpoint(endpoint, of: scene.hotel).state
            let day = TestCity.start.adding(seconds: 86_400)
            #expect(state == .shut(at: day), "\(state)")
            #expect(receiver.got.count < 60, "a dead receiver is hardly bothered")
            let all = try await scene.deliveries(endpoint)
            #expect(all.allSatisfy { $0.state == .givenUp } && all.count == 6)
            let untold = try await scene.register.untoldShut()
            #expect(untold.map(\.endpoint) == [endpoint] && untold.map(\.moment) == [day])
            try await scene.register.noteTold(untold[0])
            #expect(try await scene.register.untoldShut().isEmpty)
            // It is told nothing while it is shut, and can be sent again when it is open.
            try await scene.tell([.ended(request: 1, outcome: "completed")], cause: "9")
            #expect(try await scene.deliveries(endpoint).count == 6)
            await #expect(throws: WebhookProblem.isShut) {
                try await scene.register.sendAgain(
                    all[0].id,
                    to: endpoint,
                    of: scene.hotel,
                    at: scene.clock.now
                )
            }
            try await scene.register.open(endpoint, of: scene.hotel)
            receiver.answer { _ in .status(200) }
            #expect(try await worker.round().attempts == 0)
            try await scene.register.sendAgain(
                all[0].id,
                to: endpoint,
                of: scene.hotel,
                at: scene.clock.now
            )
            #expect(try await worker.round().delivered == 1)
            #expect(receiver.got.last?.id == all[0].id, "under its own id")
            let again = try await scene.register.delivery(
                all[0].id,
                to: endpoint,
                of: scene.hotel
            )
            #expect(again.state == .delivered && again.attempts.last?.status == 200)
        }
    }

    @Test("an answer that the receiver is gone (410) shuts the endpoint at once")
    func gone() async throws {
        try await WebhookScene.with(.sqlite) { scene in
            let receiver = Receiver()
            receiver.answer { _ in .status(410) }
            let endpoint = try await scene.endpoint()
            try await scene.order(1)
            try await scene.tell([.found(request: 1), .arrived(request: 1)])
            let worker = scene.worker(receiver.take)
            #expect(try await worker.round().givenUp == 1)
            let state = try await scene.register.endpoint(endpoint, of: scene.hotel).state
            #expect(state == .shut(at: scene.clock.now))
            #expect(try await worker.queue.waiting().isEmpty)
        }
    }

    @Test("one message that a receiver never takes does not stop the others, and is given up")
    func poison() async throws {
        try await WebhookScene.with(.sqlite) { scene in
            let receiver = Receiver()
            receiver.answer { $0.contains("\"ride\":1,") ? .status(400) : .status(200) }
            let endpoint = try await scene.endpoint()
            try await scene.order(1)
            try await scene.tell([.found(request: 1), .arrived(request: 1)])
            let worker = scene.worker(receiver.take)
            for hour in 0..<30 {
                let ride = Int64(hour + 2)
                try await scene.order(ride)
                try await scene.tell([.found(request: ride)], cause: "\(ride)")
                for _ in 0..<60 {
                    _ = try await worker.round()
                    scene.clock.advance(milliseconds: 60_000)
                }
            }
            let all = try await scene.deliveries(endpoint)
            #expect(all[0].state == .givenUp, "\(all[0])")
            #expect(all.dropFirst(2).allSatisfy { $0.state == .delivered })
            let state = try await scene.register.endpoint(endpoint, of: scene.hotel).state
            if case .shut = state { Issue.record("the endpoint works") }
            let pause = all[0].attempts.last?.began.milliseconds ?? 0
            #expect(pause - TestCity.start.milliseconds <= 86_400_000 + 120_000)
        }
    }

    @Test(
        "a worker that dies between sending and recording has its message sent again with its id",
        arguments: TestEngine.allCases
    )
    func restart(engine: TestEngine) async throws {
        try await WebhookScene.with(engine) { scene in
            let receiver = Receiver()
            let endpoint = try await scene.endpoint()
            try await scene.order(1)
            try await scene.tell([.found(request: 1), .arrived(request: 1)])
            // The first worker sends, and is killed before it writes the answer.
            let dead = scene.worker(receiver.take)
            let claims = try await dead.claim()
            #expect(claims.count == 1)
            let lost = try #require(claims.first)
            _ = await dead.send(
                WebhookMessage(
                    address: lost.address,
                    headers: [("webhook-id", lost.id)],
                    body: Array(lost.body.utf8)
                )
            )
            let worker = scene.worker(receiver.take)
            scene.clock.advance(milliseconds: WebhookQueue.hold - 1)
            #expect(try await worker.round().attempts == 0, "the other may still be at it")
            scene.clock.advance(milliseconds: 1)
            #expect(try await worker.round().delivered == 1)
            #expect(receiver.got.map(\.id) == [lost.id, lost.id], "told so by its id")
            // The next message of the ride came only after it.
            #expect(try await worker.round().delivered == 1)
            #expect(receiver.got.last?.body.contains("ride.arrived") == true)
            // Should the first worker live after all, it settles nothing.
            #expect(
                try await dead.queue.record(.status(500), lost, at: scene.clock.now) == nil
            )
            let all = try await scene.deliveries(endpoint)
            #expect(all.map(\.state) == [.delivered, .delivered])
            #expect(all[0].attempts.map(\.number) == [1, 2])
        }
    }

    @Test("a test message and the removal of an endpoint work, and old messages are deleted")
    func further() async throws {
        try await WebhookScene.with(.sqlite) { scene in
            let receiver = Receiver()
            let endpoint = try await scene.endpoint()
            let worker = scene.worker(receiver.take)
            let id = try await scene.register.sendTest(
                to: endpoint,
                of: scene.hotel,
                at: scene.clock.now
            )
            #expect(try await worker.round().delivered == 1)
            #expect(receiver.got.map(\.id) == [id])
            #expect(receiver.bodies[0].contains(#""type":"webhook.test""#))
            let now = scene.clock.now
            let month = now.adding(seconds: 30 * 86_400)
            try await scene.register.purge(at: month)
            #expect(try await scene.deliveries(endpoint).count == 1)
            try await scene.register.purge(at: month.adding(seconds: 1))
            #expect(try await scene.deliveries(endpoint).isEmpty)
            try await scene.register.remove(endpoint, of: scene.hotel)
            await #expect(throws: WebhookProblem.unknown) {
                try await scene.register.endpoint(endpoint, of: scene.hotel)
            }
            for _ in 0..<WebhookRegister.endpointLimit { _ = try await scene.endpoint() }
            await #expect(throws: WebhookProblem.tooMany(limit: 10)) {
                try await scene.endpoint()
            }
        }
    }
}
