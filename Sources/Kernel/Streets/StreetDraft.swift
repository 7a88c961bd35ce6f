public import Geo

/// A street network as the importer delivers it: plain arrays, from which the sections of a
/// city file are built.
///
/// *Vertices* are junctions. *Edges* are the stretches between two of them, each stored once with
/// its geometry. *Arcs* are the ways to pass an edge in one direction. A turn restriction is
/// expressed by copies of a vertex: a copy has the same position and fewer outgoing arcs, and the
/// arcs into the copy are open only to the profiles that the restriction binds.
public struct StreetDraft: Sendable {
    /// Where each vertex is; copies follow all original vertices.
    public var vertices: [Coordinate] = []
    /// The vertex that each vertex is a copy of; itself for an original.
    public var originals: [UInt32] = []
    /// The edges between vertices.
    public var edges: [Edge] = []
    /// The arcs: directed passages of edges.
    public var arcs: [Arc] = []
    /// The sets of hours to which rules refer.
    public var hours: [WeekHours] = []
    /// The passages that take longer at certain hours, or are closed then.
    public var rules: [Rule] = []
    /// Street names, number 0 the empty one.
    public var names: [String] = [""]

    /// Creates a draft without streets.
    public init() {}

    /// A stretch of street between two vertices (originals, never copies).
    public struct Edge: Sendable, Equatable {
        /// The vertex where its geometry begins.
        public var from: UInt32
        /// The vertex where its geometry ends.
        public var to: UInt32
        /// Its geometry, including both ends; at least 2 points.
        public var geometry: [Coordinate]
        /// Its length in decimetres.
        public var lengthDecimetres: UInt32
        /// The number of its name in ``StreetDraft/names``; 0 if it has none.
        public var name: UInt32
        /// The kind of the street.
        public var kind: StreetKind
        /// Further properties of the street.
        public var features: StreetFeatures
        /// The level in a building or above ground, times 10 (OSM `level`); 0 for the ground.
        public var level: Int16

        /// Creates an edge with all its properties.
        public init(
            from: UInt32,
            to: UInt32,
            geometry: [Coordinate],
            lengthDecimetres: UInt32,
            name: UInt32 = 0,
            kind: StreetKind,
            features: StreetFeatures = [],
            level: Int16 = 0
        ) {
            self.from = from
            self.to = to
            self.geometry = geometry
            self.lengthDecimetres = lengthDecimetres
            self.name = name
            self.kind = kind
            self.features = features
            self.level = level
        }
    }

    /// A passage of an edge in one direction, from one vertex (or copy) to another.
    public struct Arc: Sendable, Equatable {
        /// The vertex or copy where it begins.
        public var from: UInt32
        /// The vertex or copy where it ends.
        public var to: UInt32
        /// The number of the edge that it passes.
        public var edge: UInt32
        /// Whether it passes the edge in the direction of its geometry.
        public var forward: Bool
        /// The milliseconds to pass it, one for each of ``Profile/allCases``; ``Arc/closed`` if the
        /// profile may not.
        public var milliseconds: [UInt32]
        /// Stands for the time of a passage that is not allowed.
        public static let closed = UInt32.max

        /// Creates an arc between two vertices.
        public init(
            from: UInt32,
            to: UInt32,
            edge: UInt32,
            forward: Bool,
            milliseconds: [UInt32]
        ) {
            self.from = from
            self.to = to
            self.edge = edge
            self.forward = forward
            self.milliseconds = milliseconds
        }
    }
}

extension StreetDraft {
    /// A rule for certain hours: the time of a passage that begins in them.
    public struct Rule: Sendable, Equatable {
        /// The number of the arc.
        public var arc: UInt32
        /// The profile to which the rule applies.
        public var profile: Profile
        /// The number of the hours in ``StreetDraft/hours``.
        public var hours: UInt32
        /// The milliseconds of the passage, ``Arc/closed`` if it is closed; a time below that of
        /// the arc has no effect.
        public var milliseconds: UInt32

        /// Creates a rule from all its properties.
        public init(arc: UInt32, profile: Profile, hours: UInt32, milliseconds: UInt32) {
            self.arc = arc
            self.profile = profile
            self.hours = hours
            self.milliseconds = milliseconds
        }
    }
}

/// The kind of a street, path or crossing, from the widest to the narrowest.
public enum StreetKind: UInt8, CaseIterable, Sendable {
    /// OSM `motorway` and its links.
    case motorway
    /// OSM `trunk` and its links.
    case trunk
    /// OSM `primary` and its links.
    case primary
    /// OSM `secondary` and its links.
    case secondary
    /// OSM `tertiary` and its links.
    case tertiary
    /// OSM `unclassified` and `road`.
    case unclassified
    /// A residential street, OSM `residential`.
    case residential
    /// A living street, OSM `living_street`.
    case livingStreet
    /// A service road, OSM `service`.
    case service
    /// A track in the fields or woods, OSM `track`.
    case track
    /// A pedestrian street or square, OSM `pedestrian`.
    case pedestrian
    /// A cycleway, OSM `cycleway`.
    case cycleway
    /// OSM `footway`, `path`, `bridleway`, `corridor`.
    case footway
    /// A flight of steps, OSM `steps`.
    case steps
    /// A platform of a station, OSM `platform`.
    case platform
    /// A lift (OSM `highway=elevator`).
    case elevator
    /// A ferry crossing, OSM `route=ferry`.
    case ferry
}

/// The properties of a stretch besides its kind.
public struct StreetFeatures: OptionSet, Sendable {
    /// One bit for each feature.
    public let rawValue: UInt16

    /// Features from their bits.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// It runs through a tunnel.
    public static let tunnel = StreetFeatures(rawValue: 1 << 0)
    /// It is covered by an arcade or a roof; with `tunnel`, shelter from rain.
    public static let covered = StreetFeatures(rawValue: 1 << 1)
    /// The street runs over a bridge.
    public static let bridge = StreetFeatures(rawValue: 1 << 2)
    /// It is part of a roundabout.
    public static let roundabout = StreetFeatures(rawValue: 1 << 3)
    /// The street requires a toll.
    public static let toll = StreetFeatures(rawValue: 1 << 4)
    /// It lies in a restricted-traffic or pedestrian area.
    public static let restrictedTraffic = StreetFeatures(rawValue: 1 << 5)
    /// The path is inside a building.
    public static let indoor = StreetFeatures(rawValue: 1 << 6)
    /// Cars may use it only to reach something on it (OSM `access=destination` and the like); the
    /// draft's times already make passing through slow.
    public static let destinationOnly = StreetFeatures(rawValue: 1 << 7)
    /// It is paved unevenly (cobbles, gravel).
    public static let uneven = StreetFeatures(rawValue: 1 << 8)
    /// The street is lit at night.
    public static let lit = StreetFeatures(rawValue: 1 << 9)
    /// It is an islet, such as a fenced yard or a platform whose exit is not mapped.
    ///
    /// It is walkable, but nothing leads from it to the other streets. The draft closes it on foot.
    public static let islet = StreetFeatures(rawValue: 1 << 10)
}
