import Chronology
import Columns
import Foundation
import Geo
import Journeys
import OpenData
import SeededRandom
import TestSupport
import Testing
import Transit

@testable import CityData

/// Issue 2, "How sure": each fast algorithm is compared with a simple, slow one.
@Suite("Planner against exhaustive search")
struct PlannerPropertyTests {
    /// A feed with a planner and the reference.
    struct World {
        var planner: Planner
        let slow: SlowJourneys
        let zone: TimeZone
        let served: [Int]

        init(_ feed: GTFSFeed) throws {
            var writer = SectionWriter()
            _ = try TimetableBuilder.add([FeedInput(feed)], walks: nil, to: &writer)
            planner = Planner(CitySnapshot(City(try writer.opened())))
            slow = SlowJourneys(feed)
            zone = try #require(TimeZone(identifier: feed.agencies[0].zone))
            served = Set(
                feed.trips.flatMap { $0.stopTimes.map { Int(feed.stopTimes.stop[$0]) } }
            ).sorted()
        }
    }

    @Test("random feeds give the same Pareto sets, both ways, also with a limit on walking")
    func randomFeeds() throws {
        for seed in 1...UInt64(Effort.instances(400, everything: 20_000)) {
            let result = try GTFSReader.read(.texts(RandomFeed.texts(seed: seed)), name: "random")
            var world = try World(result.feed)
            var random = SeededRandom(seed: seed ^ 0xFEED)
            for _ in 0..<4 {
                let problem = compare(&world, &random)
                #expect(problem == nil, "seed \(seed)")
            }
        }
    }

    @Test("random feeds give the same Pareto sets with only some of the modes")
    func someModes() throws {
        for seed in 1...UInt64(Effort.instances(200, everything: 10_000)) {
            let result = try GTFSReader.read(.texts(RandomFeed.texts(seed: seed)), name: "random")
            var world = try World(result.feed)
            var random = SeededRandom(seed: seed ^ 0x30DE)
            for _ in 0..<4 {
                let modes = [TransitMode.bus, .tram, .rail].filter { _ in
                    Bool.random(using: &random)
                }
                let bits = modes.reduce(0) { $0 | $1.bit }
                #expect(compare(&world, &random, modes: bits) == nil, "seed \(seed), \(modes)")
            }
        }
    }

    /// The available feeds of real cities, with a service day of each.
    static let realFeeds = [
        ("milan/atm_gtfs_2014.zip", "2014-10-25"),
        ("milan/trenord_gtfs_2026.zip", "2026-05-11"),
        ("gtfs-large/bydgoszcz_2020.zip", "2020-05-04"),
        ("sao-paulo/sptrans_gtfs_2019.zip", "2019-05-13"),
        ("porto-alegre/eptc_gtfs_2019.zip", "2019-05-13"),
        ("gtfs-features/bart_2023.zip", "2023-05-08"),
    ]

    @Test(
        "real cities give the same Pareto sets",
        arguments: realFeeds
    )
    func realCities(path: String, day: String) throws {
        try RealData.require(path)
        let url = RealData.url(path)
        let result = try GTFSReader.read(.at(path: url.path), name: "feed")
        // The reference needs complete times; blank ones are filled in by the builder.
        let feed = CompleteFeed.completed(result.feed)
        var world = try World(feed)
        let date = try #require(CivilDate(iso8601: day))
        var random = SeededRandom(seed: 7)
        let noon = Int(date.daysSince1970) * 86_400 + 43_200
        let vehicles = world.slow.vehicles(
            around: Date(timeIntervalSince1970: TimeInterval(noon)),
            zone: world.zone
        )
        for number in 0..<Effort.instances(12, everything: 1_000) {
            let from = try #require(world.served.randomElement(using: &random))
            let to = try #require(world.served.randomElement(using: &random))
            let second = Int32.random(in: 0..<86_400, using: &random)
            let time = Int(world.planner.city.timetable.zone.instant(date, second: second).seconds)
            let question = Question(
                from: from,
                to: to,
                time: time,
                isArriveBy: number % 2 == 1,
                maxTransfers: 7
            )
            #expect(check(question, &world, vehicles) == nil, "\(path) pair \(number)")
        }
    }

    struct Question: CustomStringConvertible {
        let from: Int
        let to: Int
        let time: Int
        let isArriveBy: Bool
        let maxTransfers: Int
        var maxMetres: Int?
        var modes = TransitMode.all
        var wheelchair = false
        var avoided: [AvoidedSpan] = []

        var description: String {
            "\(from) to \(to) \(isArriveBy ? "by" : "at") \(time), \(maxTransfers) transfers, "
                + (maxMetres.map { "\($0) m" } ?? "no limit on walking")
        }
    }

