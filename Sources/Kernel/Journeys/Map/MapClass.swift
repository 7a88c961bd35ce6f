/// What a feature of the map is; the numbers are the order of drawing, the lowest first.
public enum MapClass: UInt8, CaseIterable, Sendable {
    /// Land where people live.
    case residential
    /// Land of offices and shops.
    case commercial
    /// Land of works and warehouses.
    case industrial
    /// Grass, meadows, pitches and cemeteries.
    case grass
    /// Parks, gardens and nature reserves.
    case park
    /// Woods and scrub.
    case wood
    /// Lakes, reservoirs and rivers between their banks.
    case water
    /// The line where land and sea meet.
    case coastline
    /// The middle line of a stream.
    case stream
    /// The middle line of a canal.
    case canal
    /// The middle line of a river.
    case river
    /// Ways for walking and cycling.
    case path
    /// Driveways, alleys and aisles of car parks.
    case service
    /// Residential and other small streets, pedestrian ones among them.
    case minor
    /// Roads between quarters.
    case tertiary
    /// Roads between towns.
    case secondary
    /// Main roads.
    case primary
    /// Motorways and other roads for cars only.
    case motorway
    /// Tracks of trams.
    case tram
    /// Tracks of undergrounds.
    case subway
    /// Tracks of light rail, monorails and funiculars.
    case lightRail
    /// Tracks of railways.
    case rail
    /// The name of a railway station.
    case station
    /// The name of a part of a quarter.
    case neighbourhood
    /// The name of a quarter.
    case quarter
    /// The name of a suburb or borough.
    case suburb
    /// The name of a place smaller than a village.
    case hamlet
    /// The name of a village.
    case village
    /// The name of a town.
    case town
    /// The name of a city.
    case city

    /// What the geometry of a class is.
    public enum Shape: UInt8, Sendable {
        /// An outline, and the borders of its holes.
        case area
        /// A line.
        case line
        /// One point.
        case place
    }

    /// What the geometry of the class is.
    public var shape: Shape {
        if self.rawValue <= MapClass.water.rawValue { return .area }
        return self.rawValue <= MapClass.rail.rawValue ? .line : .place
    }
}

/// A set of classes.
public struct MapClasses: OptionSet, Sendable {
    /// One bit for each class, that of the class with the number 0 being the lowest.
    public let rawValue: UInt32

    /// Classes from their bits.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// One class.
    public init(_ mapClass: MapClass) {
        rawValue = 1 << UInt32(mapClass.rawValue)
    }

    /// Every class from one to another in the order of drawing, both included.
    public init(_ first: MapClass, through last: MapClass) {
        rawValue = (2 << UInt32(last.rawValue)) &- (1 << UInt32(first.rawValue))
    }

    /// Whether a class belongs to the set.
    public func contains(_ mapClass: MapClass) -> Bool {
        contains(MapClasses(mapClass))
    }

    /// Land that is built up.
    public static let builtUp = MapClasses(.residential, through: .industrial)
    /// Parks and all else that is green.
    public static let green = MapClasses(.grass, through: .wood)
    /// Water as areas and as lines.
    public static let water = MapClasses(.water, through: .river)
    /// Streets and paths.
    public static let streets = MapClasses(.path, through: .motorway)
    /// Tracks of all kinds.
    public static let rails = MapClasses(.tram, through: .rail)
    /// Names of places and stations.
    public static let places = MapClasses(.station, through: .city)
    /// Everything.
    public static let all = MapClasses(.residential, through: .city)
}

/// The zoom levels that are drawn from the same features.
public enum MapRange: UInt8, CaseIterable, Sendable {
    /// Zoom levels up to 11: the city and its surroundings.
    case far
    /// Zoom levels 12 to 14: some quarters.
    case middle
    /// Zoom levels from 15 on: single streets.
    case near

    /// The range of a zoom level of web maps, of which level 0 shows the world in one tile.
    public init(zoom: Int32) {
        self = zoom <= 11 ? .far : zoom <= 14 ? .middle : .near
    }
}

/// What is true of a line besides its class.
public struct MapFlags: OptionSet, Hashable, Sendable {
    /// One bit for each flag.
    public let rawValue: UInt8

    /// Flags from their bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// It runs below the ground.
    public static let tunnel = MapFlags(rawValue: 1)
    /// It runs on a bridge.
    public static let bridge = MapFlags(rawValue: 2)
}
