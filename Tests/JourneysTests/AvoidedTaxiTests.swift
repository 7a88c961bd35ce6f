import Chronology
import Columns
import Foundation
import Geo
import OpenData
import SeededRandom
import Streets
import TestSupport
import Testing

@testable import CityData
@testable import Journeys
@testable import Transit

/// V72: vehicles and taxis that are avoided at some hours, from door to door, against exhaustive
/// search.
@Suite("Taxis to and from stops that are avoided at some hours")
struct AvoidedTaxiTests {
    /// A question from door to door with taxis to and from stops, and the reference for it.
    private struct Trial {
        private static let wait: Int32 = 240
        var query: JourneyQuery
        var town: DoorToDoorTests.Town
        private let from: Coordinate
        private let to: Coordinate
        private var access: [SlowDoorToDoor.Way]
        private var egress: [SlowDoorToDoor.Way]
        private let vehicles: [SlowJourneys.Vehicle]

        init(seed: UInt64, isArriveBy: Bool) throws {
            var random = SeededRandom(seed: seed ^ 0xA703)
            let feed = try RandomTown.feed(seed: seed)
            let writer = try RandomTown.city(RandomTown.streets(&random), feed)
            town = try DoorToDoorTests.Town(try writer.opened(), feed)
            from = RandomTown.place(&random)
            to = RandomTown.place(&random)
            query = ThreeCriteriaTests.query(
                .place(from),
                .place(to),
                isArriveBy: isArriveBy,
                &random
            )
            query.comparesWalking = false
            query.modes.walk = seed % 4 != 0
            query.maxWalkMetres = seed % 5 == 0 ? UInt32(seed * 37 % 3_000) : nil
            let isTaxiAvoided = seed % 3 != 0
            query.avoided = AvoidedSpanTests.avoided(
                around: query.time,
                taxi: isTaxiAvoided,
                &random
            )
            let days = Int64(3 * 86_400)
            let waits = [
                TaxiWait(
                    from: query.time.adding(seconds: 0 - days),
                    through: query.time.adding(seconds: days),
                    seconds: Self.wait
                )
            ]
            (query.taxiAccess, query.taxiEgress) = (waits, waits)
            let reference = town.reference
            access = reference.ways(from, isOrigin: true)
            egress = reference.ways(to, isOrigin: false)
            vehicles = reference.slow.avoiding(
                reference.slow.vehicles(
                    around: Date(timeIntervalSince1970: TimeInterval(query.time.seconds)),
                    zone: town.zone
                ),
                query.avoided
            )
            let closed = isTaxiAvoided ? query.avoided : []
            access += taxis(from, isOrigin: true, closed)
            egress += taxis(to, isOrigin: false, closed)
        }

        private func taxis(
            _ place: Coordinate,
            isOrigin: Bool,
            _ avoided: [AvoidedSpan]
        ) -> [SlowDoorToDoor.Way] {
            let reference = town.reference
            let links = StopLinkBuilder([FeedInput(reference.slow.feed)], reference.network, .car)
            let ways = reference.ways(
                place,
                isOrigin: isOrigin,
                by: .taxi,
                links.links,
                limit: Planner.carMetresLimit
            )
            let spans = avoided.map {
                Int($0.span.lowerBound.seconds)..<Int($0.span.upperBound.seconds)
            }.sorted { $0.lowerBound < $1.lowerBound }
            return ways.map { way in
                SlowDoorToDoor.Way(
                    stop: way.stop,
                    seconds: way.seconds + Int(Self.wait),
                    metres: 0,
                    avoided: spans
                )
            }
        }

        /// The earliest arrivals by number of trips, from a moment on.
        func arrivals(_ moment: Int) -> [Int] {
            let metres = query.maxWalkMetres.map { Int($0) }
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

    @Test("V72: from door to door, with taxis that are avoided at some hours, both ways")
    func taxis() throws {
        var (rides, taxis) = (0, 0)
        for seed in 1...UInt64(Effort.instances(120, everything: 4_000)) {
            for isArriveBy in [false, true] {
                var trial = try Trial(seed: seed, isArriveBy: isArriveBy)
                let answers = trial.town.planner.journeys(trial.query)
                for answer in answers {
                    #expect(PlannerPropertyTests.inconsistency(answer) == nil, "seed \(seed)")
                    for leg in answer.legs {
                        if case .taxi = leg.means { taxis += 1 }
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
                let arrivals = { trial.arrivals($0) }
                let problem =
                    isArriveBy
                    ? PlannerPropertyTests.problem(found, arriveBy: asked, arrivals)
                    : PlannerPropertyTests.problem(found, departAt: asked, arrivals)
                #expect(problem == nil, "seed \(seed), \(asked): \(found)")
                rides += answers.count { $0.legs.count > 1 }
            }
        }
        if Effort.isRelease { #expect(rides > 0 && taxis > 0) }
    }
}
