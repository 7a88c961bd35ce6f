import Chronology
import Columns
import Geo
import SeededRandom
import Streets
import TestSupport
import Testing
import Transit

@testable import Journeys

/// Issue 31, "What must work" 4: the area that can be reached, by streets and public transport.
@Suite("Isochrones")
struct IsochroneTests {
    @Test("junctions that journeys reach in time are inside, those far from all of them outside")
    func junctions() throws {
        var (inside, outside) = (0, 0)
        for seed in 1...UInt64(Effort.instances(12, everything: 400)) {
            var random = SeededRandom(seed: seed ^ 0x150C)
            let feed = try RandomTown.feed(seed: seed)
            let streets = RandomTown.streets(&random)
            let city = City(try RandomTown.city(streets, feed).opened())
            var planner = Planner(CitySnapshot(city))
            let own = RandomTown.place(&random)
            let day = Int64.random(in: 16_361...16_375, using: &random)
            var query = JourneyQuery(
                from: .place(own),
                to: .place(own),
                time: Instant(seconds: day * 86_400 + .random(in: 0..<86_400, using: &random))
            )
            // So short that nobody walks farther than allowed after a ride.
            let within = Int32.random(in: 300...600, using: &random)
            let area = planner.isochrone(query, within: within)
            for polygon in area.polygons { #expect(polygon.flaw == nil, "seed \(seed)") }
            var reached: [Coordinate] = []
            let onStreets = streets.vertices.filter { place in
                city.streets.snap(place, for: .foot).first.map { $0.distanceMetres < 1 } ?? false
            }
            for place in onStreets {
                query.destination = .place(place)
                let arrival = planner.journeys(query).map(\.arrival).min()
                guard let arrival else { continue }
                let seconds = arrival.seconds - query.time.seconds
                // Both ends of a street that is reached in time are reached soon after.
                if seconds <= Int64(within) + 900 { reached.append(place) }
                // All corners around it are at most 71 m away, so 54 s.
                guard seconds <= Int64(within) - 120 else { continue }
                #expect(area.contains(place), "seed \(seed)")
                inside += 1
            }
            for place in onStreets
            where !reached.contains(where: { $0.distanceMetres(to: place) < 600 }) {
                #expect(!area.contains(place), "seed \(seed)")
                outside += 1
            }
        }
        #expect(inside > 0 && outside > 0)
    }

    @Test("by public transport one gets farther, and with more time at least as far")
    func growth() throws {
        for seed in 1...UInt64(Effort.instances(20, everything: 400)) {
            var random = SeededRandom(seed: seed ^ 0x960)
            let feed = try RandomTown.feed(seed: seed)
            let city = City(try RandomTown.city(RandomTown.streets(&random), feed).opened())
            var planner = Planner(CitySnapshot(city))
            let origin = Endpoint.place(RandomTown.place(&random))
            let day = Int64.random(in: 16_361...16_375, using: &random)
            var query = JourneyQuery(
                from: origin,
                to: origin,
                time: Instant(seconds: day * 86_400 + .random(in: 0..<86_400, using: &random))
            )
            // Grids lie otherwise around other points, which counts where few streets are reached.
            let slack = 1.5
            let area = planner.isochrone(query, within: 900).areaSquareMetres
            let longer = planner.isochrone(query, within: 1_800).areaSquareMetres
            #expect(longer * slack >= area, "seed \(seed)")
            query.modes.transit = 0
            let onFoot = planner.isochrone(query, within: 1_800).areaSquareMetres
            #expect(longer * slack >= onFoot, "seed \(seed)")
        }
    }
}
