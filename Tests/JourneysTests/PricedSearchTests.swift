import Chronology
import Columns
import Foundation
import Journeys
import OpenData
import SeededRandom
import TestSupport
import Testing
import Tickets
import Transit

@testable import CityData

/// V74 and issue 33, "Verification": under a limit on money no journey exceeds it and none is
/// missed, against exhaustive search.
@Suite("Journeys within a price")
struct PricedSearchTests {
    private static let horizon = Int(Planner.horizonSeconds)

    @Test("V74: random feeds with fares of both versions, both ways")
    func randomFeeds() throws {
        var (rides, slower, refused) = (0, 0, 0)
        for seed in 1...UInt64(Effort.instances(1_000, everything: 25_000)) {
            var random = SeededRandom(seed: seed ^ 0x3A21)
            let texts = RandomTickets.withFares(RandomFeed.texts(seed: seed), &random)
            let feed = try GTFSReader.read(.texts(texts), name: "random").feed
            var world = try PlannerPropertyTests.World(feed)
            let stops = 1..<UInt32(feed.stops.count)
            for number in 0..<4 {
                let query = Self.query(
                    .random(in: stops, using: &random),
                    .random(in: stops, using: &random),
                    isArriveBy: number % 2 == 1,
                    world.planner.city,
                    &random
                )
                let found = world.planner.journeys(query)
                let problem = Self.problem(found, query, world)
                #expect(problem == nil, "seed \(seed), question \(number)")
                var free = query
                free.money = nil
                let all = world.planner.journeys(free)
                rides += found.count { $0.legs.contains { $0.ride != nil } }
                if found != all {
                    refused += 1
                    let wins = found.contains { one in
                        one.legs.contains { $0.ride != nil } && !all.contains(one)
                    }
                    if wins { slower += 1 }
                }
            }
        }
        // The test would prove little if limits changed nothing, or left nothing.
        #expect(rides > 300 && refused > 100 && slower > 15, "\(rides), \(refused), \(slower)")
    }

    @Test("V72, V74: the same where some modes are avoided at some hours")
    func avoidedHours() throws {
        var rides = 0
        for seed in 1...UInt64(Effort.instances(200, everything: 10_000)) {
            var random = SeededRandom(seed: seed ^ 0x3A22)
            let texts = RandomTickets.withFares(RandomFeed.texts(seed: seed), &random)
            let feed = try GTFSReader.read(.texts(texts), name: "random").feed
            var world = try PlannerPropertyTests.World(feed)
            let stops = 1..<UInt32(feed.stops.count)
            for number in 0..<4 {
                var query = Self.query(
                    .random(in: stops, using: &random),
                    .random(in: stops, using: &random),
                    isArriveBy: number % 2 == 1,
                    world.planner.city,
                    &random
                )
                query.avoided = AvoidedSpanTests.avoided(around: query.time, &random)
                let found = world.planner.journeys(query)
                let problem = Self.problem(found, query, world)
                #expect(problem == nil, "seed \(seed), question \(number)")
                rides += found.count { $0.legs.contains { $0.ride != nil } }
            }
        }
        if Effort.isRelease { #expect(rides > 0) }
    }

    private static func query(
        _ origin: UInt32,
        _ destination: UInt32,
        isArriveBy: Bool,
        _ city: City,
        _ random: inout SeededRandom
    ) -> JourneyQuery {
        var query = ThreeCriteriaTests.query(
            .stop(StopIndex(rawValue: origin)),
            .stop(StopIndex(rawValue: destination)),
            isArriveBy: isArriveBy,
            &random
        )
        query.comparesWalking = false
        query.maxWalkMetres = random.below(4) == 0 ? UInt32(random.below(3_000)) : nil
        query.maxTransfers = random.below(3)
        query.money = MoneyTerms(
            FareBook(city.file),
            FareTariff.Party([(FareTraveller(), 1)]),
            .zero,
            limit: Int64(random.below(8)) * 100
        )
        return query
    }

    /// What is wrong with an answer; nil if nothing is.
    private static func problem(
        _ found: [Itinerary],
        _ query: JourneyQuery,
        _ world: PlannerPropertyTests.World
    ) -> String? {
        guard let money = query.money, case .stop(let origin) = query.origin,
            case .stop(let destination) = query.destination
        else { return "no question" }
        let time = Int(query.time.seconds)
        let day = Date(timeIntervalSince1970: TimeInterval(time))
        let slow = SlowPrices(
            slow: world.slow,
            city: world.planner.city,
            book: money.book,
            vehicles: world.slow.avoiding(
                world.slow.vehicles(around: day, zone: world.zone),
                query.avoided
            ),
            traveller: FareTraveller()
        )
        func arrivals(_ moment: Int) -> [Int] {
            slow.arrivals(
                from: origin.row,
                to: destination.row,
                at: moment,
                latest: time + (query.isArriveBy ? 0 : horizon),
                maxTrips: query.maxTransfers + 1,
                limit: money.limit,
                metres: query.maxWalkMetres.map { Int($0) } ?? .max / 2
            )
        }
        /// The best arrival with at most so many trips.
        func best(_ arrivals: [Int], _ trips: Int) -> Int { arrivals[...trips].min() ?? 0 }
        for journey in found {
            if let fault = PlannerPropertyTests.inconsistency(journey) { return "\(fault)" }
            let rides = journey.fareRides(in: world.planner.city)
            guard !rides.isEmpty else { continue }
            let price = money.book.fare(rides, for: FareTraveller())?.minorUnits
            guard let price, price <= money.limit,
                journey.walkMetres <= query.maxWalkMetres ?? .max
            else {
                return "\(journey) costs \(String(describing: price)) of \(money.limit)"
            }
            // Who left later would arrive later.
            let later = best(arrivals(Int(journey.departure.seconds) + 1), rides.count)
            let goal = query.isArriveBy ? time : Int(journey.arrival.seconds)
            if later <= goal { return "\(journey) could leave later" }
        }
        // A ride that is as quick as a walk stands for it: neither has transfers.
        for trips in 1...(query.maxTransfers + 1) {
            let some = found.filter { $0.legs.count { $0.ride != nil } <= trips }
            guard query.isArriveBy else {
                let mine = some.map { Int($0.arrival.seconds) }.min() ?? SlowJourneys.never
                let theirs = best(arrivals(time), trips)
                if mine != (theirs <= time + horizon ? theirs : SlowJourneys.never) {
                    return "with \(trips) trips one arrives at \(theirs - time), not \(mine - time)"
                }
                continue
            }
            if some.isEmpty, best(arrivals(time - horizon), trips) <= time {
                return "with \(trips) trips there is a journey"
            }
            guard let latest = some.map({ Int($0.departure.seconds) }).max() else { continue }
            if best(arrivals(latest + 1), trips) <= time {
                return "with \(trips) trips one may leave later than \(latest - time)"
            }
        }
        return nil
    }
}

extension Itinerary {
    /// The rides as fares see them.
    func fareRides(in city: City) -> [FareRide] {
        legs.compactMap { leg in
            leg.ride.map { ride in
                city.fareRide(
                    ride.route,
                    city.calls(of: leg).map(\.stop),
                    leg.departure,
                    leg.arrival
                )
            }
        }
    }
}
