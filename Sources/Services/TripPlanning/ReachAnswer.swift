package import Geo

/// The area that can be reached within a time, and what lies in it.
package struct ReachAnswer: Sendable, Equatable {
    /// The question that was asked.
    package var question: ReachQuestion
    /// The reachable area; never empty.
    package var area: MultiPolygon
    /// The number of stops in the area at which vehicles leave.
    package var stopCount: Int
    /// The farthest of these stops in each direction that has any, clockwise from north.
    package var farthest: [FarthestStop]
    /// The names of towns and their parts in the area, the nearest first, each once.
    package var districts: [String]
    /// Why public transport was not considered; nil if it was, or was not requested.
    package var noTransit: TripFailure?

    /// The area in square kilometres.
    package var squareKilometres: Double { area.areaSquareMetres / 1e6 }
}

/// A stop that is farther away than all others in its direction.
package struct FarthestStop: Sendable, Equatable {
    /// The direction from the place.
    package var direction: CompassDirection
    /// The stop that is farthest in this direction.
    package var stop: StopPlace
    /// The distance in a straight line, in metres.
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
