import Foundation
import TestSupport

/// A town of five stops and two feeds that share the identifier of one, without streets.
enum SmallTown {
    private static let north = [
        "agency.txt":
            "agency_id,agency_name,agency_url,agency_timezone\nN,North,http://n.eu,Europe/Rome",
        "stops.txt":
            """
        stop_id,stop_name,stop_lat,stop_lon
        A,Alba,45.00,9.0
        B,Borgo,45.01,9.0
        C,Corte,45.02,9.0
        D,Darsena,45.00,9.001
        E,Eremo,45.05,9.0
        """,
        "routes.txt":
            """
        route_id,route_short_name,route_type
        bus,1,3
        metro,M1,1
        tram,9,0
        """,
        "calendar.txt":
            """
        service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date
        daily,1,1,1,1,1,1,1,20141001,20141130
        monday,1,0,0,0,0,0,0,20141001,20141130
        """,
        "trips.txt":
            """
        trip_id,route_id,service_id
        first,bus,daily
        second,metro,daily
        slow,bus,daily
        night,bus,daily
        late,tram,daily
        weekly,bus,monday
        """,
        "stop_times.txt":
            """
        trip_id,stop_id,stop_sequence,arrival_time,departure_time
        first,A,1,08:00:00,08:00:00
        first,B,2,08:10:00,08:10:00
        second,B,1,08:15:00,08:15:00
        second,C,2,08:30:00,08:30:00
        slow,A,1,08:05:00,08:05:00
        slow,C,2,09:00:00,09:00:00
        night,A,1,24:30:00,24:30:00
        night,C,2,25:00:00,25:00:00
        late,D,1,10:00:00,10:00:00
        late,C,2,10:10:00,10:10:00
        weekly,A,1,09:00:00,09:00:00
        weekly,E,2,09:10:00,09:10:00
        """,
        "transfers.txt":
            "from_stop_id,to_stop_id,transfer_type,min_transfer_time\nA,D,2,300",
    ]

    private static let south = [
        "agency.txt":
            "agency_id,agency_name,agency_url,agency_timezone\nS,South,http://s.eu,Europe/Rome",
        "stops.txt": "stop_id,stop_name,stop_lat,stop_lon\nA,Ara,44.9,9.0\nZ,Zocca,44.8,9.0",
        "routes.txt": "route_id,route_short_name,route_type\ntrain,S1,2",
        "calendar.txt":
            """
        service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date
        daily,1,1,1,1,1,1,1,20141008,20141130
        """,
        "trips.txt": "trip_id,route_id,service_id\nonly,train,daily",
        "stop_times.txt":
            """
        trip_id,stop_id,stop_sequence,arrival_time,departure_time
        only,A,1,12:00:00,12:00:00
        only,Z,2,12:20:00,12:20:00
        """,
    ]

    /// Writes a feed as a folder with its name and returns the path; given texts replace the
    /// feed's, nil removes a file.
    static func write(
        feed: String,
        in folder: TemporaryFolder,
        replacing: [String: String?] = [:]
    ) throws -> String {
        let place = folder.url.appendingPathComponent(feed)
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        var texts = feed == "south" ? south : north
        for (name, text) in replacing { texts[name] = text }
        for (name, text) in texts {
            try Data(text.utf8).write(to: place.appendingPathComponent(name))
        }
        return place.path
    }

    /// Imports both feeds and returns the path of the city file.
    static func city(in folder: TemporaryFolder) throws -> String {
        let out = folder.path("town.city")
        let run = try Program.run(
            "city",
            "import",
            "--gtfs",
            try write(feed: "north", in: folder),
            try write(feed: "south", in: folder),
            "--out",
            out
        )
        guard run.code == 0 else { throw Answers.Refusal(text: run.errors) }
        return out
    }
}
