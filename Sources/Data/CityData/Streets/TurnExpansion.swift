import Streets

/// Expresses forbidden sequences of passages by copies of vertices.
///
/// The forbidden sequences form a trie; a copy of a vertex stands for one of its inner nodes:
/// "one has just made these passages, and must not complete the row". As in that of Aho and
/// Corasick (CACM 1975, doi:10.1145/360825.360855) the state after each passage is the longest row
/// that has been begun, so that restrictions which begin inside of others, or share a beginning,
/// hold together. Rows bind profiles, so each profile has an automaton of its own over the same
/// trie, and a passage may lead different profiles to different copies.
struct TurnExpansion {
    /// The vertex of each copy, in the order of their numbers, which follow those of the vertices.
    private(set) var copies: [UInt32] = []
    /// The passages between vertices and copies.
    private(set) var arcs: [Arc] = []

    /// A passage from one vertex or copy to another, open to some profiles.
    struct Arc {
        var from: UInt32
        var to: UInt32
        var passage: UInt32
        /// One bit for each of ``Profile/allCases``.
        var profiles: UInt8
    }

    private let network: PassageNetwork
    private var nodes: [Node] = []
    private var children: [Step: UInt32] = [:]
    /// The passages with which some forbidden sequence begins.
    private var isBeginning: [Bool]

    private static let root: UInt32 = 0

    private struct Node {
        /// The node of the longest proper suffix of this node's row that is in the trie.
        var suffix: UInt32 = 0
        var parent: UInt32
        var passage: UInt32
        /// The profiles that have a longer sequence that begins with this one.
        var begun: UInt8 = 0
        /// The profiles for which this sequence is complete, and so forbidden.
        var forbidden: UInt8 = 0
        /// The vertex number of the copy.
        var vertex: UInt32 = 0
    }

    private struct Step: Hashable {
        var node: UInt32
        var passage: UInt32
    }

    /// Expands a network; sequences have at least two passages, each of which begins where
    /// the previous one ends.
    init(_ network: PassageNetwork, _ forbidden: [ForbiddenPath]) {
        self.network = network
        nodes = [Node(parent: 0, passage: .max)]
        isBeginning = [Bool](repeating: false, count: network.heads.count)
        for path in forbidden { insert(path) }
        link()
        for node in nodes.indices.dropFirst() where nodes[node].begun != 0 {
            nodes[node].vertex = UInt32(network.vertexCount + copies.count)
            copies.append(network.head(nodes[node].passage))
        }
        connect()
    }

    private mutating func insert(_ path: ForbiddenPath) {
        var node = Self.root
        for (position, passage) in path.passages.enumerated() {
            if position == 0 {
                isBeginning[Int(passage)] = true
            } else {
                nodes[Int(node)].begun |= path.profiles
            }
            let step = Step(node: node, passage: passage)
            if let child = children[step] {
                node = child
            } else {
                children[step] = UInt32(nodes.count)
                nodes.append(Node(parent: node, passage: passage))
                node = UInt32(nodes.count - 1)
            }
        }
        nodes[Int(node)].forbidden |= path.profiles
    }

    /// Finds each node's suffix, the shorter rows before the longer.
    private mutating func link() {
        var depth = [Int](repeating: 0, count: nodes.count)
        for node in nodes.indices.dropFirst() { depth[node] = depth[Int(nodes[node].parent)] + 1 }
        // Parents have lower numbers than children, so a stable order by depth suffices.
        let order = nodes.indices.dropFirst().sorted { (depth[$0], $0) < (depth[$1], $1) }
        for node in order where nodes[node].parent != Self.root {
            var suffix = nodes[Int(nodes[node].parent)].suffix
            while true {
                let step = Step(node: suffix, passage: nodes[node].passage)
                if let child = children[step] {
                    nodes[node].suffix = child
                    break
                }
                if suffix == Self.root { break }
                suffix = nodes[Int(suffix)].suffix
            }
        }
    }

    /// The state of a profile after a passage, or nil if the passage is forbidden to it.
    private func next(_ state: UInt32, _ passage: UInt32, _ profile: UInt8) -> UInt32? {
        var target = Self.root
        var node = state
        while true {
            let child =
                node == Self.root && !isBeginning[Int(passage)]
                ? nil : children[Step(node: node, passage: passage)]
            if let child {
                if nodes[Int(child)].forbidden & profile != 0 { return nil }
                if target == Self.root, nodes[Int(child)].begun & profile != 0 { target = child }
            }
            if node == Self.root { return target }
            node = nodes[Int(node)].suffix
        }
    }

    private mutating func connect() {
        for passage in network.heads.indices {
            connect(Self.root, network.tail(UInt32(passage)), UInt32(passage), 0b1_1111)
        }
        for node in nodes.indices.dropFirst() where nodes[node].begun != 0 {
            for passage in network.leaving(network.head(nodes[node].passage)) {
                connect(UInt32(node), nodes[node].vertex, passage, nodes[node].begun)
            }
        }
    }

    /// Adds the arcs of a passage out of a state, one for each state that it leads to.
    private mutating func connect(
        _ state: UInt32,
        _ from: UInt32,
        _ passage: UInt32,
        _ profiles: UInt8
    ) {
        var targets: [(node: UInt32, profiles: UInt8)] = []
        let open = network.open(passage) & profiles
        guard open != 0 else { return }
        if state == Self.root, !isBeginning[Int(passage)] {
            arcs.append(
                Arc(from: from, to: network.head(passage), passage: passage, profiles: open)
            )
            return
        }
        for profile in Profile.allCases {
            let bit: UInt8 = 1 << profile.rawValue
            guard open & bit != 0, let target = next(state, passage, bit) else { continue }
            if let known = targets.firstIndex(where: { $0.node == target }) {
                targets[known].profiles |= bit
            } else {
                targets.append((target, bit))
            }
        }
        for target in targets {
            let to =
                target.node == Self.root
                ? network.head(passage) : nodes[Int(target.node)].vertex
            arcs.append(Arc(from: from, to: to, passage: passage, profiles: target.profiles))
        }
    }
}
