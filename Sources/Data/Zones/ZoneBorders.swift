import Geo

/// An index of the borders of all zones, which finds those near a place.
struct ZoneBorders: Sendable {
    private let lines: [Segment]
    /// The zone of each border line.
    private let zones: [UInt32]
    /// Where each zone's lines begin; one more than there are zones.
    private let offsets: [Int]
    private let boxes: [BoundingBox?]
    private let lattice: Lattice

    /// Indexes the borders of areas.
    init(_ areas: [MultiPolygon]) {
        var lines: [Segment] = []
        var zones: [UInt32] = []
        var offsets = [0]
        for (number, area) in areas.enumerated() {
            for ring in area.polygons.flatMap(\.rings) {
                for index in 0..<(ring.points.count - 1) {
                    lines.append(ring.edge(index))
                    zones.append(UInt32(number))
                }
            }
            offsets.append(lines.count)
        }
        self.lines = lines
        self.zones = zones
        self.offsets = offsets
        boxes = areas.map(\.bounds)
        lattice = Lattice(lines)
    }

    /// Whether a zone's border passes within a distance of a place.
    ///
    /// - Complexity: O(lines near the place), at most O(lines of the zone).
    func pass(_ zone: Int, within metres: Double, of place: Coordinate) -> Bool {
        guard metres > 0, let zoneBox = boxes[zone] else { return false }
        let box = BoundingBox(place).expanded(byMetres: metres)
        guard box.meets(zoneBox) else { return false }
        let plane = LocalPlane(at: place)
        func isNear(_ number: Int) -> Bool {
            let line = lines[number]
            return line.bounds.meets(box)
                && plane.distance(of: place, from: line.start, to: line.end).metres <= metres
        }
        let own = offsets[zone]..<offsets[zone + 1]
        if lattice.squareCount(of: box) > own.count { return own.contains { isNear($0) } }
        var found = false
        lattice.context(box) { number in
            if zones[number] == UInt32(zone) && isNear(number) { found = true }
            return !found
        }
        return found
    }
}
