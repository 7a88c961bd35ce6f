package import Geo

/// How long taxis of a city's zones drive to a place, estimated for zones as a whole.
///
/// The time is that of the straight line from the middle of a zone at 18 km/h, which is what taxis
/// make good in a city. The dispatcher needs an order of zones that is the same in each replay, not
/// an arrival time; that is computed once a taxi is chosen.
package struct NeighbouringZones: Sendable {
    /// The speed along the straight line, in metres per second.
    package static let speed = 5.0
    /// The middles of the zones' bounding boxes, by number; nil for a zone without borders.
    private let middles: [Coordinate?]

    /// Creates the estimates for zones in the order of their numbers.
    package init(_ areas: [MultiPolygon]) {
        middles = areas.map { area in
            area.bounds.map { box in
                Coordinate(
                    latitude: box.south + (box.north - box.south) / 2,
                    longitude: box.west + (box.east - box.west) / 2
                )
            }
        }
    }

    /// Lists the zones from which a taxi reaches a place in time, nearest first, without one.
    ///
    /// - Parameters:
    ///   - place: the meeting point.
    ///   - own: the zone of the place.
    ///   - seconds: the greatest driving time.
    ///   - limit: the greatest number of zones.
    /// - Returns: the numbers of the zones with their times; equal times by number.
    package func near(
        _ place: Coordinate,
        except own: Int,
        within seconds: Int64,
        limit: Int
    ) -> [(zone: Int, seconds: Int32)] {
        var near: [(zone: Int, seconds: Int32)] = []
        for (zone, middle) in middles.enumerated() where zone != own {
            guard let middle else { continue }
            let time = place.distanceMetres(to: middle) / Self.speed
            if time <= Double(seconds) { near.append((zone, Int32(time))) }
        }
        near.sort { ($0.seconds, $0.zone) < ($1.seconds, $1.zone) }
        return Array(near.prefix(limit))
    }
}
