import SeededRandom
import Streets
import TestSupport
import Testing

@testable import CityData

@Suite("Turn expansion (issue 2: turn restrictions, also via ways; compared with a slow search)")
struct TurnExpansionTests {
    /// A small random network with random forbidden rows.
    private struct Instance {
        var network: PassageNetwork
        var forbidden: [ForbiddenPath]
        var vertexCount: Int

        init(seed: UInt64) {
            var random = SeededRandom(seed: seed)
            let vertexCount = Int.random(in: 2...7, using: &random)
            self.vertexCount = vertexCount
            func times() -> PassageNetwork.Times {
                var times = PassageNetwork.Times(repeating: StreetDraft.Arc.closed)
                for lane in 0..<5 where Int.random(in: 0..<6, using: &random) > 0 {
                    times[lane] = UInt32.random(in: 1...20, using: &random)
                }
                return times
            }
            let edges = (0..<Int.random(in: 1...11, using: &random)).map { _ in
                (
                    from: UInt32.random(in: 0..<UInt32(vertexCount), using: &random),
                    to: UInt32.random(in: 0..<UInt32(vertexCount), using: &random),
                    along: times(), against: times()
                )
            }
            let network = PassageNetwork(vertexCount: vertexCount, edges: edges)
            self.network = network
            forbidden = []
            for _ in 0..<Int.random(in: 0...9, using: &random) {
                // Half of the rows continue or begin like an earlier one, so that they overlap.
                var row: [UInt32] = []
                if let other = forbidden.randomElement(using: &random), Bool.random(using: &random)
                {
                    let cut = Int.random(in: 0..<other.passages.count, using: &random)
                    row = Array(
                        Bool.random(using: &random)
                            ? other.passages[cut...] : other.passages[...cut]
                    )
                } else {
                    row = [UInt32.random(in: 0..<UInt32(network.heads.count), using: &random)]
                }
                for _ in 0..<Int.random(in: 1...3, using: &random) {
                    let next = network.leaving(network.head(row[row.count - 1]))
                    if let passage = next.randomElement(using: &random) { row.append(passage) }
                }
                row = Array(row.prefix(4))
                guard row.count >= 2 else { continue }
                forbidden.append(
                    ForbiddenPath(
                        passages: row,
                        profiles: UInt8.random(in: 1...31, using: &random)
                    )
                )
            }
        }

        /// Returns the fastest times from a vertex by a search over whole histories: a state is the
        /// vertex with as many last passages as the longest row needs.
        func slowTimes(_ profile: Profile, from source: UInt32) -> [UInt32?] {
            let bit: UInt8 = 1 << profile.rawValue
            let rows = forbidden.filter { $0.profiles & bit != 0 }.map(\.passages)
            let memory = max(1, (rows.map(\.count).max() ?? 1) - 1)
            struct State: Hashable {
                var vertex: UInt32
                var history: [UInt32]
            }
            var best: [State: UInt32] = [:]
            var buckets: [[State]] = [[State(vertex: source, history: [])]]
            var now = 0
            while now < buckets.count {
                for state in buckets[now] where best[state] == nil {
                    best[state] = UInt32(now)
                    for passage in network.leaving(state.vertex) {
                        let time = network.times[Int(passage)][Int(profile.rawValue)]
                        guard time != StreetDraft.Arc.closed else { continue }
                        let history = state.history + [passage]
                        if rows.contains(where: { history.suffix($0.count) == $0[...] }) {
                            continue
                        }
                        let arrival = now + Int(time)
                        while buckets.count <= arrival { buckets.append([]) }
                        buckets[arrival].append(
                            State(
                                vertex: network.head(passage),
                                history: Array(history.suffix(memory))
                            )
                        )
                    }
                }
                now += 1
            }
            return (0..<UInt32(vertexCount)).map { vertex in
                best.filter { $0.key.vertex == vertex }.map(\.value).min()
            }
        }

        /// Returns the fastest times from a vertex over vertices and copies.
        func fastTimes(_ profile: Profile, from source: UInt32) -> [UInt32?] {
            let expansion = TurnExpansion(network, forbidden)
            let bit: UInt8 = 1 << profile.rawValue
            let count = vertexCount + expansion.copies.count
            var times = [UInt32?](repeating: nil, count: count)
            times[Int(source)] = 0
            for _ in 0...count {
                for arc in expansion.arcs where arc.profiles & bit != 0 {
                    guard let start = times[Int(arc.from)] else { continue }
                    let time = network.times[Int(arc.passage)][Int(profile.rawValue)]
                    times[Int(arc.to)] = min(times[Int(arc.to)] ?? .max, start + time)
                }
            }
            return (0..<vertexCount).map { vertex in
                let copies = expansion.copies.indices.filter {
                    expansion.copies[$0] == UInt32(vertex)
                }
                return ([vertex] + copies.map { vertexCount + $0 }).compactMap { times[$0] }.min()
            }
        }
    }

    @Test("shortest paths over copies equal those of a search over whole histories")
    func equalsHistories() {
        for seed in UInt64(0)..<2_500 {
            let instance = Instance(seed: seed)
            let profile = Profile.allCases[Int(seed % 5)]
            for source in 0..<UInt32(min(3, instance.vertexCount)) {
                let fast = instance.fastTimes(profile, from: source)
                let slow = instance.slowTimes(profile, from: source)
                guard fast != slow else { continue }
                Issue.record("seed \(seed), \(profile), from \(source): \(fast), not \(slow)")
                return
            }
        }
    }

    @Test("a start on a passage has exactly one arc for each profile that may make it")
    func uniqueStarts() {
        for seed in UInt64(0)..<1_000 {
            let instance = Instance(seed: seed)
            let expansion = TurnExpansion(instance.network, instance.forbidden)
            for passage in UInt32(0)..<UInt32(instance.network.heads.count) {
                let starts = expansion.arcs.filter {
                    $0.passage == passage && Int($0.from) < instance.vertexCount
                }
                let profiles = starts.reduce(0) { $0 + $1.profiles.nonzeroBitCount }
                #expect(
                    profiles == instance.network.open(passage).nonzeroBitCount,
                    "seed \(seed), passage \(passage)"
                )
            }
        }
    }
}
