import Geo
import SeededRandom
import Streets
import TestSupport
import Testing

@Suite("Reached areas (issue 2, Streets)")
struct ReachAreaTests {
    @Test("a place is in the area exactly where its quickest way is within the time")
    func random() throws {
        try RandomStreets.each(0..<800) { seed, draft, network, workspace, random in
            for profile in Profile.allCases {
                let milliseconds = UInt32.random(in: 0...200_000, using: &random)
                let direction: ReachDirection =
                    Bool.random(using: &random) ? .forward : .backward
                let reach = network.reach(
                    RandomStreets.place(draft, &random),
                    within: ReachLimit(milliseconds: milliseconds),
                    direction,
                    by: network.metric(profile),
                    using: workspace
                )
                let area = reach.stretches()
                for _ in 0..<20 {
                    try check(reach, area, draft, profile, &random, "seed \(seed) \(profile)")
                }
            }
        }
    }

    private func check(
        _ reach: Reach,
        _ area: [ReachedStretch],
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
        try #require(isInside == reach.cost(place).isPossible, comment)
    }
}
