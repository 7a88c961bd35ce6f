import SeededRandom
import Streets
import TestSupport
import Testing

@testable import CityData

@Suite("Random towns with random restrictions (issue 2: compared with a slow, obvious search)")
struct StreetTurnPropertyTests {
    @Test("fastest drives equal those of a search that judges each turn by the relations")
    func equalsRelations() throws {
        for seed in UInt64(0)..<2_500 {
            let town = RandomTown(seed: seed)
            let scene = try StreetScene(town.text)
            let time = town.times(in: scene.draft)
            for source in town.nodes {
                guard let vertex = scene.vertex(source) else { continue }
                let slow = town.slowTimes(from: source, time)
                let fast = StreetOracle.times(scene.draft, .car, from: vertex)
                for target in town.nodes {
                    guard let end = scene.vertex(target) else { continue }
                    let best = scene.draft.originals.indices
                        .filter { scene.draft.originals[$0] == UInt32(end) }
                        .compactMap { fast[$0] }.min()
                    guard best != slow[target] else { continue }
                    Issue.record(
                        "seed \(seed), \(source) to \(target): \(best ?? 0)\n\(town.text)"
                    )
                    return
                }
            }
        }
    }
}

/// Some nodes, ways of one segment each, and relations that restrict turns.
private struct RandomTown {
    let nodes: [Int64]
    var ways: [Way] = []
    var restrictions: [Restriction] = []
    var text = ""

    struct Way {
        var from: Int64
        var to: Int64
        var isOneway: Bool
    }

    struct Restriction {
        var from: Int
        var to: Int
        var viaNode: Int64?
        var viaWay: Int?
        var isOnly: Bool
    }

    /// A way in its direction or in the opposite one.
    struct Passage: Hashable {
        var way: Int
        var forward: Bool
    }

    init(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        nodes = Array(1...Int64.random(in: 3...6, using: &random))
        for node in nodes { text += "node \(node) \(node * node * 31 % 97) \(node * 53 % 89)\n" }
        for number in 0..<Int.random(in: 3...9, using: &random) {
            let from = nodes[Int.random(in: 0..<nodes.count, using: &random)]
            let to = nodes[Int.random(in: 0..<nodes.count, using: &random)]
            guard from != to else { continue }
            let isOneway = Int.random(in: 0..<4, using: &random) == 0
            text += "way \(ways.count) \(from) \(to) highway=residential name=\(number)"
            text += isOneway ? " oneway=yes\n" : "\n"
            ways.append(Way(from: from, to: to, isOneway: isOneway))
        }
        guard ways.count >= 3 else { return }
        for number in 0..<Int.random(in: 0...8, using: &random) {
            let picked = ways.indices.shuffled(using: &random)
            let isOnly = Int.random(in: 0..<3, using: &random) == 0
            let first = ways[picked[0]]
            let meeting = Bool.random(using: &random) ? first.from : first.to
            // Most restrictions match the streets; others do not and must be ignored.
            let touching = picked.dropFirst().filter {
                ways[$0].from == meeting || ways[$0].to == meeting
            }
            let second = touching.first ?? picked[1]
            let third = picked.dropFirst().first { $0 != second } ?? picked[2]
            let isOverWay = Bool.random(using: &random)
            restrictions.append(
                Restriction(
                    from: picked[0],
                    to: isOverWay ? third : second,
                    viaNode: isOverWay ? nil : meeting,
                    viaWay: isOverWay ? second : nil,
                    isOnly: isOnly
                )
            )
            let via = isOverWay ? "via:w\(second)" : "via:n\(meeting)"
            text += "relation \(number) from:w\(picked[0]) \(via) "
            text += "to:w\(isOverWay ? third : second) type=restriction "
            text += "restriction=\(isOnly ? "only" : "no")_left_turn\n"
        }
    }

    func tail(_ passage: Passage) -> Int64 {
        passage.forward ? ways[passage.way].from : ways[passage.way].to
    }

    func head(_ passage: Passage) -> Int64 {
        passage.forward ? ways[passage.way].to : ways[passage.way].from
    }

    func leaving(_ node: Int64) -> [Passage] {
        ways.indices.flatMap {
            [Passage(way: $0, forward: true), Passage(way: $0, forward: false)]
        }
        .filter { tail($0) == node && ($0.forward || !ways[$0.way].isOneway) }
    }

    /// Returns the importer's time for each way, identified by its name.
    func times(in draft: StreetDraft) -> [Int: UInt64] {
        var times: [Int: UInt64] = [:]
        for arc in draft.arcs where arc.milliseconds[3] != StreetDraft.Arc.closed {
            let name = draft.names[Int(draft.edges[Int(arc.edge)].name)]
            let lines = text.split(separator: "\n").filter { $0.hasPrefix("way") }
            for (way, line) in lines.enumerated()
            where line.split(separator: " ").contains("name=\(name)") {
                times[way] = UInt64(arc.milliseconds[3])
            }
        }
        return times
    }

    /// Returns whether a relation forbids continuing to a passage after others.
    func isForbidden(_ history: [Passage], _ next: Passage) -> Bool {
        restrictions.contains { restriction in
            guard let last = history.last else { return false }
            if let via = restriction.viaNode {
                guard last.way == restriction.from, head(last) == via,
                    leaving(via).contains(where: { $0.way == restriction.to })
                else { return false }
                return (next.way == restriction.to) != restriction.isOnly
            }
            guard last.way == restriction.viaWay, history.count >= 2,
                history[history.count - 2].way == restriction.from,
                leaving(head(last)).contains(where: { $0.way == restriction.to })
            else { return false }
            if restriction.isOnly { return next.way != restriction.to }
            // A U-turn on the via way is forbidden together with the turn.
            return next.way == restriction.to || next.way == restriction.viaWay
        }
    }

    /// Returns the fastest times to all nodes, over all histories of two passages.
    func slowTimes(from source: Int64, _ time: [Int: UInt64]) -> [Int64: UInt64] {
        var best: [[Passage]: UInt64] = [:]
        var reached: [Int64: UInt64] = [source: 0]
        var queue: [(history: [Passage], time: UInt64)] = [([], 0)]
        while let first = queue.indices.min(by: { queue[$0].time < queue[$1].time }) {
            let (history, start) = queue.remove(at: first)
            if let known = best[history], known <= start { continue }
            best[history] = start
            let node = history.last.map(head) ?? source
            reached[node] = min(reached[node] ?? .max, start)
            for next in leaving(node) where !isForbidden(history, next) {
                guard let duration = time[next.way] else { continue }
                queue.append((Array((history + [next]).suffix(2)), start + duration))
            }
        }
        return reached
    }
}
