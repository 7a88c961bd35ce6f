package import Geo
package import Streets

/// A drive through the streets with its turns, for a driver who follows it.
package struct GuidedWay: Hashable, Sendable {
    /// The geometry; at least two points.
    package let points: [Coordinate]
    /// The turns in order, from the beginning of the drive to its end; at least two.
    package let steps: [Step]

    /// A turn of the drive.
    package struct Step: Hashable, Sendable {
        /// What the driver does.
        package let action: Manoeuvre.Action
        /// The number of the point where they do it.
        package let point: Int
        /// How far it is along the geometry, in metres.
        package let metres: Double
        /// The street that follows; empty if it has no name.
        package let street: String
    }

    /// Creates the drive along a route, given its turns.
    package init(_ route: StreetRoute, _ manoeuvres: [Manoeuvre], in streets: StreetNetwork) {
        points = route.geometry
        steps = manoeuvres.map { manoeuvre in
            Step(
                action: manoeuvre.action,
                point: manoeuvre.point,
                metres: manoeuvre.metres,
                street: streets.name(manoeuvre.name)
            )
        }
    }

    /// The distance of a place from the nearest point of the drive, in metres, and how far along
    /// the drive that point lies.
    package func nearest(to place: Coordinate) -> (aside: Double, along: Double) {
        let plane = LocalPlane(at: place)
        var best = (aside: Double.infinity, along: 0.0)
        var along = 0.0
        for (start, end) in zip(points, points.dropFirst()) {
            let (aside, share) = plane.distance(of: place, from: start, to: end)
            let length = plane.distanceMetres(start, end)
            if aside < best.aside { best = (aside, along + share * length) }
            along += length
        }
        return best
    }
}
