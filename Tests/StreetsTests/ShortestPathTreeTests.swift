import Geo
import SeededRandom
import Streets
import TestSupport
import Testing

@Suite("Everything within a limit around a place (issue 2, Streets)")
struct ShortestPathTreeTests {
    @Test("junctions and places within the limit are exactly those whose quickest way is")
    func random() throws {
        try RandomStreets.each(0..<1_000) { seed, draft, network, workspace, random in
            for profile in Profile.allCases {
                let slow = SlowStreets(draft: draft, profile: profile)
                let limit = limit(&random)
                try forward(seed, network, workspace, slow, limit, &random)
                try backward(seed, network, workspace, slow, limit, &random)
            }
        }
    }

    @Test("a place whose quickest way is too long is not reached by a slower, shorter one")
    func slowShortWay() throws {
        var draft = StreetDraft()
        for vertex in 0..<4 as Range<Int32> {
            draft.originals.append(UInt32(vertex))
            draft.vertices.append(
                Coordinate(latitude: 454_640_000, longitude: 91_880_000 + vertex * 10_000)
            )
        }
        func street(_ from: UInt32, _ to: UInt32, _ decimetres: UInt32, _ times: UInt32...) {
            let edge = UInt32(draft.edges.count)
            draft.edges.append(
                StreetDraft.Edge(
                    from: from,
                    to: to,
                    geometry: [draft.vertices[Int(from)], draft.vertices[Int(to)]],
                    lengthDecimetres: decimetres,
                    kind: .steps
                )
            )
            for (direction, time) in times.enumerated() {
                draft.arcs.append(
                    StreetDraft.Arc(
                        from: direction == 0 ? from : to,
                        to: direction == 0 ? to : from,
                        edge: edge,
                        forward: direction == 0,
                        milliseconds: Profile.allCases.map { _ in time }
                    )
                )
            }
        }
        street(0, 1, 1, 1)
        street(1, 3, 4_000, 100_000, 20)
        street(1, 2, 2_500, 500)
        street(2, 3, 2_500, 500)
        let network = try RandomStreets.network(draft)
        func place(_ edge: UInt32, _ fraction: UInt32) -> StreetPlace {
            StreetPlace(
                edge: EdgeIndex(rawValue: edge),
                fraction: fraction,
                point: draft.vertices[0],
                distanceMetres: 0
            )
        }
        let tree = network.shortestPathTree(
            place(0, 0),
            within: SearchLimit(metres: 150),
            by: network.metric(.foot),
            using: StreetWorkspace(for: network)
        )
        #expect(tree.count == 1)
        #expect(tree.cost(place(1, 0)).isPossible)
        #expect(!tree.cost(place(1, StreetPlace.whole / 4)).isPossible)
    }

    private func limit(_ random: inout SeededRandom) -> SearchLimit {
        let milliseconds = UInt32.random(in: 0...300_000, using: &random)
        let decimetres = UInt32.random(in: 0...20_000, using: &random)
        return switch Int.random(in: 0..<3, using: &random) {
        case 0: SearchLimit(milliseconds: milliseconds)
        case 1: SearchLimit(decimetres: decimetres)
        default: SearchLimit(milliseconds: milliseconds, decimetres: decimetres)
        }
    }

    private func allowed(
        _ answer: SlowStreets.Answer?,
        _ limit: SearchLimit
    ) -> SlowStreets.Answer? {
        guard let answer, answer.milliseconds <= Int(limit.milliseconds),
            answer.decimetres <= Int(limit.decimetres)
        else { return nil }
        return answer
    }

    private func forward(
        _ seed: UInt64,
        _ network: StreetNetwork,
        _ workspace: StreetWorkspace,
        _ slow: SlowStreets,
        _ limit: SearchLimit,
        _ random: inout SeededRandom
    ) throws {
        let origin = RandomStreets.place(slow.draft, &random)
        let all = slow.all(from: origin)
        let tree = network.shortestPathTree(
            origin,
            within: limit,
            by: network.metric(slow.profile),
            using: workspace
        )
        let expected = all.compactMap { allowed($0, limit) }.sorted()
        let found = (0..<tree.count).compactMap { tree[$0].cost.answer }
        try #require(found == expected, "seed \(seed) \(slow.profile)")
        for _ in 0..<10 {
            let other = RandomStreets.place(slow.draft, &random)
            let exact = slow.answer(all, from: origin, to: other)
            try #require(
                tree.cost(other).answer == allowed(exact, limit),
                "seed \(seed) \(slow.profile) \(limit) from \(origin) to \(other)"
            )
        }
    }

    private func backward(
        _ seed: UInt64,
        _ network: StreetNetwork,
        _ workspace: StreetWorkspace,
        _ slow: SlowStreets,
        _ limit: SearchLimit,
        _ random: inout SeededRandom
    ) throws {
        let destination = RandomStreets.place(slow.draft, &random)
        let tree = network.shortestPathTree(
            destination,
            within: limit,
            .backward,
            by: network.metric(slow.profile),
            using: workspace
        )
        for _ in 0..<5 {
            let other = RandomStreets.place(slow.draft, &random)
            let exact = slow.answer(from: other, to: destination)
            try #require(
                tree.cost(other).answer == allowed(exact, limit),
                "seed \(seed) \(slow.profile) \(limit) from \(other) to \(destination)"
            )
        }
    }
}
