import Geo
import Streets

/// The stretches with their lengths and times: the draft without its arcs, and the network of
/// passages to which turn restrictions refer.
struct Stretches {
    /// Vertices, edges and names; no copies and no arcs yet.
    private(set) var draft = StreetDraft()
    /// The passages of the edges and their times.
    let network: PassageNetwork
    /// The times at each hour of the passages that take longer at some hours.
    private(set) var variants: [UInt32: [Variant]] = [:]

    /// The times of a passage at certain hours.
    struct Variant {
        var hours: WeekHours
        var times: PassageNetwork.Times
    }

    /// Measures all stretches of the network.
    init(_ reader: StreetReader, _ edges: StreetEdges) {
        draft.vertices = edges.vertices.map { reader.places[Int($0)] }
        draft.originals = Array(0..<UInt32(draft.vertices.count))
        draft.names = reader.names.values
        draft.edges.reserveCapacity(edges.edges.count)
        typealias Times = PassageNetwork.Times
        var passages: [(from: UInt32, to: UInt32, along: Times, against: Times)] = []
        passages.reserveCapacity(edges.edges.count)
        for edge in edges.edges {
            let geometry = edges.nodes[Int(edge.start)..<Int(edge.end)].map {
                reader.places[Int($0)]
            }
            var metres = 0.0
            for (first, second) in zip(geometry, geometry.dropFirst()) {
                metres += first.distanceMetres(to: second)
            }
            draft.edges.append(
                StreetDraft.Edge(
                    from: edge.from,
                    to: edge.to,
                    geometry: geometry,
                    lengthDecimetres: UInt32((metres * 10).rounded()),
                    name: edge.name,
                    kind: edge.sort.kind,
                    features: StreetFeatures(rawValue: edge.sort.features),
                    level: edge.sort.level
                )
            )
            for variant in edge.sort.variants {
                let along = Self.times(metres, variant.forward, edge.waits)
                let against = Self.times(metres, variant.backward, edge.backwardWaits)
                let passage = UInt32(passages.count * 2)
                variants[passage, default: []].append(Variant(hours: variant.hours, times: along))
                variants[passage + 1, default: []].append(
                    Variant(hours: variant.hours, times: against)
                )
            }
            passages.append(
                (
                    edge.from, edge.to,
                    Self.times(metres, edge.sort.forward, edge.waits),
                    Self.times(metres, edge.sort.backward, edge.backwardWaits)
                )
            )
        }
        network = PassageNetwork(vertexCount: edges.vertices.count, edges: passages)
    }

    /// The milliseconds to pass a length at given speeds, and the waits on the way.
    private static func times(
        _ metres: Double,
        _ speeds: SIMD8<UInt16>,
        _ waits: SIMD8<UInt32>
    ) -> PassageNetwork.Times {
        var times = PassageNetwork.Times(repeating: StreetDraft.Arc.closed)
        for lane in 0..<Profile.allCases.count where speeds[lane] > 0 {
            // At most half of the earth's circumference at 1 mm/s, which does not fit: such a time
            // is clamped.
            let milliseconds = (metres * 1_000_000 / Double(speeds[lane])).rounded()
            let limit = Double(Int32.max)
            times[lane] = UInt32(min(limit, max(1, milliseconds + Double(waits[lane]))))
        }
        return times
    }
}
