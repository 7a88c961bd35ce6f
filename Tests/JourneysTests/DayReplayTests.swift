import Chronology
import DayPlan
import Foundation
import Geo
import SeededRandom
import TestSupport
import Testing
import Transit

@testable import Journeys

/// V58: who follows the plan of a day arrives on time if the data is correct.
///
/// Each plan is followed from its beginning to its end. When each journey arrives is taken from the
/// vehicles of the feed and the streets by the slow reference, which shares nothing with the solver
/// and nothing with the search for journeys.
@Suite("Following the plan of a day")
struct DayReplayTests {
    /// Somebody who follows a plan.
    private struct Follower {
        let scene: CityTravelTests.Scene
        let reference: SlowDoorToDoor
        let vehicles: [SlowJourneys.Vehicle]
        var place: PlaceIndex?
        var time: Instant
        /// When the last journey ended, if nothing was done since.
        var arrived: Instant?

        /// Makes a journey as early as it is planned, and arrives when vehicles and streets allow.
        mutating func travel(_ leg: PlannedLeg) -> String? {
            guard place == leg.from else { return "is elsewhere at \(leg.departure)" }
            guard time <= leg.departure else { return "misses the departure at \(leg.departure)" }
            let (from, to) = (coordinate(leg.from), coordinate(leg.to))
            let isWalk = leg.mode == .walk
            let question = SlowDoorToDoor.Question(
                access: isWalk ? [] : reference.ways(from, isOrigin: true),
                egress: isWalk ? [] : reference.ways(to, isOrigin: false),
                walk: isWalk ? reference.walk(from, to, maxMetres: nil) : nil,
                maxTrips: isWalk ? 1 : scene.city.maxTransfers + 1,
                maxMetres: nil,
                vehicles: isWalk ? [] : vehicles
            )
            let best = reference.arrivals(question, at: Int(leg.departure.seconds)).min() ?? .max
            guard best <= Int(leg.arrival.seconds) else {
                return "arrives at \(best) and not at \(leg.arrival)"
            }
            (place, time, arrived) = (leg.to, leg.arrival, leg.arrival)
            return nil
        }

        /// Does a task.
        mutating func attend(_ planned: PlannedTask, _ task: DayTask) -> String? {
            if let place, place != planned.place { return "\(planned.id) is elsewhere" }
            guard time <= planned.start else { return "late for \(planned.id)" }
            if let arrived, planned.lapse == nil || planned.lapse == .longWait {
                let wait = planned.start.seconds - arrived.seconds
                guard wait >= Int64(task.lead.lowerBound) else { return "not there early" }
            }
            (place, time, arrived) = (planned.place, planned.end, nil)
            return nil
        }

        private func coordinate(_ place: PlaceIndex) -> Coordinate {
            guard case .place(let coordinate) = scene.endpoint(place) else {
                preconditionFailure("the places of a scene are positions")
            }
            return coordinate
        }
    }

    @Test("V58: on random days of random towns each task is reached before it begins")
    func follow() throws {
        var (rides, tasks) = (0, 0)
        for seed in 1...UInt64(Effort.instances(120, everything: 3_000)) {
            let town = try TimedStreetsTests.town(seed, everyDay: 0..<0, slow: 0..<0)
            var planner = town.planner
            var scene = CityTravelTests.Scene(seed, in: planner.city.timetable.zone)
            scene.day.modes = [.walk, .transit]
            // Otherwise most people would walk in so small a town.
            scene.day.weights.travel[Int(TravelMode.walk.rawValue)] = 80
            guard !scene.city.wheelchair else { continue }
            var travel = CityTravel(scene.day, scene.city, &planner)
            let answer = try DayPlan.solve(scene.day, in: &travel, by: planner)
            guard answer.isFeasible, let plan = answer.plan else { continue }
            let noon = scene.day.from.adding(seconds: 7_200)
            var follower = Follower(
                scene: scene,
                reference: town.reference,
                vehicles: town.reference.slow.vehicles(
                    around: Date(timeIntervalSince1970: TimeInterval(noon.seconds)),
                    zone: town.zone
                ),
                place: scene.day.origin,
                time: scene.day.from
            )
            var events: [(start: Instant, leg: PlannedLeg?, task: PlannedTask?)] = []
            for leg in plan.legs { events.append((leg.departure, leg, nil)) }
            for task in plan.tasks { events.append((task.start, nil, task)) }
            events.sort { ($0.start, $0.leg == nil ? 1 : 0) < ($1.start, $1.leg == nil ? 1 : 0) }
            for event in events {
                var fault: String?
                if let leg = event.leg {
                    fault = follower.travel(leg)
                    rides += leg.mode == .transit ? 1 : 0
                }
                if let planned = event.task,
                    let task = scene.day.tasks.first(where: { $0.id == planned.id })
                {
                    fault = follower.attend(planned, task)
                    tasks += 1
                }
                #expect(fault == nil, "seed \(seed)")
            }
            if let end = scene.day.destination { #expect(follower.place == end, "seed \(seed)") }
        }
        #expect(rides > 20 && tasks > 100, "\(rides) rides, \(tasks) tasks")
    }
}
