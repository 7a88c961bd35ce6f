import Geo
import SeededRandom
import Streets
import TestSupport
import Testing

@Suite("Tables of costs (issue 2, Streets)")
struct TableTests {
    @Test("every entry equals Dijkstra's, and so the point query's")
    func random() throws {
        try RandomStreets.each(0..<800) { seed, draft, network, workspace, random in
            for profile in Profile.allCases {
                let slow = SlowStreets(draft: draft, profile: profile)
                let origins = places(draft, &random, atMost: 18)
                let destinations = places(draft, &random, atMost: 12)
                let table = network.table(
                    from: origins,
                    to: destinations,
                    by: network.metric(profile),
                    using: workspace
                )
                for (row, origin) in origins.enumerated() {
                    let all = slow.all(from: origin)
                    for (column, destination) in destinations.enumerated() {
                        let expected = slow.answer(all, from: origin, to: destination)
                        try #require(
                            table[row, column].answer == expected,
                            "seed \(seed) \(profile)"
                        )
                    }
                }
            }
        }
    }

    private func places(
        _ draft: StreetDraft,
        _ random: inout SeededRandom,
        atMost most: Int
    ) -> [StreetPlace] {
        (0..<Int.random(in: 0...most, using: &random)).map { _ in
            RandomStreets.place(draft, &random)
        }
    }
}
