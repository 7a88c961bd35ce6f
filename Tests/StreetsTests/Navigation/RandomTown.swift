import Geo
import SeededRandom
import Streets

/// A random town for drives: bent streets on a distorted grid, one-way streets, gaps, forks and
/// roundabouts.
struct RandomTown {
    /// The streets.
    let network: StreetNetwork
    /// The driving costs of a taxi.
    let metric: StreetMetric
    /// The plane in which drives are simulated, in metres.
    let plane = LocalPlane(at: Coordinate(latitude: 454_642_000, longitude: 91_900_000))
    private var draft = StreetDraft()
    private static let side = 10
    private static let spacing = 130.0

    /// Makes a town.
    init(_ random: inout SeededRandom) throws {
        var draft = StreetDraft()
        var corners: [[UInt32]] = []
        let plane = self.plane
        func vertex(_ north: Double, _ east: Double) -> UInt32 {
            draft.originals.append(UInt32(draft.vertices.count))
            draft.vertices.append(plane.place(east: east, north: north))
            return UInt32(draft.vertices.count - 1)
        }
        for row in 0..<Self.side {
            for column in 0..<Self.side {
                let north = Double(row) * Self.spacing + .random(in: -30...30, using: &random)
                let east = Double(column) * Self.spacing + .random(in: -30...30, using: &random)
                let isRound = Int.random(in: 0..<12, using: &random) == 0
                // The arms of a roundabout to the north, east, south and west.
                let arms =
                    isRound ? [(18.0, 0.0), (0.0, 18.0), (-18.0, 0.0), (0.0, -18.0)] : [(0, 0)]
                corners.append(arms.map { vertex(north + $0.0, east + $0.1) })
            }
        }
        for ring in corners where ring.count == 4 {
            for arm in 0..<4 {
                Self.street(&draft, ring[arm], ring[(arm + 3) % 4], .roundabout, 1, &random)
            }
        }
        for row in 0..<Self.side {
            for column in 0..<Self.side {
                let here = corners[row * Self.side + column]
                func join(_ other: [UInt32], _ arm: Int) {
                    guard Int.random(in: 0..<9, using: &random) > 0 else { return }
                    let ways = Int.random(in: 0..<5, using: &random) == 0 ? 1 : 2
                    Self.street(
                        &draft,
                        here.count == 4 ? here[arm] : here[0],
                        other.count == 4 ? other[(arm + 2) % 4] : other[0],
                        [],
                        ways,
                        &random
                    )
                }
                if row + 1 < Self.side { join(corners[(row + 1) * Self.side + column], 0) }
                if column + 1 < Self.side { join(corners[row * Self.side + column + 1], 1) }
                let isSlanted = Int.random(in: 0..<12, using: &random) == 0
                if isSlanted, row + 1 < Self.side, column + 1 < Self.side, here.count == 1 {
                    let across = corners[(row + 1) * Self.side + column + 1]
                    if across.count == 1 { join(across, 0) }
                }
            }
        }
        self.draft = draft
        network = try RandomStreets.network(draft)
        metric = network.metric(.taxi)
    }

    private static func street(
        _ draft: inout StreetDraft,
        _ from: UInt32,
        _ to: UInt32,
        _ features: StreetFeatures,
        _ ways: Int,
        _ random: inout SeededRandom
    ) {
        let plane = LocalPlane(at: draft.vertices[Int(from)])
        let end = plane.project(draft.vertices[Int(to)])
        var geometry = [draft.vertices[Int(from)]]
        if features.isEmpty {
            for share in [0.35, 0.7] where Bool.random(using: &random) {
                let aside = Double.random(in: -12...12, using: &random)
                let length = (end.east * end.east + end.north * end.north).squareRoot()
                geometry.append(
                    plane.place(
                        east: end.east * share - end.north / length * aside,
                        north: end.north * share + end.east / length * aside
                    )
                )
            }
        }
        geometry.append(draft.vertices[Int(to)])
        let metres = zip(geometry, geometry.dropFirst()).reduce(0.0) {
            $0 + plane.distanceMetres($1.0, $1.1)
        }
        let number = UInt32(draft.names.count)
        draft.names.append("Street \(number)")
        draft.edges.append(
            StreetDraft.Edge(
                from: from,
                to: to,
                geometry: geometry,
                lengthDecimetres: UInt32(metres * 10),
                name: number,
                kind: .residential,
                features: features
            )
        )
        let time = UInt32(metres * .random(in: 70...120, using: &random))
        for isForward in ways == 1 ? [true] : [true, false] {
            draft.arcs.append(
                StreetDraft.Arc(
                    from: isForward ? from : to,
                    to: isForward ? to : from,
                    edge: UInt32(draft.edges.count - 1),
                    forward: isForward,
                    milliseconds: Profile.allCases.map { _ in time }
                )
            )
        }
    }

    /// A street away from a junction, as its points; nil if only the edge leads away from which the
    /// driver comes, or that which they should take.
    func exit(
        from junction: UInt32,
        except edges: Set<UInt32>,
        _ random: inout SeededRandom
    ) -> (edge: UInt32, end: UInt32, points: [Coordinate])? {
        let found = draft.arcs.filter { $0.from == junction && !edges.contains($0.edge) }
        guard let arc = found.randomElement(using: &random) else { return nil }
        let geometry = draft.edges[Int(arc.edge)].geometry
        return (arc.edge, arc.to, arc.forward ? geometry : geometry.reversed())
    }

    /// The junction where a stretch of a route begins.
    func start(of stretch: StreetRoute.Stretch) -> UInt32 {
        let edge = draft.edges[Int(stretch.edge.rawValue)]
        return stretch.forward ? edge.from : edge.to
    }

    /// A random place on a street.
    func place(_ random: inout SeededRandom) -> Coordinate {
        let edge = draft.edges[Int.random(in: draft.edges.indices, using: &random)]
        return edge.geometry[0]
    }
}
