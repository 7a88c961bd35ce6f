import Chronology
import Columns
import Foundation
import Geo
import OpenData
import SeededRandom
import TestSupport
import Testing

@testable import CityData
@testable import Journeys
@testable import Transit

/// V72 and issue 31, "hours of the day are conditions of a search": means that are not used at some
/// hours, against exhaustive search.
@Suite("Means that are avoided at some hours")
struct AvoidedSpanTests {
    /// One or two rules of each day around a moment, for all vehicles or those of some modes.
    static func avoided(
        around time: Instant,
        taxi: Bool = false,
        _ random: inout SeededRandom
    ) -> [AvoidedSpan] {
        let midnight = time.seconds / 86_400 * 86_400
        return (0..<Int.random(in: 1...2, using: &random)).flatMap { _ -> [AvoidedSpan] in
            let (bus, tram) = (TransitMode.bus.bit, TransitMode.tram.bit)
            let choices = [bus, tram, TransitMode.rail.bit, bus | tram, TransitMode.all]
            let transit = choices[Int.random(in: 0..<choices.count, using: &random)]
            let first = midnight + 60 * .random(in: 0..<1_440, using: &random)
            let seconds = 60 * Int64.random(in: 1...600, using: &random)
            return (Int64(-3)...3).map { day in
                let start = Instant(seconds: first + day * 86_400)
                return AvoidedSpan(
                    TravelModes(walk: false, transit: transit),
                    taxi: taxi,
                    during: start..<start.adding(seconds: seconds)
                )
            }
        }
    }

    @Test("V72: random feeds give the same Pareto sets, both ways, also with a limit on walking")
    func randomFeeds() throws {
        for seed in 1...UInt64(Effort.instances(300, everything: 15_000)) {
            let result = try GTFSReader.read(.texts(RandomFeed.texts(seed: seed)), name: "random")
            var world = try PlannerPropertyTests.World(result.feed)
            let slow = world.slow
            var random = SeededRandom(seed: seed ^ 0xA701)
            for _ in 0..<3 {
                let time = Instant(seconds: .random(in: 16_361...16_375, using: &random) * 86_400)
                let avoided = Self.avoided(around: time, &random)
                let problem = PlannerPropertyTests().compare(
                    &world,
                    &random,
                    days: Int32(time.seconds / 86_400)...Int32(time.seconds / 86_400),
                    avoided: avoided
                ) { slow.avoiding($0, avoided) }
                #expect(problem == nil, "seed \(seed), \(avoided)")
            }
        }
    }

