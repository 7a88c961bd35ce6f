import Geo
import Journeys
import SeededRandom
import Testing
import Transit

/// Issue 29, Types: a position that the feed does not state is unknown, and not (0, 0).
@Suite("Stops whose position is unknown (issue 29)")
struct UnknownPositionTests {
    private static let files = [
        "stops.txt": """
        stop_id,stop_name,stop_lat,stop_lon
        A,A,45.001,9.001
        B,B,45.020,9.020
        X,X,,
        Y,Y,,
        Zero,Zero,0,0
        """,
        "trips.txt": "trip_id,route_id,service_id\nT1,Bus,D",
        "stop_times.txt": """
        trip_id,stop_id,stop_sequence,arrival_time,departure_time
        T1,A,0,08:00:00,08:00:00
        T1,X,1,08:05:00,08:05:00
        T1,B,2,08:10:00,08:10:00
        """,
    ]

    private static func scene() throws -> FeedScene {
        var random = SeededRandom(seed: 1)
        return try FeedScene(files, streets: RandomTown.streets(&random))
    }

    @Test("nobody walks between two stops that are nowhere known")
    func notTheSamePlace() throws {
        var scene = try Self.scene()
        #expect(try scene.answers("Y", "Zero", "2014-10-20T07:55:00") == [])
    }

    @Test("the city file gives a position only to stops that have one")
    func positions() throws {
        let scene = try Self.scene()
        let stops = scene.city.timetable.stops
        let places = stops.indices.map { stops.coordinate($0) }
        #expect(places.map { $0 != nil } == [true, true, false, false, false])
        #expect(places.first == Coordinate(latitude: 450_010_000, longitude: 90_010_000))
    }

    @Test("the line of a ride passes over a stop whose position is unknown")
    func geometry() throws {
        var scene = try Self.scene()
        let found = try scene.itineraries(
            from: scene.stop("A"),
            to: scene.stop("B"),
            "2014-10-20T07:55:00"
        )
        let ride = try #require(found.flatMap(\.legs).compactMap(\.ride).first)
        let stops = scene.city.timetable.stops
        let ends = [StopIndex(rawValue: 0), StopIndex(rawValue: 1)].map { stops.coordinate($0) }
        #expect(scene.city.geometry(of: ride) == ends.compactMap { $0 })
    }
}
