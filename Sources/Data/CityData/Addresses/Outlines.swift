import Geo

/// Computes points that represent lines and outlines.
enum Outlines {
    /// A point that represents an outline: its centroid or, where that lies outside, the middle of
    /// its widest span at the centroid's latitude; for an open line the point half-way along.
    ///
    /// - Parameter ring: the nodes; a closed outline ends at its first.
    /// - Returns: nil if there are no nodes.
    static func pointInside(_ ring: [Coordinate]) -> Coordinate? {
        guard let first = ring.first else { return nil }
        guard ring.count > 3, ring.last == first else { return point(along: ring, share: 0.5) }
        // Relative to the first node, so that products of differences stay exact enough.
        var doubleArea = 0.0
        var east = 0.0
        var north = 0.0
        for (here, next) in zip(ring, ring.dropFirst()) {
            let a = offset(here, first)
            let b = offset(next, first)
            let cross = a.east * b.north - b.east * a.north
            doubleArea += cross
            east += (a.east + b.east) * cross
            north += (a.north + b.north) * cross
        }
        guard doubleArea != 0 else { return point(along: ring, share: 0.25) }
        let centroid = place(east / (3 * doubleArea), north / (3 * doubleArea), first)
        let cuts = crossings(of: ring, atLatitude: centroid.latitude)
        var best: (width: Int64, middle: Int32)?
        for span in stride(from: 0, to: cuts.count - 1, by: 2) {
            let west = cuts[span]
            let east = cuts[span + 1]
            if west <= centroid.longitude, centroid.longitude <= east { return centroid }
            let width = Int64(east) - Int64(west)
            if width > best?.width ?? -1 {
                best = (width, Int32(truncatingIfNeeded: Int64(west) + width / 2))
            }
        }
        guard let best else { return centroid }
        return Coordinate(latitude: centroid.latitude, longitude: best.middle)
    }

    /// The point at a share of a line's length; nil for a line without points.
    static func point(along line: [Coordinate], share: Double) -> Coordinate? {
        guard let first = line.first, let last = line.last else { return nil }
        let plane = LocalPlane(at: first)
        let lengths = zip(line, line.dropFirst()).map { plane.distanceMetres($0, $1) }
        var rest = lengths.reduce(0, +) * share
        for (number, length) in lengths.enumerated() {
            if rest <= length, length > 0 {
                let from = line[number]
                let to = offset(line[number + 1], from)
                return place(to.east * rest / length, to.north * rest / length, from)
            }
            rest -= length
        }
        return last
    }

    /// The longitudes at which an outline crosses a latitude, ascending.
    private static func crossings(of ring: [Coordinate], atLatitude latitude: Int32) -> [Int32] {
        zip(ring, ring.dropFirst()).compactMap { here, next in
            guard (here.latitude > latitude) != (next.latitude > latitude) else { return nil }
            let share =
                Double(Int64(latitude) - Int64(here.latitude))
                / Double(Int64(next.latitude) - Int64(here.latitude))
            let width = Double(Int64(next.longitude) - Int64(here.longitude))
            return Int32((Double(here.longitude) + share * width).rounded())
        }.sorted()
    }

    private static func offset(
        _ place: Coordinate,
        _ origin: Coordinate
    ) -> (east: Double, north: Double) {
        (
            Double(Int64(place.longitude) - Int64(origin.longitude)),
            Double(Int64(place.latitude) - Int64(origin.latitude))
        )
    }

    private static func place(_ east: Double, _ north: Double, _ origin: Coordinate) -> Coordinate {
        let latitude = Double(origin.latitude) + north
        let longitude = Double(origin.longitude) + east
        return Coordinate(
            latitude: Int32(max(-900_000_000, min(900_000_000, latitude.rounded()))),
            longitude: Int32(max(-1_800_000_000, min(1_800_000_000, longitude.rounded())))
        )
    }
}
