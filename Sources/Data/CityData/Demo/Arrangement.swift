/// Straight pieces that may cross, made into a planar map.
struct Arrangement: Sendable {
    private var pieces: [Piece] = []
    private var points: [Point] = []
    private var cells: [Cell: [Int32]] = [:]

    /// Places nearer than this are one vertex, in metres.
    private static let nearness = 6.0

    private struct Piece: Sendable {
        var from: Point
        var to: Point
        var line: Int32
        var cuts: [Double] = [0, 1]
    }

    private struct Cell: Hashable, Sendable {
        var column: Int32
        var row: Int32
    }

    /// Creates an arrangement without pieces.
    init() {}

    /// Adds a straight piece of a line.
    mutating func add(_ from: Point, _ to: Point, line: Int32) {
        pieces.append(Piece(from: from, to: to, line: line))
    }

    /// The map of all pieces, cut where they cross; loose ends and parts that are not connected
    /// with the largest are left out.
    ///
    /// - Complexity: O(n²) at worst, O(n √n) for pieces that are short relative to the whole.
    consuming func map() -> PlanarMap {
        cutAtCrossings()
        var edges: [(from: Int32, to: Int32, line: Int32)] = []
        var known: Set<UInt64> = []
        for piece in pieces {
            var last: Int32?
            for cut in piece.cuts.sorted() {
                let vertex = vertex(at: piece.from.toward(piece.to, cut))
                if let last, last != vertex {
                    let low = UInt64(UInt32(bitPattern: min(last, vertex)))
                    let high = UInt64(UInt32(bitPattern: max(last, vertex)))
                    if known.insert(low << 32 | high).inserted {
                        edges.append((last, vertex, piece.line))
                    }
                }
                last = vertex
            }
        }
        let kept = Self.pruned(edges, vertices: points.count)
        return PlanarMap(points: points, edges: kept)
    }

    private mutating func cutAtCrossings() {
        let order = pieces.indices.sorted {
            let left = min(pieces[$0].from.x, pieces[$0].to.x)
            let right = min(pieces[$1].from.x, pieces[$1].to.x)
            return (left, $0) < (right, $1)
        }
        for (rank, first) in order.enumerated() {
            let end = max(pieces[first].from.x, pieces[first].to.x)
            for second in order[(rank + 1)...] {
                if min(pieces[second].from.x, pieces[second].to.x) > end { break }
                cut(first, second)
            }
        }
    }

    private mutating func cut(_ first: Int, _ second: Int) {
        let a = pieces[first]
        let b = pieces[second]
        guard max(a.from.y, a.to.y) >= min(b.from.y, b.to.y),
            max(b.from.y, b.to.y) >= min(a.from.y, a.to.y)
        else { return }
        let wayA = a.to - a.from
        let wayB = b.to - b.from
        let turn = wayA.cross(wayB)
        guard turn.magnitude > 1e-9 else { return }
        let share = (b.from - a.from).cross(wayB) / turn
        let other = (b.from - a.from).cross(wayA) / turn
        let slackA = 0.5 / wayA.length
        let slackB = 0.5 / wayB.length
        guard share > -slackA, share < 1 + slackA, other > -slackB, other < 1 + slackB else {
            return
        }
        pieces[first].cuts.append(min(1, max(0, share)))
        pieces[second].cuts.append(min(1, max(0, other)))
    }

    /// The vertex at a place, a new one where none is near.
    private mutating func vertex(at place: Point) -> Int32 {
        let column = Int32((place.x / Self.nearness).rounded(.down))
        let row = Int32((place.y / Self.nearness).rounded(.down))
        for x in column - 1...column + 1 {
            for y in row - 1...row + 1 {
                for near in cells[Cell(column: x, row: y)] ?? []
                where points[Int(near)].distance(to: place) < Self.nearness {
                    return near
                }
            }
        }
        points.append(place)
        cells[Cell(column: column, row: row), default: []].append(Int32(points.count - 1))
        return Int32(points.count - 1)
    }

    /// The edges of the largest connected part, without the chains that end nowhere.
    private static func pruned(
        _ edges: [(from: Int32, to: Int32, line: Int32)],
        vertices: Int
    ) -> [(from: Int32, to: Int32, line: Int32)] {
        var kept = edges
        while true {
            var degrees = [Int32](repeating: 0, count: vertices)
            for edge in kept {
                degrees[Int(edge.from)] += 1
                degrees[Int(edge.to)] += 1
            }
            let rest = kept.filter { degrees[Int($0.from)] > 1 && degrees[Int($0.to)] > 1 }
            if rest.count == kept.count { break }
            kept = rest
        }
        var parts = Partition(count: vertices)
        for edge in kept { parts.unite(Int(edge.from), Int(edge.to)) }
        var sizes = [Int](repeating: 0, count: vertices)
        for edge in kept { sizes[parts.root(Int(edge.from))] += 1 }
        let largest = sizes.indices.max { (sizes[$0], $1) < (sizes[$1], $0) } ?? 0
        return kept.filter { parts.root(Int($0.from)) == largest }
    }
}

/// Sets that are united step by step (union and find).
struct Partition: Sendable {
    private var parents: [Int32]

    /// That many sets of one element each.
    init(count: Int) {
        parents = (0..<Int32(count)).map { $0 }
    }

    /// Adds one set of one element, the next number.
    mutating func append() {
        parents.append(Int32(parents.count))
    }

    /// The representative of an element's set: its smallest element.
    mutating func root(_ element: Int) -> Int {
        var current = element
        while Int(parents[current]) != current {
            parents[current] = parents[Int(parents[current])]
            current = Int(parents[current])
        }
        return current
    }

    /// Makes one set of the sets of two elements.
    mutating func unite(_ first: Int, _ second: Int) {
        let a = root(first)
        let b = root(second)
        if a < b { parents[b] = Int32(a) } else { parents[a] = Int32(b) }
    }
}
