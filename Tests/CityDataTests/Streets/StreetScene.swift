import Geo
import OpenData
import Streets
import Testing

@testable import CityData

/// A small town as text, one element per line, with places in metres east and north.
///
///     node 1 0 0 barrier=gate
///     way 10 1 2 3 highway=residential name=Long_Lane
///     relation 5 from:w10 via:n2 to:w11 type=restriction restriction=no_left_turn
///
/// A dot in the middle of the line (·) stands for a space in a value.
struct StreetScene {
    let draft: StreetDraft
    let report: StreetImport.Report
    private var places: [Int64: Coordinate] = [:]

    static let origin = Coordinate(latitude: 454_642_000, longitude: 91_900_000)

    init(_ text: String, islandPassages: Int = 0) throws {
        var writer = OSMWriter()
        var lines = text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        lines.removeAll { $0.isEmpty }
        for words in lines where words[0] == "node" {
            let id = try #require(Int64(words[1]))
            let east = try #require(Double(words[2]))
            let north = try #require(Double(words[3]))
            places[id] = Self.place(east, north)
            writer.add(node: id, at: Self.place(east, north), tags: Self.tags(words.dropFirst(4)))
        }
        for words in lines where words[0] == "way" {
            let refs = words.dropFirst(2).compactMap { Int64($0) }
            let tags = Self.tags(words.dropFirst(2 + refs.count))
            writer.add(way: try #require(Int64(words[1])), nodes: refs, tags: tags)
        }
        for words in lines where words[0] == "relation" {
            var members: [OSMMember] = []
            for word in words.dropFirst(2) where word.contains(":") && !word.contains("=") {
                let parts = word.split(separator: ":")
                let kind: OSMMember.Kind = parts[1].hasPrefix("w") ? .way : .node
                let id = try #require(Int64(parts[1].dropFirst()))
                members.append(OSMMember(kind, id, role: String(parts[0])))
            }
            let tags = Self.tags(words.dropFirst(2).filter { $0.contains("=") })
            writer.add(relation: try #require(Int64(words[1])), members: members, tags: tags)
        }
        let file = OSMFile(name: "scene", bytes: writer.finish())
        (draft, report) = try StreetImport.draft(from: file, islandPassages: islandPassages)
        StreetInvariants.check(draft)
    }

    static func place(_ east: Double, _ north: Double) -> Coordinate {
        let plane = LocalPlane(at: origin)
        return Coordinate(
            latitude: origin.latitude + Int32((north / plane.metresPerLatitude).rounded()),
            longitude: origin.longitude + Int32((east / plane.metresPerLongitude).rounded())
        )
    }

    private static func tags(_ words: some Sequence<String>) -> [OSMTag] {
        words.map { word in
            let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
            return OSMTag(parts[0], parts[1].replacing("·", with: " "))
        }
    }

    /// Returns the vertex at a node, or nil if the network has none there.
    func vertex(_ node: Int64) -> Int? {
        guard let place = places[node] else { return nil }
        return draft.vertices.firstIndex(of: place)
    }

    /// Returns the fastest time between two vertices, given by their nodes, in milliseconds.
    func milliseconds(_ profile: Profile, _ from: Int64, _ to: Int64) -> UInt64? {
        guard let source = vertex(from), let target = vertex(to) else {
            Issue.record("no vertex at node \(from) or \(to)")
            return nil
        }
        let times = StreetOracle.times(draft, profile, from: source)
        return draft.originals.indices.filter { draft.originals[$0] == UInt32(target) }
            .compactMap { times[$0] }.min()
    }

    /// Returns the fastest time between two vertices, given by their nodes, in whole seconds.
    func seconds(_ profile: Profile, _ from: Int64, _ to: Int64) -> Int? {
        milliseconds(profile, from, to).map { Int(($0 + 500) / 1_000) }
    }
}

/// Computes the fastest times in a draft with a simple search.
enum StreetOracle {
    /// Returns the time to each vertex and copy; nil if it is unreachable.
    static func times(_ draft: StreetDraft, _ profile: Profile, from source: Int) -> [UInt64?] {
        var times = [UInt64?](repeating: nil, count: draft.vertices.count)
        times[source] = 0
        var hasChanged = true
        while hasChanged {
            hasChanged = false
            for arc in draft.arcs {
                let time = arc.milliseconds[Int(profile.rawValue)]
                guard time != StreetDraft.Arc.closed, let start = times[Int(arc.from)] else {
                    continue
                }
                let arrival = start + UInt64(time)
                if let known = times[Int(arc.to)], known <= arrival { continue }
                times[Int(arc.to)] = arrival
                hasChanged = true
            }
        }
        return times
    }
}

/// The invariants of every draft.
enum StreetInvariants {
    static func check(_ draft: StreetDraft) {
        #expect(draft.originals.count == draft.vertices.count)
        #expect(draft.names.first == "")
        let originals = draft.originals.enumerated().prefix { $0.offset == Int($0.element) }.count
        for number in originals..<draft.vertices.count {
            let original = Int(draft.originals[number])
            #expect(original < originals, "copies follow all originals")
            #expect(draft.vertices[number] == draft.vertices[original])
        }
        var isGood = true
        for edge in draft.edges {
            isGood =
                isGood && Int(edge.from) < originals && Int(edge.to) < originals
                && edge.geometry.count >= 2 && edge.from != edge.to
                && edge.geometry.first == draft.vertices[Int(edge.from)]
                && edge.geometry.last == draft.vertices[Int(edge.to)]
                && Int(edge.name) < draft.names.count
        }
        #expect(isGood, "every edge joins two different originals along its geometry")
        for arc in draft.arcs {
            let edge = draft.edges[Int(arc.edge)]
            let ends = arc.forward ? (edge.from, edge.to) : (edge.to, edge.from)
            isGood =
                isGood && arc.milliseconds.count == Profile.allCases.count
                && draft.originals[Int(arc.from)] == ends.0
                && draft.originals[Int(arc.to)] == ends.1
                && arc.milliseconds.contains { $0 != StreetDraft.Arc.closed }
                && !arc.milliseconds.contains(0)
        }
        #expect(isGood, "every arc passes its edge and is open to somebody")
    }
}
