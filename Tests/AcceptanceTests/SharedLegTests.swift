import Foundation
import Geo
import OpenData
import TestSupport
import Testing

/// V62; issue 33, point 1: a shared bicycle to the first stop, in text and in JSON.
@Suite("Shared vehicles to a stop on the command line")
struct SharedLegTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A street of five kilometres, with a metro from its middle to its end.
    private func town() throws -> String {
        var map = OSMWriter()
        for column in 0...60 {
            let place = Coordinate(
                latitude: 450_000_000,
                longitude: 90_000_000 + Int32(column) * 10_000
            )
            map.add(node: Int64(column + 1), at: place, tags: [])
        }
        map.add(
            way: 1,
            nodes: (1...61).map { Int64($0) },
            tags: [OSMTag("highway", "residential"), OSMTag("name", "Via Lunga")]
        )
        let feed = try SmallTown.write(
            feed: "north",
            in: folder,
            replacing: [
                "stops.txt": "stop_id,stop_name,stop_lat,stop_lon\n"
                    + "A,Alba,45.0,9.02\nB,Borgo,45.0,9.058",
                "trips.txt": "trip_id,route_id,service_id\none,metro,daily\ntwo,metro,daily",
                "stop_times.txt": """
                trip_id,stop_id,stop_sequence,arrival_time,departure_time
                one,A,1,08:20:00,08:20:00
                one,B,2,08:26:00,08:26:00
                two,A,1,08:50:00,08:50:00
                two,B,2,08:56:00,08:56:00
                """,
                "transfers.txt": nil,
            ]
        )
        let out = folder.path("town.city")
        let osm = try folder.write(Data(map.finish()), to: "town.osm.pbf")
        let run = try Program.run(
            ["city", "import", "--osm", osm, "--gtfs", feed, "--out", out]
        )
        try #require(run.code == 0, "\(run.errors)")
        return out
    }

    /// Two stations of shared bicycles: where the street begins, and beside the stop in its middle.
    private func bicycles() throws -> String {
        let place = folder.url.appendingPathComponent("bicycles")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        func write(_ name: String, _ data: String) throws {
            let text = #"{"last_updated":1413784800,"ttl":60,"version":"2.3","data":\#(data)}"#
            try Data(text.utf8).write(to: place.appendingPathComponent("\(name).json"))
        }
        try write(
            "system_information",
            #"{"system_id":"b","language":"it","name":"Bici","timezone":"Europe/Rome"}"#
        )
        try write(
            "vehicle_types",
            #"{"vehicle_types":[{"vehicle_type_id":"t","form_factor":"bicycle","#
                + #""propulsion_type":"human","return_constraint":"any_station"}]}"#
        )
        try write(
            "station_information",
            #"{"stations":[{"station_id":"w","name":"Ovest","lat":45.0,"lon":9.001},"#
                + #"{"station_id":"m","name":"Centro","lat":45.0,"lon":9.0195}]}"#
        )
        let states = ["w", "m"].map { station in
            #"{"station_id":"\#(station)","num_bikes_available":3,"num_docks_available":2,"#
                + #""is_installed":true,"is_renting":true,"is_returning":true,"#
                + #""last_reported":1413784800}"#
        }
        try write("station_status", #"{"stations":[\#(states.joined(separator: ","))]}"#)
        return place.path
    }

    @Test("it is rented and returned on the way to the metro, and the journey says so")
    func toStop() throws {
        let (city, feed) = (try town(), try bicycles())
        func plan(_ modes: String, _ more: String...) throws -> Program.Run {
            let ends = ["--from", "45.0,9.0005", "--to", "45.0,9.058"]
            let time = ["--depart", "2014-10-20T08:00", "--modes", modes, "--gbfs", feed]
            return try Program.run(["plan", "--city", city] + ends + time + more)
        }
        let run = try plan("walk,transit,bikeshare")
        try #require(run.code == 0, "\(run.errors)")
        #expect(run.output.contains(/Walk \d+ m to Ovest/), "\(run.output)")
        #expect(run.output.contains("Rent a bicycle of Bici and cycle 1.5 km to Centro"))
        #expect(run.output.contains(/Walk \d+ m to Alba/) && run.output.contains("Metro M1"))
        #expect(run.output.contains("08:26"))
        let json = try plan("walk,transit,bikeshare", "--json")
        try #require(json.code == 0, "\(json.errors)")
        let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8))
        let trips = (object as? [String: Any])?["itineraries"] as? [[String: Any]] ?? []
        let legs = trips.flatMap { $0["legs"] as? [[String: Any]] ?? [] }
        let rental = legs.first { $0["mode"] as? String == "bikeshare" }?["rental"]
        #expect((rental as? [String: Any])?["returnStation"] as? String == "m")
        let without = try plan("walk,transit")
        #expect(without.code == 0 && !without.output.contains("Rent a bicycle"))
    }
}