    func compare(
        _ world: inout World,
        _ random: inout SeededRandom,
        modes: UInt32 = TransitMode.all,
        wheelchair: Bool = false,
        days: ClosedRange<Int32> = 16_361...16_375,
        avoided: [AvoidedSpan] = [],
        changing: ([SlowJourneys.Vehicle]) -> [SlowJourneys.Vehicle] = { $0 }
    ) -> String? {
        let stops = Array(world.slow.feed.stops.indices)
        let day = Int32.random(in: days, using: &random)
        let second = Int.random(in: 0..<86_400, using: &random)
        let time = Int(day) * 86_400 + second
        var question = Question(
            from: stops.randomElement(using: &random) ?? 0,
            to: stops.randomElement(using: &random) ?? 0,
            time: time,
            isArriveBy: Bool.random(using: &random),
            maxTransfers: Int.random(in: 0...4, using: &random),
            modes: modes,
            wheelchair: wheelchair,
            avoided: avoided
        )
        let feed = world.slow.feed
        let all = changing(
            world.slow.vehicles(
                around: Date(timeIntervalSince1970: TimeInterval(time)),
                zone: world.zone
            )
        )
        let vehicles = SlowJourneys.refused(all) { trip in
            modes & TransitMode(routeType: feed.routes[feed.trips[trip].route].type).bit == 0
                || (wheelchair && feed.trips[trip].wheelchair != .yes)
        } stops: { stop in
            wheelchair && feed.stops[stop].wheelchair != .yes
        }
        if let problem = check(question, &world, vehicles) { return problem }
        question.maxMetres = Int.random(in: 0...4_000, using: &random)
        return check(question, &world, vehicles)
    }

    /// Returns nil if the planner's answer equals the reference; otherwise the difference.
    private func check(
        _ question: Question,
        _ world: inout World,
        _ vehicles: [SlowJourneys.Vehicle]
    ) -> String? {
        var query = JourneyQuery(
            from: .stop(StopIndex(rawValue: UInt32(question.from))),
            to: .stop(StopIndex(rawValue: UInt32(question.to))),
            time: Instant(seconds: Int64(question.time)),
            isArriveBy: question.isArriveBy,
            maxTransfers: question.maxTransfers,
            maxWalkMetres: question.maxMetres.map { UInt32($0) },
            modes: TravelModes(transit: question.modes),
            wheelchair: question.wheelchair
        )
        query.avoided = question.avoided
        let answers = world.planner.journeys(query)
        for answer in answers {
            if let problem = Self.inconsistency(answer) { return "\(question): \(problem)" }
            if let problem = Self.refusal(answer, question, world.planner.city) {
                return "\(question): \(problem)"
            }
        }
        let slow = world.slow
        // Many of the requested times are equal.
        var known: [Int: [Int]] = [:]
        func arrivals(_ moment: Int) -> [Int] {
            if let answer = known[moment] { return answer }
            let answer = Self.arrivals(question, at: moment, slow, vehicles)
            known[moment] = answer
            return answer
        }
        if let limit = question.maxMetres, answers.contains(where: { $0.walkMetres > limit }) {
            return "\(question): walks too far"
        }
        let found = answers.map(Answer.init)
        let problem =
            question.isArriveBy
            ? Self.problem(found, arriveBy: question, arrivals)
            : Self.problem(found, departAt: question, arrivals)
        return problem.map { "\(question): \($0); found \(found)" }
    }

    struct Answer {
        let trips: Int
        let departure: Int
        let arrival: Int

        init(_ itinerary: Itinerary) {
            trips = itinerary.legs.count { $0.ride != nil }
            departure = Int(itinerary.departure.seconds)
            arrival = Int(itinerary.arrival.seconds)
        }
    }

    private static func arrivals(
        _ question: Question,
        at moment: Int,
        _ slow: SlowJourneys,
        _ vehicles: [SlowJourneys.Vehicle]
    ) -> [Int] {
        let latest = question.isArriveBy ? question.time : question.time + 86_400
        if let metres = question.maxMetres {
            return slow.arrivals(
                from: question.from,
                to: question.to,
                at: moment,
                latest: latest,
                maxTrips: question.maxTransfers + 1,
                maxMetres: metres,
                vehicles
            )
        }
        return slow.arrivals(
            from: question.from,
            to: question.to,
            at: moment,
            latest: latest,
            maxTrips: question.maxTransfers + 1,
            vehicles
        )
    }

