import Geo
import SeededRandom
import Streets
import TestSupport
import Testing

@Suite("A traffic overlay changes car speeds without a rebuild (issue 2, Streets)")
struct TrafficTests {
    @Test("after any changes of times, queries equal Dijkstra's on the changed draft")
    func random() throws {
        try RandomStreets.each(0..<800) { seed, draft, network, workspace, random in
            var changed = draft
            var changes: [ArcTime] = []
            for _ in 0..<20 {
                let edge = UInt32.random(in: 0..<UInt32(draft.edges.count), using: &random)
                let forward = Bool.random(using: &random)
                let time =
                    Int.random(in: 0..<5, using: &random) == 0
                    ? StreetDraft.Arc.closed : UInt32.random(in: 0...90_000, using: &random)
                for arc in network.passages(of: EdgeIndex(rawValue: edge))
                where network.passage(arc).forward == forward {
                    changes.append(ArcTime(arc: arc, milliseconds: time))
                }
                for arc in changed.arcs.indices
                where changed.arcs[arc].edge == edge && changed.arcs[arc].forward == forward {
                    changed.arcs[arc].milliseconds[Int(Profile.car.rawValue)] = time
                }
            }
            let metric = try network.metric(network.metric(.car), changing: changes)
            let slow = SlowStreets(draft: changed, profile: .car)
            for _ in 0..<12 {
                let origin = RandomStreets.place(draft, &random)
                let destination = RandomStreets.place(draft, &random)
                let route = network.route(
                    from: origin,
                    to: destination,
                    by: metric,
                    using: workspace
                )
                let expected = slow.answer(from: origin, to: destination)
                try #require(route?.cost.answer == expected, "seed \(seed)")
            }
        }
    }

    @Test("a change of a passage that does not exist is refused")
    func unknownPassage() throws {
        var random = SeededRandom(seed: 1)
        let draft = RandomStreets.grid(columns: 3, rows: 3, oneWayShare: 0, &random)
        let network = try RandomStreets.network(draft)
        let arc = ArcIndex(rawValue: UInt32(network.arcCount))
        #expect(throws: StreetFailure.inconsistent(.arc, number: 0)) {
            try network.metric(
                network.metric(.car),
                changing: [ArcTime(arc: arc, milliseconds: 1)]
            )
        }
    }
}
