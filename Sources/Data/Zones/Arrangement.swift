import Geo

/// The faces into which noded borders cut the map, and which zones cover each.
///
/// Every line has two *sides*: side `2 * line` runs forward, `2 * line + 1` backward, each with
/// one face to its left. Sides that follow one another around a corner of a face form cycles;
/// a face has one cycle that runs counter-clockwise around it and one clockwise for each island
/// of borders in it. Face 0 is the unbounded one.
///
/// Source: the doubly connected edge list of de Berg et al., "Computational geometry", chapter 2.
struct Arrangement {
    /// The pieces, sorted and noded.
    let pieces: [BorderPiece]
    /// The different lines of the pieces.
    private(set) var lines: [Segment] = []
    /// Where each line's pieces begin; one more than there are lines.
    private(set) var firstPiece: [Int] = []
    /// The side that follows each side around the face to its left.
    private(set) var next: [Int32] = []
    /// The face to the left of each side.
    private(set) var faces: [Int32] = []
    /// The number of faces, the unbounded one included.
    private(set) var faceCount = 1
    /// How often each face is covered by which zones, by zone; 0 is left out.
    private(set) var covers: [[Cover]] = []

    /// Land that more zones cover than are compared with each other; nil if there is none.
    private(set) var deepest: Coordinate?

    /// The greatest number of zones that may overlap at a place, more than in any usable file; each
    /// pair of them is measured, so thousands would exhaust the memory.
    static let depthLimit = 16

    /// How often a zone covers a face: once if its borders are correct.
    struct Cover: Hashable {
        /// The number of the zone.
        let zone: Int32
        /// The number of times; negative inside a ring that turns the wrong way.
        var times: Int32
    }

    /// The faces between pieces that meet at their ends only.
    ///
    /// - Complexity: O(n log n) for n pieces in few islands.
    init(_ noded: SnapRounding) {
        pieces = noded.pieces
        for (number, piece) in pieces.enumerated() where lines.last != piece.segment {
            lines.append(piece.segment)
            firstPiece.append(number)
        }
        firstPiece.append(pieces.count)
        linkSides()
        findFaces()
        findCovers()
    }

    /// The place where a side begins.
    func origin(_ side: Int32) -> Coordinate {
        let line = lines[Int(side / 2)]
        return side % 2 == 0 ? line.start : line.end
    }

    /// The place where a side ends.
    func end(_ side: Int32) -> Coordinate { origin(side ^ 1) }

    /// A side as a directed line.
    func segment(_ side: Int32) -> Segment { Segment(origin(side), end(side)) }

    /// The border pieces on a line.
    func pieces(on line: Int) -> ArraySlice<BorderPiece> {
        pieces[firstPiece[line]..<firstPiece[line + 1]]
    }

    /// The sides around each face, by face.
    func sidesOfFaces() -> [[Int32]] {
        var sides = [[Int32]](repeating: [], count: faceCount)
        for side in faces.indices { sides[Int(faces[side])].append(Int32(side)) }
        return sides
    }

    /// Sorts the sides around each place and links each to the next around its face.
    private mutating func linkSides() {
        let count = lines.count * 2
        var outgoing = (0..<Int32(count)).map { $0 }
        outgoing.sort { first, second in
            let places = (origin(first), origin(second))
            if places.0 != places.1 { return BorderPiece.precedes(places.0, places.1) }
            return Self.isEarlier(segment(first), segment(second))
        }
        next = [Int32](repeating: 0, count: count)
        var start = 0
        while start < count {
            var stop = start + 1
            while stop < count, origin(outgoing[stop]) == origin(outgoing[start]) { stop += 1 }
            for position in start..<stop {
                // After arriving along this side's reverse, the border continues along its
                // clockwise neighbour.
                let before = position == start ? stop - 1 : position - 1
                next[Int(outgoing[position] ^ 1)] = outgoing[before]
            }
            start = stop
        }
    }

    /// Whether one direction from a common place precedes another, counter-clockwise from due east.
    private static func isEarlier(_ first: Segment, _ second: Segment) -> Bool {
        let halves = (isUpper(first), isUpper(second))
        if halves.0 != halves.1 { return halves.0 }
        return first.side(of: second.end) > 0
    }

    private static func isUpper(_ line: Segment) -> Bool {
        line.end.latitude > line.start.latitude
            || (line.end.latitude == line.start.latitude
                && line.end.longitude > line.start.longitude)
    }

