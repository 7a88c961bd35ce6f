import Geo
import OpenData

/// The districts enclosed by administrative boundaries: quarters and municipalities of a city.
///
/// Source: OSM wiki, "Tag:boundary=administrative", levels 9 and 10: parts of a city or parish.
struct BoundaryAreas {
    private var areas: [Area] = []
    /// The areas whose borders contain a way.
    private var areasOfWay: [Int64: [Int]] = [:]

    private struct Area {
        var place: AddressDraft.Place
        var wayCount = 0
        /// The rows of each known way in the reader's references.
        var pieces: [Range<Int>] = []
    }

    /// The least share of its border, in tenths, that the file must contain for an area to count.
    private static let leastTenths = 9
    /// The radius of an area's disc as a share of the root of its box's area: parts of cities fill
    /// about two thirds of their boxes.
    private static let radiusShare = 0.45

    /// Whether a relation with these tags is such a boundary.
    static func isArea(_ tags: AddressTags) -> Bool {
        tags[.boundary] == "administrative" && tags[.name] != nil
            && (tags[.adminLevel] == "9" || tags[.adminLevel] == "10")
    }

    /// Adds a boundary; its members are filled in as their ways are read.
    mutating func add(_ place: AddressDraft.Place, ways: [Int64]) {
        for way in ways { areasOfWay[way, default: []].append(areas.count) }
        areas.append(Area(place: place, wayCount: ways.count))
    }

    /// Whether a way is a part of a border.
    func contains(way: Int64) -> Bool { areasOfWay[way] != nil }

    /// Adds the nodes of a way, as rows of the reader's references.
    mutating func add(way: Int64, _ references: Range<Int>) {
        for area in areasOfWay[way] ?? [] { areas[area].pieces.append(references) }
    }

    /// The areas as localities: a point inside and a radius.
    func localities(_ references: [Int64], _ places: NodePlaces) -> [AddressDraft.Place] {
        areas.compactMap { area in
            guard area.wayCount > 0,
                area.pieces.count * 10 >= area.wayCount * Self.leastTenths
            else { return nil }
            let pieces = area.pieces.map { range in
                references[range].compactMap { places.knownRow($0).map { UInt32($0) } }
            }
            let border = pieces.joined().map { places.coordinates[Int($0)] }
            guard let box = BoundingBox(around: border) else { return nil }
            let largest = RingAssembly.rings(pieces).rings.max { $0.count < $1.count }
            // An open border still has a centre.
            let ring = largest.flatMap { ring in
                ring.count * 2 > border.count
                    ? Outlines.pointInside(ring.map { places.coordinates[Int($0)] }) : nil
            }
            var place = area.place
            place.coordinate = ring ?? box.centre
            let plane = LocalPlane(at: place.coordinate)
            let height = Double(Int64(box.north) - Int64(box.south)) * plane.metresPerLatitude
            let width = Double(Int64(box.east) - Int64(box.west)) * plane.metresPerLongitude
            place.reach = min(max((height * width).squareRoot() * Self.radiusShare, 300), 5_000)
            return place
        }
    }
}
