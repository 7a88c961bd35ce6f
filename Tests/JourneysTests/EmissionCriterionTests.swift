import Chronology
import Columns
import Foundation
import Journeys
import OpenData
import SeededRandom
import TestSupport
import Testing
import Transit

@testable import CityData

/// V68, V74 and issue 33: under a limit on emissions, on walking or on both, no journey violates it
/// and none is missed, against exhaustive search; the same where they are compared.
///
/// The reference finds the earliest arrival with at most some trips, metres and micrograms. It
/// suffices to check the amounts at which answers change, and one less.
@Suite("Emissions as a criterion of the search")
struct EmissionCriterionTests {
    /// An answer, reduced to what counts.
    struct Answer: CustomStringConvertible {
        let trips: Int
        let departure: Int
        let arrival: Int
        let amount: SlowJourneys.Amount

        var description: String {
            "\(trips) trips \(departure)–\(arrival), \(amount.metres) m, \(amount.micrograms) µg"
        }
    }

    /// A question with its reference.
    struct Question {
        var query: JourneyQuery
        var arrivals: (_ moment: Int, _ greatest: SlowJourneys.Amount) -> [Int]

        var limit: SlowJourneys.Amount {
            SlowJourneys.Amount(
                metres: query.maxWalkMetres.map { Int($0) } ?? EmissionCriterionTests.enough,
                micrograms: query.emissions?.limit.map { Int($0) } ?? EmissionCriterionTests.enough
            )
        }

        /// The amounts that an answer must not exceed to be as good.
        func bound(_ answer: Answer) -> SlowJourneys.Amount {
            SlowJourneys.Amount(
                metres: query.comparesWalking ? answer.amount.metres : limit.metres,
                micrograms: query.emissions?.isCompared == true
                    ? answer.amount.micrograms : limit.micrograms
            )
        }
    }

    private static let horizon = Int(Planner.horizonSeconds)
    private static let enough = 1_000_000_000_000

    @Test("random feeds with shapes: limits and comparisons of both, both ways")
    func randomFeeds() throws {
        var (rides, slower, several) = (0, 0, 0)
        for seed in 1...UInt64(Effort.instances(3_000, everything: 30_000)) {
            var random = SeededRandom(seed: seed ^ 0xC02E)
            let texts = Self.withShapes(RandomFeed.texts(seed: seed), &random)
            let result = try GTFSReader.read(.texts(texts), name: "random")
            var world = try PlannerPropertyTests.World(result.feed)
            let stops = 1..<UInt32(result.feed.stops.count)
            for number in 0..<4 {
                let question = Self.question(
                    from: .random(in: stops, using: &random),
                    to: .random(in: stops, using: &random),
                    isArriveBy: number % 2 == 1,
                    world,
                    &random
                )
                let found = try Self.check(question, &world.planner, "seed \(seed)")
                rides += found.count { $0.trips > 0 }
                var free = question.query
                (free.maxWalkMetres, free.emissions) = (nil, nil)
                free.comparesWalking = false
                let quickest = world.planner.journeys(free).map(\.arrival.seconds).min() ?? 0
                if (found.map(\.arrival).max() ?? 0) > quickest { slower += 1 }
                if found.count > free.maxTransfers + 2 { several += 1 }
            }
        }
        // The test would prove little if limits and comparisons changed nothing.
        #expect(rides > 2_000 && slower > 200 && several > 10, "\(rides), \(slower), \(several)")
    }

