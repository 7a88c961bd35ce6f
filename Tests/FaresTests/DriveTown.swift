import Columns
import Fares
import Geo
import SeededRandom
import Streets

/// A town of bent blocks with some one-way streets, in which drives are simulated.
struct DriveTown {
    let network: StreetNetwork
    private static let side = 12

    /// Makes a town.
    init(_ random: inout SeededRandom) throws {
        var draft = StreetDraft()
        let plane = LocalPlane(at: Coordinate(latitude: 454_642_000, longitude: 91_900_000))
        for row in 0..<Self.side {
            for column in 0..<Self.side {
                draft.originals.append(UInt32(draft.vertices.count))
                draft.vertices.append(
                    plane.place(
                        east: Double(column) * 120 + random.between(-25, 25),
                        north: Double(row) * 120 + random.between(-25, 25)
                    )
                )
            }
        }
        for row in 0..<Self.side {
            for column in 0..<Self.side {
                let here = UInt32(row * Self.side + column)
                // The outer streets have both directions, so that no place is lost.
                if column + 1 < Self.side {
                    let isInner = row > 0 && row + 1 < Self.side
                    Self.street(&draft, here, here + 1, isInner && random.happens(0.15), &random)
                }
                if row + 1 < Self.side {
                    let isInner = column > 0 && column + 1 < Self.side
                    let next = here + UInt32(Self.side)
                    Self.street(&draft, here, next, isInner && random.happens(0.15), &random)
                }
            }
        }
        var writer = SectionWriter()
        try writer.add(streets: draft)
        network = StreetNetwork(try writer.opened())
    }

    private static func street(
        _ draft: inout StreetDraft,
        _ from: UInt32,
        _ to: UInt32,
        _ isOneWay: Bool,
        _ random: inout SeededRandom
    ) {
        let geometry = [draft.vertices[Int(from)], draft.vertices[Int(to)]]
        let metres = geometry[0].distanceMetres(to: geometry[1])
        let edge = UInt32(draft.edges.count)
        draft.edges.append(
            StreetDraft.Edge(
                from: from,
                to: to,
                geometry: geometry,
                lengthDecimetres: UInt32((metres * 10).rounded()),
                kind: .residential
            )
        )
        let time = UInt32(metres * random.between(80, 110))
        for isForward in isOneWay ? [true] : [true, false] {
            draft.arcs.append(
                StreetDraft.Arc(
                    from: isForward ? from : to,
                    to: isForward ? to : from,
                    edge: edge,
                    forward: isForward,
                    milliseconds: Profile.allCases.map { _ in time }
                )
            )
        }
    }
}

/// A drive along a route, whose taxi reports its position every five seconds.
struct SampledDrive {
    /// A street in one direction.
    struct Street: Hashable {
        let edge: EdgeIndex
        let isForward: Bool
    }

    /// What the phone reported.
    private(set) var points: [DrivePoint] = []
    /// The streets that were passed from end to end, without those at the ends of the drive.
    private(set) var streets: Set<Street> = []
    /// The two streets at each end of the drive, which may be passed in part only.
    private(set) var ends: Set<Street> = []

    /// Drives along a route.
    ///
    /// - Parameters:
    ///   - route: the route.
    ///   - began: when the drive begins, in milliseconds since 1970-01-01 UTC.
    ///   - deviation: the standard deviation of positions in each direction, in metres.
    ///   - random: decides the errors of positions.
    ///   - slowness: how many times as long as on the map a street takes.
    init(
        _ route: StreetRoute,
        from began: Int64,
        deviation: Double,
        _ random: inout SeededRandom,
        slowness: (Street) -> Double
    ) {
        var clock = 0.0
        var next = 0.0
        for (number, stretch) in route.stretches.enumerated() {
            let street = Street(edge: stretch.edge, isForward: stretch.forward)
            let isLast = number + 1 == route.stretches.count
            let end =
                isLast ? route.geometry.count - 1 : route.stretches[number + 1].firstPoint
            let line = Array(route.geometry[stretch.firstPoint...max(stretch.firstPoint, end)])
            let seconds = Double(stretch.cost.milliseconds) / 1_000 * slowness(street)
            while next < clock + seconds {
                let place = Self.place((next - clock) / seconds, line)
                let plane = LocalPlane(at: place)
                points.append(
                    DrivePoint(
                        milliseconds: began + Int64(next * 1_000),
                        // The bell has a standard deviation of a third.
                        place: plane.place(
                            east: random.bell() * 3 * deviation,
                            north: random.bell() * 3 * deviation
                        ),
                        accuracyMetres: deviation * 1.5
                    )
                )
                next += 5
            }
            clock += seconds
            if number > 1, number + 2 < route.stretches.count {
                streets.insert(street)
            } else {
                ends.insert(street)
            }
        }
    }

    /// The place at a share of a line.
    private static func place(_ share: Double, _ line: [Coordinate]) -> Coordinate {
        let lengths = zip(line, line.dropFirst()).map { $0.distanceMetres(to: $1) }
        var rest = lengths.reduce(0, +) * share
        for (index, length) in lengths.enumerated() {
            if rest <= length, length > 0 {
                let plane = LocalPlane(at: line[index])
                let end = plane.project(line[index + 1])
                return plane.place(east: end.east * rest / length, north: end.north * rest / length)
            }
            rest -= length
        }
        return line[line.count - 1]
    }
}
