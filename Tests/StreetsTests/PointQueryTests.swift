import Geo
import SeededRandom
import Streets
import TestSupport
import Testing

@Suite("The quickest way between two places (issue 2, Streets)")
struct PointQueryTests {
    @Test("time, length and route equal Dijkstra's on random networks, for all profiles")
    func random() throws {
        try RandomStreets.each(0..<1_000) { seed, draft, network, workspace, random in
            for profile in Profile.allCases {
                let slow = SlowStreets(draft: draft, profile: profile)
                let metric = network.metric(profile)
                for _ in 0..<4 {
                    let origin = RandomStreets.place(draft, &random)
                    let all = slow.all(from: origin)
                    for _ in 0..<4 {
                        let destination = RandomStreets.place(draft, &random)
                        let expected = slow.answer(all, from: origin, to: destination)
                        let cost = network.cost(
                            from: origin,
                            to: destination,
                            by: metric,
                            using: workspace
                        )
                        try #require(cost.answer == expected, "seed \(seed) \(profile)")
                        let route = network.route(
                            from: origin,
                            to: destination,
                            by: metric,
                            using: workspace
                        )
                        try #require(route?.cost.answer == expected, "seed \(seed) \(profile)")
                        if let route {
                            try check(route, slow, origin, destination, "seed \(seed) \(profile)")
                        }
                    }
                }
            }
        }
    }

    /// Checks that a route is contiguous and permitted, exact at its ends, and the sum of its
    /// parts.
    private func check(
        _ route: StreetRoute,
        _ slow: SlowStreets,
        _ origin: StreetPlace,
        _ destination: StreetPlace,
        _ comment: Comment
    ) throws {
        let draft = slow.draft
        var sum = Cost.zero
        var vertices: Set<UInt32>?
        for stretch in route.stretches {
            sum = sum + stretch.cost
            let arcs = draft.arcs.filter { arc in
                arc.edge == stretch.edge.rawValue && arc.forward == stretch.forward
                    && (vertices?.contains(arc.from) ?? true)
                    && slow.part(arc, stretch.fromFraction, stretch.toFraction)
                        == stretch.cost.answer
            }
            try #require(!arcs.isEmpty, comment)
            vertices = Set(arcs.map(\.to))
        }
        try #require(sum == route.cost, comment)
        try #require(route.stretches.first?.edge == origin.edge, comment)
        try #require(route.stretches.first?.fromFraction == origin.fraction, comment)
        try #require(route.stretches.last?.edge == destination.edge, comment)
        try #require(route.stretches.last?.toFraction == destination.fraction, comment)
        try #require(route.geometry.first == origin.point, comment)
        try #require(route.geometry.last == destination.point, comment)
    }

    @Test("the reversed network gives the same times backwards")
    func reversed() throws {
        for seed in 0..<100 as Range<UInt64> {
            var random = SeededRandom(seed: seed)
            let draft = RandomStreets.draft(&random)
            guard !draft.edges.isEmpty else { continue }
            var mirrored = draft
            for arc in draft.arcs.indices {
                mirrored.arcs[arc].from = draft.arcs[arc].to
                mirrored.arcs[arc].to = draft.arcs[arc].from
                mirrored.arcs[arc].forward.toggle()
            }
            let network = try RandomStreets.network(draft)
            let reversed = try RandomStreets.network(mirrored)
            let workspace = StreetWorkspace(for: network)
            for _ in 0..<20 {
                let origin = RandomStreets.place(draft, &random)
                let destination = RandomStreets.place(draft, &random)
                let there = network.cost(
                    from: origin,
                    to: destination,
                    by: network.metric(.car),
                    using: workspace
                )
                let back = reversed.cost(
                    from: destination,
                    to: origin,
                    by: reversed.metric(.car),
                    using: workspace
                )
                try #require(there == back, "seed \(seed)")
            }
        }
    }
}
