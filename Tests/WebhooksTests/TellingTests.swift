import Chronology
import IdentityTestSupport
import Storage
import StorageTestSupport
import Testing

@testable import Identity
@testable import Webhooks

/// Issue 34, point 3: who is told, and who is not; taxi.md R5, R108, R110.
@Suite("Whom webhooks tell")
struct TellingTests {
    @Test(
        "an application is told of rides that it ordered, and no other one is",
        arguments: TestEngine.allCases
    )
    func ordered(engine: TestEngine) async throws {
        try await WebhookScene.with(engine) { scene in
            let own = try await scene.endpoint()
            let other = try await scene.endpoint(of: scene.app)
            try await scene.order(1)
            try await scene.tell([.found(request: 1), .found(request: 2)])
            let told = try await scene.deliveries(own)
            #expect(told.map(\.kind) == ["ride.found"])
            #expect(!told[0].body.contains("person"), "a guest has no name for programs")
            #expect(try await scene.deliveries(other, of: scene.app).isEmpty)
            // Of another passenger, the number of the request says nothing.
            try await scene.tell([.arrived(request: 1)], of: scene.person, cause: "2")
            #expect(try await scene.deliveries(own).count == 1)
        }
    }

    @Test("an endpoint receives only the types of events that it was made for")
    func kinds() async throws {
        try await WebhookScene.with(.sqlite) { scene in
            let form = WebhookForm(address: "https://hotel.example/", kinds: [.rideEnded])
            let (endpoint, _) = try await scene.register.add(
                form,
                to: scene.hotel,
                at: scene.clock.now
            )
            try await scene.order(1)
            try await scene.tell([
                .found(request: 1), .arrived(request: 1), .ended(request: 1, outcome: "noShow"),
            ])
            #expect(try await scene.deliveries(endpoint).map(\.kind) == ["ride.ended"])
        }
    }

    @Test(
        "a person's consent lets an application be told, and nothing is told once it ends (R5)",
        arguments: TestEngine.allCases
    )
    func consent(engine: TestEngine) async throws {
        try await WebhookScene.with(engine) { scene in
            let receiver = Receiver()
            let endpoint = try await scene.endpoint(of: scene.app)
            func count() async throws -> Int {
                try await scene.deliveries(endpoint, of: scene.app).count
            }
            try await scene.tell([.found(request: 1)], of: scene.person, cause: "1")
            #expect(try await count() == 0, "without consent")
            try await scene.grant([.callTaxis])
            try await scene.tell([.found(request: 1)], of: scene.person, cause: "2")
            #expect(try await count() == 0, "she ordered it herself")
            try await scene.order(2, by: scene.app, for: scene.person)
            try await scene.tell([.found(request: 2)], of: scene.person, cause: "3")
            #expect(try await count() == 1, "the application ordered it for her")
            try await scene.grant([.followRides])
            try await scene.tell([.found(request: 1)], of: scene.person, cause: "4")
            let told = try await scene.deliveries(endpoint, of: scene.app)
            let subject = scene.city.accounts.subject(of: scene.person, for: scene.app)
            #expect(told.count == 2)
            #expect(told.allSatisfy { $0.body.contains(#""person":"\#(subject)""#) })
            #expect(told.allSatisfy { !$0.body.contains("\(scene.person.rawValue)") })
            // What waits is not told once she takes her consent back.
            try await scene.city.accounts.disconnect(scene.app, by: scene.ana, at: scene.clock.now)
            let worker = scene.worker(receiver.take)
            #expect(try await worker.round().attempts == 0)
            let dropped = try await scene.deliveries(endpoint, of: scene.app)
            #expect(dropped.map(\.state) == [.dropped, .dropped])
            #expect(receiver.got.isEmpty)
            try await scene.tell([.arrived(request: 1)], of: scene.person, cause: "5")
            #expect(try await count() == 2)
        }
    }

    @Test("a broken plan is told to who may know of plans, and only the day of it (V47)")
    func plans() async throws {
        try await WebhookScene.with(.sqlite) { scene in
            let endpoint = try await scene.endpoint(of: scene.app)
            let day = try #require(CivilDate(iso8601: "2027-01-16"))
            let (now, person) = (scene.clock.now, scene.person)
            func tell(_ cause: String) async throws {
                let register = scene.register
                try await scene.city.data.write { transaction in
                    let news = WebhookNews(
                        cause: cause,
                        event: .planBroken(day: day),
                        moment: now,
                        person: person
                    )
                    try register.tellOfPlan(news, at: now, in: transaction)
                }
            }
            try await scene.grant([.followRides])
            try await tell("1")
            #expect(try await scene.deliveries(endpoint, of: scene.app).isEmpty)
            try await scene.grant([.followPlans])
            try await tell("2")
            let told = try await scene.deliveries(endpoint, of: scene.app)
            #expect(told.map(\.kind) == ["plan.broken"])
            #expect(told[0].body.contains(#""day":"2027-01-16""#))
        }
    }

