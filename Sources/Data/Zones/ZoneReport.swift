package import Geo

/// The repairs that healing made to the borders of zones, and the gaps that it left.
package struct ZoneReport: Hashable, Sendable {
    /// The repairs, by kind and zones.
    package internal(set) var repairs: [ZoneRepair] = []
    /// The gaps that are too wide to be closed, in the order of their westernmost places.
    package internal(set) var gaps: [ZoneGap] = []

    /// Creates an empty report.
    package init() {}
}

/// Overlaps or gaps between the same zones that were healed.
package struct ZoneRepair: Hashable, Sendable {
    /// The kinds of repairs.
    package enum Kind: Hashable, Sendable {
        /// Land in both zones, which was given to one of them.
        case overlap
        /// Land in neither zone, which was given to the first.
        case gap
        /// Land around which the border of one zone ran wrongly.
        case crossing
    }

    /// The kind of the repair.
    package let kind: Kind
    /// The first zone, or for a gap the zone that received it.
    package let zone: ZoneIndex
    /// The second zone; nil if there is none.
    package let other: ZoneIndex?
    /// The number of separate places.
    package internal(set) var places: Int
    /// The area of all places, in square metres.
    package internal(set) var areaSquareMetres: Double
    /// The diameter of the greatest circle that fits in one, in metres, to about a tenth.
    package internal(set) var widthMetres: Double
    /// The place where the widest repair was made.
    package internal(set) var place: Coordinate

    /// The same kind and zones at more places.
    func joined(with more: ZoneRepair) -> ZoneRepair {
        var both = self
        both.places += more.places
        both.areaSquareMetres += more.areaSquareMetres
        if more.widthMetres > widthMetres {
            both.widthMetres = more.widthMetres
            both.place = more.place
        }
        return both
    }

    /// Repairs with those of the same kind and zones joined, the first ones first.
    static func joined(_ repairs: [ZoneRepair]) -> [ZoneRepair] {
        struct Key: Hashable {
            let kind: Kind
            let zone: ZoneIndex
            let other: ZoneIndex?
        }
        var positions: [Key: Int] = [:]
        var joined: [ZoneRepair] = []
        for repair in repairs {
            let key = Key(kind: repair.kind, zone: repair.zone, other: repair.other)
            if let known = positions[key] {
                joined[known] = joined[known].joined(with: repair)
            } else {
                positions[key] = joined.count
                joined.append(repair)
            }
        }
        return joined
    }
}

/// Land that zones enclose and none covers, and that is too wide to be closed.
package struct ZoneGap: Hashable, Sendable {
    /// The zones around it, ascending.
    package let zones: [ZoneIndex]
    /// Its area in square metres.
    package let areaSquareMetres: Double
    /// The diameter of the greatest circle in it, in metres, to about a tenth.
    package let widthMetres: Double
    /// The place where the gap is widest.
    package let place: Coordinate
}
