import SeededRandom
import Testing

@testable import Simulation

@Suite("The assignment with the least total cost")
struct AssignmentTests {
    /// The number of assigned rows and their total cost.
    private struct Value: Equatable {
        var count = 0
        var cost: Int64 = 0

        func isBetter(than other: Value) -> Bool {
            count != other.count ? count > other.count : cost < other.cost
        }
    }

    /// The best value by trying every pairing.
    private func best(_ costs: [[Int64?]], from row: Int = 0, taken: Set<Int> = []) -> Value {
        guard row < costs.count else { return Value() }
        var best = best(costs, from: row + 1, taken: taken)
        for (column, cost) in costs[row].enumerated() where !taken.contains(column) {
            guard let cost else { continue }
            var value = self.best(costs, from: row + 1, taken: taken.union([column]))
            value.count += 1
            value.cost += cost
            if value.isBetter(than: best) { best = value }
        }
        return best
    }

    private func value(_ columns: [Int?], _ costs: [[Int64?]]) throws -> Value {
        var value = Value()
        for (row, column) in columns.enumerated() {
            guard let column else { continue }
            value.count += 1
            value.cost += try #require(costs[row][column], "an impossible pair was assigned")
        }
        return value
    }

    @Test("is as good as the best of all pairings, in every small random case")
    func againstAllPairings() throws {
        var random = SeededRandom(seed: 34)
        for round in 0..<3_000 {
            let rows = random.below(6)
            let columns = random.below(7)
            let limit = round % 2 == 0 ? 5 : Int(Assignment.costLimit)
            let costs = (0..<rows).map { _ in
                (0..<columns).map { _ in
                    random.happens(0.25) ? nil : Int64(random.below(limit + 1))
                }
            }
            let found = Assignment.leastCost(costs, columns: columns)
            let taken = found.compactMap { $0 }
            #expect(found.count == rows && Set(taken).count == taken.count)
            #expect(try value(found, costs) == best(costs), "\(costs)")
        }
    }

    @Test("gives the nearer taxi up where that makes the sum smaller")
    func trade() {
        #expect(Assignment.leastCost([[1, 2], [1, 9]], columns: 2) == [1, 0])
        #expect(Assignment.leastCost([[5], [3]], columns: 1) == [nil, 0])
        #expect(Assignment.leastCost([], columns: 3) == [])
    }
}