    /// Numbers the faces, and finds the face in which each island of borders lies.
    private mutating func findFaces() {
        faces = [Int32](repeating: -1, count: next.count)
        var islands: [(side: Int32, west: Int32)] = []
        for side in next.indices where faces[side] < 0 {
            var area: Int128 = 0
            var west = Int32(side)
            var current = Int32(side)
            repeat {
                faces[Int(current)] = 0
                area += Self.cross(origin(Int32(side)), segment(current))
                if BorderPiece.precedes(origin(current), origin(west)) { west = current }
                current = next[Int(current)]
            } while current != Int32(side)
            if area > 0 {
                setFace(Int32(faceCount), from: Int32(side))
                faceCount += 1
            } else {
                islands.append((Int32(side), west))
            }
        }
        let lattice = Lattice(lines)
        // Going eastwards, the island to the west is always settled before.
        islands.sort { BorderPiece.precedes(origin($0.west), origin($1.west)) }
        for island in islands {
            guard let wall = wall(westOf: origin(island.west), lattice) else { continue }
            setFace(faces[Int(wall)], from: island.side)
        }
    }

    private mutating func setFace(_ face: Int32, from side: Int32) {
        var current = side
        repeat {
            faces[Int(current)] = face
            current = next[Int(current)]
        } while current != side
    }

    /// Twice the area of the triangle between a place and a line, positive to the line's left.
    private static func cross(_ place: Coordinate, _ line: Segment) -> Int128 {
        let east = Int64(line.start.longitude) - Int64(place.longitude)
        let north = Int64(line.start.latitude) - Int64(place.latitude)
        let otherEast = Int64(line.end.longitude) - Int64(place.longitude)
        let otherNorth = Int64(line.end.latitude) - Int64(place.latitude)
        return Int128(east) * Int128(otherNorth) - Int128(north) * Int128(otherEast)
    }

    /// The downward side of the nearest line to the west of a place, infinitesimally to its north;
    /// nil if there is none.
    private func wall(westOf place: Coordinate, _ lattice: Lattice) -> Int32? {
        var best: (line: Int, meeting: Meridian)?
        let ray = BoundingBox(
            south: place.latitude,
            west: -Coordinate.longitudeLimit,
            north: place.latitude,
            east: place.longitude
        )
        lattice.context(ray) { number in
            guard let meeting = Meridian(lines[number], at: place.latitude),
                meeting.isWest(of: place.longitude)
            else { return true }
            if let known = best, !known.meeting.isWest(of: meeting) { return true }
            best = (number, meeting)
            return true
        }
        guard let best else { return nil }
        let isUpward = lines[best.line].start.latitude < lines[best.line].end.latitude
        return Int32(best.line * 2) + (isUpward ? 1 : 0)
    }

    /// Carries the covers from face to face, beginning with the unbounded one, which has none.
    private mutating func findCovers() {
        covers = [[Cover]](repeating: [], count: faceCount)
        var isKnown = [Bool](repeating: false, count: faceCount)
        let sides = sidesOfFaces()
        var waiting: [Int32] = [0]
        isKnown[0] = true
        while let face = waiting.popLast() {
            for side in sides[Int(face)] {
                let other = faces[Int(side ^ 1)]
                guard !isKnown[Int(other)] else { continue }
                isKnown[Int(other)] = true
                covers[Int(other)] = cover(beyond: side)
                guard covers[Int(other)].count <= Self.depthLimit else {
                    deepest = origin(side)
                    return
                }
                waiting.append(other)
            }
        }
    }

    /// The cover on the right of a side, from the one on its left.
    private func cover(beyond side: Int32) -> [Cover] {
        var cover = covers[Int(faces[Int(side)])]
        for piece in pieces(on: Int(side / 2)) where piece.zone != BorderPiece.cut {
            let turns = side % 2 == 0 ? -piece.turns : piece.turns
            if let known = cover.firstIndex(where: { $0.zone == piece.zone }) {
                cover[known].times += turns
                if cover[known].times == 0 { cover.remove(at: known) }
            } else {
                cover.append(Cover(zone: piece.zone, times: turns))
            }
        }
        cover.sort { $0.zone < $1.zone }
        return cover
    }
}

/// Where a line crosses a parallel, as an exact fraction, and its direction to the north of it.
private struct Meridian {
    /// The longitude times ``divisor``.
    let value: Int128
    let divisor: Int128
    /// Units east for ``divisor`` units north.
    let slope: Int128

    /// nil for lines that do not pass from the parallel to its north.
    init?(_ line: Segment, at latitude: Int32) {
        let isRising = line.start.latitude <= line.end.latitude
        let low = isRising ? line.start : line.end
        let high = isRising ? line.end : line.start
        guard low.latitude <= latitude, latitude < high.latitude else { return nil }
        divisor = Int128(high.latitude) - Int128(low.latitude)
        slope = Int128(high.longitude) - Int128(low.longitude)
        value = Int128(low.longitude) * divisor + slope * (Int128(latitude) - Int128(low.latitude))
    }

    func isWest(of longitude: Int32) -> Bool { value < Int128(longitude) * divisor }

    func isWest(of other: Meridian) -> Bool {
        let values = (value * other.divisor, other.value * divisor)
        if values.0 != values.1 { return values.0 < values.1 }
        return slope * other.divisor < other.slope * divisor
    }
}
