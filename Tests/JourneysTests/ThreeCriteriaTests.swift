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

/// Issue 31, "Verification": three criteria equal exhaustive search.
///
/// The reference finds the earliest arrival with at most some trips and metres. The best answer for
/// each number of both must equal it. It suffices to check the metres at which answers change and
/// one metre less: in between nothing changes, since fewer metres never allow an earlier arrival.
@Suite("Walking as the third criterion")
struct ThreeCriteriaTests {
    /// An answer, reduced to the compared numbers.
    private struct Answer: CustomStringConvertible {
        let trips: Int
        let departure: Int
        let arrival: Int
        let metres: Int

        init(_ itinerary: Itinerary) {
            trips = itinerary.legs.count { $0.ride != nil }
            departure = Int(itinerary.departure.seconds)
            arrival = Int(itinerary.arrival.seconds)
            metres = Int(itinerary.walkMetres)
        }

        var description: String { "\(trips) trips \(departure)–\(arrival), \(metres) m" }
    }

    private static let horizon = Int(Planner.horizonSeconds)
    /// More metres than anybody walks in a random town.
    private static let enough = 1_000_000

    /// Earliest arrivals by number of trips, of those who leave at a moment and walk so far.
    typealias Reference = (_ moment: Int, _ metres: Int) -> [Int]

    @Test("random feeds: between stops, both ways")
    func randomFeeds() throws {
        var answers = 0
        for seed in 1...UInt64(Effort.instances(100, everything: 5_000)) {
            let result = try GTFSReader.read(.texts(RandomFeed.texts(seed: seed)), name: "random")
            var world = try PlannerPropertyTests.World(result.feed)
            var random = SeededRandom(seed: seed ^ 0x3C21)
            // Stop 0 is a station, so there may be several walks between its stops.
            let stops = 1..<UInt32(result.feed.stops.count)
            for number in 0..<4 {
                let query = Self.query(
                    .stop(StopIndex(rawValue: .random(in: stops, using: &random))),
                    .stop(StopIndex(rawValue: .random(in: stops, using: &random))),
                    isArriveBy: number % 2 == 1,
                    &random
                )
                let vehicles = world.slow.vehicles(
                    around: Date(timeIntervalSince1970: TimeInterval(query.time.seconds)),
                    zone: world.zone
                )
                guard case .stop(let from) = query.origin, case .stop(let to) = query.destination
                else { continue }
                let slow = world.slow
                let latest = Int(query.time.seconds) + (query.isArriveBy ? 0 : Self.horizon)
                answers += Self.check(query, &world.planner, "seed \(seed)") { moment, metres in
                    slow.arrivals(
                        from: Int(from.rawValue),
                        to: Int(to.rawValue),
                        at: moment,
                        latest: latest,
                        maxTrips: query.maxTransfers + 1,
                        maxMetres: metres,
                        vehicles
                    )
                }
            }
        }
        #expect(answers > 0)
    }

    @Test("random towns: from door to door, both ways")
    func randomTowns() throws {
        var answers = 0
        // In town 1797 a stop lies farther from the others than anybody walks.
        for seed in [1_797] + Array(1...UInt64(Effort.instances(60, everything: 2_000))) {
            var random = SeededRandom(seed: seed ^ 0x3C22)
            let feed = try RandomTown.feed(seed: seed)
            let writer = try RandomTown.city(RandomTown.streets(&random), feed)
            var town = try DoorToDoorTests.Town(try writer.opened(), feed)
            for number in 0..<4 {
                let (from, to) = (RandomTown.place(&random), RandomTown.place(&random))
                let query = Self.query(
                    .place(from),
                    .place(to),
                    isArriveBy: number % 2 == 1,
                    &random
                )
                let reference = town.reference
                let vehicles = reference.slow.vehicles(
                    around: Date(timeIntervalSince1970: TimeInterval(query.time.seconds)),
                    zone: town.zone
                )
                let access = reference.ways(from, isOrigin: true)
                let egress = reference.ways(to, isOrigin: false)
                answers += Self.check(query, &town.planner, "seed \(seed)") { moment, metres in
                    let question = SlowDoorToDoor.Question(
                        access: access,
                        egress: egress,
                        walk: reference.walk(from, to, maxMetres: metres),
                        maxTrips: query.maxTransfers + 1,
                        maxMetres: metres,
                        vehicles: vehicles
                    )
                    return reference.arrivals(question, at: moment)
                }
            }
        }
        #expect(answers > 0)
    }

