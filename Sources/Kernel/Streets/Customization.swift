import Columns

/// Computes the costs of one profile on the chordal graph, and keeps the arcs that queries need.
///
/// Customizable contraction hierarchies (Dibbelt, Strasser, Wagner, "Customizable contraction
/// hierarchies", ACM JEA 21, 2016): the order and the shortcuts depend on the network alone, and
/// costs are filled in afterwards, so that one order serves all profiles and live traffic changes
/// costs in a fraction of a second. A *triangle* is three vertices of which each two are
/// neighbours, `low`, `middle` and `top` by rank.
///
/// 1. Each arc gets the cheapest passage of the street between its ends.
/// 2. Basic: in ascending order of `middle`, the arc (middle, top) becomes no dearer than the way
///   over `low`. Now every quickest way is one that climbs and then descends.
/// 3. Perfect: in descending order of `middle`, the arcs (low, middle) and (low, top) become no
///   dearer than the way over the third vertex. Now every arc costs what the quickest way between
///   its ends costs; an arc that became cheaper here is needed by no query and is left out, which
///   leaves about as many arcs as a hierarchy built for this profile alone.
///
/// Both passes look at each triangle once: the arcs of `middle` are found by their top through an
/// array of positions, and its lower neighbours by the reversed graph.
struct Customization: ~Copyable {
    private let hierarchy: Hierarchy
    private let vertexCount: Int
    private let upward: Direction
    private let downward: Direction
    /// The reversed chordal graph: where each vertex's lower neighbours begin, and the positions
    /// of the arcs that come from them, and these neighbours themselves.
    private let lowerFirst: Scratch<UInt32>
    private let lowerArcs: Scratch<UInt32>
    private let lowerVertices: Scratch<UInt32>
    /// The position of the middle's arc to each top.
    private let positions: Scratch<UInt32>

    /// One direction of all arcs of the chordal graph.
    private struct Direction: ~Copyable {
        let costs: Scratch<UInt64>
        /// The vertex that a shortcut leads over, or the vertex count plus an arc's number.
        let vias: Scratch<UInt32>
        /// Whether the perfect pass made it cheaper.
        let dropped: Scratch<Bool>

        init(count: Int) {
            costs = Scratch(repeating: Cost.packedNever, count: count)
            vias = Scratch(repeating: 0, count: count)
            dropped = Scratch(repeating: false, count: count)
        }

        /// Lowers the cost of an arc to that of a way over another vertex.
        @inline(__always)
        func relax(_ arc: Int, _ cost: UInt64, via: Int) {
            if cost < costs[arc] {
                costs[arc] = cost
                vias[arc] = UInt32(truncatingIfNeeded: via)
            }
        }

        /// Lowers the cost of an arc that is then no longer needed.
        @inline(__always)
        func drop(_ arc: Int, _ cost: UInt64) {
            if cost < costs[arc] {
                costs[arc] = cost
                dropped[arc] = true
            }
        }
    }

    /// Both directions of the search graph for a profile's costs.
    ///
    /// - Parameters:
    ///   - hierarchy: a checked chordal graph.
    ///   - arcs: the passages between its vertices.
    ///   - milliseconds: the time of each passage; `StreetDraft.Arc.closed` where not allowed.
    /// - Returns: the arcs that climb and those that descend.
    static func searchGraphs(
        _ hierarchy: Hierarchy,
        arcs: ArcColumns,
        milliseconds: Column<UInt32>
    ) -> (up: SearchGraphArrays, down: SearchGraphArrays) {
        let customization = Customization(hierarchy, vertexCount: arcs.vertexCount)
        customization.respect(arcs, milliseconds)
        customization.basic()
        customization.perfect()
        return (
            customization.remaining(customization.upward),
            customization.remaining(customization.downward)
        )
    }

    private init(_ hierarchy: Hierarchy, vertexCount: Int) {
        let arcCount = hierarchy.heads.count
        self.hierarchy = hierarchy
        self.vertexCount = vertexCount
        upward = Direction(count: arcCount)
        downward = Direction(count: arcCount)
        positions = Scratch(repeating: 0, count: vertexCount)
        lowerFirst = Scratch(repeating: 0, count: vertexCount + 2)
        lowerArcs = Scratch(repeating: 0, count: arcCount)
        lowerVertices = Scratch(repeating: 0, count: arcCount)
        for arc in 0..<arcCount { lowerFirst[Int(hierarchy.heads[arc]) + 2] += 1 }
        for vertex in 0..<vertexCount { lowerFirst[vertex + 2] += lowerFirst[vertex + 1] }
        for vertex in 0..<vertexCount {
            for arc in range(vertex) {
                let head = Int(hierarchy.heads[arc])
                lowerArcs[Int(lowerFirst[head + 1])] = UInt32(arc)
                lowerVertices[Int(lowerFirst[head + 1])] = UInt32(vertex)
                lowerFirst[head + 1] += 1
            }
        }
    }

