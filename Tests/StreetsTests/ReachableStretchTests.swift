import Geo
import SeededRandom
import Streets
import TestSupport
import Testing

@Suite("Reached areas (issue 2, Streets)")
struct ReachableStretchTests {
    @Test("a place is in the area exactly where its quickest way is within the time")
    func random() throws {
        try RandomStreets.each(0..<800) { seed, draft, network, workspace, random in
            for profile in Profile.allCases {
                let milliseconds = UInt32.random(in: 0...200_000, using: &random)
                let direction: SearchDirection =
                    Bool.random(using: &random) ? .forward : .backward
                let tree = network.shortestPathTree(
                    RandomStreets.place(draft, &random),
                    within: SearchLimit(milliseconds: milliseconds),
                    direction,
                    by: network.metric(profile),
                    using: workspace
                )
                let area = tree.reachableStretches()
                for _ in 0..<20 {
                    try check(tree, area, draft, profile, &random, "seed \(seed) \(profile)")
                }
            }
        }
    }

    private func check(
        _ tree: ShortestPathTree,
        _ area: [ReachableStretch],
        _ draft: StreetDraft,
        _ profile: Profile,
        _ random: inout SeededRandom,
        _ comment: Comment
    ) throws {
        let place = RandomStreets.place(draft, &random)
        let parts = area.filter { $0.edge == place.edge }
        try #require(zip(parts, parts.dropFirst()).allSatisfy { $0.to < $1.from }, comment)
        let nearEnd = parts.contains { part in
            [part.from, part.to].contains { abs(Int($0) - Int(place.fraction)) <= 2 }
        }
        // At the very end of a part the result depends on rounding.
        if nearEnd { return }
        let isInside = parts.contains { $0.from <= place.fraction && place.fraction <= $0.to }
        try #require(isInside == tree.cost(place).isPossible, comment)
    }
}
