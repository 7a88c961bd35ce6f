import Columns
import Geo
import Transit

/// The stops at which people change between vehicles of the street and public transport.
struct ChangeStops {
    /// How many stops around a place are looked at.
    static let countLimit = 64
    /// Of stops as near to each other as this, one is looked at, in 1e-7 degrees.
    private static let nearby: Int32 = 10_000
    /// The modes to whose stops people ride farther than to others.
    private static let fastModes: [TransitMode] = [.metro, .rail, .monorail, .ferry]

    /// A stop with the modes that serve it, as a set of `TransitMode.bit`.
    private struct Stop {
        let place: Coordinate
        let modes: UInt32
    }

    /// Two places have the same square if they are near to each other.
    private struct Square: Hashable {
        let row: Int32
        let column: Int32

        init(_ place: Coordinate) {
            row = place.latitude / ChangeStops.nearby
            column = place.longitude / ChangeStops.nearby
        }
    }

    private let stops: [Stop]

    /// The stops of a timetable that some vehicle serves.
    ///
    /// - Complexity: linear in the number of positions of all patterns.
    init(_ timetable: Timetable) {
        let patterns = timetable.patterns
        var modes: [StopIndex: UInt32] = [:]
        for pattern in patterns.indices {
            guard let run = patterns.runs(pattern).first else { continue }
            let mode = timetable.routes.mode(timetable.trips.route[patterns.trip(run, at: 0)])
            for position in patterns.positions(pattern) {
                let stop = timetable.platforms.stop[patterns.platform[position]]
                modes[stop, default: 0] |= mode.bit
            }
        }
        stops = modes.keys.sorted().compactMap { stop in
            guard let place = timetable.stops.coordinate(stop) else { return nil }
            return Stop(place: place, modes: modes[stop] ?? 0)
        }
    }

    /// The stops around a place: those of fast lines first, then the nearest.
    ///
    /// - Parameters:
    ///   - centre: the place.
    ///   - metres: how far from it they are, in a straight line.
    ///   - modes: the modes that may be used, as a set of `TransitMode.bit`.
    /// - Returns: at most ``countLimit`` places, none of them beside another.
    func around(
        _ centre: Coordinate,
        within metres: ClosedRange<Double>,
        modes: UInt32
    ) -> [Coordinate] {
        let plane = LocalPlane(at: centre)
        let fast = Self.fastModes.reduce(0) { $0 | $1.bit } & modes
        var found: [(isSlow: Int, metres: Double, place: Coordinate)] = []
        for stop in stops where stop.modes & modes != 0 {
            let distance = plane.distanceMetres(centre, stop.place)
            guard metres.contains(distance) else { continue }
            found.append((stop.modes & fast == 0 ? 1 : 0, distance, stop.place))
        }
        found.sort { ($0.isSlow, $0.metres) < ($1.isSlow, $1.metres) }
        var seen: Set<Square> = []
        var chosen: [Coordinate] = []
        for stop in found where chosen.count < Self.countLimit {
            if seen.insert(Square(stop.place)).inserted { chosen.append(stop.place) }
        }
        return chosen
    }
}
