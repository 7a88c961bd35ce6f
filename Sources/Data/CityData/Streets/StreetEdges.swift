import Geo
import Streets

/// The stretches between junctions, before turns are restricted.
///
/// Ways are first cut at every node that two of them share or that has an obstacle. Then pieces are
/// joined again across nodes where nothing changes: two pieces of the same class and name meet. So
/// vertices remain only where the network branches, a way ends, its class or name changes, or a
/// barrier or a turn restriction applies; the geometry keeps every node.
struct StreetEdges {
    /// The node of each vertex.
    var vertices: [UInt32] = []
    /// The stretches between junctions.
    var edges: [Edge] = []
    /// The nodes of all stretches, one after the other.
    var nodes: [UInt32] = []

    /// A stretch between two vertices.
    struct Edge {
        var from: UInt32
        var to: UInt32
        /// Where its nodes lie in `nodes`.
        var start: UInt32
        var end: UInt32
        /// The class of the way in the stretch's direction.
        var sort: StreetClass
        var name: UInt32
        /// The ways that its ends belong to: numbers in the reader.
        var firstWay: UInt32
        var lastWay: UInt32
        /// Milliseconds of waiting for each profile along it, its last node included.
        var waits: SIMD8<UInt32>
        /// The same against its direction, its first node included.
        var backwardWaits: SIMD8<UInt32>
    }

    private let reader: StreetReader
    private var pieces: [Piece] = []
    /// The pieces that end at each node, as a chain: the first end, and for each end the next.
    private var firstEnd: [UInt32]
    private var nextEnd: [UInt32] = []
    private var isVertex: [Bool]
    private var vertexNumbers: [UInt32]
    private var isJoined: [Bool] = []

    private static let nothing = UInt32.max

    /// A part of a way between two nodes where ways are cut.
    private struct Piece {
        let way: UInt32
        /// Its nodes in the reader's `refs`, both ends included.
        let first: UInt32
        let last: UInt32
    }

    /// Connects the ways at their shared nodes.
    ///
    /// - Parameters:
    ///   - reader: the ways and nodes.
    ///   - kept: nodes that must be vertices because a turn restriction holds there.
    init(_ reader: StreetReader, keeping kept: [UInt32]) {
        self.reader = reader
        let count = reader.nodeIds.count
        firstEnd = [UInt32](repeating: Self.nothing, count: count)
        vertexNumbers = [UInt32](repeating: Self.nothing, count: count)
        isVertex = Self.cuts(reader)
        cut()
        isVertex = [Bool](repeating: false, count: count)
        for node in kept { isVertex[Int(node)] = true }
        for node in 0..<count where reader.nodePoints[node] > 0 {
            if let point = reader.point(UInt32(node)), point.closed != 0 { isVertex[node] = true }
        }
        isJoined = [Bool](repeating: false, count: pieces.count)
        // First the stretches that have an end, then the circles that are left.
        for piece in pieces.indices where !isJoined[piece] {
            if next(after: (UInt32(piece), true)) == nil { join((UInt32(piece), false)) }
            if !isJoined[piece], next(after: (UInt32(piece), false)) == nil {
                join((UInt32(piece), true))
            }
        }
        for piece in pieces.indices where !isJoined[piece] { join((UInt32(piece), true)) }
        pieces = []
        firstEnd = []
        nextEnd = []
    }

    /// The nodes where ways begin, end or meet.
    private static func cuts(_ reader: StreetReader) -> [Bool] {
        var uses = [UInt8](repeating: 0, count: reader.nodeIds.count)
        func use(_ position: Int, _ times: UInt8) {
            let node = Int(reader.refs[position])
            uses[node] = min(2, uses[node] + times)
        }
        for way in reader.ways.indices {
            let range = reader.offsets[way]..<reader.offsets[way + 1]
            for position in range { use(position, 1) }
            use(range.lowerBound, 2)
            use(range.upperBound - 1, 2)
        }
        return uses.map { $0 >= 2 }
    }

    /// Cuts all ways into pieces; nodes that the file lacks are left out.
    private mutating func cut() {
        for way in reader.ways.indices {
            var start: Int?
            for position in reader.offsets[way]..<reader.offsets[way + 1] {
                let node = Int(reader.refs[position])
                guard reader.isPresent[node] else {
                    if let start, position - 1 > start { add(way, start, position - 1) }
                    start = nil
                    continue
                }
                if let first = start, isVertex[node] || reader.isBarrier(node) {
                    add(way, first, position)
                    start = position
                }
                start = start ?? position
            }
            if let start, start < reader.offsets[way + 1] - 1 {
                add(way, start, reader.offsets[way + 1] - 1)
            }
        }
    }

    private mutating func add(_ way: Int, _ first: Int, _ last: Int) {
        let piece = UInt32(pieces.count)
        pieces.append(Piece(way: UInt32(way), first: UInt32(first), last: UInt32(last)))
        for (end, position) in [(piece * 2, first), (piece * 2 + 1, last)] {
            let node = Int(reader.refs[position])
            nextEnd.append(firstEnd[node])
            firstEnd[node] = end
        }
    }

    /// A piece passed in its way's direction or against it.
    private typealias Step = (piece: UInt32, forward: Bool)

    private func sort(_ step: Step) -> StreetClass {
        let way = Int(pieces[Int(step.piece)].way)
        let sort = reader.classes.values[Int(reader.wayClasses[way])]
        return step.forward ? sort : sort.reversed
    }