    @Test("V72: with walking as a criterion, for every number of metres")
    func walking() throws {
        var answers = 0
        for seed in 1...UInt64(Effort.instances(60, everything: 3_000)) {
            let result = try GTFSReader.read(.texts(RandomFeed.texts(seed: seed)), name: "random")
            var world = try PlannerPropertyTests.World(result.feed)
            var random = SeededRandom(seed: seed ^ 0xA702)
            let stops = 1..<UInt32(result.feed.stops.count)
            for number in 0..<4 {
                let from = UInt32.random(in: stops, using: &random)
                let to = UInt32.random(in: stops, using: &random)
                var query = ThreeCriteriaTests.query(
                    .stop(StopIndex(rawValue: from)),
                    .stop(StopIndex(rawValue: to)),
                    isArriveBy: number % 2 == 1,
                    &random
                )
                query.avoided = Self.avoided(around: query.time, &random)
                let (slow, asked) = (world.slow, query)
                let time = Int(query.time.seconds)
                let vehicles = slow.avoiding(
                    slow.vehicles(
                        around: Date(timeIntervalSince1970: TimeInterval(time)),
                        zone: world.zone
                    ),
                    query.avoided
                )
                answers += ThreeCriteriaTests.check(
                    query,
                    &world.planner,
                    "seed \(seed)"
                ) { moment, metres in
                    slow.arrivals(
                        from: Int(from),
                        to: Int(to),
                        at: moment,
                        latest: asked.isArriveBy ? time : time + Int(Planner.horizonSeconds),
                        maxTrips: asked.maxTransfers + 1,
                        maxMetres: metres,
                        vehicles
                    )
                }
            }
        }
        if Effort.isRelease { #expect(answers > 0) }
    }

    @Test("V72: ranges find what questions for each second find, from and to one place")
    func ranges() throws {
        var journeys = 0
        for seed in 1...UInt64(Effort.instances(15, everything: 1_000)) {
            var random = SeededRandom(seed: seed ^ 0xA704)
            let writer = try RandomTown.city(
                RandomTown.streets(&random),
                try RandomTown.feed(seed: seed)
            )
            var planner = Planner(CitySnapshot(City(try writer.opened())))
            for number in 0..<4 {
                let day = Int64.random(in: 16_361...16_375, using: &random)
                var query = ProfileQuery(
                    .place(RandomTown.place(&random)),
                    (0..<2).map { _ in .place(RandomTown.place(&random)) },
                    isInward: number % 2 == 1,
                    time: Instant(seconds: day * 86_400 + .random(in: 0..<86_400, using: &random)),
                    isArriveBy: number > 1,
                    windowSeconds: .random(in: 0...300, using: &random)
                )
                query.avoided = Self.avoided(around: query.time, &random)
                query = RangeTests.moved(query, &planner, &random)
                for (other, profile) in zip(query.others, planner.profiles(query)) {
                    let expected = RangeTests.everySecond(query, other, &planner)
                    #expect(profile.times == expected, "seed \(seed)")
                    journeys += expected.count
                }
            }
        }
        if Effort.isRelease { #expect(journeys > 0) }
    }

    @Test("V72: a window compares each ride with the walk of its hour, if it may be walked then")
    func windows() throws {
        var (rides, kept) = (0, 0)
        for seed in 1...UInt64(Effort.instances(60, everything: 1_000)) {
            var random = SeededRandom(seed: seed ^ 0xA705)
            let writer = try RandomTown.city(
                RandomTown.streets(&random),
                try RandomTown.feed(seed: seed)
            )
            var planner = Planner(CitySnapshot(City(try writer.opened())))
            let day = Int64.random(in: 16_361...16_375, using: &random)
            var query = JourneyQuery(
                from: .place(RandomTown.place(&random)),
                to: .place(RandomTown.place(&random)),
                time: Instant(seconds: day * 86_400 + .random(in: 0..<30_000, using: &random))
            )
            if seed % 3 == 0 { query.maxWalkMetres = .random(in: 500...4_000, using: &random) }
            query.avoided = Self.avoided(around: query.time, &random)
            let always = planner.journeys(query, window: 50_000).filter(Self.rides)
            let start = query.time.adding(seconds: .random(in: 0..<40_000, using: &random))
            query.avoided.append(
                AvoidedSpan(
                    TravelModes(walk: true, transit: 0),
                    during: start..<start.adding(seconds: .random(in: 1...20_000, using: &random))
                )
            )
            let all = planner.journeys(query, window: 50_000).filter(Self.rides)
            kept += all.count - always.count
            for ride in all {
                var question = query
                question.time = ride.departure
                let isBest = planner.journeys(question).contains { Self.isSame($0, ride) }
                #expect(isBest, "seed \(seed)")
            }
            // Every fifth minute represents all times.
            for minute in Int64(0)...166 {
                var question = query
                question.time = query.time.adding(seconds: minute * 300)
                for answer in planner.journeys(question) where Self.rides(answer) {
                    question.time = answer.departure
                    guard answer.departure <= query.time.adding(seconds: 50_000),
                        planner.journeys(question).contains(where: { Self.isSame($0, answer) })
                    else { continue }
                    rides += 1
                    let isThere = all.contains { Self.isSame($0, answer) }
                    #expect(isThere, "seed \(seed)")
                }
            }
        }
        if Effort.isRelease { #expect(rides > 0 && kept > 0) }
    }

    private static func isSame(_ first: Itinerary, _ second: Itinerary) -> Bool {
        first.departure == second.departure && first.arrival == second.arrival
            && first.transfers == second.transfers
    }

    private static func rides(_ answer: Itinerary) -> Bool {
        answer.legs.contains { $0.ride != nil }
    }

    @Test("a way to a stop is there at the moments at which it touches no span, and no others")
    func ways() {
        var random = SeededRandom(seed: 0xA706)
        for _ in 0..<300 {
            let seconds = Int32.random(in: 0...30, using: &random)
            var way = EndWay(walk: Walk(seconds: seconds, metres: 1, means: .bicycle))
            if Bool.random(using: &random) { way.first = .random(in: 0...40, using: &random) }
            if Bool.random(using: &random) { way.last = .random(in: 40...90, using: &random) }
            let spans = (0..<Int.random(in: 0...3, using: &random)).map { _ in
                let first = Instant(seconds: .random(in: 0...90, using: &random))
                let last = first.adding(seconds: .random(in: 1...40, using: &random))
                return AvoidedSpan(
                    TravelModes(walk: false, bicycle: true, transit: 0),
                    during: first..<last
                )
            }
            let parts = way.parts(avoiding: spans)
            for moment in Int64(-50)...150 {
                let end = moment + Int64(seconds)
                let isFree = spans.allSatisfy {
                    end <= $0.span.lowerBound.seconds || $0.span.upperBound.seconds <= moment
                }
                let count = parts.count { $0.first <= moment && moment <= $0.last }
                let isOpen = way.first <= moment && moment <= way.last
                #expect((count > 0) == (isFree && isOpen), "\(moment): \(way), \(spans)")
            }
            // The same spans say nothing about walks.
            way.walk.means = .walk
            #expect(way.parts(avoiding: spans) == [way])
        }
    }

    @Test(
        "a ride ends before its hours or begins after them, and stays seated only in both modes",
        arguments: [false, true]
    )
    func scene(arriveBy: Bool) throws {
        // A bus from A to C continues as a tram to D; another bus follows an hour later.
        var scene = try FeedScene([
            "trips.txt": """
            trip_id,route_id,service_id,block_id
            T1,Bus,D,X
            T2,Tram,D,X
            T3,Bus,D,
            """,
            "stop_times.txt": """
            trip_id,stop_id,stop_sequence,arrival_time,departure_time
            T1,A,0,08:00:00,08:00:00
            T1,B,1,08:10:00,08:10:00
            T1,C,2,08:20:00,08:20:00
            T2,C,0,08:20:00,08:20:00
            T2,D,1,08:30:00,08:30:00
            T3,A,0,09:00:00,09:00:00
            T3,B,1,09:10:00,09:10:00
            T3,C,2,09:20:00,09:20:00
            """,
        ])
        let zone = scene.zone
        func rides(
            _ from: String,
            _ to: String,
            _ mode: TransitMode,
            _ first: String,
            _ last: String
        ) throws -> [String] {
            func moment(_ clock: String) throws -> Instant {
                try #require(LocalTime(iso8601: "2014-10-20T" + clock)).instant(in: zone)
            }
            let span = try moment(first)..<moment(last)
            let time = arriveBy ? "2014-10-20T10:00:00" : "2014-10-20T07:55:00"
            let found = try scene.journeys(from, to, time) {
                $0.isArriveBy = arriveBy
                $0.avoided = [
                    AvoidedSpan(TravelModes(walk: false, transit: mode.bit), during: span)
                ]
            }
            return found.map {
                "\($0.departure.iso8601(in: zone).dropFirst(11).prefix(5))–"
                    + "\($0.arrival.iso8601(in: zone).dropFirst(11).prefix(5))"
            }
        }
        let (early, late) = (["08:00–08:20"], ["09:00–09:20"])
        let usual = arriveBy ? late : early
        #expect(try rides("A", "C", .tram, "08:00:00", "10:00:00") == usual)
        #expect(try rides("A", "C", .bus, "08:20:00", "10:00:00") == early)
        #expect(try rides("A", "C", .bus, "08:19:59", "09:00:00") == late)
        // One bus is left at B before the hours, and the next one taken there after them.
        #expect(try rides("A", "C", .bus, "08:19:59", "09:00:01") == ["08:00–09:20"])
        #expect(try rides("A", "B", .bus, "08:10:00", "09:00:01") == ["08:00–08:10"])
        #expect(try rides("A", "D", .rail, "08:00:00", "09:00:00") == ["08:00–08:30"])
        #expect(try rides("A", "D", .bus, "08:30:00", "09:00:00") == ["08:00–08:30"])
        #expect(try rides("A", "D", .bus, "08:29:59", "09:00:00") == [])
        #expect(try rides("A", "D", .tram, "07:00:00", "08:00:01") == [])
        #expect(try rides("C", "D", .bus, "07:00:00", "09:00:00") == ["08:20–08:30"])
    }
}
