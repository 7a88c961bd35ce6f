import SeededRandom
import Streets
import TestSupport
import Testing

/// Issue 31: the stops of a city are prepared for searches from any place.
@Suite("Tables of fixed places")
struct PlaceTableTests {
    @Test("costs equal those of a plain search, and constant ones hold at any moment")
    func random() throws {
        var (constant, varying, elsewhere) = (0, 0, 0)
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
            let table = PlaceTable(
                places,
                direction,
                in: network,
                by: metric,
                VaryingShortcuts(network, metric),
                using: workspace
            )
            func costs(_ place: StreetPlace) -> [PlaceTable.Found] {
                var all: [PlaceTable.Found] = []
                table.forEach(from: place, using: workspace) { _ in
                    true
                } _: { number, found in
                    #expect(number == all.count)
                    all.append(found)
                }
                return all
            }
            for _ in 0..<3 {
                let place = RandomStreets.place(draft, &random)
                let found = costs(place)
                try #require(found.count == places.count)
                // Near the hours of the rules, or days later.
                let later = Bool.random(using: &random) ? Int64(0) : 4 * 86_400_000
                let week = WeekMoment(
                    milliseconds: Int64(minute) * 60_000 + later
                        + .random(in: 0..<600_000, using: &random)
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
                    // No way that is looked at takes longer.
                    let hour = Int64(3_600_000)
                    let begin = WeekMoment(milliseconds: Int64(week.milliseconds) - hour)
                    let current = metric.hourSets(from: begin, milliseconds: 2 * hour)
                    for (number, other) in places.enumerated() {
                        let cost = tree.cost(other)
                        let hours = found[number].hours
                        let isTimed = moment == timed && found[number].cost.milliseconds <= hour
                        let isKnown =
                            moment == .best || hours.isEmpty
                            || isTimed && !hours.overlaps(current)
                        if isKnown && !hours.isEmpty && isTimed { elsewhere += 1 }
                        try #require(
                            isKnown ? cost == found[number].cost : cost >= found[number].cost,
                            "seed \(seed) \(profile) \(direction) \(moment) place \(number)"
                        )
                    }
                }
                for found in found where found.cost.isPossible {
                    if found.hours.isEmpty { constant += 1 } else { varying += 1 }
                }
            }
            if !metric.variesByHour {
                let all = places.first.map(costs) ?? []
                try #require(all.allSatisfy { $0.hours.isEmpty }, "seed \(seed)")
            }
        }
        #expect(constant > 100 && varying > 100 && elsewhere > 20)
    }
}
