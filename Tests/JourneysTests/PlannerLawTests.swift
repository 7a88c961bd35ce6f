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

/// Issue 2, "How sure": reversal and monotonicity hold; "What must be seen" 3: a window contains
/// all best departures.
@Suite("Laws that answers obey")
struct PlannerLawTests {
    private static func town(_ seed: UInt64, _ random: inout SeededRandom) throws -> Planner {
        let feed = try RandomTown.feed(seed: seed)
        let writer = try RandomTown.city(RandomTown.streets(&random), feed)
        return Planner(CitySnapshot(City(try writer.opened())))
    }

    private static func query(_ random: inout SeededRandom) -> JourneyQuery {
        let day = Int64.random(in: 16_361...16_375, using: &random)
        return JourneyQuery(
            from: .place(RandomTown.place(&random)),
            to: .place(RandomTown.place(&random)),
            time: Instant(seconds: day * 86_400 + Int64.random(in: 0..<86_400, using: &random)),
            maxTransfers: Int.random(in: 0...4, using: &random),
            maxWalkMetres: Bool.random(using: &random)
                ? nil : UInt32.random(in: 500...4_000, using: &random)
        )
    }

    /// Returns the earliest arrival with a limited number of transfers.
    private static func arrival(_ answers: [Itinerary], _ transfers: Int) -> Instant? {
        answers.filter { $0.transfers <= transfers }.map(\.arrival).min()
    }

    /// Returns an answer without an equal or better one among others; nil if there is none.
    private static func worsened(_ before: [Itinerary], _ after: [Itinerary]) -> Itinerary? {
        before.first { old in
            !after.contains { $0.arrival <= old.arrival && $0.transfers <= old.transfers }
        }
    }

    @Test("asked back by its arrival, each answer's departure is the latest there is")
    func reversal() throws {
        for seed in 1...UInt64(Effort.instances(100, everything: 3_000)) {
            var random = SeededRandom(seed: seed ^ 0xBAC)
            var planner = try Self.town(seed, &random)
            for _ in 0..<6 {
                let query = Self.query(&random)
                for answer in planner.journeys(query) {
                    var back = query
                    back.isArriveBy = true
                    back.time = answer.arrival
                    back.maxTransfers = answer.transfers
                    let latest = planner.journeys(back).map(\.departure).max()
                    if answer.legs.contains(where: { $0.ride != nil }) {
                        #expect(latest == answer.departure, "seed \(seed)")
                    } else {
                        #expect(latest.map { $0 >= answer.departure } == true, "seed \(seed)")
                    }
                }
            }
        }
    }

    @Test("leaving later never arrives earlier; more walking or transfers never arrives later")
    func monotonicity() throws {
        for seed in 1...UInt64(Effort.instances(100, everything: 3_000)) {
            var random = SeededRandom(seed: seed ^ 0x1F)
            var planner = try Self.town(seed, &random)
            for _ in 0..<6 {
                let query = Self.query(&random)
                let answers = planner.journeys(query)
                var later = query
                later.time = query.time.adding(
                    seconds: Int64.random(in: 1...10_000, using: &random)
                )
                let horizon = query.time.adding(seconds: Int64(Planner.horizonSeconds))
                let lateAnswers = planner.journeys(later).filter { $0.arrival <= horizon }
                #expect(Self.worsened(lateAnswers, answers) == nil, "seed \(seed)")
                var freer = query
                freer.maxTransfers += Int.random(in: 0...2, using: &random)
                freer.maxWalkMetres = query.maxWalkMetres.flatMap {
                    Bool.random(using: &random)
                        ? nil : $0 + UInt32.random(in: 0...2_000, using: &random)
                }
                #expect(Self.worsened(answers, planner.journeys(freer)) == nil, "seed \(seed)")
            }
        }
    }

    @Test("an added trip never makes an answer worse")
    func addedTrip() throws {
        for seed in 1...UInt64(Effort.instances(300, everything: 10_000)) {
            var random = SeededRandom(seed: seed ^ 0xADD)
            var texts = RandomFeed.texts(seed: seed)
            var before = try Self.planner(texts)
            let stops = before.city.timetable.stops.count - 1
            let start = Int.random(in: 5..<22, using: &random)
            texts["trips.txt", default: ""] += "\nADDED,R0,D,"
            let calls = (0..<Int.random(in: 2...3, using: &random)).map { call in
                let time = "\(start < 10 ? "0" : "")\(start):\(10 + call * 12):00"
                let stop = Int.random(in: 0..<stops, using: &random)
                return "\nADDED,S\(stop),\(call),\(time),\(time),0,0"
            }
            texts["stop_times.txt", default: ""] += calls.joined()
            var after = try Self.planner(texts)
            for number in 0..<8 {
                let ends = (0..<2).map { _ in
                    Endpoint.stop(
                        StopIndex(rawValue: .random(in: 1...UInt32(stops), using: &random))
                    )
                }
                var query = Self.query(&random)
                query.origin = ends[0]
                query.destination = ends[1]
                query.isArriveBy = number % 2 == 1
                let old = before.journeys(query)
                let new = after.journeys(query)
                if query.isArriveBy {
                    let worse = old.first { old in
                        !new.contains {
                            $0.departure >= old.departure && $0.transfers <= old.transfers
                        }
                    }
                    #expect(worse == nil, "seed \(seed)")
                } else {
                    #expect(Self.worsened(old, new) == nil, "seed \(seed)")
                }
            }
        }
    }

    private static func planner(_ texts: [String: String]) throws -> Planner {
        let feed = try GTFSReader.read(.texts(texts), name: "random").feed
        var writer = SectionWriter()
        _ = try TimetableBuilder.add([FeedInput(feed)], walks: nil, to: &writer)
        return Planner(CitySnapshot(City(try writer.opened())))
    }

    @Test("a window holds exactly the rides that questions for its moments find")
    func windows() throws {
        for seed in 1...UInt64(Effort.instances(60, everything: 1_000)) {
            var random = SeededRandom(seed: seed ^ 0x3117)
            var planner = try Self.town(seed, &random)
            for _ in 0..<3 {
                let query = Self.query(&random)
                let seconds = Int32.random(in: 0...18_000, using: &random)
                let all = planner.journeys(query, window: seconds)
                let end = query.time.adding(seconds: Int64(seconds))
                let rides = all.filter(Self.rides)
                #expect(all.count - rides.count <= 1, "seed \(seed)")
                for ride in rides {
                    var question = query
                    question.time = ride.departure
                    let isBest = planner.journeys(question).contains { Self.isSame($0, ride) }
                    #expect(isBest, "seed \(seed)")
                }
                // Every fifth minute represents all times.
                var question = query
                while question.time <= end {
                    for answer in planner.journeys(question)
                    where answer.departure <= end && Self.rides(answer) {
                        let isThere = rides.contains { Self.isSame($0, answer) }
                        #expect(isThere, "seed \(seed)")
                    }
                    question.time = question.time.adding(seconds: 300)
                }
            }
        }
    }

    private static func isSame(_ first: Itinerary, _ second: Itinerary) -> Bool {
        first.departure == second.departure && first.arrival == second.arrival
            && first.transfers == second.transfers
    }

    private static func rides(_ answer: Itinerary) -> Bool {
        answer.legs.contains { $0.ride != nil }
    }
}
