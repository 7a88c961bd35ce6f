import Columns
import Geo
public import Streets

/// The *doors* of stops for one profile: the points where a stop is entered from or left to the
/// streets; a read-only view of the `door.*` sections.
public struct Doors: Sendable {
    private let offsets: Column<UInt32>
    private let edge: Column<UInt32>
    private let fraction: Column<UInt32>
    private let latitude: Column<Int32>
    private let longitude: Column<Int32>
    private let seconds: Column<Int32>
    private let metres: Column<UInt32>
    private let closed: Column<UInt8>

    /// The direction in which a door is closed; 0 where it is open both ways.
    public enum Closed {
        /// The door cannot be used to enter the stop.
        public static let inward: UInt8 = 1 << 0
        /// The door cannot be used to leave the stop.
        public static let outward: UInt8 = 1 << 1
    }

    /// The prefix of a profile's section names.
    public static func sectionName(_ profile: Profile) -> String {
        switch profile {
        case .foot: "door.foot"
        case .wheelchair: "door.wheelchair"
        case .bicycle: "door.bicycle"
        case .car, .taxi: "door.car"
        }
    }

    init(_ file: SectionFile, _ profile: Profile) {
        let name = Self.sectionName(profile)
        offsets = file.column(name + ".offsets")
        edge = file.column(name + ".edge")
        fraction = file.column(name + ".fraction")
        latitude = file.column(name + ".latitude")
        longitude = file.column(name + ".longitude")
        seconds = file.column(name + ".seconds")
        metres = file.column(name + ".metres")
        closed = file.column(name + ".closed")
    }

    /// The number of doors of all stops.
    var count: Int { edge.count }

    /// The indices of a stop's doors.
    func ofStop(_ stop: Int) -> Range<Int> {
        offsets.range(stop, limit: count)
    }

    /// Whether a door may be used to enter a stop, or to leave it.
    func opens(_ door: Int, isInward: Bool) -> Bool {
        closed[door] & (isInward ? Closed.inward : Closed.outward) == 0
    }

    /// The position of a door on the street.
    func point(_ door: Int) -> Coordinate {
        Coordinate(latitude: latitude[door], longitude: longitude[door])
    }

    /// The place of a door on the street network.
    func place(_ door: Int) -> StreetPlace {
        StreetPlace(
            edge: EdgeIndex(rawValue: edge[door]),
            fraction: fraction[door],
            point: point(door),
            distanceMetres: 0
        )
    }

    /// The walk between a door and its platform.
    func walk(_ door: Int) -> Walk {
        Walk(seconds: max(0, seconds[door]), metres: metres[door])
    }
}
