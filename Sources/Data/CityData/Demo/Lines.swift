/// The public transport of the demo city: its stops and its lines, without times.
struct TransitPlan: Sendable {
    /// All stops, platforms, stations and entrances.
    var stops: [Stop] = []
    /// All lines of public transport.
    var lines: [Line] = []
    /// Changes within stations that take a stated time.
    var transfers: [(from: Int, to: Int, seconds: Int)] = []
    /// The pathways within stations.
    var pathways: [Pathway] = []

    /// A place of the timetable.
    struct Stop: Sendable {
        /// The name of the stop.
        var name: String
        /// The position of the stop.
        var place: Point
        /// The GTFS `location_type`: 0 stop, 1 station, 2 entrance, 3 node.
        var locationType = 0
        /// The station that it is part of.
        var parent: Int?
        /// Whether it can be used in a wheelchair; nil if unknown.
        var isAccessible: Bool?
        /// The name of the platform.
        var platform = ""
        /// The floor, for stations with drawn levels: 0, -1 or -2.
        var level: Int?
        /// The operator in whose feed it is.
        var isRail = false
        /// The fare zone, 1 in the middle.
        var zone = 1
    }

    /// A pathway within a station.
    struct Pathway: Sendable {
        /// The stop where it begins.
        var from: Int
        /// The stop where it ends.
        var to: Int
        /// The GTFS `pathway_mode`.
        var mode: Int
        /// Whether it can be used both ways.
        var isBothWays: Bool
        /// The traversal time in seconds.
        var seconds: Int
    }

    /// A line with its directions.
    struct Line: Sendable {
        /// The number of the line.
        var number: String
        /// The name of the line: its two ends.
        var name: String
        /// The mode of the line's vehicles.
        var mode: Mode
        /// The stops and shape of each direction; their order is the GTFS `direction_id`.
        var directions: [LineDirection]
        /// Minutes between two departures at peak, during the day and in the evening.
        var headways: (peak: Double, day: Double, evening: Double)
        /// How its times are given.
        var service: Service = .trips
    }

    /// How the times of a line are given.
    enum Service: Sendable {
        /// Every trip is listed.
        case trips
        /// Trip by trip, with the vehicle's next trip named.
        case blocks
        /// As a frequency; whether it is kept exactly.
        case frequencies(exact: Bool)
        /// At night only, on the day before.
        case night
    }

    /// The modes of public transport.
    enum Mode: Sendable {
        /// An underground railway.
        case metro
        /// A tram in the street.
        case tram
        /// A bus in the street.
        case bus
        /// A suburban railway line.
        case rail

        /// The `route_type` in GTFS.
        var routeType: Int {
            switch self {
            case .tram: 0
            case .metro: 1
            case .rail: 2
            case .bus: 3
            }
        }
    }

    /// The stops of a line in one direction.
    struct LineDirection: Sendable {
        /// The stops that are served, in order.
        var stops: [Int]
        /// The metres from the first stop to each.
        var metres: [Double]
        /// The path on the ground.
        var shape: [Point]
        /// The destination shown on the vehicle.
        var headsign: String
    }

    /// Adds a stop and returns its number.
    mutating func add(_ stop: Stop) -> Int {
        stops.append(stop)
        return stops.count - 1
    }
}
