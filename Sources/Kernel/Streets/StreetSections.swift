public import Columns
import Geo

extension SectionWriter {
    /// Adds the sections of a street network, ready to be queried: `StreetNetwork(file)`.
    ///
    /// The same draft always gives the same bytes. Edges and names keep their numbers.
    ///
    /// - Parameters:
    ///   - draft: the streets.
    ///   - progress: called with the share of the work done, 0 to 1, never decreasing.
    /// - Throws: ``StreetFailure`` if the draft refers to something that does not exist; nothing is
    ///   added then.
    public mutating func add(
        streets draft: StreetDraft,
        progress: (Double) -> Void = { _ in }
    ) throws(StreetFailure) {
        try draft.check()
        progress(0)
        let sections = StreetSections(draft, progress: progress)
        sections.write(to: &self)
        sections.writeMetrics(to: &self, progress: progress)
    }
}

/// A draft, ordered and sorted for the sections.
struct StreetSections {
    private let draft: StreetDraft
    private let tree: EliminationTree
    /// The draft's arcs in the order of the sections.
    private let sorted: [Int32]
    /// Where each vertex's arcs begin; one more than there are vertices.
    private let outFirst: [UInt32]
    private let tails: [UInt32]
    private let heads: [UInt32]

    /// The approximate share of the time that ordering takes.
    static let orderShare = 0.6

    init(_ draft: StreetDraft, progress: (Double) -> Void) {
        self.draft = draft
        let graph = NeighbourGraph(
            vertexCount: draft.vertices.count,
            tails: draft.arcs.map { $0.from },
            heads: draft.arcs.map { $0.to }
        )
        tree = EliminationTree(graph, places: draft.vertices) { share in
            progress(share * Self.orderShare)
        }
        let ranks = tree.ranks
        let sorting = Grouping(draft.arcs.map { ranks[Int($0.from)] }, count: ranks.count)
        sorted = sorting.members
        outFirst = sorting.first
        tails = sorted.map { ranks[Int(draft.arcs[Int($0)].from)] }
        heads = sorted.map { ranks[Int(draft.arcs[Int($0)].to)] }
    }

    func write(to writer: inout SectionWriter) {
        writeVertices(to: &writer)
        writeArcs(to: &writer)
        writeEdges(to: &writer)
        EdgeGrid.write(draft, to: &writer)
        writer.add("streets.chordal.first", tree.first)
        writer.add("streets.chordal.head", tree.heads)
        writer.add("streets.names", texts: draft.names)
        writeRules(to: &writer)
    }

    private func writeRules(to writer: inout SectionWriter) {
        StreetRules.write(draft.hours, to: &writer)
        var numbers = [UInt32](repeating: 0, count: sorted.count)
        for (number, arc) in sorted.enumerated() { numbers[Int(arc)] = UInt32(number) }
        for profile in Profile.allCases {
            let rules = draft.rules.filter { $0.profile == profile }.map { rule in
                (arc: numbers[Int(rule.arc)], rule: rule)
            }
            StreetRules.write(
                StreetMetric.section(profile),
                rules.enumerated().sorted { ($0.1.arc, $0.0) < ($1.1.arc, $1.0) }.map { $0.1 },
                arcCount: sorted.count,
                to: &writer
            )
        }
    }

    /// Adds the customized hierarchies of all profiles.
    func writeMetrics(to writer: inout SectionWriter, progress: (Double) -> Void) {
        // Customization reads its input as it will be read from the file.
        var part = SectionWriter()
        part.add("streets.chordal.first", tree.first)
        part.add("streets.chordal.head", tree.heads)
        writeArcs(to: &part)
        guard let file = try? part.opened() else { return }
        withExtendedLifetime(file) {
            let hierarchy = Hierarchy(file)
            let arcs = ArcColumns(file, vertexCount: tree.ranks.count)
            for profile in Profile.allCases {
                StreetMetric.write(
                    profile,
                    milliseconds: times(profile),
                    hierarchy: hierarchy,
                    arcs: arcs,
                    to: &writer
                )
                let done = Double(profile.rawValue + 1) / Double(Profile.allCases.count)
                progress(Self.orderShare + (1 - Self.orderShare) * done)
            }
        }
    }