    @Test("door to door, with an own car to the first stop: a limit finds the best of a comparison")
    func ownCar() throws {
        var driven = 0
        for seed in 1...UInt64(Effort.instances(200, everything: 4_000)) {
            var random = SeededRandom(seed: seed ^ 0xCA12)
            let feed = try RandomTown.feed(seed: seed)
            let writer = try RandomTown.city(RandomTown.streets(&random), feed)
            let city = City(try writer.opened())
            var planner = Planner(CitySnapshot(city))
            var query = ThreeCriteriaTests.query(
                .place(RandomTown.place(&random)),
                .place(RandomTown.place(&random)),
                isArriveBy: seed % 2 == 0,
                &random
            )
            query.comparesWalking = false
            query.modes.walk = false
            query.modes.car = seed % 3 > 0
            var rates = EmissionRates(transit: [.bus: 90_000, .tram: 30_000, .rail: 40_000])
            rates.car = 170_000
            query.emissions = EmissionTerms(rates, isCompared: true)
            let all = planner.journeys(query).map { ($0, city.micrograms(of: $0, rates) ?? .max) }
            driven += all.count { $0.0.legs.count > 1 && $0.0.legs[0].means == .car }
            for (number, limit) in Set(all.flatMap { [$0.1, $0.1 - 1] }).sorted().enumerated() {
                query.emissions = EmissionTerms(rates, limit: limit)
                let found = planner.journeys(query)
                let exceeds = found.contains { city.micrograms(of: $0, rates) ?? .max > limit }
                #expect(!exceeds, "seed \(seed), limit \(number)")
                // Of the journeys of a comparison those within the limit, by trips and time.
                let best = Self.best(found, query)
                let expected = Self.best(all.filter { $0.1 <= limit }.map(\.0), query)
                #expect(best == expected, "seed \(seed), limit \(number): \(limit)")
            }
        }
        #expect(driven > 20)
    }

    /// The best time with at most each number of trips.
    private static func best(_ journeys: [Itinerary], _ query: JourneyQuery) -> [Int64?] {
        (0...(query.maxTransfers + 1)).map { trips in
            let some = journeys.filter { $0.legs.count { $0.ride != nil } <= trips }
            return query.isArriveBy
                ? some.map(\.departure.seconds).max() : some.map(\.arrival.seconds).min()
        }
    }

