import SeededRandom
import Streets
import TestSupport
import Testing

/// Issue 31: the stops of a city are prepared for searches from any place.
@Suite("Tables of fixed places")
struct PlaceTableTests {
    @Test("costs equal those of a plain search, and constant ones hold at any moment")
    func random() throws {
        var (constant, varying) = (0, 0)
        for seed in 0..<UInt64(Effort.instances(400, everything: 4_000)) {
            var random = SeededRandom(seed: seed ^ 0x7AB)
            var draft = RandomStreets.draft(&random)
            guard !draft.edges.isEmpty else { continue }
            let minute = Int.random(in: 0..<10_080, using: &random)
            // Without rules, everything is constant.
            if seed % 4 != 0 { RandomStreets.addRules(to: &draft, around: minute, &random) }
            let network = try RandomStreets.network(draft)
            let workspace = StreetWorkspace(for: network)
            let profile = Profile.allCases.randomElement(using: &random) ?? .foot
            let metric = network.metric(profile)
            let direction = Bool.random(using: &random) ? SearchDirection.forward : .backward
            let places = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                RandomStreets.place(draft, &random)
            }
            let table = PlaceTable(places, direction, in: network, by: metric, using: workspace)
            for _ in 0..<3 {
                let place = RandomStreets.place(draft, &random)
                let found = table.costs(place, using: workspace)
                try #require(found.count == places.count)
                let week = WeekMoment(
                    milliseconds: Int64(minute) * 60_000 + .random(in: 0..<600_000, using: &random)
                )
                let timed: PassageMoment =
                    direction == .forward ? .departure(week) : .arrival(week)
                for moment in [PassageMoment.best, timed, .always] {
                    let tree = network.shortestPathTree(
                        place,
                        within: SearchLimit(),
                        direction,
                        by: metric,
                        at: moment,
                        using: workspace
                    )
                    for (number, other) in places.enumerated() {
                        let cost = tree.cost(other)
                        let isKnown = moment == .best || found[number].isConstant
                        try #require(
                            isKnown ? cost == found[number].cost : cost >= found[number].cost,
                            "seed \(seed) \(profile) \(direction) \(moment) place \(number)"
                        )
                    }
                }
                for found in found where found.cost.isPossible {
                    if found.isConstant { constant += 1 } else { varying += 1 }
                }
            }
            if !metric.variesByHour {
                let all = places.first.map { table.costs($0, using: workspace) } ?? []
                try #require(all.allSatisfy { $0.isConstant }, "seed \(seed)")
            }
        }
        #expect(constant > 100 && varying > 100)
    }
}
