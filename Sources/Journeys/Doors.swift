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
    }

    /// How many doors there are.
    var count: Int { edge.count }

    /// The doors of a stop.
    func ofStop(_ stop: Int) -> Range<Int> {
        offsets.range(stop, limit: count)
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
