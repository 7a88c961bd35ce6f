import Chronology
import Testing

@testable import Web

@Suite("The rate of requests")
struct RequestRateTests {
    private let start = Moment(milliseconds: 1_800_000_000_000)

    @Test("an address may burst, then goes on at its rate, and others are not slowed by it (R125)")
    func rate() {
        let rate = RequestRate(perSecond: 10, atOnce: 5)
        for _ in 0..<5 { #expect(rate.take(from: "a", at: start) == nil) }
        #expect(rate.take(from: "a", at: start) == 1)
        #expect(rate.take(from: "b", at: start) == nil)
        #expect(rate.take(from: "a", at: start.adding(milliseconds: 99)) != nil)
        #expect(rate.take(from: "a", at: start.adding(milliseconds: 100)) == nil)
        #expect(rate.take(from: "a", at: start.adding(milliseconds: 100)) != nil)
        for _ in 0..<5 { #expect(rate.take(from: "a", at: start.adding(seconds: 60)) == nil) }
        #expect(rate.take(from: "a", at: start.adding(seconds: 60)) != nil)
    }

    @Test("very many addresses do not fill the memory (I30)")
    func bounded() {
        let rate = RequestRate(perSecond: 1, atOnce: 2)
        for address in 0..<250_000 { _ = rate.take(from: "\(address)", at: start) }
        #expect(rate.addressCount <= 100_000)
    }
}
