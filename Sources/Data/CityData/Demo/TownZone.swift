/// The land use of a face of the street plan.
enum LandUse: UInt8, Sendable {
    /// Land beyond the city.
    case outside
    /// The water of the river.
    case water
    /// The land of a railway.
    case railway
    /// The land of the motorway.
    case motorway
    /// A square, without houses in it.
    case square
    /// A block with houses.
    case block
    /// A park, in which only paths are cut.
    case park
    /// Factories and warehouses, in large blocks.
    case industrial
}

/// The kind of town around a place, with the manner in which its blocks are cut.
struct TownZone: Sendable {
    /// A block is not cut further below this area, in square metres.
    var blockArea: Double
    /// How far a cut may turn from the square, in radians.
    var turn: Double
    /// How far a cut may lie from the middle, as a share of the block's length.
    var shift: Double
    /// A cut ends at a corner that is nearer than this, in metres, so that streets cross.
    var snap: Double
    /// No two corners are nearer than this, in metres.
    var spacing: Double
    /// The width of a house front with one number, in metres.
    var front: Double
    /// How likely a small face is cut lengthwise.
    var lengthwise: Double
    /// How many dead ends a block of the common size has.
    var deadEnds: Double
    /// How likely a last cut is a footpath.
    var footpaths: Double
    /// How likely a narrow residential street is one-way.
    var oneWay: Double

    /// Within the old walls: small crooked blocks.
    static let old = TownZone(
        blockArea: 2_900,
        turn: 0.30,
        shift: 0.20,
        snap: 11,
        spacing: 7,
        front: 17,
        lengthwise: 0.3,
        deadEnds: 0.35,
        footpaths: 0.30,
        oneWay: 0.75
    )
    /// The town of the 19th century: squares and straight streets that cross.
    static let town = TownZone(
        blockArea: 5_800,
        turn: 0.05,
        shift: 0.07,
        snap: 36,
        spacing: 11,
        front: 20,
        lengthwise: 0.25,
        deadEnds: 0.5,
        footpaths: 0.13,
        oneWay: 0.75
    )
    /// An old village that the city has reached.
    static let village = TownZone(
        blockArea: 4_600,
        turn: 0.32,
        shift: 0.20,
        snap: 15,
        spacing: 8,
        front: 19,
        lengthwise: 0.3,
        deadEnds: 0.35,
        footpaths: 0.24,
        oneWay: 0.5
    )
    /// The suburbs of the 20th century.
    static let suburb = TownZone(
        blockArea: 6_300,
        turn: 0.15,
        shift: 0.16,
        snap: 28,
        spacing: 8,
        front: 26,
        lengthwise: 0.6,
        deadEnds: 0.95,
        footpaths: 0.24,
        oneWay: 0.5
    )
    /// The outskirts of the city.
    static let edge = TownZone(
        blockArea: 8_500,
        turn: 0.20,
        shift: 0.20,
        snap: 26,
        spacing: 8,
        front: 30,
        lengthwise: 0.6,
        deadEnds: 1.1,
        footpaths: 0.2,
        oneWay: 0.3
    )
    /// Factories and their yards.
    static let works = TownZone(
        blockArea: 42_000,
        turn: 0.08,
        shift: 0.12,
        snap: 14,
        spacing: 12,
        front: 80,
        lengthwise: 0.4,
        deadEnds: 2.2,
        footpaths: 0,
        oneWay: 0.1
    )
    /// A park with footpaths.
    static let park = TownZone(
        blockArea: 13_000,
        turn: 0.5,
        shift: 0.22,
        snap: 10,
        spacing: 8,
        front: 0,
        lengthwise: 0.2,
        deadEnds: 0.1,
        footpaths: 1,
        oneWay: 0
    )
}

extension Ground {
    /// The kind of town at a place, by its use.
    func zone(at place: Point, use: LandUse) -> TownZone {
        if use == .park { return .park }
        if use == .industrial { return .works }
        let distance = distance(place)
        if distance < walls { return .old }
        if quarters.contains(where: { $0.distance(to: place) < 330 }) { return .village }
        if distance < belt { return .town }
        return distance < radius * 0.82 ? .suburb : .edge
    }
}
