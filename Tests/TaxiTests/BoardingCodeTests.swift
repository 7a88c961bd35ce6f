import Dispatching
import TestSupport
import Testing

@testable import Taxi

@Suite("Boarding codes")
struct BoardingCodeTests {
    private static func codes(_ seed: UInt8, city: String = "town") throws -> BoardingCodes {
        try #require(BoardingCodes(key: [UInt8](repeating: seed, count: 32), city: city))
    }

    @Test("a code has four digits, and depends on key, city and ride (R59, I15)")
    func dependsOnAll() throws {
        let codes = try Self.codes(1)
        let rides = (1...200).map { RequestNumber(rawValue: $0) }
        let all = rides.map { codes.code(of: $0) }
        #expect(all.allSatisfy { $0.utf8.count == 4 && $0.allSatisfy(\.isNumber) })
        #expect(all == rides.map { codes.code(of: $0) })
        #expect(Set(all).count > 190)
        let others = [try Self.codes(2), try Self.codes(1, city: "other")]
        for other in others {
            let same = rides.count { other.code(of: $0) == codes.code(of: $0) }
            #expect(same < 5)
        }
    }

    @Test("all ten thousand codes are equally likely: no number is favoured (I15)")
    func uniform() {
        var counts = [Int](repeating: 0, count: 10_000)
        for number in 0..<65_536 {
            let bytes = [UInt8(number >> 8), UInt8(number & 255)]
            guard let code = BoardingCodes.number(in: bytes) else { continue }
            counts[Int(code)] += 1
        }
        #expect(counts.allSatisfy { $0 == 6 })
    }

    @Test("the codes of many rides are spread evenly (chi-squared over the first digits)")
    func spread() throws {
        let codes = try Self.codes(3)
        var counts = [Int](repeating: 0, count: 100)
        let rides = 20_000
        for ride in 0..<rides {
            let code = codes.code(of: RequestNumber(rawValue: UInt64(ride)))
            counts[Int(code.prefix(2)) ?? 0] += 1
        }
        let expected = Double(rides) / 100
        let sum = counts.reduce(0.0) { $0 + (Double($1) - expected) * (Double($1) - expected) }
        // 99 degrees of freedom: 165 is passed by chance once in 30,000 keys; this key is fixed.
        #expect(sum / expected < 165)
    }

    @Test("only the right digits are right, however they are spaced")
    func comparison() throws {
        let codes = try Self.codes(4)
        let ride = RequestNumber(rawValue: 9)
        let code = codes.code(of: ride)
        #expect(codes.isRight(code, for: ride))
        #expect(codes.isRight("\(code.prefix(2)) \(code.suffix(2))", for: ride))
        for wrong in ["", "0", code + "0", String(code.dropLast()), "\u{660}\u{660}"] {
            #expect(!codes.isRight(wrong, for: ride))
        }
        for digit in 0..<4 {
            var digits = Array(code)
            digits[digit] = digits[digit] == "9" ? "0" : "9"
            #expect(!codes.isRight(String(digits), for: ride))
        }
    }

    @Test("a short key is refused")
    func shortKey() {
        #expect(BoardingCodes(key: [UInt8](repeating: 1, count: 31), city: "town") == nil)
    }
}
