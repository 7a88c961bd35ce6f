import Geo
import SeededRandom
import TestSupport
import Testing

@testable import CityData

/// Issue 2, part "City file": streets of one class are joined before they are simplified.
@Suite("Lines joined end to end")
struct LineJoiningTests {
    private static func joined(_ lines: [[UInt32]], _ places: [Coordinate]) -> [[UInt32]] {
        LineJoining.joined(lines.map { $0[...] }, places: places)
    }

    @Test("every stretch stays once, and no two free ends meet")
    func random() {
        for seed in 0..<UInt64(Effort.instances(3_000)) {
            var random = SeededRandom(seed: seed)
            let count = UInt32.random(in: 2...12, using: &random)
            let places = (0..<count).map { _ in
                AddressTown.place(
                    .random(in: 0...500, using: &random),
                    .random(in: 0...500, using: &random)
                )
            }
            let lines = (0..<Int.random(in: 0...14, using: &random)).map { _ in
                (0..<Int.random(in: 2...4, using: &random)).map { _ in
                    UInt32.random(in: 0..<count, using: &random)
                }
            }
            let result = Self.joined(lines, places)
            #expect(
                RingAssemblyTests.edges(result) == RingAssemblyTests.edges(lines),
                "seed \(seed)"
            )
            let open = result.filter { $0.first != $0.last }.flatMap { [$0[0], $0[$0.count - 1]] }
            #expect(Set(open).count == open.count, "seed \(seed)")
        }
    }

    @Test("at a crossing lines go straight on")
    func crossing() {
        let places = [(0, 0), (100, 5), (-100, 5), (5, 100), (5, -100)].map {
            AddressTown.place($0, $1)
        }
        let result = Self.joined([[0, 1], [3, 0], [0, 2], [4, 0]], places)
        #expect(result == [[1, 0, 2], [3, 0, 4]])
    }

    @Test("a closed line stays closed")
    func closed() {
        let places = [(0, 0), (100, 0), (0, 100)].map { AddressTown.place($0, $1) }
        #expect(Self.joined([[0, 1], [2, 0], [1, 2]], places) == [[0, 1, 2, 0]])
    }
}
