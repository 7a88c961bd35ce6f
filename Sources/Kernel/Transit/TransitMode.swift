/// The kinds of vehicles that people distinguish.
public enum TransitMode: UInt8, CaseIterable, Sendable {
    /// Trams and light rail.
    case tram
    /// Underground railways.
    case metro
    /// Trains of all speeds.
    case rail
    /// Buses without rails or wires.
    case bus
    /// Trolleybuses on wires.
    case trolleybus
    /// Coaches between cities.
    case coach
    /// Ferries and other boats.
    case ferry
    /// Cable cars on the street.
    case cableTram
    /// Aerial cable cars and gondolas.
    case aerialLift
    /// Funiculars on steep slopes.
    case funicular
    /// Monorails of any kind.
    case monorail
    /// Flights of aircraft.
    case air
    /// Anything else, such as taxis that run to a timetable.
    case other

    /// The mode for a GTFS `route_type`, old or extended.
    ///
    /// Source: GTFS reference, `routes.txt`, and "Extended GTFS Route Types".
    public init(routeType: Int32) {
        switch routeType {
        case 0, 900...999: self = .tram
        case 1, 400...404, 500...699: self = .metro
        case 2, 100...199, 300...399: self = .rail
        case 3, 700...799: self = .bus
        case 4, 1000...1099, 1200...1299: self = .ferry
        case 5: self = .cableTram
        case 6, 1300...1399: self = .aerialLift
        case 7, 1400...1499: self = .funicular
        case 11, 800...899: self = .trolleybus
        case 12, 405: self = .monorail
        case 200...299: self = .coach
        case 1100...1199: self = .air
        default: self = .other
        }
    }

    /// The mode's bit in a set of modes.
    public var bit: UInt32 { 1 << UInt32(rawValue) }
    /// The bit set of all modes.
    public static let all: UInt32 = 1 << UInt32(allCases.count) - 1
}
