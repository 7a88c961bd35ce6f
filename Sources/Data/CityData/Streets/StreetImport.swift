import Geo
package import OpenData
package import Streets

/// Builds a street network from an OpenStreetMap file.
///
/// 1. Read: relations, ways and nodes; each way and node is classified by its tags
///   (``StreetAccess``, ``StreetSpeed``, ``StreetPoint``).
/// 2. Connect: ways become stretches between junctions (``StreetEdges``).
/// 3. Restrict: turn restrictions and barriers become copies of vertices (``StreetTurns``,
///   ``TurnExpansion``).
/// 4. Clear: parts that a profile cannot enter or leave are closed to it (``StreetIslands``).
package enum StreetImport {
    /// The contents of a file, and the repairs and omissions.
    package struct Report: Sendable, Equatable {
        /// Ways that became streets.
        package var ways = 0
        /// The number of junctions and dead ends.
        package var vertices = 0
        /// Copies of vertices that express turn restrictions and barriers.
        package var copies = 0
        /// Stretches between junctions.
        package var edges = 0
        /// The number of directed passages.
        package var arcs = 0
        /// Directed passages of stretches open to each profile, in the order of its cases.
        package var openPassages: [Int] = []
        /// Those of them in the largest part in which every place can be reached from every other.
        package var largestComponents: [Int] = []
        /// Passages closed to each profile because they lay on small islands.
        package var islandPassages: [Int] = []
        /// Turn restrictions for one of our profiles.
        package var restrictions = 0
        /// Turn restrictions whose from, via and to do not match the streets; most lead onto ways
        /// that are closed or under construction.
        package var brokenRestrictions = 0
        /// Nodes that keep some profile out.
        package var barriers = 0
        /// Outlines of squares that are walked along.
        package var outlines = 0
        /// Nodes that ways name but the file lacks.
        package var missingNodes = 0
        /// Ways of fewer than two nodes.
        package var shortWays = 0
        /// Speed limits that could not be understood.
        package var unparsableSpeeds = 0
        /// The number of ways whose times depend on the hour.
        package var conditionalWays = 0
        /// The number of ways with conditions that could not be understood, which are ignored.
        package var unclearConditions = 0

        /// Creates an empty report.
        package init() {}
    }

    /// Builds the street network of a file.
    ///
    /// - Parameters:
    ///   - file: the file to read.
    ///   - progress: called from time to time with the share done, 0 to 1.
    /// - Returns: the network, and the report on contents and repairs.
    /// - Throws: an ``OSMFailure`` if the file cannot be read.
    package static func draft(
        from file: OSMFile,
        progress: (Double) -> Void = { _ in }
    ) throws(OSMFailure) -> (StreetDraft, Report) {
        try draft(from: file, islandPassages: StreetConstants.islandPassages, progress: progress)
    }

    /// Builds the street network of a file, without islands of fewer passages than given.
    static func draft(
        from file: OSMFile,
        islandPassages: Int,
        progress: (Double) -> Void = { _ in }
    ) throws(OSMFailure) -> (StreetDraft, Report) {
        let reader = try StreetReader(file) { progress($0 * 0.6) }
        let edges = StreetEdges(reader, keeping: StreetTurns.nodes(reader))
        progress(0.7)
        let stretches = Stretches(reader, edges)
        let turns = StreetTurns(reader, edges, stretches.network)
        let expansion = TurnExpansion(stretches.network, turns.paths)
        progress(0.8)
        var report = reader.report
        report.ways = reader.ways.count
        report.restrictions = reader.restrictions.count
        report.brokenRestrictions += turns.broken
        report.missingNodes = reader.isPresent.count { !$0 }
        var draft = stretches.draft
        let closed = clear(expansion, stretches, islandPassages, &report)
        markIslets(&draft, stretches.network, closed)
        draft.vertices += expansion.copies.map { draft.vertices[Int($0)] }
        draft.originals += expansion.copies
        draft.arcs = arcs(expansion, stretches.network, closed)
        addRules(&draft, stretches.variants)
        report.vertices = edges.vertices.count
        report.copies = expansion.copies.count
        report.edges = draft.edges.count
        report.arcs = draft.arcs.count
        progress(1)
        return (draft, report)
    }

    /// Finds the profiles to which each passage is closed because it lies on an island.
    private static func clear(
        _ expansion: TurnExpansion,
        _ stretches: Stretches,
        _ islandPassages: Int,
        _ report: inout Report
    ) -> [UInt8] {
        let network = stretches.network
        var closed = [UInt8](repeating: 0, count: network.heads.count)
        for profile in Profile.allCases {
            let islands = StreetIslands(
                expansion,
                vertexCount: network.vertexCount,
                passageCount: network.heads.count,
                threshold: islandPassages,
                profile
            )
            let bit: UInt8 = 1 << profile.rawValue
            var open = 0
            var lost = 0
            for passage in network.heads.indices where network.isOpen(UInt32(passage), bit) {
                if islands.isMainland[passage] {
                    open += 1
                } else {
                    lost += 1
                    closed[passage] |= bit
                }
            }
            report.openPassages.append(open)
            report.islandPassages.append(lost)
            report.largestComponents.append(islands.largest)
        }
        return closed
    }

    /// Marks the edges that are closed to walkers because they lie on an island.
    private static func markIslets(
        _ draft: inout StreetDraft,
        _ network: PassageNetwork,
        _ closed: [UInt8]
    ) {
        let foot: UInt8 = 1 << Profile.foot.rawValue
        for edge in draft.edges.indices {
            let passages = [edge * 2, edge * 2 + 1].filter { network.isOpen(UInt32($0), foot) }
            if !passages.isEmpty, passages.allSatisfy({ closed[$0] & foot != 0 }) {
                draft.edges[edge].features.insert(.islet)
            }
        }
    }

    /// The draft's arcs; those that are closed to all profiles are left out.
    private static func arcs(
        _ expansion: TurnExpansion,
        _ network: PassageNetwork,
        _ closed: [UInt8]
    ) -> [StreetDraft.Arc] {
        var arcs: [StreetDraft.Arc] = []
        arcs.reserveCapacity(expansion.arcs.count)
        for arc in expansion.arcs {
            let open = arc.profiles & ~closed[Int(arc.passage)]
            guard open != 0 else { continue }
            let times = network.times[Int(arc.passage)]
            arcs.append(
                StreetDraft.Arc(
                    from: arc.from,
                    to: arc.to,
                    edge: arc.passage / 2,
                    forward: arc.passage % 2 == 0,
                    milliseconds: Profile.allCases.map { profile in
                        open & 1 << profile.rawValue != 0
                            ? times[Int(profile.rawValue)] : StreetDraft.Arc.closed
                    }
                )
            )
        }
        return arcs
    }

    /// Adds rules for the arcs whose passages have variants: for each profile the hours in which it
    /// takes longer than in its best hour.
    private static func addRules(
        _ draft: inout StreetDraft,
        _ variants: [UInt32: [Stretches.Variant]]
    ) {
        guard !variants.isEmpty else { return }
        var hours = StreetIndex<WeekHours>()
        for (number, arc) in draft.arcs.enumerated() {
            guard let variants = variants[arc.edge * 2 + (arc.forward ? 0 : 1)] else { continue }
            for profile in Profile.allCases {
                let lane = Int(profile.rawValue)
                let least = arc.milliseconds[lane]
                guard least != StreetDraft.Arc.closed else { continue }
                let slower = variants.filter { $0.times[lane] > least }
                for time in Set(slower.map { $0.times[lane] }).sorted() {
                    let same = slower.filter { $0.times[lane] == time }
                    draft.rules.append(
                        StreetDraft.Rule(
                            arc: UInt32(number),
                            profile: profile,
                            hours: hours.number(of: WeekHours(same.flatMap(\.hours.minutes))),
                            milliseconds: time
                        )
                    )
                }
            }
        }
        draft.hours = hours.values
    }
}