    @Test("what a limit on walking finds is among what a comparison finds")
    func limits() throws {
        for seed in 1...UInt64(Effort.instances(60, everything: 2_000)) {
            var random = SeededRandom(seed: seed ^ 0x3C23)
            let feed = try RandomTown.feed(seed: seed)
            let writer = try RandomTown.city(RandomTown.streets(&random), feed)
            var planner = Planner(CitySnapshot(City(try writer.opened())))
            var query = Self.query(
                .place(RandomTown.place(&random)),
                .place(RandomTown.place(&random)),
                isArriveBy: seed % 2 == 0,
                &random
            )
            let all = planner.journeys(query).map(Answer.init)
            query.comparesWalking = false
            for limit in Set(all.map(\.metres)).sorted() {
                query.maxWalkMetres = UInt32(limit)
                for found in planner.journeys(query).map(Answer.init) {
                    let isThere = all.contains { answer in
                        if answer.trips > max(1, found.trips) || answer.metres > limit {
                            return false
                        }
                        return query.isArriveBy
                            ? answer.departure >= found.departure
                            : answer.arrival <= found.arrival
                    }
                    #expect(isThere, "seed \(seed), \(limit) m: \(found) is not among \(all)")
                }
            }
        }
    }

    static func query(
        _ origin: Endpoint,
        _ destination: Endpoint,
        isArriveBy: Bool,
        _ random: inout SeededRandom
    ) -> JourneyQuery {
        let day = Int64.random(in: 16_361...16_375, using: &random)
        var query = JourneyQuery(
            from: origin,
            to: destination,
            time: Instant(seconds: day * 86_400 + Int64.random(in: 0..<86_400, using: &random)),
            isArriveBy: isArriveBy,
            maxTransfers: Int.random(in: 0...4, using: &random)
        )
        query.comparesWalking = true
        return query
    }

    /// Compares the answers with the reference; returns how many of them are rides.
    static func check(
        _ query: JourneyQuery,
        _ planner: inout Planner,
        _ comment: String,
        _ reference: @escaping Reference
    ) -> Int {
        let itineraries = planner.journeys(query)
        for itinerary in itineraries {
            #expect(PlannerPropertyTests.inconsistency(itinerary) == nil, "\(comment)")
        }
        let found = itineraries.map(Answer.init)
        var known: [[Int]: [Int]] = [:]
        let remembered: Reference = { moment, metres in
            if let arrivals = known[[moment, metres]] { return arrivals }
            let arrivals = reference(moment, metres)
            known[[moment, metres]] = arrivals
            return arrivals
        }
        let problem =
            Self.beaten(found, query)
            ?? (query.isArriveBy
                ? Self.problem(found, arriveBy: query, remembered)
                : Self.problem(found, departAt: query, remembered))
        #expect(problem == nil, "\(comment), \(query): \(found)")
        return found.count { $0.trips > 0 }
    }

    /// The metres at which answers may change, and those just below.
    private static func steps(_ found: [Answer]) -> [Int] {
        Set([0, enough] + found.flatMap { [$0.metres, max(0, $0.metres - 1)] }).sorted()
    }

    private static func beaten(_ found: [Answer], _ query: JourneyQuery) -> String? {
        for (number, answer) in found.enumerated() {
            let isBeaten = found.enumerated().contains { other, better in
                if other == number || better.trips > answer.trips { return false }
                if better.metres > answer.metres { return false }
                return query.isArriveBy
                    ? better.departure >= answer.departure : better.arrival <= answer.arrival
            }
            if isBeaten { return "\(answer) is beaten" }
        }
        return nil
    }

    private static func problem(
        _ found: [Answer],
        departAt query: JourneyQuery,
        _ arrivals: Reference
    ) -> String? {
        let time = Int(query.time.seconds)
        for metres in steps(found) {
            let expected = arrivals(time, metres)
            for trips in 1...(query.maxTransfers + 1) {
                let offered = found.filter { $0.trips <= trips && $0.metres <= metres }
                let earliest = expected[trips] <= time + horizon ? expected[trips] : nil
                if offered.map(\.arrival).min() != earliest {
                    return "\(trips) trips, \(metres) m: \(earliest ?? 0) is the earliest"
                }
            }
        }
        for answer in found where answer.trips > 0 {
            if arrivals(answer.departure, answer.metres)[answer.trips] != answer.arrival {
                return "\(answer) arrives at another time"
            }
            if arrivals(answer.departure + 1, answer.metres)[answer.trips] <= answer.arrival {
                return "one can leave after \(answer)"
            }
        }
        return nil
    }

    private static func problem(
        _ found: [Answer],
        arriveBy query: JourneyQuery,
        _ arrivals: Reference
    ) -> String? {
        let time = Int(query.time.seconds)
        for metres in steps(found) {
            for trips in 1...(query.maxTransfers + 1) {
                let offered = found.filter { $0.trips <= trips && $0.metres <= metres }
                let latest = offered.map(\.departure).max()
                let later = latest.map { $0 + 1 } ?? (time - horizon)
                if arrivals(later, metres)[trips] <= time {
                    return "\(trips) trips, \(metres) m: one can leave at \(later)"
                }
            }
        }
        for answer in found where answer.trips > 0 {
            if answer.arrival > time || answer.departure < time - horizon {
                return "\(answer) is too late or too early"
            }
            if arrivals(answer.departure, answer.metres)[answer.trips] != answer.arrival {
                return "\(answer) arrives at another time"
            }
        }
        return nil
    }
}