    private func range(_ vertex: Int) -> Range<Int> {
        hierarchy.first.range(vertex, limit: hierarchy.heads.count)
    }

    /// Step 1: sets each arc to the cost of the cheapest passage between its ends.
    private func respect(_ arcs: ArcColumns, _ milliseconds: Column<UInt32>) {
        for arc in 0..<arcs.count {
            let cost = arcs.cost(arc, milliseconds)
            let tail = arcs.tail(arc)
            let head = arcs.head(arc)
            guard cost < Cost.packedNever, tail != head,
                let position = position(min(tail, head), max(tail, head))
            else { continue }
            if tail < head {
                upward.relax(position, cost, via: vertexCount + arc)
            } else {
                downward.relax(position, cost, via: vertexCount + arc)
            }
        }
    }

    /// The arc between two vertices; nil without one.
    private func position(_ lower: Int, _ upper: Int) -> Int? {
        let arcs = range(lower)
        let arc = arcs.bisected { Int(hierarchy.heads[$0]) < upper }
        return arcs.contains(arc) && Int(hierarchy.heads[arc]) == upper ? arc : nil
    }

    /// Step 2: the basic customization, in ascending order of the middle vertex.
    private func basic() {
        for middle in 0..<vertexCount {
            let own = mark(middle)
            for entry in Int(lowerFirst[middle])..<Int(lowerFirst[middle + 1]) {
                let arc = Int(lowerArcs[entry])
                let toMiddle = upward.costs[arc]
                let fromMiddle = downward.costs[arc]
                if min(toMiddle, fromMiddle) >= Cost.packedNever { continue }
                let low = Int(lowerVertices[entry])
                for other in arc + 1..<range(low).upperBound {
                    let position = Int(positions[Int(hierarchy.heads[other])])
                    guard own.contains(position) else { continue }
                    upward.relax(position, fromMiddle &+ upward.costs[other], via: low)
                    downward.relax(position, downward.costs[other] &+ toMiddle, via: low)
                }
            }
        }
    }

    /// Step 3: the perfect customization, in descending order of the middle vertex.
    private func perfect() {
        for middle in stride(from: vertexCount - 1, through: 0, by: -1) {
            let own = mark(middle)
            for entry in Int(lowerFirst[middle])..<Int(lowerFirst[middle + 1]) {
                let arc = Int(lowerArcs[entry])
                let low = Int(lowerVertices[entry])
                for other in arc + 1..<range(low).upperBound {
                    let position = Int(positions[Int(hierarchy.heads[other])])
                    guard own.contains(position) else { continue }
                    let over = upward.costs[position]
                    let back = downward.costs[position]
                    upward.drop(other, upward.costs[arc] &+ over)
                    downward.drop(other, back &+ downward.costs[arc])
                    upward.drop(arc, upward.costs[other] &+ back)
                    downward.drop(arc, over &+ downward.costs[other])
                }
            }
        }
    }

    /// Records the positions of a vertex's arcs, by their heads.
    @inline(__always)
    private func mark(_ middle: Int) -> Range<Int> {
        let own = range(middle)
        for position in own {
            positions[Int(hierarchy.heads[position])] = UInt32(truncatingIfNeeded: position)
        }
        return own
    }

    /// The arcs that are open and needed.
    private func remaining(_ direction: borrowing Direction) -> SearchGraphArrays {
        var result = SearchGraphArrays()
        result.first.reserveCapacity(vertexCount + 1)
        for vertex in 0..<vertexCount {
            for arc in range(vertex)
            where direction.costs[arc] < Cost.packedNever && !direction.dropped[arc] {
                result.heads.append(hierarchy.heads[arc])
                result.costs.append(direction.costs[arc])
                result.vias.append(direction.vias[arc])
            }
            result.first.append(UInt32(result.heads.count))
        }
        return result
    }
}
