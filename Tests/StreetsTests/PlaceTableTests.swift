import SeededRandom
import Streets
import TestSupport
import Testing

/// Issue 31: the stops of a city are prepared for searches from any place.
@Suite("Tables of fixed places")
struct PlaceTableTests {
    /// A random network with a table of some places in it.
    private struct Scene {
        let draft: StreetDraft
        let network: StreetNetwork
        let workspace: StreetWorkspace
        let metric: StreetMetric
        let direction: SearchDirection
        let places: [StreetPlace]
        let table: PlaceTable
        /// A minute of the week near which streets are closed or slow.
        let minute: Int

        /// A scene; nil for a network without streets.
        init?(_ seed: UInt64, _ random: inout SeededRandom) throws {
            var draft = RandomStreets.draft(&random)
            guard !draft.edges.isEmpty else { return nil }
            minute = Int.random(in: 0..<10_080, using: &random)
            // Without rules, everything is constant.
            if seed % 4 != 0 { RandomStreets.addRules(to: &draft, around: minute, &random) }
            self.draft = draft
            network = try RandomStreets.network(draft)
            workspace = StreetWorkspace(for: network)
            metric = network.metric(Profile.allCases.randomElement(using: &random) ?? .foot)
            direction = Bool.random(using: &random) ? .forward : .backward
            places = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                RandomStreets.place(draft, &random)
            }
            table = PlaceTable(
                places,
                direction,
                in: network,
                by: metric,
                VaryingShortcuts(network, metric),
                using: workspace
            )
        }

        /// The ways between a place and all of the table.
        func found(_ place: StreetPlace) -> [PlaceTable.Found] {
            var all: [PlaceTable.Found] = []
            table.forEach(from: place, using: workspace) { _ in
                true
            } _: { number, found in
                #expect(number == all.count)
                all.append(found)
            }
            return all
        }

        /// The costs of the same ways at a moment, by a plain search.
        func costs(_ place: StreetPlace, at moment: PassageMoment) -> [Cost] {
            let tree = network.shortestPathTree(
                place,
                within: SearchLimit(),
                direction,
                by: metric,
                at: moment,
                using: workspace
            )
            return places.map { tree.cost($0) }
        }
    }

    @Test("costs equal those of a plain search, and constant ones hold at any moment")
    func random() throws {
        // No way that is looked at in the meantime takes longer.
        let hour = Int64(3_600_000)
        var (constant, varying, elsewhere) = (0, 0, 0)
        for seed in 0..<UInt64(Effort.instances(400, everything: 4_000)) {
            var random = SeededRandom(seed: seed ^ 0x7AB)
            guard let scene = try Scene(seed, &random) else { continue }
            for _ in 0..<3 {
                let place = RandomStreets.place(scene.draft, &random)
                let found = scene.found(place)
                try #require(found.map { $0.cost } == scene.costs(place, at: .best))
                // Near the hours of the rules, or days later.
                let later = Bool.random(using: &random) ? Int64(0) : 4 * 86_400_000
                let begin = Int64(scene.minute) * 60_000 + later
                let week = WeekMoment(
                    milliseconds: begin + .random(in: 0..<600_000, using: &random)
                )
                let current = scene.metric.hourSets(
                    from: WeekMoment(milliseconds: Int64(week.milliseconds) - hour),
                    milliseconds: 2 * hour
                )
                let timed = scene.costs(
                    place,
                    at: scene.direction == .forward ? .departure(week) : .arrival(week)
                )
                let always = scene.costs(place, at: .always)
                for (number, found) in found.enumerated() where found.cost.isPossible {
                    let comment: Comment = "seed \(seed), place \(number)"
                    try #require(
                        timed[number] >= found.cost && always[number] >= found.cost,
                        comment
                    )
                    if found.hours.isEmpty {
                        constant += 1
                        try #require(timed[number] == found.cost, comment)
                        try #require(always[number] == found.cost, comment)
                    } else {
                        varying += 1
                        let isSoon = found.cost.milliseconds <= hour
                        guard isSoon, !found.hours.overlaps(current) else { continue }
                        elsewhere += 1
                        try #require(timed[number] == found.cost, comment)
                    }
                }
                if !scene.metric.variesByHour {
                    try #require(found.allSatisfy { $0.hours.isEmpty }, "seed \(seed)")
                }
            }
        }
        #expect(constant > 100 && varying > 100 && elsewhere > 20)
    }
}