    private func times(_ profile: Profile) -> [UInt32] {
        sorted.map { draft.arcs[Int($0)].milliseconds[Int(profile.rawValue)] }
    }

    private func writeVertices(to writer: inout SectionWriter) {
        var latitudes = [Int32](repeating: 0, count: tree.ranks.count)
        var longitudes = latitudes
        var originals = tree.ranks
        for (vertex, rank) in tree.ranks.enumerated() {
            latitudes[Int(rank)] = draft.vertices[vertex].latitude
            longitudes[Int(rank)] = draft.vertices[vertex].longitude
            originals[Int(rank)] = tree.ranks[Int(draft.originals[vertex])]
        }
        writer.add("streets.vertex.latitude", latitudes)
        writer.add("streets.vertex.longitude", longitudes)
        writer.add("streets.vertex.original", originals)
        writer.add("streets.vertex.parent", tree.parents)
    }

    private func writeArcs(to writer: inout SectionWriter) {
        let into = Grouping(heads, count: tree.ranks.count)
        writer.add("streets.arc.out", outFirst)
        writer.add("streets.arc.into.first", into.first)
        writer.add("streets.arc.into", into.members.map { UInt32($0) })
        writer.add("streets.arc.tail", tails)
        writer.add("streets.arc.head", heads)
        let arcs = sorted.map { draft.arcs[Int($0)] }
        writer.add("streets.arc.edge", arcs.map { $0.edge << 1 | ($0.forward ? 0 : 1) })
        let lengths = arcs.map { draft.edges[Int($0.edge)].lengthDecimetres }
        writer.add("streets.arc.length", lengths)
    }

    private func writeEdges(to writer: inout SectionWriter) {
        let edges = draft.edges
        writer.add("streets.edge.from", edges.map { tree.ranks[Int($0.from)] })
        writer.add("streets.edge.to", edges.map { tree.ranks[Int($0.to)] })
        writer.add("streets.edge.length", edges.map { $0.lengthDecimetres })
        writer.add("streets.edge.name", edges.map { $0.name })
        writer.add("streets.edge.kind", edges.map { $0.kind.rawValue })
        writer.add("streets.edge.features", edges.map { $0.features.rawValue })
        writer.add("streets.edge.level", edges.map { $0.level })
        writer.add("streets.edge.use", uses())
        var first: [UInt32] = [0]
        var points: [Coordinate] = []
        for edge in edges {
            points.append(contentsOf: edge.geometry.dropFirst().dropLast())
            first.append(UInt32(points.count))
        }
        writer.add("streets.edge.points", first)
        writer.add("streets.point.latitude", points.map { $0.latitude })
        writer.add("streets.point.longitude", points.map { $0.longitude })
        let arcEdges = sorted.map { draft.arcs[Int($0)].edge }
        let arcs = Grouping(arcEdges, count: edges.count)
        writer.add("streets.edge.arcs.first", arcs.first)
        writer.add("streets.edge.arcs", arcs.members.map { UInt32($0) })
    }

    /// The profiles that may use each edge, see ``EdgeUse``.
    private func uses() -> [UInt16] {
        var uses = [EdgeUse](repeating: [], count: draft.edges.count)
        for profile in Profile.allCases {
            let open = times(profile).map { $0 < Cost.limitMilliseconds }
            let components = Components(first: outFirst, heads: heads) { open[$0] }
            let large = components.large()
            for arc in sorted.indices where open[arc] {
                let edge = Int(draft.arcs[Int(sorted[arc])].edge)
                uses[edge].insert(.open(profile))
                let tail = Int(tails[arc])
                let head = Int(heads[arc])
                if large[tail], components.component[tail] == components.component[head] {
                    uses[edge].insert(.main(profile))
                }
            }
        }
        return uses.map { $0.rawValue }
    }
}
