import Encoding
import Geo
import TaxiPages

/// The borders of a zone during editing, as a flat list of rings.
///
/// Each ring omits the last point, which repeats the first.
struct ZoneShape: Hashable {
    /// A border and the part of the zone to which it belongs.
    struct Border: Hashable {
        /// The index of the zone's part, starting at 0.
        var part: Int
        /// Whether this is the border of a hole in that part.
        var isHole: Bool
        /// The corners in order, without a repeated end point.
        var corners: [Coordinate]
    }

    /// The outer border of each part, followed by the borders of its holes.
    var borders: [Border]

    /// Creates the list of borders of an area.
    init(_ area: MultiPolygon) {
        borders = area.polygons.enumerated().flatMap { part, polygon in
            polygon.rings.enumerated().map { number, ring in
                Border(part: part, isHole: number > 0, corners: ring.points.dropLast())
            }
        }
    }

    /// A hash of all corners, by which a form recognizes the state of the zone from which it was
    /// made.
    var fingerprint: String {
        // No security depends on it, as forging it harms only the sender's own draft.
        var hash = FNV1a()
        func add(_ number: Int64) { hash.add(word: UInt64(bitPattern: number)) }
        for border in borders {
            add(Int64(border.corners.count))
            add(border.isHole ? 1 : 0)
            for corner in border.corners {
                add(Int64(corner.latitude))
                add(Int64(corner.longitude))
            }
        }
        return String(hash.value, radix: 16)
    }

    /// The area enclosed by the borders.
    ///
    /// - Throws: the reason why a border is not a valid ring.
    func area() throws(Ring.Flaw) -> MultiPolygon {
        var polygons: [Polygon] = []
        for border in borders {
            let ring = try Ring(border.corners + border.corners.prefix(1))
            if border.isHole, let last = polygons.popLast() {
                polygons.append(Polygon(outline: last.outline, holes: last.holes + [ring]))
            } else {
                polygons.append(Polygon(outline: ring))
            }
        }
        return MultiPolygon(polygons)
    }

    /// Removes a border; an outer border is removed together with its holes.
    mutating func remove(_ number: Int) {
        let border = borders[number]
        if border.isHole {
            borders.remove(at: number)
        } else {
            borders.removeAll { $0.part == border.part }
            for index in borders.indices where borders[index].part > border.part {
                borders[index].part -= 1
            }
        }
    }

    /// Adds a part after all others.
    mutating func addPart(_ corners: [Coordinate]) {
        let part = (borders.last?.part ?? -1) + 1
        borders.append(Border(part: part, isHole: false, corners: corners))
    }

    /// Adds a hole to the part to which a border belongs.
    ///
    /// - Returns: the index of the new border.
    mutating func addHole(_ corners: [Coordinate], besides number: Int) -> Int {
        let part = borders[number].part
        let place = (borders.lastIndex { $0.part == part } ?? number) + 1
        borders.insert(Border(part: part, isHole: true, corners: corners), at: place)
        return place
    }
}

extension MultiPolygon {
    /// The total number of corners of all borders.
    var vertexCount: Int {
        polygons.reduce(0) { sum, polygon in
            sum + polygon.rings.reduce(0) { $0 + $1.points.count - 1 }
        }
    }
}

extension Coordinate {
    /// The midpoint between this place and another.
    func middle(to other: Coordinate) -> Coordinate {
        Coordinate(
            latitude: Int32((Int64(latitude) + Int64(other.latitude)) / 2),
            longitude: Int32((Int64(longitude) + Int64(other.longitude)) / 2)
        )
    }
}
