import Geo

/// The zone that owns each face of an arrangement.
///
/// A face of one zone belongs to it. A face of several zones goes to the one of them with which it
/// shares the longest border. A narrow gap, and land marked by a cut, goes to the zone with which
/// it shares the longest border. Among equals the first zone wins.
struct Ownership {
    /// The zone of each face; ``open`` where it has none.
    private(set) var owners: [Int32]
    /// The gaps that were given to zones.
    private(set) var filled: [ZoneRepair] = []
    /// The enclosed gaps that were not.
    private(set) var gaps: [ZoneGap] = []

    /// The number used where no zone owns a face.
    static let open: Int32 = -1

    /// Assigns an owner to each covered face, and to no other.
    init(covered map: Arrangement) {
        owners = map.covers.map { cover in
            let zones = cover.filter { $0.times > 0 }
            return zones.count == 1 ? zones[0].zone : Self.open
        }
        let sides = map.sidesOfFaces()
        let single = owners
        for (face, cover) in map.covers.enumerated() where single[face] == Self.open {
            let zones = cover.filter { $0.times > 0 }.map(\.zone)
            guard let first = zones.first else { continue }
            let neighbours = Self.neighbours(sides[face], map, single)
            owners[face] = neighbours.first { zones.contains($0.zone) }?.zone ?? first
        }
    }

    /// Assigns an owner to each covered face and each narrow gap.
    ///
    /// - Parameters:
    ///   - map: the arrangement of all faces.
    ///   - narrow: the width below which a gap is closed, in metres.
    init(closingGapsOf map: Arrangement, narrow: Double) {
        self.init(covered: map)
        let sides = map.sidesOfFaces()
        let covered = owners
        for face in owners.indices.dropFirst() where covered[face] == Self.open {
            let measure = FaceMeasure(sides[face].map { map.segment($0) }, narrow: narrow)
            let neighbours = Self.neighbours(sides[face], map, covered)
            guard let first = neighbours.first else { continue }
            if Self.isMarked(sides[face], map) ?? measure.isNarrow {
                owners[face] = first.zone
                filled.append(Self.repair(measure, neighbours.map(\.zone)))
            } else if Self.isMarked(sides[face], map) == nil {
                gaps.append(Self.gap(measure, neighbours.map(\.zone)))
            }
        }
    }

    /// Whether cuts mark a face as part of a gap; nil if it has no cuts.
    private static func isMarked(_ sides: [Int32], _ map: Arrangement) -> Bool? {
        var answer: Bool?
        for side in sides {
            for piece in map.pieces(on: Int(side / 2)) where piece.zone == BorderPiece.cut {
                let isFilled = (piece.turns > 0) == (side % 2 == 0)
                answer = (answer ?? false) || isFilled
            }
        }
        return answer
    }

    /// The zones next to a face, those with the longest common border first.
    private static func neighbours(
        _ sides: [Int32],
        _ map: Arrangement,
        _ owners: [Int32]
    ) -> [(zone: Int32, metres: Double)] {
        var lengths: [Int32: Double] = [:]
        for side in sides {
            let owner = owners[Int(map.faces[Int(side ^ 1)])]
            if owner != open { lengths[owner, default: 0] += map.metres(side) }
        }
        return lengths.map { ($0.key, $0.value) }.sorted { first, second in
            first.1 == second.1 ? first.0 < second.0 : first.1 > second.1
        }
    }

    private static func repair(_ measure: FaceMeasure, _ zones: [Int32]) -> ZoneRepair {
        ZoneRepair(
            kind: .gap,
            zone: ZoneIndex(rawValue: UInt32(zones[0])),
            other: zones.count > 1 ? ZoneIndex(rawValue: UInt32(zones[1])) : nil,
            places: 1,
            areaSquareMetres: measure.area,
            widthMetres: measure.width,
            place: measure.place
        )
    }

    private static func gap(_ measure: FaceMeasure, _ zones: [Int32]) -> ZoneGap {
        ZoneGap(
            zones: zones.map { ZoneIndex(rawValue: UInt32($0)) }.sorted(),
            areaSquareMetres: measure.area,
            widthMetres: measure.width,
            place: measure.place
        )
    }
}