    /// Checks departures at or after a time: each number of trips must have the earliest arrival
    /// and, for it, the latest departure.
    static func problem(
        _ found: [Answer],
        departAt question: Question,
        _ arrivals: (Int) -> [Int]
    ) -> String? {
        let earliest = arrivals(question.time)
        var expected: [(trips: Int, arrival: Int)] = []
        for trips in earliest.indices
        where earliest[trips] < expected.last?.arrival ?? (question.time + 86_401) {
            // A single trip has as few transfers as the slower walk.
            if trips == 1, expected.last?.trips == 0 { expected.removeLast() }
            expected.append((trips, earliest[trips]))
        }
        guard found.map(\.trips) == expected.map(\.trips),
            found.map(\.arrival) == expected.map(\.arrival)
        else { return "expected trips and arrivals \(expected)" }
        for answer in found {
            if answer.trips == 0 {
                if answer.departure != question.time { return "the walk waits" }
            } else if arrivals(answer.departure)[answer.trips] != answer.arrival {
                return "who leaves at \(answer.departure) arrives at another time"
            } else if arrivals(answer.departure + 1)[answer.trips] <= answer.arrival {
                return "one can leave after \(answer.departure)"
            }
        }
        return nil
    }

    /// Checks arrivals by a time: each number of trips must have the latest departure and, for it,
    /// the earliest arrival.
    static func problem(
        _ found: [Answer],
        arriveBy question: Question,
        _ arrivals: (Int) -> [Int]
    ) -> String? {
        guard
            zip(found, found.dropFirst()).allSatisfy({
                $0.trips < $1.trips && $0.departure < $1.departure
            })
        else { return "answers that others beat" }
        for answer in found where answer.departure < question.time - 86_400 {
            return "leaves too early: \(answer.departure)"
        }
        for answer in found {
            let arrival = arrivals(answer.departure)[answer.trips]
            // A walk starts as late as possible and ends on time.
            if arrival != answer.arrival || arrival > question.time { return "arrives otherwise" }
        }
        for trips in 0...(question.maxTransfers + 1) {
            let best = found.last { $0.trips <= trips }
            // A walk that is slower than a single trip is left out.
            if best == nil, trips == 0, found.first?.trips == 1 { continue }
            let later = best.map { $0.departure + 1 } ?? (question.time - 86_400)
            if arrivals(later)[trips] <= question.time {
                return "one can leave at \(later) with \(trips) trips"
            }
        }
        return nil
    }

    /// Returns what an itinerary uses although the question does not allow it; nil if nothing.
    private static func refusal(
        _ itinerary: Itinerary,
        _ question: Question,
        _ city: City
    ) -> String? {
        let timetable = city.timetable
        for leg in itinerary.legs {
            guard let ride = leg.ride else { continue }
            for part in city.parts(of: ride) {
                if timetable.routes.mode(part.route).bit & question.modes == 0 {
                    return "rides another mode"
                }
                if question.wheelchair, timetable.trips.wheelchair[part.trip] != 1 {
                    return "rides a vehicle that takes no wheelchair"
                }
            }
            let stops = [leg.from, leg.to].compactMap { $0 }
            if question.wheelchair, stops.contains(where: { timetable.stops.wheelchair[$0] != 1 }) {
                return "uses a stop that takes no wheelchair"
            }
        }
        return nil
    }

    /// Returns the internal inconsistency of an itinerary; nil if there is none.
    static func inconsistency(_ itinerary: Itinerary) -> String? {
        guard let first = itinerary.legs.first, let last = itinerary.legs.last else {
            return "no legs"
        }
        if first.departure != itinerary.departure { return "first leg leaves at another time" }
        if last.arrival != itinerary.arrival { return "last leg arrives at another time" }
        for (leg, next) in zip(itinerary.legs, itinerary.legs.dropFirst()) {
            if next.departure < leg.arrival { return "a leg leaves before the one before arrives" }
            if leg.to != next.from { return "a leg begins elsewhere than the one before ends" }
        }
        if itinerary.legs.contains(where: { $0.arrival < $0.departure }) { return "time runs back" }
        return nil
    }
}

/// Fills in the blank times of a feed for the reference, which needs them all.
enum CompleteFeed {
    static func completed(_ feed: GTFSFeed) -> GTFSFeed {
        var feed = feed
        for trip in feed.trips where !trip.stopTimes.isEmpty {
            let stops = trip.stopTimes.map { feed.stops[Int(feed.stopTimes.stop[$0])].coordinate }
            let path = TripPath(
                stops: stops,
                shape: trip.shape.map { feed.shapes[$0] },
                distances: feed.stopTimes.distance[trip.stopTimes]
            )
            let times = CompleteTimes(feed.stopTimes, trip.stopTimes, metres: path.metres)
            feed.stopTimes.arrival.replaceSubrange(trip.stopTimes, with: times.arrivals)
            feed.stopTimes.departure.replaceSubrange(trip.stopTimes, with: times.departures)
        }
        return feed
    }
}
