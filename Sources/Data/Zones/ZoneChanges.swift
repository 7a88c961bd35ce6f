import Geo

/// The differences between two lists of zones; zones with the same code are the same zone.
package struct ZoneChanges: Hashable, Sendable {
    /// The zones that are new, in the order of the later ones.
    package var added: [Zone] = []
    /// The removed zones, in the order of the earlier ones.
    package var removed: [Zone] = []
    /// The zones with another area, in their new form and in the order of the later ones.
    package var redrawn: [Zone] = []
    /// The zones with another name, in the order of the later ones.
    package var renamed: [Renaming] = []

    /// A zone with another name.
    package struct Renaming: Hashable, Sendable {
        /// The code of the zone.
        package var code: String
        /// The previous name of the zone.
        package var from: String
        /// The new name of the zone.
        package var to: String
    }

    /// Compares two lists of zones.
    ///
    /// Two borders are equal if they run through the same corners, regardless of direction and
    /// first corner.
    package init(from old: [Zone], to new: [Zone]) {
        let before = Dictionary(old.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })
        let codes = Set(new.map(\.code))
        removed = old.filter { !codes.contains($0.code) }
        for zone in new {
            guard let known = before[zone.code] else {
                added.append(zone)
                continue
            }
            if known.name != zone.name {
                renamed.append(Renaming(code: zone.code, from: known.name, to: zone.name))
            }
            if known.area != zone.area, known.area.fixed != zone.area.fixed {
                redrawn.append(zone)
            }
        }
    }

    /// Whether nothing differs.
    package var isEmpty: Bool {
        added.isEmpty && removed.isEmpty && redrawn.isEmpty && renamed.isEmpty
    }
}

extension MultiPolygon {
    /// The corners of all borders, each in one direction and from one place on.
    fileprivate var fixed: Set<[[Coordinate]]> {
        Set(
            polygons.map { polygon in
                let holes = polygon.holes.map { $0.fixed(isCounterClockwise: false) }
                return [polygon.outline.fixed(isCounterClockwise: true)]
                    + holes.sorted { $0.lexicographicallyPrecedes($1, by: Ring.precedes) }
            }
        )
    }
}

extension Ring {
    /// The corners in a direction, from the westernmost (of those southernmost) on.
    fileprivate func fixed(isCounterClockwise: Bool) -> [Coordinate] {
        let ring = self.isCounterClockwise == isCounterClockwise ? self : reversed
        let corners = ring.points.dropLast()
        let first = corners.indices.min { Ring.precedes(corners[$0], corners[$1]) } ?? 0
        return Array(corners[first...] + corners[..<first])
    }

    fileprivate static func precedes(_ first: Coordinate, _ second: Coordinate) -> Bool {
        (first.longitude, first.latitude) < (second.longitude, second.latitude)
    }
}