    @Test(
        "the erasure of a person deletes the messages about them (R103)",
        arguments: TestEngine.allCases
    )
    func erasure(engine: TestEngine) async throws {
        try await WebhookScene.with(engine) { scene in
            let endpoint = try await scene.endpoint(of: scene.app)
            try await scene.grant([.followRides])
            try await scene.tell(
                [.found(request: 1), .arrived(request: 1)],
                of: scene.person
            )
            #expect(try await scene.deliveries(endpoint, of: scene.app).count == 2)
            let receiver = Receiver()
            let worker = scene.worker(receiver.take)
            let claims = try await worker.claim()
            try await scene.city.accounts.eraseAccount(
                by: scene.ana,
                hasProceeded: true,
                at: scene.clock.now
            )
            #expect(try await scene.deliveries(endpoint, of: scene.app).isEmpty)
            // An attempt that was under way ends without a trace.
            let end = try await worker.queue.record(.status(200), claims[0], at: scene.clock.now)
            #expect(end == nil)
            #expect(try await worker.round().attempts == 0)
        }
    }

    @Test("a revoked application, or one without the permission, is told no more (R108)")
    func revoked() async throws {
        try await WebhookScene.with(.sqlite) { scene in
            let receiver = Receiver()
            let endpoint = try await scene.endpoint()
            try await scene.order(1)
            try await scene.tell([.found(request: 1), .arrived(request: 1)])
            try await scene.city.accounts.revokeApplication(
                scene.hotel,
                by: scene.admin,
                at: scene.clock.now
            )
            let worker = scene.worker(receiver.take)
            for _ in 0..<3 { _ = try await worker.round() }
            #expect(receiver.got.isEmpty)
            #expect(try await scene.deliveries(endpoint).allSatisfy { $0.state == .dropped })
            try await scene.tell([.ended(request: 1, outcome: "completed")], cause: "2")
            #expect(try await scene.deliveries(endpoint).count == 2)
        }
    }

    @Test("nobody else's endpoint can be seen, changed, opened, removed or sent to")
    func apart() async throws {
        try await WebhookScene.with(.sqlite) { scene in
            let endpoint = try await scene.endpoint()
            let (register, now, other) = (scene.register, scene.clock.now, scene.app)
            let id = try await register.sendTest(to: endpoint, of: scene.hotel, at: now)
            let form = WebhookForm(address: "https://thief.example/", kinds: [.rideFound])
            let attempts: [() async throws -> Void] = [
                { _ = try await register.endpoint(endpoint, of: other) },
                { try await register.change(endpoint, of: other, to: form) },
                { try await register.remove(endpoint, of: other) },
                { _ = try await register.replaceSecret(of: endpoint, of: other, at: now) },
                { try await register.open(endpoint, of: other) },
                { _ = try await register.sendTest(to: endpoint, of: other, at: now) },
                { try await register.sendAgain(id, to: endpoint, of: other, at: now) },
                { _ = try await register.deliveries(to: endpoint, of: other, limit: 1) },
                { _ = try await register.delivery(id, to: endpoint, of: other) },
            ]
            for attempt in attempts {
                await #expect(throws: WebhookProblem.unknown) { try await attempt() }
            }
            #expect(try await register.endpoints(of: other).isEmpty)
            let kept = try await register.endpoints(of: scene.hotel)
            #expect(kept.map(\.address) == ["https://hotel.example/taxi?key=planted"])
            #expect(kept[0].host == "https://hotel.example")
        }
    }

    @Test("no table holds an address, a key in it or a secret that can be read")
    func sealed() async throws {
        try await WebhookScene.with(.sqlite) { scene in
            let made = try await scene.register.add(
                WebhookForm(address: "https://h.example/?k=planted", kinds: [.rideFound]),
                to: scene.hotel,
                at: scene.clock.now
            )
            try await scene.order(1)
            try await scene.tell([.found(request: 1)])
            let worker = scene.worker { _ in .status(500) }
            _ = try await worker.round()
            let planted = [
                "planted", "h.example", String(made.secret.text.dropFirst(6)), "ana", "Nomeana",
                "Via ana", "333",
            ]
            let tables = ["webhook_endpoint", "webhook_delivery", "webhook_attempt"]
            for table in tables {
                let rows = try await scene.city.data.read { transaction in
                    switch table {
                    case "webhook_endpoint":
                        try transaction.rows("SELECT * FROM webhook_endpoint")
                    case "webhook_delivery":
                        try transaction.rows("SELECT * FROM webhook_delivery")
                    default: try transaction.rows("SELECT * FROM webhook_attempt")
                    }
                }
                #expect(rows.count == 1, "\(table)")
                for value in rows.flatMap(\.values) {
                    guard case .text(let text) = value else { continue }
                    for word in planted { #expect(!text.contains(word), "\(table): \(word)") }
                }
            }
        }
    }
}
