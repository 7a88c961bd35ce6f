import Chronology
import Columns
import Foundation
import Geo
import Journeys
import OpenData
import SeededRandom
import Streets
import TestSupport
import Testing
import Transit

@testable import CityData

/// Issue 2, "How sure": door to door answers equal those of exhaustive search, forwards and
/// backwards, with and without a walking limit.
@Suite("StopLink to link against exhaustive search")
struct DoorToDoorTests {
    /// A city with its planner and the reference.
    struct Town {
        var planner: Planner
        let reference: SlowDoorToDoor
        let zone: TimeZone

        init(_ file: SectionFile, _ feed: GTFSFeed) throws {
            planner = Planner(CitySnapshot(City(file)))
            reference = SlowDoorToDoor(feed, planner.city.streets)
            zone = try #require(TimeZone(identifier: feed.agencies[0].zone))
        }
    }

    struct Trial {
        let from: Coordinate
        let to: Coordinate
        let time: Int
        let isArriveBy: Bool
        let maxTransfers: Int
        let maxMetres: Int?
    }

    @Test("random towns give the same Pareto sets")
    func randomTowns() throws {
        for seed in 1...UInt64(Effort.instances(200, everything: 5_000)) {
            var random = SeededRandom(seed: seed ^ 0xD00A)
            let feed = try RandomTown.feed(seed: seed)
            let writer = try RandomTown.city(RandomTown.streets(&random), feed)
            var town = try Town(try writer.opened(), feed)
            for number in 0..<6 {
                let day = Int.random(in: 16_361...16_375, using: &random)
                let trial = Trial(
                    from: RandomTown.place(&random),
                    to: RandomTown.place(&random),
                    time: day * 86_400 + Int.random(in: 0..<86_400, using: &random),
                    isArriveBy: number % 2 == 1,
                    maxTransfers: Int.random(in: 0...4, using: &random),
                    maxMetres: number < 3 ? nil : Int.random(in: 0...4_000, using: &random)
                )
                let vehicles = town.reference.slow.vehicles(
                    around: Date(timeIntervalSince1970: TimeInterval(trial.time)),
                    zone: town.zone
                )
                #expect(Self.check(trial, &town, vehicles) == nil, "seed \(seed)")
            }
        }
    }

    @Test(
        "pairs of places in Milan give the same Pareto sets",
        .enabled(
            if: RealData.has("milan/milan.osm.pbf", "milan/atm_gtfs_2014.zip"),
            RealData.advice
        )
    )
    func milan() throws {
        let source = FeedSource.at(path: RealData.url("milan/atm_gtfs_2014.zip").path)
        let feed = CompleteFeed.completed(try GTFSReader.read(source, name: "atm").feed)
        let map = try OSMFile(path: RealData.url("milan/milan.osm.pbf").path)
        let writer = try RandomTown.city(try StreetImport.draft(from: map).0, feed)
        var town = try Town(try writer.opened(), feed)
        let day = try #require(CivilDate(iso8601: "2014-10-20"))
        let midnight = town.planner.city.timetable.zone.instant(day, second: 0)
        let all = town.reference.slow.vehicles(
            around: Date(timeIntervalSince1970: TimeInterval(midnight.seconds + 43_200)),
            zone: town.zone
        )
        var random = SeededRandom(seed: 20)
        let network = town.planner.city.streets
        func place() -> Coordinate {
            let vertex = UInt32.random(in: 0..<UInt32(network.vertexCount), using: &random)
            return network.place(of: VertexIndex(rawValue: vertex))
        }
        for number in 0..<Effort.instances(120, everything: 1_000) {
            let second = Int.random(in: 6 * 3_600..<22 * 3_600, using: &random)
            let trial = Trial(
                from: place(),
                to: place(),
                time: Int(midnight.seconds) + second,
                isArriveBy: number % 2 == 1,
                maxTransfers: 7,
                maxMetres: number % 4 < 2 ? nil : Int.random(in: 500...3_000, using: &random)
            )
            let walk = town.reference.walk(trial.from, trial.to, maxMetres: trial.maxMetres)
            let vehicles = Self.useful(all, trial, walk?.seconds ?? 86_400)
            #expect(Self.check(trial, &town, vehicles) == nil, "pair \(number)")
        }
    }

    /// Returns the vehicles that run before a walk all the way would arrive.
    private static func useful(
        _ vehicles: [SlowJourneys.Vehicle],
        _ trial: Trial,
        _ seconds: Int
    ) -> [SlowJourneys.Vehicle] {
        let start = trial.isArriveBy ? trial.time - seconds : trial.time
        return vehicles.filter {
            ($0.arrivals.last ?? 0) >= start && $0.departures[0] <= start + seconds
        }.map {
            var vehicle = $0
            // The city's feed has no blocks.
            vehicle.predecessor = nil
            return vehicle
        }
    }

    /// Returns nil if the planner's answer equals the reference; otherwise the difference.
    private static func check(
        _ trial: Trial,
        _ town: inout Town,
        _ vehicles: [SlowJourneys.Vehicle]
    ) -> String? {
        let answers = town.planner.journeys(
            JourneyQuery(
                from: .place(trial.from),
                to: .place(trial.to),
                time: Instant(seconds: Int64(trial.time)),
                isArriveBy: trial.isArriveBy,
                maxTransfers: trial.maxTransfers,
                maxWalkMetres: trial.maxMetres.map { UInt32($0) }
            )
        )
        for answer in answers {
            if let problem = PlannerPropertyTests.inconsistency(answer) {
                return "\(trial): \(problem)"
            }
            if answer.walkMetres > trial.maxMetres ?? .max { return "\(trial): walks too far" }
        }
        let reference = town.reference
        let question = SlowDoorToDoor.Question(
            access: reference.ways(trial.from, isOrigin: true),
            egress: reference.ways(trial.to, isOrigin: false),
            walk: reference.walk(trial.from, trial.to, maxMetres: trial.maxMetres),
            maxTrips: trial.maxTransfers + 1,
            maxMetres: trial.maxMetres,
            vehicles: vehicles
        )
        let found = answers.map(PlannerPropertyTests.Answer.init)
        let asked = PlannerPropertyTests.Question(
            from: 0,
            to: 0,
            time: trial.time,
            isArriveBy: trial.isArriveBy,
            maxTransfers: trial.maxTransfers,
            maxMetres: trial.maxMetres
        )
        let problem =
            trial.isArriveBy
            ? PlannerPropertyTests.problem(found, arriveBy: asked) {
                reference.arrivals(question, at: $0)
            }
            : PlannerPropertyTests.problem(found, departAt: asked) {
                reference.arrivals(question, at: $0)
            }
        return problem.map { "\(trial): \($0); found \(found)" }
    }
}
