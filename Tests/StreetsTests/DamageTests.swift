import Columns
import Geo
import SeededRandom
import Streets
import TestSupport
import Testing

@Suite("A damaged street network (issue 2, City file)")
struct DamageTests {
    @Test("flipped bytes in the sections never trap and never hang a query")
    func flippedBytes() throws {
        for seed in 0..<600 as Range<UInt64> {
            var random = SeededRandom(seed: seed)
            let draft = RandomStreets.grid(columns: 7, rows: 6, oneWayShare: 0.3, &random)
            var writer = SectionWriter()
            try writer.add(streets: draft)
            let good = writer.bytes()
            let first = try SectionFile(ByteStorage(copying: good)).sections[0].offset
            var bytes = good
            for _ in 0..<Int.random(in: 1...40, using: &random) {
                let position = Int.random(in: first..<bytes.count, using: &random)
                bytes[position] = UInt8.random(in: 0...255, using: &random)
            }
            // Opening checks only the header and the table, which are intact.
            use(StreetNetwork(try SectionFile(ByteStorage(copying: bytes))), draft, &random)
        }
    }

    @Test("a file without streets answers that there is no way")
    func noStreets() throws {
        var random = SeededRandom(seed: 1)
        let draft = RandomStreets.grid(columns: 3, rows: 3, oneWayShare: 0.3, &random)
        let network = StreetNetwork(try SectionWriter().opened())
        use(network, draft, &random)
        let place = RandomStreets.place(draft, &random)
        let cost = network.cost(
            from: place,
            to: RandomStreets.place(draft, &random),
            by: network.metric(.car),
            using: StreetWorkspace(for: network)
        )
        #expect(!cost.isPossible)
        #expect(network.snap(place.point, for: .foot).isEmpty)
    }

    /// Calls every query and ignores the results.
    private func use(
        _ network: StreetNetwork,
        _ draft: StreetDraft,
        _ random: inout SeededRandom
    ) {
        let workspace = StreetWorkspace(for: network)
        for profile in Profile.allCases {
            var metric = network.metric(profile)
            let places = (0..<4).map { _ in RandomStreets.place(draft, &random) }
            _ = network.table(from: places, to: places, by: metric, using: workspace)
            for place in places {
                let found = network.snap(place.point, for: profile, count: 3)
                let other = found.last ?? places[0]
                _ = network.route(from: place, to: other, by: metric, using: workspace)
                let limit = SearchLimit(metres: Double.random(in: 0...1_000, using: &random))
                _ = network.shortestPathTree(place, within: limit, by: metric, using: workspace)
                    .reachableStretches()
                _ = network.shortestPathTree(
                    place,
                    within: SearchLimit(milliseconds: 100_000),
                    .backward,
                    by: metric,
                    using: workspace
                ).reachableStretches()
            }
            for edge in 0..<UInt32(draft.edges.count) {
                let edge = EdgeIndex(rawValue: edge)
                _ = network.name(network.edge(edge).name)
                _ = network.geometry(of: edge)
                _ = network.passages(of: edge)
            }
            if let changed = try? network.metric(metric, changing: []) { metric = changed }
            _ = network.cost(from: places[0], to: places[1], by: metric, using: workspace)
        }
    }
}