    @Test("a rider waits for a later vehicle of the same line that takes a shorter way")
    func waits() throws {
        // Two trips of one line with equal times; the first one makes a detour on its shape.
        var scene = try FeedScene([
            "trips.txt": "trip_id,route_id,service_id,shape_id\nT1,Bus,D,Long\nT2,Bus,D,",
            "stop_times.txt": """
            trip_id,arrival_time,departure_time,stop_id,stop_sequence
            T1,08:00:00,08:00:00,A,1
            T1,08:10:00,08:10:00,B,2
            T2,08:20:00,08:20:00,A,1
            T2,08:30:00,08:30:00,B,2
            """,
            "shapes.txt": """
            shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence
            Long,45.00,9,1
            Long,45.005,9.02,2
            Long,45.01,9,3
            """,
        ])
        let rates = EmissionRates(transit: [.bus: 100_000])
        let quick = try scene.journeys("A", "B", "2014-10-20T07:55:00")
        let amounts = try quick.map { try #require(scene.city.micrograms(of: $0, rates)) }
        #expect(quick.count == 1 && amounts[0] > 300_000_000)
        let limited = try scene.journeys("A", "B", "2014-10-20T07:55:00") {
            $0.emissions = EmissionTerms(rates, limit: 150_000_000)
        }
        #expect(limited.map { $0.arrival.seconds - quick[0].arrival.seconds } == [1_200])
        let both = try scene.journeys("A", "B", "2014-10-20T07:55:00") {
            $0.emissions = EmissionTerms(rates, isCompared: true)
        }
        #expect(both.count == 2)
        let none = try scene.journeys("A", "B", "2014-10-20T07:55:00") {
            $0.emissions = EmissionTerms(EmissionRates(), limit: 1_000_000_000)
        }
        #expect(none.isEmpty, "a mode whose emissions are unknown keeps to no limit")
    }

    // MARK: Questions

    static func question(
        from origin: UInt32,
        to destination: UInt32,
        isArriveBy: Bool,
        hasHours: Bool = false,
        _ world: PlannerPropertyTests.World,
        _ random: inout SeededRandom
    ) -> Question {
        var query = ThreeCriteriaTests.query(
            .stop(StopIndex(rawValue: origin)),
            .stop(StopIndex(rawValue: destination)),
            isArriveBy: isArriveBy,
            &random
        )
        query.comparesWalking = random.below(4) == 0
        if random.below(3) == 0 { query.maxWalkMetres = UInt32(random.below(5_000)) }
        var rates = EmissionRates()
        for mode in [TransitMode.bus, .tram, .rail] where random.below(8) > 0 {
            rates.transit[mode] = Int64(random.below(4) * 30_000)
        }
        rates.walk = random.below(4) == 0 ? 10 : 0
        var terms = EmissionTerms(rates, isCompared: random.below(2) == 0)
        if !terms.isCompared || random.below(3) == 0 {
            terms.limit = Int64(random.below(1_000)) * 1_000_000
        }
        query.emissions = terms
        if hasHours { query.avoided = AvoidedSpanTests.avoided(around: query.time, &random) }
        let time = Int(query.time.seconds)
        let day = Date(timeIntervalSince1970: TimeInterval(time))
        let all = world.slow.vehicles(around: day, zone: world.zone)
        let vehicles = world.slow.avoiding(all, query.avoided)
        let timetable = world.planner.city.timetable
        let steps = Self.steps(world.slow.feed, timetable, rates)
        let slow = world.slow
        var known: [[Int]: [Int]] = [:]
        return Question(query: query) { moment, greatest in
            let key = [moment, greatest.metres, greatest.micrograms]
            if let arrivals = known[key] { return arrivals }
            let arrivals = slow.arrivals(
                from: Int(origin),
                to: Int(destination),
                at: moment,
                latest: time + (isArriveBy ? 0 : horizon),
                maxTrips: query.maxTransfers + 1,
                within: SlowJourneys.Limits(
                    walkRate: Int(rates.walk ?? 0),
                    steps: { steps[$0] },
                    greatest: greatest
                ),
                vehicles
            )
            known[key] = arrivals
            return arrivals
        }
    }

    /// What each trip of a feed emits until each of its stops from the one before; nil where that
    /// is unknown.
    private static func steps(
        _ feed: GTFSFeed,
        _ timetable: Timetable,
        _ rates: EmissionRates
    ) -> [[Int]?] {
        feed.trips.enumerated().map { number, trip in
            let mode = TransitMode(routeType: feed.routes[trip.route].type)
            guard let rate = rates.transit[mode] else { return nil }
            let first = timetable.trips.path[TripIndex(row: number)]
            return (0..<trip.stopTimes.count).map { stop in
                guard stop > 0 else { return 0 }
                let metres = timetable.tripPaths.metres
                let end = Int(metres[first.advanced(by: stop)])
                return (end - Int(metres[first.advanced(by: stop - 1)])) * Int(rate)
            }
        }
    }

    /// Gives some trips of a feed a shape with detours, so that trips of one line differ.
    static func withShapes(
        _ texts: [String: String],
        _ random: inout SeededRandom
    ) -> [String: String] {
        func rows(_ file: String) -> [[String]] {
            (texts[file] ?? "").split(separator: "\n").map {
                $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            }
        }
        var places: [String: (Double, Double)] = [:]
        for row in rows("stops.txt").dropFirst() {
            places[row[0]] = (Double(row[2]) ?? 0, Double(row[3]) ?? 0)
        }
        var stops: [String: [String]] = [:]
        for row in rows("stop_times.txt").dropFirst() { stops[row[0], default: []].append(row[1]) }
        var shapes = ["shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence"]
        var trips: [String] = []
        for (number, row) in rows("trips.txt").enumerated() {
            guard number > 0 else {
                trips.append(row.joined(separator: ",") + ",shape_id")
                continue
            }
            let hasShape = random.below(2) == 0
            trips.append(row.joined(separator: ",") + (hasShape ? ",H\(row[0])" : ","))
            guard hasShape else { continue }
            let detour = Double(random.below(3)) / 100
            var count = 0
            func append(_ latitude: Double, _ longitude: Double) {
                shapes.append("H\(row[0]),\(latitude),\(longitude),\(count)")
                count += 1
            }
            let called = (stops[row[0]] ?? []).compactMap { places[$0] }
            for (stop, place) in called.enumerated() {
                if stop > 0 {
                    let before = called[stop - 1]
                    append((before.0 + place.0) / 2 + detour, (before.1 + place.1) / 2)
                }
                append(place.0, place.1)
            }
        }
        var texts = texts
        texts["trips.txt"] = trips.joined(separator: "\n")
        texts["shapes.txt"] = shapes.joined(separator: "\n")
        return texts
    }

    // MARK: Comparison

    static func check(
        _ question: Question,
        _ planner: inout Planner,
        _ comment: String
    ) throws -> [Answer] {
        let itineraries = planner.journeys(question.query)
        let rates = try #require(question.query.emissions).rates
        var found: [Answer] = []
        for itinerary in itineraries {
            #expect(PlannerPropertyTests.inconsistency(itinerary) == nil, "\(comment)")
            let emitted = planner.city.micrograms(of: itinerary, rates)
            #expect(emitted != nil || itinerary.legs.allSatisfy { $0.ride == nil }, "\(comment)")
            found.append(
                Answer(
                    trips: itinerary.legs.count { $0.ride != nil },
                    departure: Int(itinerary.departure.seconds),
                    arrival: Int(itinerary.arrival.seconds),
                    amount: SlowJourneys.Amount(
                        metres: Int(itinerary.walkMetres),
                        micrograms: Int(emitted ?? 0)
                    )
                )
            )
        }
        let problem =
            found.first { !$0.amount.isNoMore(than: question.limit) }.map {
                "\($0) exceeds a limit"
            }
            ?? beaten(found, question) ?? missing(found, question) ?? wrong(found, question)
        #expect(problem == nil, "\(comment), \(question.query): \(found)")
        return found
    }

    private static func beaten(_ found: [Answer], _ question: Question) -> String? {
        for (number, answer) in found.enumerated() {
            let bound = question.bound(answer)
            let isBeaten = found.enumerated().contains { other, better in
                if other == number || better.trips > answer.trips { return false }
                if !better.amount.isNoMore(than: bound) { return false }
                return question.query.isArriveBy
                    ? better.departure >= answer.departure : better.arrival <= answer.arrival
            }
            if isBeaten { return "\(answer) is beaten" }
        }
        return nil
    }

    /// The values at which answers may change, and those just below.
    private static func steps(_ values: [Int], _ limit: Int, _ isCompared: Bool) -> [Int] {
        guard isCompared else { return [limit] }
        return Set([0, limit] + values.flatMap { [$0, max(0, $0 - 1)] }).sorted()
    }

    private static func missing(_ found: [Answer], _ question: Question) -> String? {
        let (query, limit) = (question.query, question.limit)
        let time = Int(query.time.seconds)
        let isCompared = query.emissions?.isCompared == true
        for metres in steps(found.map(\.amount.metres), limit.metres, query.comparesWalking) {
            for micrograms in steps(found.map(\.amount.micrograms), limit.micrograms, isCompared) {
                let greatest = SlowJourneys.Amount(metres: metres, micrograms: micrograms)
                let offered = found.filter { $0.amount.isNoMore(than: greatest) }
                for trips in 1...(query.maxTransfers + 1) {
                    let some = offered.filter { $0.trips <= trips }
                    if query.isArriveBy {
                        let later = some.map { $0.departure + 1 }.max() ?? (time - horizon)
                        if question.arrivals(later, greatest)[trips] <= time {
                            return "\(trips) trips, \(greatest): one can leave at \(later)"
                        }
                        continue
                    }
                    let expected = question.arrivals(time, greatest)[trips]
                    let earliest = expected <= time + horizon ? expected : nil
                    if some.map(\.arrival).min() != earliest {
                        return "\(trips) trips, \(greatest): \(earliest ?? 0) is the earliest"
                    }
                }
            }
        }
        return nil
    }

    private static func wrong(_ found: [Answer], _ question: Question) -> String? {
        let time = Int(question.query.time.seconds)
        for answer in found where answer.trips > 0 {
            if question.arrivals(answer.departure, answer.amount)[answer.trips] > answer.arrival {
                return "\(answer) is impossible"
            }
            let bound = question.bound(answer)
            if question.query.isArriveBy {
                if answer.arrival > time || answer.departure < time - horizon {
                    return "\(answer) is too late or too early"
                }
                if question.arrivals(answer.departure, bound)[answer.trips] != answer.arrival {
                    return "one can arrive before \(answer)"
                }
            } else if question.arrivals(answer.departure + 1, bound)[answer.trips] <= answer.arrival
            {
                return "one can leave after \(answer)"
            }
        }
        return nil
    }
}
