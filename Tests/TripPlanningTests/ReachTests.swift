import Chronology
import CityData
import Geo
import Journeys
import Testing
import TripPlanning

/// Issue 31, point 4: the area that can be reached within a time.
@Suite("How far one gets")
struct ReachTests {
    private let town: TripTown

    init() throws {
        town = try TripTown()
    }

    private func reach(
        _ time: String,
        minutes: Int32,
        transit: Bool = true
    ) async throws -> ReachAnswer {
        let planner = TripPlanner(CitySnapshot(town.city), workers: 1)
        var question = ReachQuestion(
            from: TripTown.west,
            time: try town.time(time),
            minutes: minutes
        )
        if !transit { question.transit = 0 }
        return try await planner.reach(question)
    }

    @Test("a line leads farther than one's feet, and an hour farther than a quarter of one")
    func farther() async throws {
        let walk = try await reach("08:00", minutes: 30, transit: false)
        let ride = try await reach("08:00", minutes: 30)
        let short = try await reach("08:00", minutes: 15)
        #expect(walk.squareKilometres > 0)
        #expect(ride.squareKilometres > walk.squareKilometres)
        #expect(ride.squareKilometres > short.squareKilometres)
        let east = try #require(TripTown.east.coordinate)
        #expect(ride.area.contains(east))
        #expect(!walk.area.contains(east))
        #expect(try await reach("23:00", minutes: 30).area == walk.area)
    }

    @Test("the stops within are counted, and the farthest of each direction is named")
    func stops() async throws {
        let walk = try await reach("08:00", minutes: 15, transit: false)
        #expect(walk.stopCount == 1)
        let ride = try await reach("08:00", minutes: 30)
        // Nothing leaves the east end.
        #expect(ride.stopCount == 2)
        #expect(ride.farthest.map(\.stop.name) == ["Mezzo", "Ovest"])
        #expect(ride.farthest.map(\.direction) == [.east, .southEast])
        #expect((2_900...3_100).contains(ride.farthest.first?.metres ?? 0))
    }

    @Test("the directions are eighths of the horizon")
    func directions() {
        let found = [0, 22, 23, 90, 180, 270, 337, 338, 359.9, -90].map {
            CompassDirection(bearingDegrees: $0)
        }
        #expect(
            found == [
                .north, .north, .northEast, .east, .south, .west, .northWest, .north, .north, .west,
            ]
        )
    }

    @Test("outside the timetables one walks, and is told so; off the streets there is no answer")
    func failures() async throws {
        let planner = TripPlanner(CitySnapshot(town.city), workers: 1)
        let day = try town.time("08:00").adding(seconds: 100 * 86_400)
        let late = try await planner.reach(ReachQuestion(from: TripTown.west, time: day))
        #expect(late.noTransit != nil)
        #expect(late.area == (try await reach("08:00", minutes: 30, transit: false)).area)
        let sea = ResolvedPlace(
            name: "Mare",
            kind: .coordinate,
            coordinate: Coordinate(latitude: 400_000_000, longitude: 90_000_000)
        )
        await #expect(throws: TripFailure.outside("Mare")) {
            try await planner.reach(ReachQuestion(from: sea, time: day))
        }
        await #expect(throws: TripFailure.deadline) {
            try await planner.reach(
                ReachQuestion(from: TripTown.west, time: day),
                deadline: .now - .seconds(1)
            )
        }
    }
}
