import CityData
import Columns
import Geo
import Journeys
import OpenData
import Streets
import Testing
import Transit

/// GTFS reference, `pathways.txt`: `is_bidirectional` 0 leads from `from_stop_id` to `to_stop_id`
/// only, as do fare gates (mode 6) and exit gates (mode 7).
@Suite("Gates of stations")
struct GateTests {
    /// One street from west to east with a station: its entrance at 9.000, its exit at 9.010, 786 m
    /// apart, and a bus stop beside each.
    private static let files = [
        "stops.txt": """
        stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,wheelchair_boarding
        Station,Station,45.0001,9.005,1,,1
        S,S,45.0001,9.005,0,Station,1
        In,In,45.0001,9.000,2,Station,1
        Out,Out,45.0001,9.010,2,Station,1
        West,West,45.0001,9.0001,0,,1
        East,East,45.0001,9.0099,0,,1
        Far,Far,45.0001,9.100,0,,1
        """,
        "pathways.txt": """
        pathway_id,from_stop_id,to_stop_id,pathway_mode,is_bidirectional,traversal_time
        1,In,S,6,0,30
        2,S,Out,7,0,40
        """,
        "trips.txt": "trip_id,route_id,service_id,wheelchair_accessible\nT1,Bus,D,1\nT2,Bus,D,1",
        "stop_times.txt": """
        trip_id,stop_id,stop_sequence,arrival_time,departure_time
        T1,S,0,08:00:00,08:00:00
        T1,Far,1,08:10:00,08:10:00
        T2,Far,0,08:00:00,08:00:00
        T2,S,1,08:10:00,08:10:00
        """,
        "transfers.txt": """
        from_stop_id,to_stop_id,transfer_type
        West,West,0
        East,East,0
        """,
    ]

    private static var street: StreetDraft {
        var draft = StreetDraft()
        draft.names = ["", "Via Padova"]
        draft.originals = [0, 1]
        draft.vertices = [
            Coordinate(latitude: 450_000_000, longitude: 89_900_000),
            Coordinate(latitude: 450_000_000, longitude: 91_100_000),
        ]
        let length = UInt32(draft.vertices[0].distanceMetres(to: draft.vertices[1]) * 10)
        draft.edges = [
            StreetDraft.Edge(
                from: 0,
                to: 1,
                geometry: draft.vertices,
                lengthDecimetres: length,
                name: 1,
                kind: .residential
            )
        ]
        let time = length * 75
        draft.arcs = [true, false].map { isForward in
            StreetDraft.Arc(
                from: isForward ? 0 : 1,
                to: isForward ? 1 : 0,
                edge: 0,
                forward: isForward,
                milliseconds: [time, time, time, time, time]
            )
        }
        return draft
    }

    private static let west = Coordinate(latitude: 450_000_000, longitude: 90_000_000)
    private static let east = Coordinate(latitude: 450_000_000, longitude: 90_100_000)

    @Test("people go in by entrances and come out by exits only", arguments: [false, true])
    func places(wheelchair: Bool) throws {
        var scene = try FeedScene(Self.files, streets: Self.street)
        func walked(_ place: Coordinate, isOrigin: Bool) throws -> [UInt32] {
            let far = try scene.stop("Far")
            return try scene.itineraries(
                from: isOrigin ? .place(place) : far,
                to: isOrigin ? far : .place(place),
                "2014-10-20T07:30",
                wheelchair: wheelchair
            ).map(\.walkMetres)
        }
        let (inside, outside, between) = (40, 53, 786)
        func about(_ metres: [UInt32], _ expected: Int) -> Bool {
            metres.count == 1 && abs(Int(metres[0]) - expected) < 25
        }
        #expect(about(try walked(Self.west, isOrigin: true), inside + 11))
        #expect(about(try walked(Self.east, isOrigin: true), inside + 11 + between))
        #expect(about(try walked(Self.east, isOrigin: false), outside + 11))
        #expect(about(try walked(Self.west, isOrigin: false), outside + 11 + between))
    }

    @Test("who changes leaves a station by its exit and enters it by its entrance")
    func changes() throws {
        let scene = try FeedScene(Self.files, streets: Self.street)
        func metres(_ from: String, _ to: String) throws -> Int {
            Int(try #require(try scene.footpath(from, to)).metres)
        }
        #expect(abs(try metres("S", "East") - 80) < 30)
        #expect(abs(try metres("East", "S") - 840) < 40)
        #expect(abs(try metres("West", "S") - 70) < 30)
        #expect(abs(try metres("S", "West") - 850) < 40)
    }
}
