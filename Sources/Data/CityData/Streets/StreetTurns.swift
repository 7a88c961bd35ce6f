import Streets

/// A row of passages that some profiles may not make one after the other.
struct ForbiddenPath: Hashable {
    /// At least two passages; each is twice its edge's number, plus 1 against its direction.
    var passages: [UInt32]
    /// The profiles that it binds, one bit for each of ``Profile/allCases``.
    var profiles: UInt8
}

/// Converts restrictions and barriers into forbidden sequences of passages.
///
/// An `only_…` restriction over ways applies to everyone who has entered its first via way: from
/// there the way to its `to` is the only one allowed.
struct StreetTurns {
    /// The forbidden sequences of passages.
    private(set) var paths: [ForbiddenPath] = []
    /// Restrictions that do not match the network: a way is missing or does not touch the via node.
    private(set) var broken = 0

    private let reader: StreetReader
    private let edges: StreetEdges
    private let network: PassageNetwork
    /// The stretches of the ways that restrictions name.
    private var edgesOfWay: [Int64: [UInt32]] = [:]

    /// A way over ways passes at most this many stretches.
    private static let viaLimit = 48

    /// Finds all forbidden sequences of a network.
    init(_ reader: StreetReader, _ edges: StreetEdges, _ network: PassageNetwork) {
        self.reader = reader
        self.edges = edges
        self.network = network
        findEdges()
        for restriction in reader.restrictions {
            let before = paths.count
            // One profile after the other: which passages are meant, and whether there is an exit
            // at all, depends on what is open to the profile.
            for profile in Profile.allCases {
                var single = restriction
                single.profiles &= 1 << profile.rawValue
                guard single.profiles != 0 else { continue }
                if single.viaNode != nil { addNode(single) } else { addWays(single) }
            }
            if paths.count == before { broken += 1 }
        }
        addBarriers()
    }

    /// The nodes where restrictions hold, which must therefore be vertices.
    static func nodes(_ reader: StreetReader) -> [UInt32] {
        reader.restrictions.compactMap { restriction in
            restriction.viaNode.flatMap { reader.node($0) }.map { UInt32($0) }
        }
    }

    private mutating func findEdges() {
        var wanted: Set<Int64> = []
        for restriction in reader.restrictions {
            wanted.formUnion(restriction.from)
            wanted.formUnion(restriction.to)
            wanted.formUnion(restriction.viaWays)
        }
        for (number, edge) in edges.edges.enumerated() {
            for way in Set([reader.ways[Int(edge.firstWay)], reader.ways[Int(edge.lastWay)]])
            where wanted.contains(way) {
                edgesOfWay[way, default: []].append(UInt32(number))
            }
        }
    }

    /// The passages of a way that arrive at a vertex, as far as someone bound may make them.
    private func arriving(_ way: Int64, _ vertex: UInt32, _ profiles: UInt8) -> [UInt32] {
        var found: [UInt32] = []
        for number in edgesOfWay[way] ?? [] {
            let edge = edges.edges[Int(number)]
            if edge.to == vertex, reader.ways[Int(edge.lastWay)] == way {
                found.append(number * 2)
            }
            if edge.from == vertex, reader.ways[Int(edge.firstWay)] == way {
                found.append(number * 2 + 1)
            }
        }
        return found.filter { network.isOpen($0, profiles) }
    }

    private func leaving(_ way: Int64, _ vertex: UInt32, _ profiles: UInt8) -> [UInt32] {
        var found: [UInt32] = []
        for number in edgesOfWay[way] ?? [] {
            let edge = edges.edges[Int(number)]
            if edge.from == vertex, reader.ways[Int(edge.firstWay)] == way {
                found.append(number * 2)
            }
            if edge.to == vertex, reader.ways[Int(edge.lastWay)] == way {
                found.append(number * 2 + 1)
            }
        }
        return found.filter { network.isOpen($0, profiles) }
    }

