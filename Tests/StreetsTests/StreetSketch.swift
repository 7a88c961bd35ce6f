import Geo
import Streets
import Testing

/// A small network that a test draws, street by street, in metres north and east.
struct StreetSketch {
    /// The network drawn so far.
    private(set) var draft = StreetDraft()
    private var junctions: [String: UInt32] = [:]

    /// Draws a straight street between two junctions.
    ///
    /// Each is named with its metres north and east where it appears first, as in `a 100 -20`. All
    /// streets have the same speed.
    mutating func street(
        _ name: String,
        _ from: String,
        _ to: String,
        kind: StreetKind = .residential,
        isOneWay: Bool = false,
        features: StreetFeatures = []
    ) {
        let ends = [junction(from), junction(to)]
        let geometry = ends.map { draft.vertices[Int($0)] }
        let metres = geometry[0].distanceMetres(to: geometry[1])
        if !draft.names.contains(name) { draft.names.append(name) }
        let edge = UInt32(draft.edges.count)
        draft.edges.append(
            StreetDraft.Edge(
                from: ends[0],
                to: ends[1],
                geometry: geometry,
                lengthDecimetres: UInt32((metres * 10).rounded()),
                name: UInt32(draft.names.firstIndex(of: name) ?? 0),
                kind: kind,
                features: features
            )
        )
        for isForward in isOneWay ? [true] : [true, false] {
            draft.arcs.append(
                StreetDraft.Arc(
                    from: ends[isForward ? 0 : 1],
                    to: ends[isForward ? 1 : 0],
                    edge: edge,
                    forward: isForward,
                    milliseconds: Profile.allCases.map { _ in UInt32(metres * 100) }
                )
            )
        }
    }

    private mutating func junction(_ words: String) -> UInt32 {
        let parts = words.split(separator: " ").map(String.init)
        if let known = junctions[parts[0]] { return known }
        let number = UInt32(draft.vertices.count)
        let (north, east) = (Double(parts[1]) ?? 0, Double(parts[2]) ?? 0)
        let centre = Coordinate(latitude: 454_642_000, longitude: 91_900_000)
        draft.vertices.append(LocalPlane(at: centre).place(east: east, north: north))
        draft.originals.append(number)
        junctions[parts[0]] = number
        return number
    }

    /// Where a junction is.
    func coordinate(_ name: String) throws -> Coordinate {
        draft.vertices[Int(try #require(junctions[name]))]
    }

    /// The end of the first street that a junction has.
    func place(_ name: String) throws -> StreetPlace {
        let junction = try #require(junctions[name])
        let edge = try #require(draft.edges.firstIndex { [$0.from, $0.to].contains(junction) })
        return StreetPlace(
            edge: EdgeIndex(rawValue: UInt32(edge)),
            fraction: draft.edges[edge].from == junction ? 0 : StreetPlace.whole,
            point: draft.vertices[Int(junction)],
            distanceMetres: 0
        )
    }
}

extension Coordinate {
    /// The place in the middle of two others.
    func halfway(to other: Coordinate) -> Coordinate {
        Coordinate(
            latitude: latitude + (other.latitude - latitude) / 2,
            longitude: longitude + (other.longitude - longitude) / 2
        )
    }
}
