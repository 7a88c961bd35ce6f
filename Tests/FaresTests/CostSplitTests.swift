import Fares
import SeededRandom
import TestSupport
import Testing

/// R91 and spec/taxi.md 1.12: shares are proportional to direct fares, cents go by largest
/// remainder, the sum is exact, and nobody pays more than alone.
@Suite("Splitting the cost of a shared ride (R91)")
struct CostSplitTests {
    private func sharing(_ total: Int64, _ direct: [Int64?]) -> CostSplit? {
        CostSplit(
            of: Money(total, .euro),
            inProportionTo: direct.map { $0.map { Money($0, .euro) } }
        )
    }

    @Test(
        "each pays in proportion to the direct fare, cents by largest remainder",
        arguments: [
            // 800, 533 1/3, 666 2/3: the cent goes to the third.
            (2_000, [1_200, 800, 1_000], [800, 533, 667], 0),
            // Equal remainders: the cent goes to the party that joined first.
            (1_000, [500, 500, 500], [334, 333, 333], 0),
            (1_001, [1_000, 1_000], [501, 500], 0),
            (1, [3, 2], [1, 0], 0),
            // The total equals the sum of the direct fares.
            (3_000, [1_200, 800, 1_000], [1_200, 800, 1_000], 0),
            // The total exceeds that sum: the rest is charged to nobody.
            (3_500, [1_200, 800, 1_000], [1_200, 800, 1_000], 500),
            (700, [0, 0], [0, 0], 700), (0, [500, 100], [0, 0], 0), (900, [1_000], [900], 0),
        ] as [(Int64, [Int64], [Int64], Int64)]
    )
    func examples(total: Int64, direct: [Int64], shares: [Int64], rest: Int64) throws {
        let split = try #require(sharing(total, direct))
        #expect(split.shares.map(\.minorUnits) == shares)
        #expect(split.rest.minorUnits == rest)
    }

    @Test("what is unknown is not split")
    func unknown() {
        #expect(sharing(1_000, [500, nil]) == nil)
        #expect(sharing(1_000, []) == nil)
        #expect(sharing(-1, [500]) == nil)
        #expect(sharing(1_000, [-1, 500]) == nil)
        let francs = Currency(code: "CHF").map { Money(500, $0) }
        #expect(CostSplit(of: Money(1_000, .euro), inProportionTo: [francs]) == nil)
    }

    @Test("the sum is exact, nobody pays more than alone, and a dearer way never pays less")
    func laws() throws {
        for seed in 0..<UInt64(Effort.instances(20_000)) {
            var random = SeededRandom(seed: seed)
            let huge = seed % 50 == 0
            let most: Int64 = huge ? .max / 8 : 20_000
            let direct = (0..<Int.random(in: 1...8, using: &random)).map { _ in
                Bool.random(using: &random) && Bool.random(using: &random)
                    ? 0 : Int64.random(in: 0...most, using: &random)
            }
            let sum = direct.reduce(0, +)
            let total = Int64.random(in: 0...max(1, sum / 4 * 5), using: &random)
            let split = try #require(sharing(total, direct))
            let shares = split.shares.map(\.minorUnits)
            #expect(shares.reduce(split.rest.minorUnits, +) == total, "seed \(seed)")
            #expect(split.rest.minorUnits == max(0, total - sum), "seed \(seed)")
            #expect(zip(shares, direct).allSatisfy { 0 <= $0 && $0 <= $1 }, "seed \(seed)")
            for one in direct.indices {
                for other in direct.indices where direct[one] > direct[other] {
                    #expect(shares[one] >= shares[other], "seed \(seed)")
                }
            }
            if !huge { #expect(shares == slow(min(total, sum), direct), "seed \(seed)") }
        }
    }

    /// Computes the shares cent by cent: each goes to the party that lacks most of its exact share.
    private func slow(_ total: Int64, _ direct: [Int64]) -> [Int64] {
        let sum = direct.reduce(0, +)
        guard sum > 0 else { return direct }
        var shares = direct.map { total * $0 / sum }
        while shares.reduce(0, +) < total {
            var most = 0
            var neediest = 0
            for (sharer, fare) in direct.enumerated() {
                let lacking = Int(total * fare - shares[sharer] * sum)
                if lacking > most { (most, neediest) = (lacking, sharer) }
            }
            shares[neediest] += 1
        }
        return shares
    }
}
