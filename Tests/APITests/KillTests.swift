import OpenData
import SeededRandom
import StorageTestSupport
import TestSupport
import Testing
import WebTestSupport

/// The program itself, killed with -9 while applications call it; issue 34, "Verification".
@Suite(
    "Applications of a server that is killed",
    .enabled(if: LocalServers.areAvailable, LocalServers.advice)
)
struct KillTests {
    /// How often a server is killed in a test; each time it waits four seconds for its own lease.
    private static let attempts = Effort.current == .everything ? 9 : 4

    /// Kills the server at a random moment while requests are under way, and starts it again;
    /// within one and a half times of how long a request usually takes.
    ///
    /// Returns the new address, and the answers that arrived; nil for those that were lost.
    private static func kill(
        _ city: KilledCity,
        at base: String,
        during orders: [KilledCity.Order],
        _ usual: Duration,
        _ random: inout SeededRandom
    ) async throws -> (base: String, answers: [KilledCity.Reply?]) {
        let sent = orders.map { order in Task { try? await order.send(to: base) } }
        let share = Int.random(in: 0..<1_500, using: &random)
        try await ContinuousClock().sleep(for: usual * share / 1_000)
        try await city.kill()
        var answers: [KilledCity.Reply?] = []
        for task in sent { answers.append(await task.value) }
        return (try await city.start(), answers)
    }

    @Test(
        "a call that is repeated with its key after kill -9 is done once (R107)",
        arguments: TestEngine.allCases
    )
    func rides(engine: TestEngine) async throws {
        try await KilledCity.with(engine) { city in
            var base = try await city.start()
            var random = SeededRandom(seed: 34)
            func number(_ answer: KilledCity.Reply) throws -> Int {
                try #require(answer.json["request"].flatMap { Int($0.json) }, "\(answer.json)")
            }
            // The dispatcher starts with the first call.
            var rides = [try number(try await city.call(0).answer(at: base))]
            let usual = try await ContinuousClock().measure {
                rides.append(try number(try await city.call(1).answer(at: base)))
            }
            for attempt in 0..<Self.attempts {
                let order = city.call(attempt + 2)
                let (next, lost) = try await Self.kill(
                    city,
                    at: base,
                    during: [order],
                    usual,
                    &random
                )
                base = next
                let again = try await order.answer(at: base)
                #expect(again.status == 201, "\(again.json)")
                if let first = lost[0], first.status == 201 {
                    #expect(first.json["request"] == again.json["request"])
                }
                rides.append(try number(again))
            }
            // The dispatcher numbers requests in their order: a second one for the same call would
            // have taken a number.
            #expect(rides == Array(rides[0]..<rides[0] + rides.count))
            let ride = try await city.read("/api/rides/\(rides[rides.count - 1])", at: base)
            #expect(ride.status == 200, "\(ride.json)")
        }
    }

    /// The requests of one attempt, with the statuses of their answers.
    private static func orders(
        _ city: KilledCity,
        _ attempt: Int,
        _ webhook: String,
        _ former: [String]
    ) -> [(order: KilledCity.Order, status: Int)] {
        var orders = [
            (city.event(attempt + 2), 201), (city.webhook(address(attempt)), 201),
            (city.message(webhook + "/test"), 200), (city.message(webhook + "/secret"), 200),
        ]
        // What was made two attempts ago, and one attempt ago.
        if former.count > 3 { orders.append((city.removal(former[former.count - 4]), 200)) }
        if former.count > 1 {
            orders.append((city.title(former[former.count - 2], "Attempt \(attempt)"), 200))
            orders.append((city.message(former[former.count - 1] + "/remove"), 200))
        }
        return orders
    }

    private static func address(_ attempt: Int) -> String {
        "https://hotel.example/\(attempt)"
    }

