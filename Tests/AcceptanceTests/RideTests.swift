import Foundation
import Geo
import TestSupport
import Testing

/// The description of a ride: stops and times, line on the map, staying seated, and names in
/// another language.
@Suite("Rides, in words and as data")
struct RideTests {
    private let folder: TemporaryFolder
    private let city: String

    init() throws {
        folder = try TemporaryFolder()
        city = folder.path("town.city")
        let feed = try SmallTown.write(feed: "north", in: folder, replacing: Self.texts)
        let run = try Program.run("city", "import", "--gtfs", feed, "--out", city)
        try #require(run.code == 0, "\(run.errors)")
    }

    /// Line 1 continues as line M1 after B with passengers seated; the shape of its first trip has
    /// a detour to the east.
    private static let texts = [
        "routes.txt": """
        route_id,route_short_name,route_long_name,route_type,route_color,route_text_color
        bus,1,Colli,3,00ff00,000000
        metro,M1,,1,,
        """,
        "trips.txt": """
        trip_id,route_id,service_id,block_id,trip_headsign,shape_id,\
        wheelchair_accessible,bikes_allowed
        first,bus,daily,X,Borgo,detour,1,2
        second,metro,daily,X,Eremo,,0,1
        """,
        "shapes.txt": """
        shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence
        detour,45.00,9.0,1
        detour,45.00,9.02,2
        detour,45.01,9.02,3
        detour,45.01,9.0,4
        """,
        "stop_times.txt": """
        trip_id,stop_id,stop_sequence,arrival_time,departure_time
        first,A,1,08:00:00,08:00:00
        first,B,2,08:10:00,08:10:00
        second,B,1,08:12:00,08:15:00
        second,C,2,08:30:00,08:31:00
        second,E,3,08:40:00,08:40:00
        """,
        "translations.txt": """
        table_name,field_name,language,translation,record_id,field_value
        stops,stop_name,en-GB,Village,B,
        stops,stop_name,en,Dawn,,Alba
        stops,stop_name,de,Dorf,B,
        stops,stop_name,en,Wrong,,Borgo
        routes,route_long_name,en,Hills,bus,
        trips,trip_headsign,en,Hermitage,,Eremo
        """,
    ]

    private func plan(_ options: String...) throws -> Program.Run {
        try Program.run(
            [
                "plan", "--city", city, "--from", "stop:A", "--to", "stop:E", "--depart",
                "2014-10-20T07:50",
            ] + options
        )
    }

    private func ride(_ options: String...) throws -> Answers.Leg {
        let run = try plan("--json")
        let found = try JSONDecoder().decode(Answers.self, from: Data(run.output.utf8))
        try #require(found.itineraries.count == 1, "\(run.errors)")
        return try #require(found.itineraries[0].legs.first)
    }

    @Test("a ride has all its stops with their times, its line, colours and trip")
    func data() throws {
        let route = try #require(try ride().route)
        #expect(route.stops.map(\.id) == ["A", "B", "C", "E"])
        #expect(
            route.stops.map { $0.departure?.dropFirst(11).prefix(5) }
                == ["08:00", "08:15", "08:31", "08:40"]
        )
        #expect(
            route.stops.dropFirst().map { $0.arrival?.dropFirst(11).prefix(5) }
                == ["08:10", "08:30", "08:40"]
        )
        #expect(route.name == "1" && route.shortName == "1" && route.longName == "Colli")
        #expect(route.color == "#00FF00" && route.textColor == "#000000")
        #expect(route.agency == "North" && route.trip == "first" && route.headsign == "Borgo")
        #expect(route.wheelchair == true && route.bikes == false)
    }

    @Test("its geometry follows the shape, and is straight where the feed has none")
    func geometry() throws {
        let line = try Polyline.decoded(ride().geometry, precision: .five)
        let places = line.map { [$0.latitude / 1_000, $0.longitude / 1_000] }
        #expect(
            places == [
                [450_000, 90_000], [450_000, 90_200], [450_100, 90_200], [450_100, 90_000],
                [450_200, 90_000], [450_500, 90_000],
            ]
        )
    }

    @Test("riders who stay seated are told so, in words and as data")
    func staySeated() throws {
        let run = try plan()
        #expect(run.code == 0)
        #expect(run.lines.contains { $0.contains("08:00  Bus 1 towards Borgo") })
        let told = "stay seated, continues as Metro M1 towards Eremo at Borgo, 08:15"
        #expect(run.lines.contains { $0.hasSuffix(told) }, "\(run.output)")
        let next = try #require(try ride().route?.continuations)
        #expect(next.map(\.name) == ["M1"] && next.map(\.trip) == ["second"])
        #expect(next[0].stops.map(\.id) == ["B", "C", "E"])
        #expect(next[0].color == nil && next[0].wheelchair == nil && next[0].bikes == true)
    }

    @Test("names are shown in the language asked for: a record's before a text's, else as they are")
    func language() throws {
        let english = try plan("--language", "en")
        #expect(english.output.contains("towards Hermitage at Village"), "\(english.output)")
        #expect(english.output.contains("from Dawn to Eremo"))
        #expect(english.errors.isEmpty)
        let german = try plan("--language", "de")
        #expect(german.output.contains("towards Eremo at Dorf"))
        let french = try plan("--language", "fr")
        #expect(french.output == (try plan().output))
        #expect(french.errors.contains("\"fr\"") && french.errors.contains("de, en, en-GB"))
    }
}
