import Columns
package import Geo

extension AddressBook {
    /// The greatest distance of a reverse look-up, in metres.
    package static let furthestReach = 2_000.0
    /// A house of the nearest street is named up to this distance from the place, in metres.
    private static let houseReach = 50.0

    /// The address nearest to a place.
    ///
    /// If a house is nearer than any street, the result is that house's address, whatever street
    /// runs behind it; otherwise the nearest street, with its nearest house within 50 m.
    ///
    /// - Parameters:
    ///   - place: the place to look up.
    ///   - reachMetres: how far an address may be; at most ``furthestReach``.
    /// - Returns: the address; nil if there is none within reach. At equal distances the first in
    ///   the file wins.
    /// - Complexity: linear in the number of streets and houses within reach.
    package func reverse(_ place: Coordinate, reachMetres: Double = 250) -> NearestAddress? {
        let reach = min(max(reachMetres, 0), Self.furthestReach)
        let plane = LocalPlane(at: place)
        let street = nearestStreet(place, plane, reach)
        let house = nearestHouse(place, plane, reach)
        if let house, house.metres <= street?.metres ?? .infinity {
            let entry = houses.street.index(house.row, below: max(1, entries.count))
            return NearestAddress(
                match: match(entry: entry, house: house.row),
                distanceMetres: house.metres,
                streetDistanceMetres: street?.metres
            )
        }
        guard let street else { return nil }
        var best: (row: Int, metres: Double)?
        for row in houses(ofEntry: street.entry) {
            let metres = plane.distanceMetres(place, houses.coordinate(row))
            if metres <= Self.houseReach, metres < best?.metres ?? .infinity {
                best = (row, metres)
            }
        }
        var match = match(entry: street.entry, house: best?.row)
        if best == nil { match.coordinate = street.place }
        return NearestAddress(
            match: match,
            distanceMetres: best?.metres ?? street.metres,
            streetDistanceMetres: street.metres
        )
    }

    private func nearestHouse(
        _ place: Coordinate,
        _ plane: LocalPlane,
        _ reach: Double
    ) -> (row: Int, metres: Double)? {
        var best: (row: Int, metres: Double)?
        houses.grid.forEach(around: place, reachMetres: reach) { row in
            let metres = plane.distanceMetres(place, houses.coordinate(row))
            guard metres <= reach, row < houses.count else { return }
            if metres < best?.metres ?? .infinity
                || (metres == best?.metres && row < best?.row ?? 0)
            {
                best = (row, metres)
            }
        }
        return best
    }

    private func nearestStreet(
        _ place: Coordinate,
        _ plane: LocalPlane,
        _ reach: Double
    ) -> (entry: Int, metres: Double, place: Coordinate)? {
        var best: (entry: Int, metres: Double, place: Coordinate)?
        let streets = entries.rows(.street)
        segments.grid.forEach(around: place, reachMetres: reach) { row in
            let entry = Int(segments.street[row])
            guard streets.contains(entry) else { return }
            let nearest = Self.nearest(on: segments.ends(row), plane)
            guard nearest.metres <= reach else { return }
            if nearest.metres < best?.metres ?? .infinity
                || (nearest.metres == best?.metres && entry < best?.entry ?? 0)
            {
                best = (entry, nearest.metres, nearest.place)
            }
        }
        return best
    }

    /// The point of a straight line that is nearest to a plane's origin.
    static func nearest(
        on ends: (Coordinate, Coordinate),
        _ plane: LocalPlane
    ) -> (place: Coordinate, metres: Double) {
        let from = plane.project(ends.0)
        let to = plane.project(ends.1)
        let east = to.east - from.east
        let north = to.north - from.north
        let square = east * east + north * north
        let share =
            square > 0
            ? min(1, max(0, -(from.east * east + from.north * north) / square)) : 0
        let nearest = (east: from.east + share * east, north: from.north + share * north)
        let metres = (nearest.east * nearest.east + nearest.north * nearest.north).squareRoot()
        func between(_ first: Int32, _ second: Int32) -> Int32 {
            let length = Double(Int64(second) - Int64(first))
            return Int32(truncatingIfNeeded: Int64(first) + Int64((length * share).rounded()))
        }
        return (
            Coordinate(
                latitude: between(ends.0.latitude, ends.1.latitude),
                longitude: between(ends.0.longitude, ends.1.longitude)
            ), metres
        )
    }
}
