import Chronology
import LiveFeeds
import OpenData
import Testing

/// What live feeds say about the town, written as the feeds write it.
struct LiveTown {
    /// The shared bicycles: stations by their longitude in degrees, with vehicles and docks.
    var stations: [(id: String, longitude: Double, vehicles: Int, docks: Int)] = [
        ("A", 9.0020, 3, 5), ("B", 9.0745, 2, 4),
    ]
    /// The vehicles that stand by themselves, by their longitude.
    var free: [(id: String, longitude: Double, range: Int)] = []
    /// The form of all vehicles.
    var form = "bicycle"
    /// What drives them.
    var propulsion = "human"
    /// Where they are returned; nil if the feed does not say so.
    var returnRule: String? = "any_station"
    /// From and to which longitude vehicles may be left; nil without zones.
    var area: (from: Double, to: Double)?
    /// From and to which longitude nobody may ride.
    var forbidden: (from: Double, to: Double)?
    /// The plan that applies to all rides.
    var plan = #"{"plan_id":"p","name":"Corsa","currency":"EUR","price":1.5,"is_taxable":false}"#

    /// The world of this system alone.
    ///
    /// - Parameters:
    ///   - now: the present.
    ///   - age: the age of the state of its vehicles in seconds.
    ///   - forecasts: the forecasts.
    /// - Returns: the conditions at that time.
    /// - Throws: what is wrong with a feed.
    func conditions(
        _ now: Instant,
        age: Int64 = 0,
        forecasts: [Forecast] = []
    ) throws -> TripConditionsValue {
        let live = LiveSystem(
            feed: "bici",
            system: try system(),
            knownSince: now.adding(seconds: -age)
        )
        return (LiveWorld(systems: [live], forecasts: forecasts), now)
    }

    /// The system.
    func system() throws -> SharingSystem {
        var system = SharingSystem()
        func read(_ data: String, _ file: GBFSFile) throws {
            let text = #"{"last_updated":1413784800,"ttl":60,"version":"2.3","data":\#(data)}"#
            let reading = try system.read(Array(text.utf8), as: file)
            #expect(reading.rejectedCount == 0)
        }
        try read(
            #"{"system_id":"bici","language":"it","name":"Bici","timezone":"Europe/Rome"}"#,
            .systemInformation
        )
        let rule = returnRule.map { #","return_constraint":"\#($0)""# } ?? ""
        let range = propulsion == "human" ? "" : #","max_range_meters":30000"#
        try read(
            #"""
            {"vehicle_types":[{"vehicle_type_id":"t","form_factor":"\#(form)",
            "propulsion_type":"\#(propulsion)","default_pricing_plan_id":"p"\#(range)\#(rule)}]}
            """#,
            .vehicleTypes
        )
        try read(
            "{\"stations\":["
                + stations.map {
                    #"{"station_id":"\#($0.id)","name":"Stazione \#($0.id)","#
                        + #""lat":45.00005,"lon":\#($0.longitude)}"#
                }.joined(separator: ",") + "]}",
            .stationInformation
        )
        try read(
            "{\"stations\":["
                + stations.map {
                    #"{"station_id":"\#($0.id)","num_bikes_available":\#($0.vehicles),"#
                        + #""num_docks_available":\#($0.docks),"is_installed":true,"#
                        + #""is_renting":true,"is_returning":true,"last_reported":1413784800}"#
                }.joined(separator: ",") + "]}",
            .stationStatus
        )
        try read(
            "{\"bikes\":["
                + free.map {
                    #"{"bike_id":"\#($0.id)","lat":45.00005,"lon":\#($0.longitude),"#
                        + #""is_reserved":false,"is_disabled":false,"vehicle_type_id":"t","#
                        + #""current_range_meters":\#($0.range)}"#
                }.joined(separator: ",") + "]}",
            .vehicleStatus
        )
        try read("{\"plans\":[\(plan)]}", .systemPricingPlans)
        let zones = [forbidden.map { zone($0, false) }, area.map { zone($0, true) }]
        let features = zones.compactMap(\.self).joined(separator: ",")
        try read(
            #"{"geofencing_zones":{"type":"FeatureCollection","features":[\#(features)]}}"#,
            .geofencingZones
        )
        return system
    }

    private func zone(_ span: (from: Double, to: Double), _ isAllowed: Bool) -> String {
        let (west, east) = span
        return #"""
            {"type":"Feature","geometry":{"type":"MultiPolygon","coordinates":[[[[\#(west),44.99],
            [\#(east),44.99],[\#(east),45.01],[\#(west),45.01],[\#(west),44.99]]]]},
            "properties":{"rules":[{"ride_allowed":\#(isAllowed),
            "ride_through_allowed":\#(isAllowed)}]}}
            """#
    }
}

/// A world at a moment.
typealias TripConditionsValue = (world: LiveWorld, now: Instant)

extension Forecast {
    /// Rain with a probability between two times of 20 October 2014, and a dry day otherwise.
    ///
    /// - Parameters:
    ///   - hours: the hours of UTC with rain.
    ///   - percent: its probability.
    ///   - made: when the forecast was fetched.
    /// - Returns: the forecast.
    /// - Throws: what is wrong with it.
    static func rain(_ hours: Range<Int>, percent: Int = 80, made: Instant) throws -> Forecast {
        let all = 1...23
        let times = all.map { #""2014-10-20T\#($0 < 10 ? "0" : "")\#($0):00""# }
        // The value beside a moment is about the hour before it.
        let amounts = all.map { hours.contains($0 - 1) ? "1.2" : "0" }
        let shares = all.map { hours.contains($0 - 1) ? "\(percent)" : "0" }
        let text = #"""
            {"latitude":45.0,"longitude":9.0,"utc_offset_seconds":0,
            "hourly_units":{"precipitation":"mm"},
            "hourly":{"time":[\#(times.joined(separator: ","))],
            "precipitation":[\#(amounts.joined(separator: ","))],
            "precipitation_probability":[\#(shares.joined(separator: ","))]}}
            """#
        return try Forecast(Array(text.utf8), from: .openMeteo, fetched: made)
    }
}
