/// The class of a map feature; the raw values are the drawing order, the lowest first.
public enum MapClass: UInt8, CaseIterable, Sendable {
    /// Land used for housing.
    case residential
    /// Land of offices and shops.
    case commercial
    /// Land of works and warehouses.
    case industrial
    /// Grass, meadows, pitches and cemeteries.
    case grass
    /// Parks, gardens and nature reserves.
    case park
    /// Woods and scrubland.
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
    /// Roads between quarters of a city.
    case tertiary
    /// Roads between towns.
    case secondary
    /// Main roads of the region.
    case primary
    /// Motorways and other roads for cars only.
    case motorway
    /// Tram tracks in or beside streets.
    case tram
    /// Tracks of underground railways.
    case subway
    /// Tracks of light rail, monorails and funiculars.
    case lightRail
    /// Railway tracks of all other kinds.
    case rail
    /// The name of a railway station.
    case station
    /// The name of a part of a quarter.
    case neighbourhood
    /// The name of a part of a town.
    case quarter
    /// The name of a suburb or borough.
    case suburb
    /// The name of a place smaller than a village.
    case hamlet
    /// The name of a village.
    case village
    /// The name of a town, not a city.
    case town
    /// The name of a large city.
    case city

    /// The geometry of a class.
    public enum Shape: UInt8, Sendable {
        /// An outline, and the borders of its holes.
        case area
        /// A line through several points.
        case line
        /// A single point with a name.
        case place
    }

    /// The geometry of the class.
    public var shape: Shape {
        if self.rawValue <= MapClass.water.rawValue { return .area }
        return self.rawValue <= MapClass.rail.rawValue ? .line : .place
    }
}

/// A set of map classes.
public struct MapClasses: OptionSet, Sendable {
    /// One bit for each class, that of the class with the number 0 being the lowest.
    public let rawValue: UInt32

    /// Classes from their bits.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// The set that contains one class.
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

    /// All classes of built-up land.
    public static let builtUp = MapClasses(.residential, through: .industrial)
    /// Parks and all else that is green.
    public static let green = MapClasses(.grass, through: .wood)
    /// Water as areas and as lines.
    public static let water = MapClasses(.water, through: .river)
    /// All classes of streets and paths.
    public static let streets = MapClasses(.path, through: .motorway)
    /// All classes of tracks.
    public static let rails = MapClasses(.tram, through: .rail)
    /// Names of places and stations.
    public static let places = MapClasses(.station, through: .city)
    /// All classes of the map.
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

/// The properties of a line besides its class.
public struct MapFlags: OptionSet, Hashable, Sendable {
    /// One bit for each property.
    public let rawValue: UInt8

    /// Creates a set from its bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// It runs below the ground.
    public static let tunnel = MapFlags(rawValue: 1)
    /// The line runs on a bridge.
    public static let bridge = MapFlags(rawValue: 2)
}
