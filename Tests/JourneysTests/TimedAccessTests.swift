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

/// Issue 31, "One engine": access and egress are functions of the moment.
///
/// Journeys that begin and
/// end with taxis, for which one waits longer at some times than at others, equal those of an
/// exhaustive search.
@Suite("Access and egress as functions of the moment")
struct TimedAccessTests {
    @Test("ways of several pieces have the ends and starts that trying each second gives")
    func functions() {
        var random = SeededRandom(seed: 0x71)
        let seconds: ClosedRange<Int32> = -60...160
        for _ in 0..<200 {
            let ways = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                let first = Int32.random(in: 0...50, using: &random)
                let last = first + Int32.random(in: 0...20, using: &random)
                return Raptor.AccessEgress(
                    platform: .zero,
                    seconds: .random(in: 0...30, using: &random),
                    first: Bool.random(using: &random) ? first : .min,
                    last: Bool.random(using: &random) ? last : .max
                )
            }
            func trips(from start: Int32, by end: Int32) -> [(start: Int32, end: Int32)] {
                ways.flatMap { way in
                    seconds.filter { $0 >= way.first && $0 <= way.last }
                        .map { ($0, $0 + way.seconds) }
                }.filter { $0.start >= start && $0.end <= end }
            }
            for moment in Int32(0)...80 {
                let end = ways.map { $0.end(leavingAt: moment) }.min()
                #expect(end == trips(from: moment, by: .max).map { $0.end }.min() ?? Raptor.never)
                let start = ways.map { $0.start(arrivingBy: moment) }.max()
                #expect(
                    start == trips(from: .min, by: moment).map { $0.start }.max() ?? -Raptor.never
                )
                let mirrored = ways.mirrored.map { $0.end(leavingAt: -moment) }.min()
                #expect(mirrored == start.map { -$0 })
                #expect(ways.mirrored.mirrored == ways)
            }
        }
    }

    /// A question with taxis, and the reference for it.
    private struct Trial {
        var query: JourneyQuery
        var town: DoorToDoorTests.Town
        private let access: [SlowDoorToDoor.Way]
        private let egress: [SlowDoorToDoor.Way]
        private let vehicles: [SlowJourneys.Vehicle]
        private let from: Coordinate
        private let to: Coordinate

        init(seed: UInt64, isArriveBy: Bool) throws {
            var random = SeededRandom(seed: seed ^ 0x7A11)
            let feed = try RandomTown.feed(seed: seed)
            let writer = try RandomTown.city(RandomTown.streets(&random), feed)
            town = try DoorToDoorTests.Town(try writer.opened(), feed)
            from = RandomTown.place(&random)
            to = RandomTown.place(&random)
            let isDirect = seed % 4 != 0
            query = ThreeCriteriaTests.query(
                .place(from),
                .place(to),
                isArriveBy: isArriveBy,
                &random
            )
            query.comparesWalking = false
            query.modes.walk = isDirect
            let reference = town.reference
            var access = reference.ways(from, isOrigin: true)
            var egress = reference.ways(to, isOrigin: false)
            if seed % 3 != 0 {
                query.taxiAccess = RandomTown.waits(around: query.time, &random)
                access += reference.taxis(from, isOrigin: true, query.taxiAccess)
            }
            if seed % 3 != 1 {
                query.taxiEgress = RandomTown.waits(around: query.time, &random)
                egress += reference.taxis(to, isOrigin: false, query.taxiEgress)
            }
            self.access = access
            self.egress = egress
            vehicles = reference.slow.vehicles(
                around: Date(timeIntervalSince1970: TimeInterval(query.time.seconds)),
                zone: town.zone
            )
        }

        /// The earliest arrivals by number of trips of those who walk so far, from a moment on.
        func arrivals(_ moment: Int, _ metres: Int?) -> [Int] {
            let question = SlowDoorToDoor.Question(
                access: access,
                egress: egress,
                walk: query.modes.walk ? town.reference.walk(from, to, maxMetres: metres) : nil,
                maxTrips: query.maxTransfers + 1,
                maxMetres: metres,
                vehicles: vehicles
            )
            return town.reference.arrivals(question, at: moment)
        }
    }

    @Test("with taxis to and from stops, both ways, also with a limit on walking")
    func taxis() throws {
        var (rides, waits) = (0, 0)
        for seed in 1...UInt64(Effort.instances(150, everything: 5_000)) {
            for isArriveBy in [false, true] {
                var trial = try Trial(seed: seed, isArriveBy: isArriveBy)
                trial.query.maxWalkMetres = seed % 5 == 0 ? UInt32(seed * 37 % 3_000) : nil
                let limit = trial.query.maxWalkMetres.map { Int($0) }
                let answers = trial.town.planner.journeys(trial.query)
                for answer in answers {
                    #expect(PlannerPropertyTests.inconsistency(answer) == nil, "seed \(seed)")
                    for leg in answer.legs {
                        if case .taxi(let seconds) = leg.means, seconds > 0 { waits += 1 }
                    }
                }
                let found = answers.map(PlannerPropertyTests.Answer.init)
                let asked = PlannerPropertyTests.Question(
                    from: 0,
                    to: 0,
                    time: Int(trial.query.time.seconds),
                    isArriveBy: isArriveBy,
                    maxTransfers: trial.query.maxTransfers
                )
                let arrivals = { trial.arrivals($0, limit) }
                let problem =
                    isArriveBy
                    ? PlannerPropertyTests.problem(found, arriveBy: asked, arrivals)
                    : PlannerPropertyTests.problem(found, departAt: asked, arrivals)
                #expect(problem == nil, "seed \(seed), \(asked): \(found)")
                rides += answers.count { $0.legs.count > 1 }
            }
        }
        #expect(rides > 0 && waits > 0)
    }

    @Test("with taxis, for every number of metres walked")
    func walking() throws {
        var answers = 0
        for seed in 1...UInt64(Effort.instances(40, everything: 2_000)) {
            var trial = try Trial(seed: seed &+ 10_000, isArriveBy: seed % 2 == 0)
            trial.query.comparesWalking = true
            let known = trial
            answers += ThreeCriteriaTests.check(
                trial.query,
                &trial.town.planner,
                "seed \(seed)"
            ) { known.arrivals($0, $1) }
        }
        #expect(answers > 0)
    }
}
