package import Geo
package import Streets

/// Estimates how long taxis take between places on the mapped streets.
///
/// A place within 300 m of a street that taxis may use counts as being on it. From a place further
/// away, the straight line to the nearest street is added, at 18 km/h. Without streets the result
/// is unknown; nothing is guessed (F14).
///
/// ``Calibration`` corrects these times by actual drives. A value of this type must be used by one
/// thread at a time, because of its workspace.
package struct Arrivals {
    /// The distance within which a place counts as being on a street, in metres.
    package static let nearMetres = 300.0
    /// The search radius for the nearest street beyond that, in metres.
    package static let farMetres = 20_000.0
    /// The distance within which a moving taxi may be on a street, in metres.
    private static let movingMetres = 40.0
    /// How far a street may lead from the direction of a taxi that moves along it, in degrees.
    private static let headingDegrees = 60.0
    /// The speed on straight lines in metres per second: 18 km/h.
    package static let straightSpeed = 5.0
    /// The walking speed on straight lines without paths, in metres per second: 4.3 km/h.
    package static let straightWalkingSpeed = 1.2

    private let streets: StreetNetwork
    private let taxi: StreetMetric
    private let foot: StreetMetric
    private let workspace: StreetWorkspace

    /// Creates an estimator for a street network.
    ///
    /// - Parameters:
    ///   - streets: the network; it may be empty.
    ///   - taxi: the driving costs, for example of live traffic; by default those of the map.
    package init(_ streets: StreetNetwork, taxi: StreetMetric? = nil) {
        self.streets = streets
        self.taxi = taxi ?? streets.metric(.taxi)
        foot = streets.metric(.foot)
        workspace = StreetWorkspace(for: streets)
    }

    /// Returns the fastest drive between two places; nil if no street or route is known.
    ///
    /// - Complexity: two snaps and a cost query, 0.2 ms in Milan; the path is not unpacked.
    package func drive(from origin: Coordinate, to destination: Coordinate) -> Drive? {
        drive(from: origin, to: destination) { first, last in
            let cost = streets.cost(from: first, to: last, by: taxi, using: workspace)
            guard cost.isPossible else { return nil }
            return Drive(
                milliseconds: Int64(cost.milliseconds),
                decimetres: Int64(cost.decimetres)
            )
        }
    }

    /// Returns the same drive street by street, for fares that depend on the speed on each.
    package func detailedDrive(from origin: Coordinate, to destination: Coordinate) -> Drive? {
        drive(from: origin, to: destination) { first, last in
            streets.route(from: first, to: last, by: taxi, using: workspace).map { Drive($0) }
        }
    }

    /// The fastest drive on the streets; nil if no street or route is known.
    private func route(from origin: Coordinate, to destination: Coordinate) -> StreetRoute? {
        guard let first = place(near: origin, for: .taxi),
            let last = place(near: destination, for: .taxi)
        else { return nil }
        return streets.route(from: first, to: last, by: taxi, using: workspace)
    }

    /// Returns the geometry of the fastest drive, from place to place; nil if no street or route is
    /// known.
    package func geometry(
        from origin: Coordinate,
        to destination: Coordinate
    ) -> [Coordinate]? {
        guard let route = route(from: origin, to: destination) else { return nil }
        return [origin] + route.geometry + [destination]
    }

    /// Returns the fastest drive with its turns, on the streets only; nil if no street or route is
    /// known.
    ///
    /// - Parameters:
    ///   - origin: where the taxi is.
    ///   - heading: the direction in which it moves, in degrees clockwise from north: the drive
    ///     begins in this direction where a street nearby allows it; nil if it stands.
    ///   - destination: where the drive ends.
    /// - Returns: the drive, from the street where the taxi is to the one where it ends.
    package func guidedWay(
        from origin: Coordinate,
        heading: Double?,
        to destination: Coordinate
    ) -> GuidedWay? {
        guard let last = place(near: destination, for: .taxi) else { return nil }
        let ahead = heading.map { places(near: origin, along: $0) } ?? []
        for first in ahead + [place(near: origin, for: .taxi)].compactMap(\.self) {
            if let route = streets.route(from: first, to: last, by: taxi, using: workspace) {
                return GuidedWay(route, streets.manoeuvres(of: route, by: taxi), in: streets)
            }
        }
        return nil
    }

    /// Returns the streets that lead from one place to another, each from crossing to crossing; nil
    /// if no street or route is known.
    ///
    /// A first or last street of which the route takes less than a quarter is left out, unless it
    /// is the only one: the place stands at its corner.
    package func stretch(
        from origin: Coordinate,
        to destination: Coordinate
    ) -> [Coordinate]? {
        guard let route = route(from: origin, to: destination) else { return nil }
        var parts = route.stretches[...]
        while parts.count > 1, let part = parts.first, Self.isCorner(part) { parts.removeFirst() }
        while parts.count > 1, let part = parts.last, Self.isCorner(part) { parts.removeLast() }
        var points: [Coordinate] = []
        for part in parts {
            let whole = streets.geometry(of: part.edge)
            for point in part.forward ? whole : whole.reversed() where point != points.last {
                points.append(point)
            }
        }
        return points.count < 2 ? nil : points
    }

    /// Whether a route takes less than a quarter of a street.
    private static func isCorner(_ part: StreetRoute.Stretch) -> Bool {
        let taken = abs(Int64(part.toFraction) - Int64(part.fromFraction))
        return taken < Int64(StreetPlace.whole) / 4
    }

    /// The streets near a moving taxi that lead in its direction, the nearest first.
    private func places(near place: Coordinate, along heading: Double) -> [StreetPlace] {
        streets.snap(place, for: .taxi, count: 6, within: Self.movingMetres).compactMap { found in
            let bearing = streets.bearingDegrees(at: found)
            var turn = abs(heading - bearing).truncatingRemainder(dividingBy: 360)
            if turn > 180 { turn = 360 - turn }
            guard min(turn, 180 - turn) <= Self.headingDegrees else { return nil }
            var found = found
            found.leavesForward = turn <= 90
            return found
        }
    }

    /// Returns the fastest walk in whole seconds; nil if no path or route is known.
    package func walkSeconds(from origin: Coordinate, to destination: Coordinate) -> Int64? {
        guard let first = place(near: origin, for: .foot),
            let last = place(near: destination, for: .foot)
        else { return nil }
        let cost = streets.cost(from: first, to: last, by: foot, using: workspace)
        guard cost.isPossible else { return nil }
        // The few metres to and from the paths are walked too; for a taxi they would be noise.
        let aside = (first.distanceMetres + last.distanceMetres) / Self.straightWalkingSpeed
        return (Int64(cost.milliseconds) + 500) / 1_000 + Int64(aside.rounded())
    }

    /// Returns a drive including the straight lines to streets that are far away.
    private func drive(
        from origin: Coordinate,
        to destination: Coordinate,
        onStreets: (StreetPlace, StreetPlace) -> Drive?
    ) -> Drive? {
        guard let first = place(near: origin, for: .taxi),
            let last = place(near: destination, for: .taxi), let drive = onStreets(first, last)
        else { return nil }
        return Drive(Self.aside(first) + drive.pieces + Self.aside(last))
    }

    /// Returns the nearest street that a profile can use.
    private func place(near place: Coordinate, for profile: Profile) -> StreetPlace? {
        streets.snap(place, for: profile, within: Self.nearMetres).first
            ?? streets.snap(place, for: profile, within: Self.farMetres).first
    }

    /// The straight line between a place and a street that is not near it.
    private static func aside(_ place: StreetPlace) -> [Drive.Piece] {
        guard place.distanceMetres > nearMetres else { return [] }
        let seconds = place.distanceMetres / straightSpeed
        return [
            Drive.Piece(
                milliseconds: Int64((seconds * 1_000).rounded()),
                decimetres: Int64((place.distanceMetres * 10).rounded())
            )
        ]
    }
}
