import CityData
import Columns
import Foundation
import OpenData
import SeededRandom
import Streets
import TestSupport
import Testing

/// Issue 2, "How sure": the street hierarchy of a real city gives the same results as plain search.
@Suite("Milan's streets against plain search")
struct StreetMilanTests {
    @Test(
        "cost, table and route equal Dijkstra's answer for each profile",
        .enabled(if: RealData.has("milan/milan.osm.pbf"), RealData.advice)
    )
    func hierarchy() throws {
        let map = try OSMFile(path: RealData.url("milan/milan.osm.pbf").path)
        let (draft, _) = try StreetImport.draft(from: map)
        var writer = SectionWriter()
        try writer.add(streets: draft)
        let network = StreetNetwork(try writer.opened())
        let workspace = StreetWorkspace(for: network)
        var random = SeededRandom(seed: 200)
        for profile in Profile.allCases {
            let metric = network.metric(profile)
            var places: [StreetPlace] = []
            while places.count < 20 {
                let vertex = draft.vertices.randomElement(using: &random)
                places += vertex.map { network.snap($0, for: profile) } ?? []
            }
            for origin in places.prefix(Effort.instances(10, everything: 200)) {
                let tree = network.shortestPathTree(
                    origin,
                    within: SearchLimit(),
                    by: metric,
                    using: workspace
                )
                let expected = places.map { tree.cost($0) }
                let table = network.table(from: [origin], to: places, by: metric, using: workspace)
                for (number, place) in places.enumerated() {
                    let cost = network.cost(
                        from: origin,
                        to: place,
                        by: metric,
                        using: workspace
                    )
                    #expect(cost == expected[number], "\(profile) to \(number)")
                    #expect(table[0, number] == expected[number], "\(profile) to \(number)")
                    let route = network.route(
                        from: origin,
                        to: place,
                        by: metric,
                        using: workspace
                    )
                    #expect(route?.cost ?? .never == expected[number], "\(profile) to \(number)")
                }
            }
        }
    }
}