    @Test(
        "what else is repeated with its key after kill -9 is done once (R107)",
        arguments: TestEngine.allCases
    )
    func others(engine: TestEngine) async throws {
        try await KilledCity.with(engine) { city in
            var base = try await city.start()
            var random = SeededRandom(seed: 35)
            let clock = ContinuousClock()
            let usual = try await clock.measure { _ = try await city.event(1).answer(at: base) }
            let made = try await city.webhook("https://hotel.example/tests").answer(at: base)
            let webhook = try #require(made.location, "\(made.json)")
            // The events and webhooks that were made, in turn.
            var former: [String] = []
            for attempt in 0..<Self.attempts {
                let orders = Self.orders(city, attempt, webhook, former)
                let (next, lost) = try await Self.kill(
                    city,
                    at: base,
                    during: orders.map(\.order),
                    usual,
                    &random
                )
                base = next
                for (place, (order, status)) in orders.enumerated() {
                    let again = try await order.answer(at: base)
                    #expect(again.status == status, "\(order.path): \(again.json)")
                    if let first = lost[place], first.status == status {
                        #expect(first.json == again.json, "\(order.path)")
                        #expect(first.location == again.location, "\(order.path)")
                    }
                    if status == 201 {
                        former.append(try #require(again.location, "\(again.json)"))
                    }
                }
                #expect(try await city.events(of: attempt + 2, at: base) == 1)
                #expect(try await city.webhooks(Self.address(attempt), at: base) == 1)
                #expect(try await city.messages(webhook, at: base) == attempt + 1)
                guard attempt > 0 else { continue }
                #expect(try await city.webhooks(Self.address(attempt - 1), at: base) == 0)
                let event = try await city.readEvent(former[former.count - 4], at: base)
                #expect(event.json["title"] == .text("Attempt \(attempt)"), "\(event.json)")
                guard attempt > 1 else { continue }
                #expect(try await city.events(of: attempt, at: base) == 0)
            }
        }
    }

    @Test(
        "webhooks of a killed server are sent at least once, each always with its id (R107)",
        arguments: TestEngine.allCases
    )
    func webhooks(engine: TestEngine) async throws {
        try await KilledCity.with(engine) { city in
            let servers = try await LocalServers.started()
            let mark = "kill\(UInt32.random(in: .min ... .max))"
            let (quick, slow) = ("/status/200/\(mark)", "/slow/\(mark)")
            var base = try await city.start()
            var random = SeededRandom(seed: 36)
            func add(_ path: String) async throws -> String {
                let address = "http://127.0.0.1:\(servers.places.http)\(path)"
                let added = try await city.webhook(address).answer(at: base)
                return try #require(added.location, "\(added.json)") + "/test"
            }
            func arrived(_ path: String) async throws -> [LocalServers.Request] {
                try await servers.requests(of: path)
            }
            let (toQuick, toSlow) = (try await add(quick), try await add(slow))
            // A receiver that has taken the message, but has not answered when the server dies.
            let hanging = try await city.message(toSlow).answer(at: base)
            try await city.until("it is being sent") { try await !arrived(slow).isEmpty }
            let clock = ContinuousClock()
            var told: Set<String> = []
            let usual = try await clock.measure {
                let first = try await city.message(toQuick).answer(at: base)
                told.insert(try #require(first.json["id"]?.text, "\(first.json)"))
            }
            for _ in 0..<Self.attempts {
                let orders = (0..<3).map { _ in city.message(toQuick) }
                base = try await Self.kill(city, at: base, during: orders, usual, &random).base
                for order in orders {
                    let again = try await order.answer(at: base)
                    if let id = again.json["id"]?.text { told.insert(id) }
                }
            }
            // A message that was under way is sent again when its time is up, 45 s later.
            try await city.until("all arrive") {
                let ids = try await arrived(quick).compactMap { $0.headers["webhook-id"] }
                let again = try await arrived(slow).count
                return told.isSubset(of: ids) && again >= 2
            }
            for path in [quick, slow] {
                for copies in Dictionary(
                    grouping: try await arrived(path),
                    by: { $0.headers["webhook-id"] ?? "" }
                ) {
                    #expect(copies.key.hasPrefix("msg_"))
                    #expect(Set(copies.value.map(\.body)).count == 1, "\(copies.key)")
                }
            }
            let ids = Set(try await arrived(slow).map { $0.headers["webhook-id"] })
            #expect(ids == [hanging.json["id"]?.text])
        }
    }
}
