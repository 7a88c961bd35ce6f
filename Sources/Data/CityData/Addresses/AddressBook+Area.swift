import Columns
package import Geo

extension AddressBook {
    /// The names of the towns and their parts whose middle is in an area.
    ///
    /// - Parameters:
    ///   - area: the area.
    ///   - centre: the place from which they are sorted.
    /// - Returns: the names, the nearest to the centre first, each once.
    /// - Complexity: O(n·m) for n localities within the bounds of an area of m points.
    package func localities(in area: MultiPolygon, around centre: Coordinate) -> [String] {
        guard let bounds = area.bounds else { return [] }
        let found = entries.rows(.locality).filter { row in
            let place = entries.coordinate(row)
            return bounds.contains(place) && area.contains(place)
        }
        let sorted = found.map { ($0, centre.distanceMetres(to: entries.coordinate($0))) }
            .sorted { ($0.1, $0.0) < ($1.1, $1.0) }
        var known: Set<String> = []
        return sorted.map { texts[Int(entries.name[$0.0])] }.filter { name in
            !name.isEmpty && known.insert(name).inserted
        }
    }
}
