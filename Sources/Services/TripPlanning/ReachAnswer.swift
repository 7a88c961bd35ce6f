package import Geo

/// How far one gets within a time.
package struct ReachAnswer: Sendable, Equatable {
    /// The question.
    package var question: ReachQuestion
    /// The area that one reaches; never empty.
    package var area: MultiPolygon
    /// How many stops from which something leaves are in the area.
    package var stopCount: Int
    /// The farthest of these stops in each direction that has one, clockwise from north.
    package var farthest: [FarthestStop]
    /// The names of the towns and their parts in the area, the nearest first, each once.
    package var districts: [String]
    /// Why no vehicle was looked at; nil if some were, or none was asked for.
    package var noTransit: TripFailure?

    /// The area in square kilometres.
    package var squareKilometres: Double { area.areaSquareMetres / 1e6 }
}

/// A stop that is farther away than all others in its direction.
package struct FarthestStop: Sendable, Equatable {
    /// The direction from the place.
    package var direction: CompassDirection
    /// The stop.
    package var stop: StopPlace
    /// How far it is, as the crow flies.
    package var metres: Double
}

/// An eighth of the horizon.
package enum CompassDirection: Int, Sendable, CaseIterable {
    case north
    case northEast
    case east
    case southEast
    case south
    case southWest
    case west
    case northWest

    /// The direction of a bearing in degrees clockwise from north.
    package init(bearingDegrees: Double) {
        let eighth = Int((bearingDegrees / 45).rounded()) % 8
        self = Self.allCases[(eighth + 8) % 8]
    }
}
