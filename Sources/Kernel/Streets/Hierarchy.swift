import Columns

/// The chordal graph of a network, as stored: the same for all profiles.
struct Hierarchy: Sendable {
    /// Where each vertex's later neighbours begin; one more than there are vertices.
    let first: Column<UInt32>
    /// The later neighbours, ascending.
    let heads: Column<UInt32>

    init(_ file: SectionFile) {
        first = file.column("streets.chordal.first")
        heads = file.column("streets.chordal.head")
    }

    init(first: Column<UInt32>, heads: Column<UInt32>) {
        self.first = first
        self.heads = heads
    }

    /// Checks that every list ascends and lies above its vertex, so that contracting by it ends
    /// within the time that it should take.
    func check(vertexCount: Int) throws(StreetFailure) {
        guard first.count == vertexCount + 1 || (vertexCount == 0 && first.count <= 1) else {
            throw .damagedHierarchy
        }
        var begin: UInt32 = 0
        for vertex in 0..<vertexCount {
            let end = first[vertex + 1]
            guard first[vertex] == begin, end >= begin, Int(clamping: end) <= heads.count else {
                throw .damagedHierarchy
            }
            var previous = UInt32(truncatingIfNeeded: vertex)
            for position in Int(begin)..<Int(end) {
                let head = heads[position]
                guard head > previous, head < UInt32(vertexCount) else {
                    throw .damagedHierarchy
                }
                previous = head
            }
            begin = end
        }
    }
}
