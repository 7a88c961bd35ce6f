import Columns

/// The directed passages of a network, as stored, sorted by where they begin.
struct ArcColumns: Sendable {
    /// How many vertices there are.
    let vertexCount: Int
    /// Where the arcs out of each vertex begin; one more than there are vertices.
    let outFirst: Column<UInt32>
    /// Where the arcs into each vertex begin in `into`; one more than there are vertices.
    let intoFirst: Column<UInt32>
    /// The numbers of arcs, by the vertices that they end at.
    let into: Column<UInt32>
    private let tails: Column<UInt32>
    private let heads: Column<UInt32>
    /// The edge times two, plus one if it is passed against its geometry.
    private let edges: Column<UInt32>
    private let lengths: Column<UInt32>

    init(_ file: SectionFile, vertexCount: Int) {
        self.vertexCount = vertexCount
        outFirst = file.column("streets.arc.out")
        intoFirst = file.column("streets.arc.into.first")
        into = file.column("streets.arc.into")
        tails = file.column("streets.arc.tail")
        heads = file.column("streets.arc.head")
        edges = file.column("streets.arc.edge")
        lengths = file.column("streets.arc.length")
    }

    var count: Int { heads.count }

    @inline(__always)
    func tail(_ arc: Int) -> Int { tails.index(arc, below: vertexCount) }

    @inline(__always)
    func head(_ arc: Int) -> Int { heads.index(arc, below: vertexCount) }

    func edge(_ arc: Int) -> Int { Int(truncatingIfNeeded: edges[arc] >> 1) }

    func isForward(_ arc: Int) -> Bool { edges[arc] & 1 == 0 }

    /// The length in decimetres.
    func length(_ arc: Int) -> UInt32 { lengths[arc] }

    /// The packed cost of an arc, given the times of a profile.
    @inline(__always)
    func cost(_ arc: Int, _ milliseconds: Column<UInt32>) -> UInt64 {
        Cost(milliseconds: milliseconds[arc], decimetres: lengths[arc]).packed
    }

    /// The arcs out of a vertex.
    @inline(__always)
    func out(of vertex: Int) -> Range<Int> {
        outFirst.range(vertex, limit: count)
    }
}
