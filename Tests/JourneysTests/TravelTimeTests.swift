import Chronology
import Columns
import SeededRandom
import Streets
import TestSupport
import Testing
import Transit

@testable import Journeys

/// Issue 31, "Targets": times between many places, door to door.
@Suite("Travel times between many places")
struct TravelTimeTests {
    @Test("equal the earliest arrival of a question for each pair")
    func pairs() throws {
        var (rides, missing) = (0, 0)
        for seed in 1...UInt64(Effort.instances(100, everything: 1_000)) {
            var random = SeededRandom(seed: seed ^ 0x71E5)
            let texts = RandomFeed.withWheelchairs(RandomFeed.texts(seed: seed), &random)
            let feed = try RandomTown.feed(texts: texts)
            let city = City(try RandomTown.city(RandomTown.streets(&random), feed).opened())
            var planner = Planner(CitySnapshot(city))
            let stops = city.timetable.stops.indices
            var places = (0..<4).map { _ in Endpoint.place(RandomTown.place(&random)) }
            places += (0..<2).compactMap { _ in stops.randomElement(using: &random) }
                .map { .stop($0) }
            let day = Int64.random(in: 16_361...16_375, using: &random)
            var query = JourneyQuery(
                from: places[0],
                to: places[0],
                time: Instant(seconds: day * 86_400 + .random(in: 0..<86_400, using: &random)),
                maxTransfers: Int.random(in: 0...4, using: &random),
                modes: TravelModes(
                    walk: seed % 5 != 0,
                    bicycle: seed % 4 == 0,
                    car: seed % 7 == 0,
                    transit: seed % 6 == 1 ? TransitMode.bus.bit : TransitMode.all
                ),
                wheelchair: seed % 6 == 5
            )
            if seed % 3 == 0 { query.taxiAccess = RandomTown.waits(around: query.time, &random) }
            if seed % 4 == 1 { query.taxiEgress = RandomTown.waits(around: query.time, &random) }
            let times = planner.travelSeconds(from: places, to: places.reversed(), query)
            for (number, origin) in places.enumerated() {
                for (other, destination) in places.reversed().enumerated() {
                    query.origin = origin
                    query.destination = destination
                    let answers = planner.journeys(query)
                    let arrival = answers.map(\.arrival).min()
                    let expected = arrival.map { Int32($0.seconds - query.time.seconds) }
                    #expect(times[number][other] == expected, "seed \(seed)")
                    if expected == nil { missing += 1 }
                    if answers.contains(where: { $0.transfers > 0 }) { rides += 1 }
                }
            }
        }
        #expect(rides > 0 && missing > 0)
    }
}
