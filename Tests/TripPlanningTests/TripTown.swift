import Chronology
import CityData
import Columns
import Foundation
import Geo
import Journeys
import OpenData
import TestSupport
import Testing
import Transit
import TripPlanning

/// A street of six kilometres from west to east, with a stop at each end and one in the middle.
///
/// From 8:05, line 1 takes 20 minutes from end to end without a change; lines 2 and 3 take 14 with
/// one, and leave again half an hour later.
struct TripTown {
    /// The imported city.
    let city: City
    /// The sections of its file.
    let writer: SectionWriter

    private static let files = [
        "agency.txt":
            "agency_id,agency_name,agency_url,agency_timezone\nA,Azienda,http://a.it,Europe/Rome",
        "stops.txt": """
        stop_id,stop_name,stop_lat,stop_lon,platform_code
        W,Ovest,45.0,9.0001,
        M,Mezzo,45.0,9.0381,4
        E,Est,45.0,9.0761,
        """,
        "routes.txt": """
        route_id,route_short_name,route_long_name,route_type,route_color
        one,1,Ovest - Est,3,FF0000
        two,2,,0,
        three,3,,0,
        """,
        "calendar.txt": """
        service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date
        D,1,1,1,1,1,1,1,20141001,20141130
        """,
        "trips.txt": """
        trip_id,route_id,service_id,trip_headsign
        slow,one,D,Est
        first,two,D,Mezzo
        second,three,D,Est
        third,two,D,Mezzo
        fourth,three,D,Est
        """,
        "stop_times.txt": """
        trip_id,stop_id,stop_sequence,arrival_time,departure_time
        slow,W,0,08:05:00,08:05:00
        slow,E,1,08:25:00,08:25:00
        first,W,0,08:04:00,08:04:00
        first,M,1,08:10:00,08:10:00
        second,M,0,08:13:00,08:13:00
        second,E,1,08:18:00,08:18:00
        third,W,0,08:34:00,08:34:00
        third,M,1,08:40:00,08:40:00
        fourth,M,0,08:43:00,08:43:00
        fourth,E,1,08:48:00,08:48:00
        """,
    ]

    /// Imports the town as the program does.
    ///
    /// - Parameters:
    ///   - line: the name of the line without a change.
    ///   - north: how many degrees it lies north of the default.
    ///   - street: the name of its street.
    ///   - feedName: the name of its feed.
    ///   - east: the name of its eastern stop.
    ///   - hasStreets: whether its file has streets.
    ///   - fares: the files about fares.
    /// - Throws: an error if it cannot be imported.
    init(
        line: String = "1",
        north: Int32 = 0,
        street: String = "Via Lunga",
        feedName: String = "feed",
        east: String = "Est",
        hasStreets: Bool = true,
        fares: [String: String] = [:]
    ) throws {
        let folder = try TemporaryFolder()
        var map = OSMWriter()
        let latitude = 450_000_000 + north * 10_000_000
        for node in 0...Int64(12) {
            map.add(
                node: node + 1,
                at: Coordinate(
                    latitude: latitude,
                    longitude: 90_000_000 + Int32(node) * 63_500
                ),
                tags: []
            )
        }
        map.add(
            way: 1,
            nodes: Array(1...13),
            tags: [OSMTag("highway", "residential"), OSMTag("name", street)]
        )
        Self.addIslet(&map, latitude)
        let osm = try folder.write(Data(map.finish()), to: "town.osm.pbf")
        let feed = folder.url.appendingPathComponent(feedName)
        try FileManager.default.createDirectory(at: feed, withIntermediateDirectories: true)
        for (name, text) in Self.files.merging(fares, uniquingKeysWith: { $1 }) {
            let own = text.replacingOccurrences(of: ",45.0,", with: ",\(45 + north).0,")
                .replacingOccurrences(of: "one,1,", with: "one,\(line),")
                .replacingOccurrences(of: "E,Est,", with: "E,\(east),")
            try Data(own.utf8).write(to: feed.appendingPathComponent(name))
        }
        let argument = try #require(CityImport.FeedArgument(feed.path))
        let result = try CityImport.run(osm: hasStreets ? osm : nil, feeds: [argument]) { _, _ in }
        writer = result.writer
        city = City(try writer.opened())
    }

    /// A path 330 m north of the street that nothing leads to, and a blind alley, which makes the
    /// street the larger part.
    private static func addIslet(_ map: inout OSMWriter, _ latitude: Int32) {
        for (node, north, longitude) in [
            (14, 30_000, 90_190_500), (15, 30_000, 90_200_000), (16, -5_000, 90_381_000),
        ] as [(Int64, Int32, Int32)] {
            map.add(
                node: node,
                at: Coordinate(latitude: latitude + north, longitude: longitude),
                tags: []
            )
        }
        map.add(way: 2, nodes: [14, 15], tags: [OSMTag("highway", "footway")])
        map.add(way: 3, nodes: [7, 16], tags: [OSMTag("highway", "residential")])
    }

    /// A place on the islet.
    static let islet = ResolvedPlace(
        name: "Cortile",
        kind: .coordinate,
        coordinate: Coordinate(latitude: 450_030_000, longitude: 90_195_000)
    )

    /// The west end of the street.
    static let west = place("Casa", 90_000_000)
    /// The east end of the street.
    static let east = place("Lavoro", 90_761_000)

    /// A place beside the street.
    static func place(_ name: String, _ longitude: Int32, north: Int32 = 0) -> ResolvedPlace {
        ResolvedPlace(
            name: name,
            kind: .coordinate,
            coordinate: Coordinate(
                latitude: 450_000_500 + north * 10_000_000,
                longitude: longitude
            )
        )
    }

    /// A moment of 20 October 2014.
    func time(_ text: String) throws -> Instant {
        let local = try #require(LocalTime(iso8601: "2014-10-20T" + text))
        return local.instant(in: city.timetable.zone)
    }

    /// A question from end to end.
    func question(_ text: String = "08:00", modes: TripModes = TripModes()) throws -> TripQuestion {
        TripQuestion(from: Self.west, to: Self.east, time: try time(text), modes: modes)
    }
}
