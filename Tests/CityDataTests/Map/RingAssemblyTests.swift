import SeededRandom
import TestSupport
import Testing

@testable import CityData

/// Issue 2, part "City file": water and parks are multipolygons whose rings are
/// assembled from open ways.
@Suite("Rings out of pieces")
struct RingAssemblyTests {
    /// Returns the edges of sequences of nodes, undirected and sorted.
    static func edges(_ lines: [[UInt32]]) -> [[UInt32]] {
        lines.flatMap { line in
            zip(line, line.dropFirst()).map { [min($0, $1), max($0, $1)] }
        }.sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// Returns rings of new nodes, each of which may start at a node of an earlier one.
    private static func rings(_ random: inout SeededRandom) -> [[UInt32]] {
        var rings: [[UInt32]] = []
        var next: UInt32 = 0
        for _ in 0..<Int.random(in: 1...5, using: &random) {
            var ring: [UInt32] = []
            if Bool.random(using: &random), let shared = rings.randomElement(using: &random)?.first
            {
                ring.append(shared)
            }
            for _ in 0..<Int.random(in: 3...12, using: &random) {
                ring.append(next)
                next += 1
            }
            rings.append(ring + [ring[0]])
        }
        return rings
    }

    /// Cuts a ring at random nodes and at its first, and reverses random pieces.
    private static func pieces(_ ring: [UInt32], _ random: inout SeededRandom) -> [[UInt32]] {
        var pieces: [[UInt32]] = []
        var piece = [ring[0]]
        for node in ring.dropFirst() {
            piece.append(node)
            guard node == ring[0] || Int.random(in: 0..<3, using: &random) == 0 else { continue }
            pieces.append(Bool.random(using: &random) ? piece : piece.reversed())
            piece = [node]
        }
        return pieces
    }

    @Test("shuffled and reversed pieces give the rings that were cut, also touching ones")
    func shuffled() {
        for seed in 0..<UInt64(Effort.instances(3_000)) {
            var random = SeededRandom(seed: seed)
            let rings = Self.rings(&random)
            let pieces = rings.flatMap { Self.pieces($0, &random) }.shuffled(using: &random)
            let result = RingAssembly.rings(pieces)
            #expect(result.broken == 0, "seed \(seed)")
            #expect(Self.edges(result.rings) == Self.edges(rings), "seed \(seed)")
            #expect(result.rings.allSatisfy { $0.first == $0.last }, "seed \(seed)")
            #expect(
                result.rings.allSatisfy { Set($0).count == $0.count - 1 },
                "seed \(seed): a ring passes a node twice"
            )
        }
    }

    @Test("a ring that lacks a piece is left out, the others stay")
    func broken() {
        for seed in 0..<UInt64(Effort.instances(1_000)) {
            var random = SeededRandom(seed: seed)
            let whole: [[UInt32]] = [[0, 1, 2, 3, 0], [10, 11, 12, 10]]
            let damaged: [UInt32] = [20, 21, 22, 23, 24, 25, 20]
            var open = Self.pieces(damaged, &random)
            open.removeLast()
            let pieces = whole.flatMap { Self.pieces($0, &random) } + open
            let result = RingAssembly.rings(pieces.shuffled(using: &random))
            #expect(result.broken == open.count, "seed \(seed)")
            #expect(Self.edges(result.rings) == Self.edges(whole), "seed \(seed)")
        }
    }

    @Test("pieces of one node, of none, and closed pieces")
    func small() {
        #expect(RingAssembly.rings([]).rings.isEmpty)
        #expect(RingAssembly.rings([[], [1]]).broken == 2)
        let closed = RingAssembly.rings([[1, 2, 3, 1], [4, 5, 4]])
        #expect(closed.rings == [[1, 2, 3, 1], [4, 5, 4]])
    }
}
