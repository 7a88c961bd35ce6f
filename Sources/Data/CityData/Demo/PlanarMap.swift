import Geo

/// A division of the plane into faces by straight edges: the half-edge structure (Muller and
/// Preparata, 1978) in flat arrays.
///
/// Half-edges `2 e` and `2 e + 1` are the two directions of edge `e`; a face lies to the left of
/// its half-edges. Because every street of the plan is cut into this map, two streets can only
/// meet at a vertex, and water and railways are crossed only where an edge was laid across.
struct PlanarMap: Sendable {
    /// The position of each vertex.
    private(set) var points: [Point]
    /// How many edges meet at each vertex.
    private(set) var degrees: [UInt8]
    /// The vertex where each half-edge begins.
    private(set) var origin: [Int32] = []
    /// The half-edge that follows each one around its face.
    private(set) var next: [Int32] = []
    /// The half-edge that precedes each one around its face.
    private(set) var previous: [Int32] = []
    /// The face to the left of each half-edge.
    private(set) var face: [Int32] = []
    /// The number of the line that each edge is part of.
    private(set) var line: [Int32] = []
    /// One half-edge of each face; face 0 is the outside.
    private(set) var faceEdge: [Int32] = []

    /// The map of a connected set of edges that meet only at their ends, without loose ends.
    init(points: [Point], edges: [(from: Int32, to: Int32, line: Int32)]) {
        self.points = points
        degrees = [UInt8](repeating: 0, count: points.count)
        var leaving: [[(angle: Double, edge: Int32)]] = Array(repeating: [], count: points.count)
        for edge in edges {
            let first = Int32(origin.count)
            origin += [edge.from, edge.to]
            line.append(edge.line)
            let way = points[Int(edge.to)] - points[Int(edge.from)]
            leaving[Int(edge.from)].append((way.angle, first))
            leaving[Int(edge.to)].append(((way * -1).angle, first + 1))
            degrees[Int(edge.from)] += 1
            degrees[Int(edge.to)] += 1
        }
        next = [Int32](repeating: -1, count: origin.count)
        previous = next
        face = next
        for star in leaving {
            let sorted = star.sorted { ($0.angle, $0.edge) < ($1.angle, $1.edge) }
            for index in sorted.indices {
                // After arriving along the twin of an edge, the face on the left continues along
                // the previous edge counter-clockwise.
                let before = sorted[(index + sorted.count - 1) % sorted.count].edge
                let arriving = sorted[index].edge ^ 1
                next[Int(arriving)] = before
                previous[Int(before)] = arriving
            }
        }
        traceFaces()
    }

    /// The half-edges around a face, in order.
    func boundary(of number: Int32) -> [Int32] {
        let first = faceEdge[Int(number)]
        var result = [first]
        var edge = next[Int(first)]
        while edge != first {
            result.append(edge)
            edge = next[Int(edge)]
        }
        return result
    }

    /// The place where a half-edge begins.
    func start(_ halfEdge: Int32) -> Point { points[Int(origin[Int(halfEdge)])] }

    /// The place where a half-edge ends.
    func end(_ halfEdge: Int32) -> Point { points[Int(origin[Int(halfEdge ^ 1)])] }

    /// The line that a half-edge is part of.
    func line(of halfEdge: Int32) -> Int32 { line[Int(halfEdge >> 1)] }

    /// Puts a vertex on an edge; the half-edge keeps its beginning and now ends there.
    mutating func cut(_ halfEdge: Int32, at place: Point) -> Int32 {
        let vertex = Int32(points.count)
        points.append(place)
        degrees.append(2)
        let twin = halfEdge ^ 1
        let after = Int32(origin.count)
        let afterTwin = after + 1
        origin += [vertex, origin[Int(twin)]]
        origin[Int(twin)] = vertex
        line.append(line[Int(halfEdge >> 1)])
        face += [face[Int(halfEdge)], face[Int(twin)]]
        next += [next[Int(halfEdge)], twin]
        previous += [halfEdge, previous[Int(twin)]]
        // At a loose end the edge's own twin follows it.
        if next[Int(after)] == twin { next[Int(after)] = afterTwin }
        if previous[Int(afterTwin)] == halfEdge { previous[Int(afterTwin)] = after }
        next[Int(halfEdge)] = after
        previous[Int(next[Int(after)])] = after
        next[Int(previous[Int(afterTwin)])] = afterTwin
        previous[Int(twin)] = afterTwin
        return vertex
    }

    /// Joins the beginnings of two half-edges of one face by a new edge, and so divides the face;
    /// the new face lies to the right of the edge and keeps `from`.
    mutating func join(_ from: Int32, _ to: Int32, line number: Int32) -> Int32 {
        let chord = Int32(origin.count)
        let twin = chord + 1
        let old = face[Int(from)]
        let new = Int32(faceEdge.count)
        origin += [origin[Int(from)], origin[Int(to)]]
        degrees[Int(origin[Int(from)])] += 1
        degrees[Int(origin[Int(to)])] += 1
        line.append(number)
        face += [old, new]
        let beforeFrom = previous[Int(from)]
        let beforeTo = previous[Int(to)]
        next += [to, from]
        previous += [beforeFrom, beforeTo]
        next[Int(beforeFrom)] = chord
        previous[Int(to)] = chord
        next[Int(beforeTo)] = twin
        previous[Int(from)] = twin
        faceEdge[Int(old)] = chord
        faceEdge.append(twin)
        var edge = from
        while edge != twin {
            face[Int(edge)] = new
            edge = next[Int(edge)]
        }
        return new
    }

    /// Adds a dead end from the beginning of a half-edge into its face.
    mutating func sprout(_ from: Int32, to tip: Point, line number: Int32) -> Int32 {
        let vertex = Int32(points.count)
        points.append(tip)
        degrees.append(1)
        degrees[Int(origin[Int(from)])] += 1
        let out = Int32(origin.count)
        origin += [origin[Int(from)], vertex]
        line.append(number)
        face += [face[Int(from)], face[Int(from)]]
        let before = previous[Int(from)]
        next += [out + 1, from]
        previous += [before, out]
        next[Int(before)] = out
        previous[Int(from)] = out + 1
        return out
    }

    /// Numbers the faces in the order of their first half-edge, but the outside first.
    private mutating func traceFaces() {
        var loops: [Int32] = []
        var outside = 0
        var lowest = Double.infinity
        for first in origin.indices where face[first] < 0 {
            var area = 0.0
            var edge = Int32(first)
            repeat {
                face[Int(edge)] = Int32(loops.count)
                area += start(edge).cross(end(edge))
                edge = next[Int(edge)]
            } while edge != Int32(first)
            if area < lowest {
                lowest = area
                outside = loops.count
            }
            loops.append(Int32(first))
        }
        guard !loops.isEmpty else { return }
        loops.swapAt(0, outside)
        faceEdge = loops
        for index in face.indices {
            if face[index] == 0 {
                face[index] = Int32(outside)
            } else if face[index] == Int32(outside) {
                face[index] = 0
            }
        }
    }
}
