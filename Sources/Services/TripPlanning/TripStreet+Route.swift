import Foundation
import Geo
import Streets

extension TripStreet {
    /// The changes of direction, in degrees, from which a turn counts as slight, plain, sharp and
    /// back.
    private static let straightDegrees = 20.0
    private static let slightDegrees = 50.0
    private static let sharpDegrees = 125.0
    private static let backDegrees = 165.0

    /// The streets of a route in order, each from the point where it is entered to the one where it
    /// is left.
    ///
    /// Names of platforms are ignored: mappers write which trains stop there, or the station to
    /// which they run, so that a walk at one station would be named after another.
    static func all(of route: StreetRoute, in network: StreetNetwork) -> [TripStreet] {
        var streets: [TripStreet] = []
        for stretch in route.stretches {
            let name = stretch.kind == .platform ? "" : network.name(stretch.name)
            if let last = streets.indices.last, streets[last].name == name {
                streets[last].metres += stretch.cost.metres
            } else {
                streets.append(
                    TripStreet(
                        name: name,
                        metres: stretch.cost.metres,
                        turn: streets.isEmpty ? nil : turn(at: stretch.firstPoint, route.geometry)
                    )
                )
            }
        }
        for index in streets.indices {
            streets[index].metres = (streets[index].metres * 10).rounded() / 10
        }
        return streets
    }

    /// The turn at a point of a line; nil at its ends.
    static func turn(at point: Int, _ line: [Coordinate]) -> TripTurn? {
        guard point > 0, point + 1 < line.count else { return nil }
        let plane = LocalPlane(at: line[point])
        let before = plane.project(line[point - 1])
        let after = plane.project(line[point + 1])
        // The angle between the direction into the point and the one out of it; positive angles
        // turn right.
        let (east, north) = (-before.east, -before.north)
        let cross = north * after.east - east * after.north
        let dot = east * after.east + north * after.north
        let degrees = atan2(cross, dot) * 180 / .pi
        let isRight = degrees > 0
        switch degrees.magnitude {
        case ..<straightDegrees: return .straight
        case ..<slightDegrees: return isRight ? .slightRight : .slightLeft
        case ..<sharpDegrees: return isRight ? .right : .left
        case ..<backDegrees: return isRight ? .sharpRight : .sharpLeft
        default: return .back
        }
    }
}