    private mutating func addNode(_ restriction: StreetRestriction) {
        guard let id = restriction.viaNode, let node = reader.node(id),
            let vertex = edges.vertexNumber(UInt32(node))
        else { return }
        for from in restriction.from {
            let incoming = arriving(from, vertex, restriction.profiles)
            for to in restriction.to {
                let outgoing = leaving(to, vertex, restriction.profiles)
                if from == to, !restriction.isOnly {
                    // Turning round; where the way continues through the node, in both of its
                    // parts.
                    for passage in incoming where outgoing.contains(passage ^ 1) {
                        forbid([passage, passage ^ 1], restriction.profiles)
                    }
                    continue
                }
                // Where a way continues through the via node, it is unknown which part is meant.
                guard incoming.count == 1, outgoing.count == 1 else { continue }
                if restriction.isOnly {
                    forbidOthers([incoming[0]], than: outgoing[0], restriction.profiles)
                } else {
                    forbid([incoming[0], outgoing[0]], restriction.profiles)
                }
            }
        }
    }

    private mutating func addWays(_ restriction: StreetRestriction) {
        var via: [UInt32: Int64] = [:]
        for way in restriction.viaWays {
            for edge in edgesOfWay[way] ?? [] { via[edge] = way }
        }
        guard !via.isEmpty else { return }
        for from in restriction.from {
            for number in edgesOfWay[from] ?? [] {
                for passage in [number * 2, number * 2 + 1]
                where network.isOpen(passage, restriction.profiles)
                    && arriving(from, network.head(passage), restriction.profiles)
                        .contains(passage)
                {
                    var path = [passage]
                    follow(&path, restriction, via)
                }
            }
        }
    }

    /// Follows the via ways, each stretch once, until the `to` way can be entered.
    private mutating func follow(
        _ path: inout [UInt32],
        _ restriction: StreetRestriction,
        _ via: [UInt32: Int64]
    ) {
        guard path.count <= Self.viaLimit, let last = path.last else { return }
        let vertex = network.head(last)
        let passed = Set(path.dropFirst().compactMap { via[$0 / 2] })
        if passed.count == Set(restriction.viaWays).count {
            var isComplete = false
            for to in restriction.to {
                for passage in leaving(to, vertex, restriction.profiles)
                where passage / 2 != last / 2 {
                    isComplete = true
                    if restriction.isOnly {
                        for length in 2...path.count {
                            let next = length < path.count ? path[length] : passage
                            let prefix = Array(path.prefix(length))
                            forbidOthers(prefix, than: next, restriction.profiles)
                        }
                    } else {
                        forbid(path + [passage], restriction.profiles)
                        forbidTurningRound(path, restriction.profiles)
                    }
                }
            }
            if isComplete { return }
        }
        for passage in network.leaving(vertex)
        where via[passage / 2] != nil && network.isOpen(passage, restriction.profiles)
            && !path.contains(where: { $0 / 2 == passage / 2 })
        {
            path.append(passage)
            follow(&path, restriction, via)
            path.removeLast()
        }
    }

    /// Forbids turning round on a via way, which would form a different sequence and still lead
    /// where the restriction forbids to go.
    private mutating func forbidTurningRound(_ path: [UInt32], _ profiles: UInt8) {
        for length in 2...max(2, path.count) {
            let prefix = Array(path.prefix(length))
            guard let last = prefix.last else { continue }
            forbid(prefix + [last ^ 1], profiles)
        }
    }

    private mutating func forbid(_ passages: [UInt32], _ profiles: UInt8) {
        paths.append(ForbiddenPath(passages: passages, profiles: profiles))
    }

    private mutating func forbidOthers(
        _ prefix: [UInt32],
        than allowed: UInt32,
        _ profiles: UInt8
    ) {
        guard let last = prefix.last else { return }
        for passage in network.leaving(network.head(last)) where passage != allowed {
            forbid(prefix + [passage], profiles)
        }
    }

    /// A profile that a barrier keeps out may approach it and must turn round.
    private mutating func addBarriers() {
        for (vertex, node) in edges.vertices.enumerated() {
            guard let point = reader.point(node), point.closed != 0 else { continue }
            let leaving = network.leaving(UInt32(vertex))
            for incoming in leaving.map({ $0 ^ 1 }) {
                for outgoing in leaving where outgoing != incoming ^ 1 {
                    forbid([incoming, outgoing], point.closed)
                }
            }
        }
    }
}