    private func endNode(_ step: Step) -> UInt32 {
        let piece = pieces[Int(step.piece)]
        return reader.refs[Int(step.forward ? piece.last : piece.first)]
    }

    private func startNode(_ step: Step) -> UInt32 {
        endNode((step.piece, !step.forward))
    }

    /// The piece that continues another one without any change, or nil.
    private func next(after step: Step) -> Step? {
        let node = Int(endNode(step))
        guard !isVertex[node] else { return nil }
        let end = step.piece * 2 + (step.forward ? 1 : 0)
        let first = firstEnd[node]
        guard first != Self.nothing, nextEnd[Int(first)] != Self.nothing else { return nil }
        let second = nextEnd[Int(first)]
        guard nextEnd[Int(second)] == Self.nothing else { return nil }
        let other = first == end ? second : first
        guard other / 2 != step.piece else { return nil }
        let next: Step = (other / 2, other % 2 == 0)
        let ways = (Int(pieces[Int(step.piece)].way), Int(pieces[Int(next.piece)].way))
        guard reader.wayNames[ways.0] == reader.wayNames[ways.1], sort(step) == sort(next)
        else { return nil }
        return next
    }

    /// Joins all pieces from one that nothing precedes.
    private mutating func join(_ first: Step) {
        var steps: [Step] = []
        var step: Step? = first
        while let current = step, !isJoined[Int(current.piece)] {
            isJoined[Int(current.piece)] = true
            steps.append(current)
            step = next(after: current)
        }
        let from = startNode(first)
        let start = nodes.count
        nodes.append(from)
        for step in steps { appendNodes(step) }
        guard let last = steps.last, nodes.count - start >= 2 else {
            nodes.removeLast(nodes.count - start)
            return
        }
        // A closed loop has no second vertex; it gets one half way.
        if endNode(last) == from {
            splitCircle(steps, start)
        } else {
            finish(steps, start, nodes.count)
        }
    }

    private mutating func appendNodes(_ step: Step) {
        let piece = pieces[Int(step.piece)]
        let range = Int(piece.first)...Int(piece.last)
        for offset in 1..<range.count {
            let position = step.forward ? Int(piece.first) + offset : Int(piece.last) - offset
            let node = reader.refs[position]
            if nodes.last != node { nodes.append(node) }
        }
    }

    private mutating func splitCircle(_ steps: [Step], _ start: Int) {
        guard nodes.count - start >= 3 else {
            nodes.removeLast(nodes.count - start)
            return
        }
        let middle = start + (nodes.count - start) / 2
        let rest = Array(nodes[middle...])
        nodes.removeLast(nodes.count - middle - 1)
        finish(steps, start, nodes.count)
        let second = nodes.count
        nodes.append(contentsOf: rest)
        finish(steps, second, nodes.count)
    }

    private mutating func finish(_ steps: [Step], _ start: Int, _ end: Int) {
        guard let first = steps.first, let last = steps.last else { return }
        let directions = directedWaits(steps, start, end)
        edges.append(
            Edge(
                from: vertex(nodes[start]),
                to: vertex(nodes[end - 1]),
                start: UInt32(start),
                end: UInt32(end),
                sort: sort(first),
                name: reader.wayNames[Int(pieces[Int(first.piece)].way)],
                firstWay: pieces[Int(first.piece)].way,
                lastWay: pieces[Int(last.piece)].way,
                waits: directions.forward,
                backwardWaits: directions.backward
            )
        )
    }

    private mutating func vertex(_ node: UInt32) -> UInt32 {
        if vertexNumbers[Int(node)] == Self.nothing {
            vertexNumbers[Int(node)] = UInt32(vertices.count)
            vertices.append(node)
        }
        return vertexNumbers[Int(node)]
    }

    /// The vertex at a node, or nil.
    func vertexNumber(_ node: UInt32) -> UInt32? {
        let number = vertexNumbers[Int(node)]
        return number == Self.nothing ? nil : number
    }

    /// The waiting times along and against a stretch: at its inner nodes and at the
    /// end that is reached.
    private func directedWaits(
        _ steps: [Step],
        _ start: Int,
        _ end: Int
    ) -> (forward: SIMD8<UInt32>, backward: SIMD8<UInt32>) {
        var forward = SIMD8<UInt32>(repeating: 0)
        var backward = SIMD8<UInt32>(repeating: 0)
        for position in start..<end {
            guard let point = reader.point(nodes[position]) else { continue }
            let wait = SIMD8<UInt32>(truncatingIfNeeded: point.wait)
            // A joined stretch may be drawn partly against its direction; a directed obstacle
            // belongs to one of its parts.
            let isAlong = steps.count == 1 ? steps[0].forward : isAlong(steps, nodes[position])
            let waits =
                isAlong
                ? (point.waitsForward, point.waitsBackward)
                : (point.waitsBackward, point.waitsForward)
            if position > start, waits.0 { forward &+= wait }
            if position < end - 1, waits.1 { backward &+= wait }
        }
        return (forward, backward)
    }

    private func isAlong(_ steps: [Step], _ node: UInt32) -> Bool {
        for step in steps {
            let piece = pieces[Int(step.piece)]
            if reader.refs[Int(piece.first)...Int(piece.last)].contains(node) {
                return step.forward
            }
        }
        return true
    }
}

extension StreetReader {
    /// Whether something at a node keeps someone out.
    func isBarrier(_ node: Int) -> Bool {
        nodePoints[node] > 0 && points[Int(nodePoints[node]) - 1].closed != 0
    }
}
