import Foundation
import Geo
package import TestSupport

/// Feeds of shared vehicles (GBFS) for ``RideTown``, published by the local server of tests.
package enum RentalFeed {
    /// Publishes a station and a scooter beside the street of a town.
    ///
    /// - Returns: the value of a setting for the feed.
    package static func publish(in folder: TemporaryFolder) async throws -> String {
        let port = try await LocalServers.started().places.http
        let base = "http://127.0.0.1:\(port)/files\(folder.url.path)"
        func file(_ name: String, _ data: String) throws {
            let head = #""last_updated": 1800000000, "ttl": 60, "version": "2.3""#
            try folder.write("{\(head), \"data\": \(data)}", to: "\(name).json")
        }
        let names = [
            "system_information", "station_information", "station_status", "free_bike_status",
            "vehicle_types",
        ]
        let list = names.map { "{\"name\": \"\($0)\", \"url\": \"\(base)/\($0).json\"}" }
        try file("gbfs", "{\"it\": {\"feeds\": [\(list.joined(separator: ","))]}}")
        try file(
            "system_information",
            #"{"system_id": "b", "language": "it", "name": "Bici <Uno>", "timezone": "UTC"}"#
        )
        let station = RideTown.place(200)
        let scooter = RideTown.place(420)
        let end = RideTown.place(1_850)
        try file(
            "station_information",
            """
            {"stations": [{"station_id": "s", "name": "Piazza Ovest",
            "lat": \(station.latitudeDegrees), "lon": \(station.longitudeDegrees),
            "rental_uris": {"web": "https://rent.example/s?a=1&b=2"}},
            {"station_id": "e", "name": "Piazza Est",
            "lat": \(end.latitudeDegrees), "lon": \(end.longitudeDegrees)}]}
            """
        )
        try file(
            "station_status",
            """
            {"stations": [{"station_id": "s", "num_bikes_available": 3, "num_docks_available": 1,
            "is_installed": true, "is_renting": true, "is_returning": true,
            "last_reported": 1800000000},
            {"station_id": "e", "num_bikes_available": 0, "num_docks_available": 9,
            "is_installed": true, "is_renting": true, "is_returning": true,
            "last_reported": 1800000000}]}
            """
        )
        try file(
            "free_bike_status",
            """
            {"bikes": [{"bike_id": "v", "lat": \(scooter.latitudeDegrees),
            "lon": \(scooter.longitudeDegrees), "is_reserved": false, "is_disabled": false,
            "vehicle_type_id": "t", "current_range_meters": 6543,
            "rental_uris": {"web": "javascript:alert(1)"}}]}
            """
        )
        try file(
            "vehicle_types",
            """
            {"vehicle_types": [{"vehicle_type_id": "t", "form_factor": "scooter_standing",
            "propulsion_type": "electric", "max_range_meters": 20000}]}
            """
        )
        return "gbfs \(base)/gbfs.json"
    }

    /// Publishes bicycles at two stations instead, one near each end of the town.
    package static func publishBicycles(in folder: TemporaryFolder) throws {
        func file(_ name: String, _ data: String) throws {
            let head = #""last_updated": 1800000000, "ttl": 60, "version": "2.3""#
            try folder.write("{\(head), \"data\": \(data)}", to: "\(name).json")
        }
        let (west, east) = (RideTown.place(200), RideTown.place(1_800))
        try file(
            "station_information",
            """
            {"stations": [{"station_id": "s", "name": "Piazza Ovest",
            "lat": \(west.latitudeDegrees), "lon": \(west.longitudeDegrees),
            "rental_uris": {"web": "https://rent.example/s?a=1&b=2"}},
            {"station_id": "e", "name": "Piazza Est",
            "lat": \(east.latitudeDegrees), "lon": \(east.longitudeDegrees)}]}
            """
        )
        let states = ["s", "e"].map { station in
            """
            {"station_id": "\(station)", "num_bikes_available": 3, "num_docks_available": 5,
            "vehicle_types_available": [{"vehicle_type_id": "b", "count": 3}],
            "is_installed": true, "is_renting": true, "is_returning": true,
            "last_reported": 1800000000}
            """
        }
        try file("station_status", "{\"stations\": [\(states.joined(separator: ","))]}")
        try file(
            "vehicle_types",
            """
            {"vehicle_types": [{"vehicle_type_id": "b", "form_factor": "bicycle",
            "propulsion_type": "human"}]}
            """
        )
        try file("free_bike_status", #"{"bikes": []}"#)
    }
}
