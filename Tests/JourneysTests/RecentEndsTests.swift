import Chronology
import Columns
import Geo
import SeededRandom
import Streets
import TestSupport
import Testing
import Transit

@testable import Journeys

/// Issue 31: a planner keeps the ways around the places that it was asked about last.
@Suite("Ways that a planner remembers")
struct RecentEndsTests {
    @Test(
        "a planner that was asked before answers as a new one does, also with tables of stops",
        arguments: [false, true]
    )
    func asked(isPrepared: Bool) throws {
        var (again, rides) = (0, 0)
        for seed in 1...UInt64(Effort.instances(20, everything: 400)) {
            // Each morning, streets are closed at some times and slow at others.
            let town = try TimedStreetsTests.town(seed, everyDay: 440..<470, slow: 460..<520)
            var random = SeededRandom(seed: seed ^ 0xE2D5)
            let places = (0..<3).map { _ in RandomTown.place(&random) }
            let zone = town.planner.city.timetable.zone
            let morning = zone.instant(CivilDate(daysSince1970: 16_365), second: 7 * 3_600)
            let answering = try CitySnapshot(town.planner.city).with(CityOverlays())
            if isPrepared {
                answering.prepare(from: CivilDate(daysSince1970: 16_365), days: 1)
                #expect(answering.stopTables.table(.foot, isOrigin: true) != nil)
            }
            var planner = Planner(answering)
            for _ in 0..<24 {
                var question = Self.question(places, from: morning, &random)
                question.modes.bicycle = Bool.random(using: &random)
                question.modes.car = Bool.random(using: &random)
                if Bool.random(using: &random) {
                    question.taxiAccess = RandomTown.waits(around: question.time, &random)
                    question.taxiEgress = RandomTown.waits(around: question.time, &random)
                }
                let window: Int32? = Bool.random(using: &random) ? 1_800 : nil
                func answer(_ question: JourneyQuery, _ planner: inout Planner) -> [Itinerary] {
                    window.map { planner.journeys(question, window: $0) }
                        ?? planner.journeys(question)
                }
                var fresh = Planner(town.planner.snapshot)
                let expected = answer(question, &fresh)
                #expect(answer(question, &planner) == expected, "seed \(seed): \(question)")
                again += 1
                rides += expected.count(where: Self.rides)
            }
        }
        #expect(rides > again / 12)
    }

    @Test("beside a street that is closed at night, the ways are those of the moment")
    func besideClosedStreet() throws {
        let epoch = Instant(seconds: 16_361 * 86_400)
        var differing = 0
        for seed in 1...UInt64(Effort.instances(30, everything: 600)) {
            var random = SeededRandom(seed: seed ^ 0xC105)
            var draft = RandomTown.streets(&random)
            let edge = Int.random(in: draft.edges.indices, using: &random)
            let ends = draft.edges[edge].geometry
            let place = Endpoint.place(
                Coordinate(
                    latitude: (ends[0].latitude + ends[1].latitude) / 2,
                    longitude: (ends[0].longitude + ends[1].longitude) / 2
                )
            )
            let nights = (0..<7).map { UInt16($0) * 1_440..<UInt16($0) * 1_440 + 360 }
            draft.hours = [WeekHours(nights)]
            for arc in draft.arcs.indices where draft.arcs[arc].edge == UInt32(edge) {
                draft.rules.append(
                    StreetDraft.Rule(
                        arc: UInt32(arc),
                        profile: .foot,
                        hours: 0,
                        milliseconds: StreetDraft.Arc.closed
                    )
                )
            }
            let feed = try RandomTown.feed(seed: seed)
            let city = try DoorToDoorTests.Town(RandomTown.city(draft, feed).opened(), feed)
            let prepared = try CitySnapshot(city.planner.city).with(CityOverlays())
            prepared.prepare(from: CivilDate(daysSince1970: 16_365), days: 1)
            let planner = Planner(prepared)
            var all: Set<[Int32]> = []
            for _ in 0..<12 {
                let time = epoch.adding(seconds: .random(in: 0..<7 * 86_400, using: &random))
                let moments = time...time.adding(seconds: .random(in: 0...20_000, using: &random))
                let query = JourneyQuery(from: place, to: place, time: time)
                let isOrigin = Bool.random(using: &random)
                func ways(_ planner: Planner) -> [Raptor.AccessEgress] {
                    planner.accessEgress(place, query, isOrigin: isOrigin, during: moments)
                        .sorted(since: epoch)
                }
                let expected = ways(Planner(city.planner.snapshot))
                #expect(ways(planner) == expected, "seed \(seed) at \(time) for \(moments)")
                if isOrigin { all.insert(expected.map { $0.seconds }) }
            }
            if all.count > 1 { differing += 1 }
        }
        #expect(differing > 10)
    }

    @Test("journeys that must take no longer than some time are those of all that do not")
    func longest() throws {
        var (kept, dropped) = (0, 0)
        for seed in 1...UInt64(Effort.instances(40, everything: 1_000)) {
            var random = SeededRandom(seed: seed ^ 0x10E)
            let feed = try RandomTown.feed(seed: seed)
            let city = try RandomTown.city(RandomTown.streets(&random), feed)
            var planner = try DoorToDoorTests.Town(try city.opened(), feed).planner
            let places = (0..<2).map { _ in RandomTown.place(&random) }
            let morning = Instant(seconds: 16_365 * 86_400 + 5 * 3_600)
            for _ in 0..<6 {
                var question = Self.question(places, from: morning, &random)
                question.taxiAccess = RandomTown.waits(around: question.time, &random)
                question.taxiEgress = RandomTown.waits(around: question.time, &random)
                let all = planner.journeys(question).filter(Self.rides)
                let most = Int32.random(in: 0...20_000, using: &random)
                let time = question.time.seconds
                let expected = all.filter { journey in
                    let begun: Int64 = time - journey.departure.seconds
                    let ended: Int64 = journey.arrival.seconds - time
                    return (question.isArriveBy ? begun : ended) <= Int64(most)
                }
                question.longestSeconds = most
                let found = planner.journeys(question).filter(Self.rides)
                #expect(found == expected, "seed \(seed), at most \(most) s: \(question)")
                kept += expected.count
                dropped += all.count - expected.count
            }
        }
        #expect(kept > 20 && dropped > 20)
    }

    private static func rides(_ journey: Itinerary) -> Bool {
        journey.legs.contains { $0.ride != nil }
    }

    /// A question between two of some places within two hours of a moment, mostly not on foot
    /// alone.
    private static func question(
        _ places: [Coordinate],
        from moment: Instant,
        _ random: inout SeededRandom
    ) -> JourneyQuery {
        let ends = places.shuffled(using: &random)
        var query = JourneyQuery(
            from: .place(ends[0]),
            to: .place(ends[1]),
            time: moment.adding(seconds: Int64.random(in: 0..<7_200, using: &random)),
            isArriveBy: Bool.random(using: &random)
        )
        query.modes.walk = Int.random(in: 0..<4, using: &random) == 0
        return query
    }
}
