import Chronology
import Columns
import SeededRandom
import Streets
import TestSupport
import Testing
import Transit

@testable import Journeys

/// Issue 31, "Verification": profiles equal one query for each second of departure; arrive-by is
/// the mirror.
@Suite("Ranges of departures")
struct RangeTests {
    private static let days: ClosedRange<Int64> = 16_361...16_375

    private static func city(_ seed: UInt64, _ random: inout SeededRandom) throws -> City {
        var texts = RandomFeed.texts(seed: seed)
        texts = RandomFeed.withWheelchairs(texts, &random)
        let feed = try RandomTown.feed(texts: texts)
        return City(try RandomTown.city(RandomTown.streets(&random), feed).opened())
    }

    private static func query(_ number: Int, _ random: inout SeededRandom) -> ProfileQuery {
        // Every third window begins shortly before midnight in Rome, in summer 22:00 UTC.
        let second: Int64 =
            number % 3 == 0
            ? 79_000 + .random(in: 0..<300, using: &random)
            : .random(in: 0..<86_400, using: &random)
        var query = ProfileQuery(
            .place(RandomTown.place(&random)),
            (0..<3).map { _ in .place(RandomTown.place(&random)) },
            time: Instant(seconds: .random(in: days, using: &random) * 86_400 + second),
            windowSeconds: Int32.random(in: 0...500, using: &random),
            maxTransfers: Int.random(in: 0...4, using: &random),
            modes: TravelModes(
                walk: number % 5 != 0,
                bicycle: number % 4 == 0,
                transit: number % 4 == 1 ? TransitMode.bus.bit : TransitMode.all
            ),
            wheelchair: number % 6 == 5
        )
        if number % 2 == 0 { query.taxiAccess = RandomTown.waits(around: query.time, &random) }
        if number % 4 > 1 { query.taxiEgress = RandomTown.waits(around: query.time, &random) }
        return query
    }

    /// All journeys with rides that questions for each second of the window find in it.
    static func everySecond(
        _ query: ProfileQuery,
        _ other: Endpoint,
        _ planner: inout Planner
    ) -> [PlaceProfile.Journey] {
        var found: [PlaceProfile.Journey] = []
        let sign: Int64 = query.isArriveBy ? -1 : 1
        let end = query.time.adding(seconds: sign * Int64(query.windowSeconds))
        for second in 0...Int64(query.windowSeconds) {
            var question = query.pair(other)
            question.time = query.time.adding(seconds: sign * second)
            for answer in planner.journeys(question)
            where answer.legs.contains(where: { $0.ride != nil }) {
                let isWithin = query.isArriveBy ? answer.arrival >= end : answer.departure <= end
                let journey = PlaceProfile.Journey(
                    departure: answer.departure,
                    arrival: answer.arrival,
                    transfers: answer.transfers,
                    walkMetres: 0
                )
                if isWithin, !found.contains(journey) { found.append(journey) }
            }
        }
        return found.sorted { ($0.departure, $0.arrival) < ($1.departure, $1.arrival) }
    }

    /// Moves the window of a query to a journey of its day, if there is one: few vehicles run in a
    /// random town, and most short windows would be empty.
    static func moved(
        _ query: ProfileQuery,
        _ planner: inout Planner,
        _ random: inout SeededRandom
    ) -> ProfileQuery {
        var day = query
        day.windowSeconds = 80_000
        let journeys = planner.profiles(day).flatMap(\.journeys)
        guard let journey = journeys.randomElement(using: &random) else { return query }
        var moved = query
        let before = Int64.random(in: 0...Int64(query.windowSeconds), using: &random)
        moved.time =
            query.isArriveBy
            ? journey.arrival.adding(seconds: before)
            : journey.departure.adding(seconds: 0 &- before)
        return moved
    }

    /// Compares profiles with queries for each second; returns the number of journeys.
    private func check(
        _ query: ProfileQuery,
        _ planner: inout Planner,
        _ random: inout SeededRandom,
        seed: UInt64
    ) -> Int {
        let query = Self.moved(query, &planner, &random)
        var journeys = 0
        for (other, profile) in zip(query.others, planner.profiles(query)) {
            let expected = Self.everySecond(query, other, &planner)
            #expect(profile.times == expected, "seed \(seed)")
            let direct = planner.direct(query.pair(other))?.walk.seconds
            #expect(profile.directSeconds == direct, "seed \(seed)")
            journeys += expected.count
        }
        return journeys
    }

    /// Compares profiles in random towns with queries for each second.
    ///
    /// - Parameters:
    ///   - salt: distinguishes the towns of one test from those of the others.
    ///   - queries: the queries of a town, by its seed.
    /// - Throws: the error of opening a town.
    private func compare(
        salt: UInt64,
        _ queries: (_ seed: Int, inout SeededRandom) -> [ProfileQuery]
    ) throws {
        var journeys = 0
        for seed in 1...UInt64(Effort.instances(10, everything: 1_000)) {
            var random = SeededRandom(seed: seed ^ salt)
            var planner = Planner(CitySnapshot(try Self.city(seed, &random)))
            for query in queries(Int(seed), &random) {
                journeys += check(query, &planner, &random, seed: seed)
            }
        }
        #expect(journeys > 0)
    }

