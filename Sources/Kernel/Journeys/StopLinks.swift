import Columns
import Geo
public import Streets
import Transit

/// A link between a stop and a street.
struct StopLinkIndex: RowIndex {
    /// The row of the `door` columns.
    let rawValue: UInt32
}

/// The links between stops and streets for one profile: the points where a stop is entered or left,
/// each with the walk to the platform; a read-only view of the `door.*` sections.
public struct StopLinks: Sendable {
    private let ranges: RowRanges<StopIndex, StopLinkIndex>
    private let edge: IndexedColumn<StopLinkIndex, UInt32>
    private let fraction: IndexedColumn<StopLinkIndex, UInt32>
    private let latitude: IndexedColumn<StopLinkIndex, Int32>
    private let longitude: IndexedColumn<StopLinkIndex, Int32>
    private let seconds: IndexedColumn<StopLinkIndex, Int32>
    private let metres: IndexedColumn<StopLinkIndex, UInt32>
    private let closed: IndexedColumn<StopLinkIndex, UInt8>

    /// The direction in which a link is closed; 0 if it is open both ways.
    public enum Closed {
        /// The link cannot be used to enter the stop.
        public static let inward: UInt8 = 1 << 0
        /// The link cannot be used to leave the stop.
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
        edge = file.column(name + ".edge")
        fraction = file.column(name + ".fraction")
        latitude = file.column(name + ".latitude")
        longitude = file.column(name + ".longitude")
        seconds = file.column(name + ".seconds")
        metres = file.column(name + ".metres")
        closed = file.column(name + ".closed")
        ranges = RowRanges(file.column(name + ".offsets"), memberCount: edge.count)
    }

    /// The links of a stop.
    func ofStop(_ stop: StopIndex) -> Range<StopLinkIndex> { ranges[stop] }

    /// Whether a link may be used to enter a stop, or to leave it.
    func opens(_ link: StopLinkIndex, isInward: Bool) -> Bool {
        closed[link] & (isInward ? Closed.inward : Closed.outward) == 0
    }

    /// The position of a link on the street.
    func point(_ link: StopLinkIndex) -> Coordinate {
        Coordinate(latitude: latitude[link], longitude: longitude[link])
    }

    /// The place of a link on the street network.
    func place(_ link: StopLinkIndex) -> StreetPlace {
        StreetPlace(
            edge: EdgeIndex(rawValue: edge[link]),
            fraction: fraction[link],
            point: point(link),
            distanceMetres: 0
        )
    }

    /// The walk between a link and its platform.
    func walk(_ link: StopLinkIndex) -> Walk {
        Walk(seconds: max(0, seconds[link]), metres: metres[link])
    }
}
