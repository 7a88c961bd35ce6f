import Chronology
import Identity
import Testing
import WebTestSupport

@testable import WebApp
@testable import WebCore

@Suite("The rate of requests")
struct RequestRateTests {
    private let start = Moment(milliseconds: 1_800_000_000_000)

    @Test("an address may burst, then goes on at its rate, and others are not slowed by it (R125)")
    func rate() {
        let rate = RequestRate<String>(perSecond: 10, atOnce: 5)
        for _ in 0..<5 { #expect(rate.take(from: "a", at: start) == nil) }
        #expect(rate.take(from: "a", at: start) == 1)
        #expect(rate.take(from: "b", at: start) == nil)
        #expect(rate.take(from: "a", at: start.adding(milliseconds: 99)) != nil)
        #expect(rate.take(from: "a", at: start.adding(milliseconds: 100)) == nil)
        #expect(rate.take(from: "a", at: start.adding(milliseconds: 100)) != nil)
        for _ in 0..<5 { #expect(rate.take(from: "a", at: start.adding(seconds: 60)) == nil) }
        #expect(rate.take(from: "a", at: start.adding(seconds: 60)) != nil)
    }

    @Test("only who asks on and on floods, and not for longer (V16)")
    func flooding() {
        let rate = RequestRate<String>(perSecond: 10, atOnce: 5)
        for _ in 0..<10 { _ = rate.take(from: "a", at: start) }
        #expect(!rate.isFlooding("a"), "five refusals, as of somebody who presses a button again")
        #expect(rate.take(from: "a", at: start) != nil)
        #expect(rate.isFlooding("a"))
        #expect(!rate.isFlooding("b"))
        _ = rate.take(from: "a", at: start.adding(seconds: 1))
        #expect(!rate.isFlooding("a"))
        for _ in 0..<10_000 { _ = rate.take(from: "a", at: start.adding(seconds: 1)) }
        _ = rate.take(from: "a", at: start.adding(seconds: 6))
        #expect(!rate.isFlooding("a"), "a flood is not held against a network forever")
    }

    @Test("very many addresses do not fill the memory (I30)")
    func bounded() {
        let rate = RequestRate<Int>(perSecond: 1, atOnce: 2)
        for address in 0..<250_000 { _ = rate.take(from: address, at: start) }
        #expect(rate.count <= 100_000)
    }

    @Test("very many addresses do not give back what an exhausted one has used up (R125)")
    func flooded() {
        let rate = RequestRate<Int>(perSecond: 1, atOnce: 3, limit: 1_000)
        for _ in 0..<3 { _ = rate.take(from: 0, at: start) }
        for address in 1...10_000 {
            _ = rate.take(from: address, at: start)
            #expect(rate.take(from: 0, at: start) != nil)
        }
        #expect(rate.count <= 1_000)
    }

    private static func limits(_ perSecond: Int, ofAccount: Int, atOnce: Int) -> [String: String] {
        [
            "proxies.trusted": "127.0.0.1",
            "limits.requests_per_second": "\(perSecond)",
            "limits.requests_per_second_of_account": "\(ofAccount)",
            "limits.requests_at_once": "\(atOnce)",
        ]
    }

    @Test("all addresses of one IPv6 network count as one, those of another do not (R125)")
    func networks() async throws {
        try await withSite(Self.limits(1, ofAccount: 1, atOnce: 2)) { site in
            let visitor = site.visitor()
            func status(from address: String) async throws -> Int {
                try await visitor.get("/", headers: ["x-forwarded-for": address]).status
            }
            for (address, expected) in [
                ("2001:db8:0:1::1", 200), ("2001:db8:0:1:ffff::7", 200), ("2001:db8:0:1::9", 429),
                ("2001:db8:0:2::1", 200),
            ] {
                let found = try await status(from: address)
                #expect(found == expected, "\(address)")
            }
        }
    }

    @Test("a flood is answered in a sentence that says when to come again (V16)")
    func sentence() async throws {
        try await withSite(Self.limits(1, ofAccount: 1, atOnce: 2)) { site in
            let visitor = site.visitor()
            var answers: [Visitor.Answer] = []
            let first = ContinuousClock.now
            for _ in 0..<5 { answers.append(try await visitor.get("/")) }
            #expect(first.duration(to: .now) >= .seconds(1), "a flood waits for its refusals")
            let refused = answers.filter { $0.status == 429 }
            #expect(refused.first?.header("content-type")?.hasPrefix("text/html") == true)
            let last = try #require(refused.last)
            #expect(last.header("content-type")?.hasPrefix("text/plain") == true)
            #expect(last.text.contains("Too many requests. Nothing was changed. Try again in"))
            #expect(last.header("retry-after") != nil)
        }
    }

    @Test("while a flood waits for its refusals, others are served (V16)")
    func floodWaits() async throws {
        try await withSite(Self.limits(1, ofAccount: 1, atOnce: 2)) { site in
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        let from = ["x-forwarded-for": "203.0.113.1"]
                        return try await site.visitor().get("/", headers: from).status
                    }
                }
                // The first five are answered at once; then the flood is known, and waits.
                for _ in 0..<5 { _ = try await group.next() }
                let start = ContinuousClock.now
                let other = try await site.visitor()
                    .get("/", headers: ["x-forwarded-for": "203.0.113.77"])
                #expect(other.status == 200)
                #expect(start.duration(to: .now) < .milliseconds(900))
                #expect(try await group.allSatisfy { $0 == 429 || $0 == 200 })
            }
        }
    }

    @Test("one account from many addresses is limited as one address is, others are not (issue 4)")
    func account() async throws {
        try await withSite(Self.limits(100_000, ofAccount: 1, atOnce: 100)) { site in
            let anna = try await CityStaff.administrator(site)
            let luca = try await CityStaff.person([.serviceOperator], at: site, name: "luca")
            var refused: Visitor.Answer?
            for number in 1...101 where refused == nil {
                let answer = try await anna.get(
                    "/account",
                    headers: ["x-forwarded-for": "203.0.113.\(number)"]
                )
                if answer.status != 200 { refused = answer }
            }
            #expect(refused?.status == 429)
            #expect(refused?.header("retry-after") == "1")
            let from = ["x-forwarded-for": "203.0.113.1"]
            #expect(try await luca.get("/account", headers: from).status == 200)
            #expect(try await site.visitor().get("/", headers: from).status == 200)
        }
    }
}
