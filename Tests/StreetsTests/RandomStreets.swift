import Columns
import Geo
import SeededRandom
import Streets
import TestSupport

/// Small random street networks with all features that make searching difficult.
enum RandomStreets {
    /// A network of random shape: a grid, a sparse or a disconnected graph; with one-way streets,
    /// parallel and zero-length passages, dead ends, loops, closed passages and restrictions.
    static func draft(_ random: inout SeededRandom) -> StreetDraft {
        var draft = StreetDraft()
        draft.names = ["", "Via Padova", "Corso Buenos Aires"]
        if Bool.random(using: &random) {
            grid(&draft, &random)
        } else {
            sparse(&draft, &random)
        }
        for _ in 0..<Int.random(in: 0...6, using: &random) { restrict(&draft, &random) }
        return draft
    }

    /// Runs a test with the network of each seed that has any edges.
    static func each(
        _ seeds: Range<UInt64>,
        _ test: (
            UInt64, StreetDraft, StreetNetwork, StreetWorkspace, inout SeededRandom
        ) throws -> Void
    ) throws {
        for seed in seeds {
            var random = SeededRandom(seed: seed)
            let draft = draft(&random)
            guard !draft.edges.isEmpty else { continue }
            let network = try network(draft)
            try test(seed, draft, network, StreetWorkspace(for: network), &random)
        }
    }

    /// A grid of `columns` by `rows` junctions, 80 m apart.
    static func grid(
        columns: Int,
        rows: Int,
        oneWayShare: Double,
        _ random: inout SeededRandom
    ) -> StreetDraft {
        var draft = StreetDraft()
        for row in 0..<rows {
            for column in 0..<columns { addVertex(&draft, row * 7_200, column * 10_300, &random) }
        }
        for row in 0..<rows {
            for column in 0..<columns {
                let vertex = row * columns + column
                if column + 1 < columns {
                    addStreet(&draft, vertex, vertex + 1, oneWayShare, &random)
                }
                if row + 1 < rows {
                    addStreet(&draft, vertex, vertex + columns, oneWayShare, &random)
                }
            }
        }
        return draft
    }

    private static func grid(_ draft: inout StreetDraft, _ random: inout SeededRandom) {
        let names = draft.names
        draft = grid(
            columns: Int.random(in: 1...9, using: &random),
            rows: Int.random(in: 1...9, using: &random),
            oneWayShare: Double.random(in: 0...0.9, using: &random),
            &random
        )
        draft.names = names
    }

    private static func sparse(_ draft: inout StreetDraft, _ random: inout SeededRandom) {
        let count = Int.random(in: 1...60, using: &random)
        for _ in 0..<count {
            addVertex(
                &draft,
                Int.random(in: 0...60_000, using: &random),
                Int.random(in: 0...80_000, using: &random),
                &random
            )
        }
        for _ in 0..<Int.random(in: 1...(2 * count), using: &random) {
            addStreet(
                &draft,
                Int.random(in: 0..<count, using: &random),
                Int.random(in: 0..<count, using: &random),
                0.5,
                &random
            )
        }
    }

    private static func addVertex(
        _ draft: inout StreetDraft,
        _ north: Int,
        _ east: Int,
        _ random: inout SeededRandom
    ) {
        draft.originals.append(UInt32(draft.vertices.count))
        draft.vertices.append(
            Coordinate(
                latitude: 454_640_000 + Int32(north) + Int32.random(in: 0...2_000, using: &random),
                longitude: 91_880_000 + Int32(east) + Int32.random(in: 0...3_000, using: &random)
            )
        )
    }

    private static func addStreet(
        _ draft: inout StreetDraft,
        _ from: Int,
        _ to: Int,
        _ oneWayShare: Double,
        _ random: inout SeededRandom
    ) {
        var geometry = [draft.vertices[from], draft.vertices[to]]
        for _ in 0..<Int.random(in: 0...2, using: &random) {
            var bend = draft.vertices[from]
            bend.latitude += Int32.random(in: -3_000...3_000, using: &random)
            bend.longitude += Int32.random(in: -3_000...3_000, using: &random)
            geometry.insert(bend, at: 1)
        }
        let edge = UInt32(draft.edges.count)
        draft.edges.append(
            StreetDraft.Edge(
                from: UInt32(from),
                to: UInt32(to),
                geometry: geometry,
                lengthDecimetres: Bool.random(using: &random)
                    ? 800 : UInt32.random(in: 0...5_000, using: &random),
                name: UInt32.random(in: 0..<UInt32(draft.names.count), using: &random),
                kind: .residential
            )
        )
        func arc(_ tail: Int, _ head: Int, _ forward: Bool) -> StreetDraft.Arc {
            StreetDraft.Arc(
                from: UInt32(tail),
                to: UInt32(head),
                edge: edge,
                forward: forward,
                milliseconds: Profile.allCases.map { _ in time(&random) }
            )
        }
        let oneWay = Double.random(in: 0..<1, using: &random) < oneWayShare
        if !oneWay || Bool.random(using: &random) { draft.arcs.append(arc(from, to, true)) }
        if !oneWay { draft.arcs.append(arc(to, from, false)) }
    }

    private static func time(_ random: inout SeededRandom) -> UInt32 {
        switch Int.random(in: 0..<20, using: &random) {
        case 0: StreetDraft.Arc.closed
        case 1: 0
        case 2: UInt32.random(in: 0...0x3FFF_FFFF, using: &random)
        case 3...8: 10_000
        default: UInt32.random(in: 1...60_000, using: &random)
        }
    }

    /// Makes a copy of a vertex to which an arc leads for one profile, with fewer outgoing arcs.
    private static func restrict(_ draft: inout StreetDraft, _ random: inout SeededRandom) {
        guard let into = draft.arcs.indices.randomElement(using: &random) else { return }
        let place = Int(draft.arcs[into].to)
        let copy = UInt32(draft.vertices.count)
        draft.vertices.append(draft.vertices[place])
        draft.originals.append(draft.originals[place])
        let bound = Int.random(in: 0..<Profile.allCases.count, using: &random)
        var redirected = draft.arcs[into]
        redirected.to = copy
        for profile in Profile.allCases.indices where profile != bound {
            redirected.milliseconds[profile] = StreetDraft.Arc.closed
        }
        draft.arcs[into].milliseconds[bound] = StreetDraft.Arc.closed
        for arc in draft.arcs
        where arc.from == UInt32(place) && Int.random(in: 0..<3, using: &random) > 0 {
            var out = arc
            out.from = copy
            draft.arcs.append(out)
        }
        draft.arcs.append(redirected)
    }
}

extension RandomStreets {
    /// Writes a draft to sections and opens it.
    static func network(_ draft: StreetDraft) throws -> StreetNetwork {
        var writer = SectionWriter()
        try writer.add(streets: draft)
        return StreetNetwork(try writer.opened())
    }

    /// A random place on a random edge, often at one of its ends.
    static func place(_ draft: StreetDraft, _ random: inout SeededRandom) -> StreetPlace {
        let edge = Int.random(in: draft.edges.indices, using: &random)
        let fraction =
            switch Int.random(in: 0..<6, using: &random) {
            case 0: 0 as UInt32
            case 1: StreetPlace.whole
            default: UInt32.random(in: 0...StreetPlace.whole, using: &random)
            }
        return StreetPlace(
            edge: EdgeIndex(rawValue: UInt32(edge)),
            fraction: fraction,
            point: draft.edges[edge].geometry[0],
            distanceMetres: 0
        )
    }
}
