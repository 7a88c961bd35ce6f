import Columns

/// One direction of a customized hierarchy: for each vertex the arcs between it and later ones.
///
/// In the *up* graph they lead from the vertex, in the *down* graph to it.
struct SearchGraph: Sendable {
    /// Where each vertex's arcs begin; one more than there are vertices.
    let first: Column<UInt32>
    /// The later vertex, ascending.
    let heads: Column<UInt32>
    /// The packed cost of each arc.
    let costs: Column<UInt64>
    /// The vertex that a shortcut leads over, or the vertex count plus an arc's number.
    let vias: Column<UInt32>

    init(_ name: String, in file: SectionFile) {
        first = file.column(name + ".first")
        heads = file.column(name + ".head")
        costs = file.column(name + ".cost")
        vias = file.column(name + ".via")
    }

    @inline(__always)
    func range(_ vertex: Int) -> Range<Int> {
        first.range(vertex, limit: heads.count)
    }

    /// The packed cost of an arc; at most ``Cost/never``.
    @inline(__always)
    func cost(_ arc: Int) -> UInt64 {
        min(costs[arc], Cost.packedNever)
    }
}

/// A search graph that is being built.
struct SearchGraphArrays {
    var first: [UInt32] = [0]
    var heads: [UInt32] = []
    var costs: [UInt64] = []
    var vias: [UInt32] = []

    func write(_ name: String, to writer: inout SectionWriter) {
        writer.add(name + ".first", first)
        writer.add(name + ".head", heads)
        writer.add(name + ".cost", costs)
        writer.add(name + ".via", vias)
    }
}
