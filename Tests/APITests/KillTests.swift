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

    @Test(
        "what else is repeated with its key after kill -9 is done once, or its outcome is unknown",
        arguments: TestEngine.allCases
    )
    func others(engine: TestEngine) async throws {
        try await KilledCity.with(engine) { city in
            var base = try await city.start()
            var random = SeededRandom(seed: 35)
            let clock = ContinuousClock()
            let usual = try await clock.measure { _ = try await city.event(1).answer(at: base) }
            for attempt in 0..<Self.attempts {
                let day = attempt + 2
                let orders = [city.event(day), city.webhook("https://hotel.example/\(day)")]
                let (next, lost) = try await Self.kill(
                    city,
                    at: base,
                    during: orders,
                    usual,
                    &random
                )
                base = next
                let done = [
                    try await city.events(of: day, at: base),
                    try await city.webhooks("https://hotel.example/\(day)", at: base),
                ]
                for (place, order) in orders.enumerated() {
                    let again = try await order.answer(at: base)
                    if again.status == 409 {
                        // It was under way: it was done or not, and nobody does it now.
                        #expect(again.problem == "unknown-outcome", "\(again.json)")
                        #expect(lost[place]?.status != 201, "an answer that arrived is kept")
                        #expect(done[place] <= 1)
                    } else {
                        #expect(again.status == 201, "\(again.json)")
                        if let first = lost[place], first.status == 201 {
                            #expect(first.location == again.location)
                        }
                    }
                    let after =
                        place == 0
                        ? try await city.events(of: day, at: base)
                        : try await city.webhooks("https://hotel.example/\(day)", at: base)
                    #expect(after == (again.status == 201 ? 1 : done[place]))
                }
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
