import OpenData
import SeededRandom
import TestSupport
import Testing

@testable import CityData

/// V72: emissions and walking as criteria and limits, where vehicles of some modes are avoided at
/// some hours, against exhaustive search.
@Suite("Emissions as a criterion with hours of modes")
struct EmissionHoursTests {
    @Test("V72: random feeds with shapes, both ways")
    func avoidedHours() throws {
        var rides = 0
        for seed in 1...UInt64(Effort.instances(400, everything: 8_000)) {
            var random = SeededRandom(seed: seed ^ 0xC02F)
            let texts = EmissionCriterionTests.withShapes(RandomFeed.texts(seed: seed), &random)
            let result = try GTFSReader.read(.texts(texts), name: "random")
            var world = try PlannerPropertyTests.World(result.feed)
            let stops = 1..<UInt32(result.feed.stops.count)
            for number in 0..<4 {
                let question = EmissionCriterionTests.question(
                    from: .random(in: stops, using: &random),
                    to: .random(in: stops, using: &random),
                    isArriveBy: number % 2 == 1,
                    hasHours: true,
                    world,
                    &random
                )
                let found = try EmissionCriterionTests.check(
                    question,
                    &world.planner,
                    "seed \(seed)"
                )
                rides += found.count { $0.trips > 0 }
            }
        }
        if Effort.isRelease { #expect(rides > 0) }
    }
}
