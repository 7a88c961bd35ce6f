import Dispatching
import HTTPServer
import Identity
import Taxi
import TestClock
import Testing
import WebTestSupport

@testable import ConsolePages
@testable import WebApp
@testable import WebCore

/// Issue 29: each key of the policy takes effect; taxi.md C19 (`slo`), C20 (`deployment`), C28
/// (`http.plain`).
@Suite("What the policy promises", .serialized)
struct PolicyPromiseTests {
    /// Measurements of a number of answers, each with its duration in seconds.
    private static func measured(_ answers: (count: Int, seconds: Double)...) -> Measurements {
        let measurements = Measurements()
        for (number, (count, seconds)) in answers.enumerated() {
            let timer = measurements.makeTimer(
                label: "viavai_request_seconds",
                dimensions: [("route", "\(number)")]
            )
            let spread = timer as? Measurements.Spread
            for _ in 0..<count { spread?.record(seconds) }
        }
        return measurements
    }

    @Test("C19: a promise is judged by the share of answers in time, of all routes together")
    func speed() {
        let quick = Self.measured((95, 0.2), (5, 8)).answers
        #expect(Policy.ServiceLevel.a.isKept(by: quick) == true)
        #expect(Policy.ServiceLevel.b.isKept(by: quick) == true)
        let slow = Self.measured((90, 0.2), (10, 4)).answers
        #expect(Policy.ServiceLevel.a.isKept(by: slow) == false)
        #expect(Policy.ServiceLevel.b.isKept(by: slow) == true)
        let once = Self.measured((1_000, 0.2), (1, 11)).answers
        #expect(Policy.ServiceLevel.a.isKept(by: once) == true)
        #expect(Policy.ServiceLevel.b.isKept(by: once) == false)
        #expect(Policy.ServiceLevel.a.isKept(by: Self.measured((99, 11)).answers) == nil)
    }

    @Test("C19: the console says when the promise of the policy is not kept")
    func told() async throws {
        try await RideTown.open(.milanoB, taxis: 0) { town in
            let staff = try await town.site.person("ada", [.administrator])
            let before = try await staff.get("/console").text
            #expect(!before.contains("slower than the rules promise"))
            let figures = try await staff.get("/metrics").text
            #expect(figures.contains("viavai_speed_promise_kept{promise=\"b\"} 1"))
        }
    }

    @Test(
        "C20: a policy that asks for a standby is warned of SQLite, which has none",
        arguments: [(Policy.milanoA, 1), (Policy.viavai, 0)]
    )
    func standby(policy: Policy, wanted: Int) async throws {
        try await RideTown.open(policy, taxis: 0) { town in
            let staff = try await town.site.person("ada", [.administrator])
            let page = try await staff.get("/console").text
            #expect(page.contains("require a standby server") == (wanted == 1))
            #expect(
                try await staff.get("/metrics").text.contains("viavai_standby_wanted \(wanted)")
            )
        }
    }

    @Test(
        "C28: plain HTTP is answered as the policy says, unless a setting says more",
        arguments: [
            ("refuse", PlainHTTP.Answer.refusal), ("redirect", .redirect), ("off", .nothing),
        ]
    )
    func plain(value: String, answer: PlainHTTP.Answer) async throws {
        let policy = try Policy.viavai.with(.plainHTTP, value)
        try await RideTown.open(policy, taxis: 0) { town in
            #expect(await town.taxi.plainAnswer(.policy) == answer)
            #expect(await town.taxi.plainAnswer(.refuse) == .refusal)
            #expect(await town.taxi.plainAnswer(.redirect) == .redirect)
        }
    }
}
