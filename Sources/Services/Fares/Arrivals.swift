package import Geo
package import Streets

/// How long taxis take from place to place, on the streets as they are mapped.
///
/// A place within 300 m of a street that taxis may use counts as being on it. The rest of the
/// way from a place further off is a straight line to the nearest street, at 18 km/h. Where there
/// are no streets at all, nothing is known, and nothing is guessed (F14).
///
/// What really happens on these ways is learned by ``Calibration``. A value of this type belongs
/// to one thread at a time, since its workspace does.
package struct Arrivals {
    /// How far a street may be to count as being at a place, in metres.
    package static let nearMetres = 300.0
    /// How far the nearest street is looked for beyond that, in metres.
    package static let farMetres = 20_000.0
    /// Metres a second in a straight line: 18 km/h.
    package static let straightSpeed = 5.0
    /// Metres a second on foot in a straight line where there are no paths: 4.3 km/h.
    package static let straightWalkingSpeed = 1.2

    private let streets: StreetNetwork
    private let taxi: StreetMetric
    private let foot: StreetMetric
    private let workspace: StreetWorkspace

    /// Ways through a network.
    ///
    /// - Parameters:
    ///   - streets: the network; it may be empty.
    ///   - taxi: the costs of driving, such as those of live traffic; by default the mapped ones.
    package init(_ streets: StreetNetwork, taxi: StreetMetric? = nil) {
        self.streets = streets
        self.taxi = taxi ?? streets.metric(.taxi)
        foot = streets.metric(.foot)
        workspace = StreetWorkspace(for: streets)
    }

    /// The quickest drive from a place to another; nil where no street or way is known.
    ///
    /// - Complexity: two snaps and a cost query, 0.2 ms in Milan; nothing is unpacked.
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

    /// The same drive, street by street, for fares that depend on the speed of each.
    package func course(from origin: Coordinate, to destination: Coordinate) -> Drive? {
        drive(from: origin, to: destination) { first, last in
            streets.route(from: first, to: last, by: taxi, using: workspace).map { Drive($0) }
        }
    }

    /// The quickest walk, in whole seconds; nil where no path or way is known.
    package func walkSeconds(from origin: Coordinate, to destination: Coordinate) -> Int64? {
        guard let first = place(near: origin, for: .foot),
            let last = place(near: destination, for: .foot)
        else { return nil }
        let cost = streets.cost(from: first, to: last, by: foot, using: workspace)
        guard cost.isPossible else { return nil }
        // The few metres from door to path are walked too; a taxi's would be noise.
        let aside = (first.distanceMetres + last.distanceMetres) / Self.straightWalkingSpeed
        return (Int64(cost.milliseconds) + 500) / 1_000 + Int64(aside.rounded())
    }

    /// A drive that begins and ends with the straight lines to the streets, where those are far.
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

    /// The nearest street that a profile can use.
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
