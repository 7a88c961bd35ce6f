import CityData
import Foundation
import Geo

/// The public transport of the town: a bus that stops on the way, and a faster metro.
///
/// Both run along the street every day of 2027, in both directions. There are no stops but
/// `Lungo Ovest`, `Lungo Centro` and `Lungo Est`.
enum TownFeed {
    /// Writes the feed into a folder.
    ///
    /// - Parameters:
    ///   - folder: the folder.
    ///   - hasFares: whether it has tickets of both lines and a pass of the bus.
    /// - Returns: the feed, to be imported.
    /// - Throws: any error of the file system.
    static func write(in folder: String, hasFares: Bool) throws -> CityImport.FeedArgument? {
        let path = folder + "/lines"
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: false
        )
        for (name, text) in files.merging(hasFares ? fares : [:], uniquingKeysWith: { $1 }) {
            try Data(text.utf8).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
        }
        return CityImport.FeedArgument(path)
    }

    private static let stops: [(code: String, name: String, metres: Double)] = [
        ("W", "Lungo Ovest", 100), ("C", "Lungo Centro", 1_000), ("E", "Lungo Est", 1_900),
    ]

    private static let fares = [
        "fare_attributes.txt": """
        fare_id,price,currency_type,payment_method,transfers,transfer_duration
        metro-single,2.20,EUR,1,0,
        bus-single,1.50,EUR,1,0,
        Bus-Month,39,EUR,1,,
        """,
        "agency.txt": """
        agency_id,agency_name,agency_url,agency_timezone,agency_fare_url
        A,Linee,https://a.example,Europe/Rome,https://a.example/tickets?a=1&b=2
        """,
        "fare_rules.txt": """
        fare_id,route_id
        metro-single,M
        bus-single,B
        Bus-Month,B
        """,
    ]

    private static var files: [String: String] {
        [
            "agency.txt": """
            agency_id,agency_name,agency_url,agency_timezone
            A,Linee,https://a.example,Europe/Rome
            """,
            "stops.txt": "stop_id,stop_name,stop_lat,stop_lon\n"
                + stops.map { code, name, metres in
                    let place = RideTown.place(metres)
                    return "\(code),\(name),\(place.latitudeDegrees),\(place.longitudeDegrees)"
                }.joined(separator: "\n"),
            "routes.txt": """
            route_id,agency_id,route_short_name,route_long_name,route_type,route_color
            B,A,57,Ovest - Est,3,
            M,A,M1,Ovest - Est,1,C8102E
            """,
            "calendar.txt": """
            service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date
            D,1,1,1,1,1,1,1,20270101,20271231
            """,
            "trips.txt": "route_id,service_id,trip_id,trip_headsign,direction_id\n"
                + trips.map { "\($0.route),D,\($0.name),\($0.headsign),\($0.direction)" }
                .joined(separator: "\n"),
            "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
                + trips.flatMap(\.calls).joined(separator: "\n"),
        ]
    }

    private struct Trip {
        let route: String
        let number: Int
        let direction: Int
        /// The minute of the day at which it begins.
        let start: Int
        /// The stops with the minutes from the first one.
        let stops: [(code: String, minutes: Int)]

        var name: String { "\(route)\(direction)-\(number)" }
        var headsign: String { direction == 0 ? "Est" : "Ovest" }
        var calls: [String] {
            stops.enumerated().map { place, stop in
                let minute = start + stop.minutes
                let parts = [minute / 60, minute % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
                let time = parts.joined(separator: ":") + ":00"
                return "\(name),\(time),\(time),\(stop.code),\(place + 1)"
            }
        }
    }

    private static var trips: [Trip] {
        let lines: [(String, Int, [(code: String, minutes: Int)])] = [
            ("B", 10, [("W", 0), ("C", 4), ("E", 8)]), ("M", 15, [("W", 0), ("E", 3)]),
        ]
        return lines.flatMap { route, headway, stops in
            let back = stops.reversed().map {
                (code: $0.code, minutes: (stops.last?.minutes ?? 0) - $0.minutes)
            }
            return [stops, back].enumerated().flatMap { direction, stops in
                stride(from: 5 * 60, to: 23 * 60, by: headway).enumerated().map { number, start in
                    Trip(
                        route: route,
                        number: number,
                        direction: direction,
                        start: start,
                        stops: stops
                    )
                }
            }
        }
    }
}
