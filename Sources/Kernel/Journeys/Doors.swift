import Columns
import Geo
public import Streets

/// Where stops meet the streets, for one profile: a read-only view of `door.*` sections.
public struct Doors: Sendable {
    private let offsets: Column<UInt32>
    private let edge: Column<UInt32>
    private let fraction: Column<UInt32>
    private let latitude: Column<Int32>
    private let longitude: Column<Int32>
    private let seconds: Column<Int32>
    private let metres: Column<UInt32>
    private let closed: Column<UInt8>

    /// In which direction a door is closed; 0 where it is for all.
    public enum Closed {
        /// Nobody goes in by it.
        public static let inward: UInt8 = 1 << 0
        /// Nobody comes out by it.
        public static let outward: UInt8 = 1 << 1
    }

    /// What the sections of a profile are called.
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

    /// How many doors there are.
    var count: Int { edge.count }

    /// The doors of a stop.
    func ofStop(_ stop: Int) -> Range<Int> {
        offsets.range(stop, limit: count)
    }

    /// Whether one goes into a stop by a door, or comes out of it.
    func opens(_ door: Int, isInward: Bool) -> Bool {
        closed[door] & (isInward ? Closed.inward : Closed.outward) == 0
    }

    /// Where a door opens on the street.
    func point(_ door: Int) -> Coordinate {
        Coordinate(latitude: latitude[door], longitude: longitude[door])
    }

    /// The street place of a door.
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
