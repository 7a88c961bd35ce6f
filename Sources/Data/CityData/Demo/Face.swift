/// A face of the street plan as a polygon, with the data needed to divide it.
struct Face: Sendable {
    /// The number of the face in the map.
    let number: Int32
    /// Its half-edges, counterclockwise.
    let edges: [Int32]
    /// Its area in square metres.
    let area: Double
    /// The centre of gravity.
    let centre: Point

    /// Where a straight line meets the boundary: the half-edge, and the share of it before.
    struct Hit: Sendable {
        /// The number of the half-edge.
        var edge: Int32
        /// The share of the half-edge before the place.
        var share: Double
        /// The position on that edge.
        var place: Point
        /// The distance along the line.
        var along: Double
    }

    /// Creates the polygon of a face of a map.
    init(_ number: Int32, of map: PlanarMap) {
        self.number = number
        edges = map.boundary(of: number)
        let base = map.start(edges[0])
        var area = 0.0
        var sum = Point.zero
        for edge in edges {
            let from = map.start(edge) - base
            let to = map.end(edge) - base
            let part = from.cross(to)
            area += part
            sum = sum + (from + to) * part
        }
        self.area = area / 2
        centre = area.magnitude > 1 ? base + sum * (1 / (3 * area)) : base
    }

    /// The direction and length of the longer side of the smallest box around the face that
    /// lies along one of its longest edges.
    func longAxis(in map: PlanarMap) -> (way: Point, length: Double) {
        var longest: [(length: Double, way: Point)] = []
        for edge in edges {
            let way = map.end(edge) - map.start(edge)
            let length = way.length
            guard longest.count < 4 || length > longest[3].length else { continue }
            let rank = longest.firstIndex { $0.length < length } ?? longest.count
            longest.insert((length, way.unit), at: rank)
            if longest.count > 4 { longest.removeLast() }
        }
        var best = (way: Point(x: 1, y: 0), length: 0.0)
        var smallest = Double.infinity
        for candidate in longest {
            let along = extent(candidate.way, in: map)
            let across = extent(candidate.way.left, in: map)
            guard along * across < smallest else { continue }
            smallest = along * across
            best = along >= across ? (candidate.way, along) : (candidate.way.left, across)
        }
        return best
    }

    private func extent(_ way: Point, in map: PlanarMap) -> Double {
        var low = Double.infinity
        var high = -Double.infinity
        for edge in edges {
            let value = map.start(edge).dot(way)
            low = min(low, value)
            high = max(high, value)
        }
        return high - low
    }

    /// The longest stretch within the face of a straight line through a place.
    func chord(through place: Point, along way: Point, in map: PlanarMap) -> (Hit, Hit)? {
        var hits: [Hit] = []
        for edge in edges {
            let from = map.start(edge)
            let to = map.end(edge)
            let before = way.cross(from - place)
            let after = way.cross(to - place)
            guard (before < 0) != (after < 0) else { continue }
            let share = before / (before - after)
            let meeting = from.toward(to, share)
            let along = (meeting - place).dot(way)
            hits.append(Hit(edge: edge, share: share, place: meeting, along: along))
        }
        hits.sort { ($0.along, $0.edge) < ($1.along, $1.edge) }
        var best: (Hit, Hit)?
        var longest = 0.0
        for index in stride(from: 0, to: hits.count - 1, by: 2) {
            let length = hits[index + 1].along - hits[index].along
            if length > longest {
                longest = length
                best = (hits[index], hits[index + 1])
            }
        }
        return best
    }

    /// Whether a straight cut between two ends stays within the face, away from its corners and
    /// at no sharp angle to its sides.
    func admits(_ first: CutEnd, _ second: CutEnd, spacing: Double, in map: PlanarMap) -> Bool {
        let way = second.place - first.place
        let length = way.length
        guard length > spacing * 1.6 else { return false }
        let unit = way * (1 / length)
        guard first.isBlunt(towards: unit, in: map), second.isBlunt(towards: unit * -1, in: map)
        else { return false }
        for edge in edges {
            let from = map.start(edge) - first.place
            let along = from.dot(unit)
            if along > 1, along < length - 1, unit.cross(from).magnitude < spacing * 0.8 {
                return false
            }
            let to = map.end(edge) - first.place
            let before = unit.cross(from)
            let after = unit.cross(to)
            guard (before < 0) != (after < 0) else { continue }
            let meeting = from.toward(to, before / (before - after)).dot(unit)
            if meeting > 1, meeting < length - 1 { return false }
        }
        return true
    }

    /// Whether no corner but the ends of a cut lies within a distance of it.
    func isClear(_ from: Point, _ to: Point, by distance: Double, in map: PlanarMap) -> Bool {
        let unit = (to - from).unit
        let length = from.distance(to: to)
        return edges.allSatisfy { edge in
            let corner = map.start(edge) - from
            let along = corner.dot(unit)
            return along < 5 || along > length - 5 || unit.cross(corner).magnitude > distance
        }
    }

    /// How far the face reaches from a place on its boundary inwards.
    func depth(from place: Point, along way: Point, in map: PlanarMap) -> Double {
        var nearest = Double.infinity
        for edge in map.boundary(of: number) {
            let from = map.start(edge) - place
            let to = map.end(edge) - place
            let before = way.cross(from)
            let after = way.cross(to)
            guard (before < 0) != (after < 0) else { continue }
            let along = from.toward(to, before / (before - after)).dot(way)
            if along > 1 { nearest = min(nearest, along) }
        }
        return nearest.isFinite ? nearest : 0
    }
}

/// An end of a cut on the boundary of a face.
struct CutEnd: Sendable {
    /// The half-edge that it lies on, or that begins in the corner.
    var edge: Int32
    /// Whether it is the corner where the half-edge begins.
    var isCorner: Bool
    /// The position of the cut's end.
    var place: Point

    /// The end of a cut that meets an edge: in a corner where one is within reach, nil if
    /// the corner has streets enough.
    init?(_ hit: Face.Hit, zone: TownZone, reach: Double, map: PlanarMap) {
        let length = map.start(hit.edge).distance(to: map.end(hit.edge))
        let before = length * hit.share
        let after = length - before
        let atStart = before <= after
        let near = min(before, after)
        let corner = atStart ? hit.edge : map.next[Int(hit.edge)]
        let degree = map.degrees[Int(map.origin[Int(corner)])]
        if near < reach, degree < 4 || (degree == 4 && near < 2) {
            edge = corner
            isCorner = true
            place = map.start(corner)
            return
        }
        guard near >= zone.spacing else { return nil }
        edge = hit.edge
        isCorner = false
        place = hit.place
    }

    /// Whether a cut in some direction keeps at least 25 degrees from both sides here.
    func isBlunt(towards way: Point, in map: PlanarMap) -> Bool {
        let cosine = 0.906
        let onward = (map.end(edge) - map.start(edge)).unit
        if onward.dot(way) > cosine { return false }
        guard isCorner else { return (onward * -1).dot(way) <= cosine }
        let before = map.previous[Int(edge)]
        return (map.start(before) - map.end(before)).unit.dot(way) <= cosine
    }
}