    @Test("from one place to many: what questions for each second of departure find")
    func outward() throws {
        try compare(salt: 0x4A9E) { seed, random in
            (0..<3).map { Self.query(seed + $0, &random) }
        }
    }

    @Test("the mirror: from many places to one, by each second of arrival")
    func mirror() throws {
        try compare(salt: 0x3B17) { seed, random in
            (0..<3).map {
                var query = Self.query(seed + $0, &random)
                query.isInward = true
                query.isArriveBy = true
                return query
            }
        }
    }

    @Test("the window may bound either end of the journeys, whichever place is the only one")
    func bothEnds() throws {
        try compare(salt: 0xE2D5) { seed, random in
            [false, true].map { isInward in
                var query = Self.query(seed, &random)
                query.isInward = isInward
                query.isArriveBy = !isInward
                return query
            }
        }
    }

    @Test("a window lists the journeys of the profile, each whole and as a question finds it")
    func wholeJourneys() throws {
        var (journeys, alike) = (0, 0)
        for seed in 1...UInt64(Effort.instances(20, everything: 1_000)) {
            var random = SeededRandom(seed: seed ^ 0x70A2)
            var planner = Planner(CitySnapshot(try Self.city(seed, &random)))
            var query = Self.query(Int(seed), &random)
            query.windowSeconds = Int32.random(in: 0...50_000, using: &random)
            let profile = planner.profiles(query)[0]
            let answers = planner.journeys(query.pair(query.others[0]), window: query.windowSeconds)
            let rides = answers.filter { $0.legs.contains { $0.ride != nil } }
            #expect(rides.map(\.departure) == profile.journeys.map(\.departure), "seed \(seed)")
            #expect(rides.map(\.arrival) == profile.journeys.map(\.arrival), "seed \(seed)")
            #expect(rides.map(\.transfers) == profile.journeys.map(\.transfers), "seed \(seed)")
            for ride in rides {
                #expect(PlannerPropertyTests.inconsistency(ride) == nil, "seed \(seed)")
            }
            journeys += rides.count
            // Of several journeys with the same times, another one may be meant.
            for (ride, journey) in zip(rides, profile.journeys) {
                alike += ride.walkMetres == journey.walkMetres ? 1 : 0
                var question = query.pair(query.others[0])
                question.time = journey.departure
                question.comparesWalking = true
                let walks = planner.journeys(question).filter { $0.arrival <= journey.arrival }
                    .map(\.walkMetres)
                let least = walks.min() ?? 0
                #expect(least <= journey.walkMetres, "seed \(seed)")
            }
        }
        #expect(alike > journeys * 9 / 10, "\(alike) of \(journeys)")
    }

    @Test("profiles between places are those of each place")
    func between() throws {
        var journeys = 0
        for seed in 1...UInt64(Effort.instances(20, everything: 500)) {
            var random = SeededRandom(seed: seed ^ 0xB37)
            var planner = Planner(CitySnapshot(try Self.city(seed, &random)))
            var query = Self.query(Int(seed), &random)
            let places = [query.place] + query.others
            let departures = places.map { _ -> ClosedRange<Instant> in
                let first = query.time.adding(seconds: .random(in: 0..<20_000, using: &random))
                return first...first.adding(seconds: .random(in: 0...40_000, using: &random))
            }
            // Waits for taxis are known around the time of the query only.
            (query.taxiAccess, query.taxiEgress) = ([], [])
            let found = planner.profiles(between: places, leaving: departures, query)
            for (number, profiles) in found.enumerated() {
                let span = departures[number]
                query.place = places[number]
                query.others = places.indices.filter { $0 != number }.map { places[$0] }
                query.time = span.lowerBound
                query.windowSeconds = Int32(span.upperBound.seconds - span.lowerBound.seconds)
                #expect(profiles == planner.profiles(query), "seed \(seed)")
                journeys += profiles.reduce(0) { $0 + $1.journeys.count }
            }
        }
        #expect(journeys > 0)
    }

    @Test("a range leaves the workspace as other questions need it")
    func workspace() throws {
        for seed in 1...UInt64(Effort.instances(20, everything: 400)) {
            var random = SeededRandom(seed: seed ^ 0x90CE)
            let snapshot = CitySnapshot(try Self.city(seed, &random))
            var planner = Planner(snapshot)
            for number in 0..<4 {
                var query = Self.query(Int(seed) + number, &random)
                query.isInward = number % 2 == 1
                query.isArriveBy = number > 1
                let pair = query.pair(query.others[0])
                let expected = planner.journeys(pair)
                let profiles = planner.profiles(query)
                #expect(planner.journeys(pair) == expected, "seed \(seed)")
                var another = Planner(snapshot)
                #expect(another.profiles(query) == profiles, "seed \(seed)")
            }
        }
    }
}

extension PlaceProfile {
    /// The journeys without the metres walked: of several with the same times any may be meant.
    var times: [Journey] {
        journeys.map { journey in
            var journey = journey
            journey.walkMetres = 0
            return journey
        }
    }
}
