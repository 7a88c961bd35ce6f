/// Assembles closed rings from open pieces, such as the ways of a multipolygon.
///
/// Pieces are sequences of nodes; they meet at equal ends and may be used in either direction. From
/// each piece, the walk follows unused pieces. As soon as it returns to the beginning of a piece
/// that it has used, the pieces from there on form a ring; so rings that touch each other at a
/// joint are separated. Where the walk cannot continue, its last piece is broken and left out.
///
/// Source: OSM wiki, "Relation:multipolygon/Algorithm", with the loop rule instead of its search.
enum RingAssembly {
    /// The rings that pieces form.
    ///
    /// - Parameter pieces: rows of nodes; shorter ones than two nodes are broken.
    /// - Returns: rings, each with its first node repeated as the last, and how
    ///   many pieces are in none.
    /// - Complexity: O(n log n) for n pieces.
    static func rings(_ pieces: [[UInt32]]) -> (rings: [[UInt32]], broken: Int) {
        var rings: [[UInt32]] = []
        var broken = 0
        var isUsed = [Bool](repeating: false, count: pieces.count)
        let joints = joints(of: pieces)
        for first in pieces.indices where !isUsed[first] {
            guard pieces[first].count >= 2 else {
                broken += 1
                isUsed[first] = true
                continue
            }
            var walk: [[UInt32]] = []
            var next: [UInt32]? = pieces[first]
            isUsed[first] = true
            while true {
                if let piece = next {
                    walk.append(piece)
                    if let start = walk.lastIndex(where: { $0[0] == piece[piece.count - 1] }) {
                        rings.append(Self.joined(walk[start...]))
                        walk.removeSubrange(start...)
                    }
                } else {
                    walk.removeLast()
                    broken += 1
                }
                guard let last = walk.last else { break }
                next = unused(at: last[last.count - 1], pieces, joints, &isUsed)
            }
        }
        return (rings, broken)
    }

    /// The ends of all pieces by node, then by piece.
    private static func joints(of pieces: [[UInt32]]) -> [(node: UInt32, piece: Int)] {
        var joints: [(node: UInt32, piece: Int)] = []
        for (number, piece) in pieces.enumerated() where piece.count >= 2 {
            joints.append((piece[0], number))
            joints.append((piece[piece.count - 1], number))
        }
        return joints.sorted { ($0.node, $0.piece) < ($1.node, $1.piece) }
    }

    /// Takes the first unused piece at a node, oriented so that it begins there.
    private static func unused(
        at node: UInt32,
        _ pieces: [[UInt32]],
        _ joints: [(node: UInt32, piece: Int)],
        _ isUsed: inout [Bool]
    ) -> [UInt32]? {
        var low = 0
        var high = joints.count
        while low < high {
            let middle = (low + high) / 2
            if joints[middle].node < node { low = middle + 1 } else { high = middle }
        }
        while low < joints.count, joints[low].node == node {
            let number = joints[low].piece
            if !isUsed[number] {
                isUsed[number] = true
                return pieces[number][0] == node ? pieces[number] : pieces[number].reversed()
            }
            low += 1
        }
        return nil
    }

    private static func joined(_ pieces: ArraySlice<[UInt32]>) -> [UInt32] {
        var ring: [UInt32] = []
        for piece in pieces { ring += ring.isEmpty ? piece[...] : piece.dropFirst() }
        return ring
    }
}
