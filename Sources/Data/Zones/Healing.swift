import Geo

/// Aligns the borders of zones where they overlap or leave a gap of less than a metre.
///
/// All borders are noded onto the grid of coordinates (``SnapRounding``), which moves none by more
/// than some centimetres, and cut the map into faces (``Arrangement``). Each face has then one
/// owner or none (``Ownership``, ``OpenSlits``), and a zone is the faces that it owns: two zones
/// cannot overlap, because no face has two owners. This is repeated until nothing changes, so that
/// healing is idempotent.
struct Healing {
    /// The zones' areas after healing, in the fixed form of ``Arrangement/areas(owners:count:)``.
    private(set) var areas: [MultiPolygon]
    /// The repairs that were made.
    private(set) var report = ZoneReport()
    /// The reasons why the zones cannot be healed; none if they were.
    private(set) var problems: [Problem] = []

    /// A reason against healing, with zones by number.
    enum Problem {
        /// Two zones overlap too widely, or one zone overlaps itself.
        case cover(DoubleCover)
        /// A zone encloses nothing.
        case withoutArea(Int)
        /// Other zones cover the whole zone.
        case vanished(Int)
        /// The borders cross or meet too often to be brought together.
        case excess(SnapRounding.Excess)
        /// More zones than ``Arrangement/depthLimit`` cover the land at a place.
        case tooDeep(Coordinate)
        /// Rounding did not converge.
        case unsettled
    }

    /// Overlaps and gaps narrower than this are healed, in metres.
    static let narrow = 1.0
    /// The greatest number of passes; at most 3 were ever needed.
    static let passLimit = 8

    /// Heals the borders of areas.
    ///
    /// - Complexity: about that of sorting all corners, some ten times.
    init(_ areas: [MultiPolygon]) {
        self.areas = areas
        var repairs: [ZoneRepair] = []
        for pass in 0..<Self.passLimit {
            let rounded = SnapRounding(BorderPiece.borders(of: self.areas))
            guard rounded.isSettled else {
                problems = [rounded.excess.map { .excess($0) } ?? .unsettled]
                return
            }
            let map = Arrangement(rounded)
            if let place = map.deepest {
                problems = [.tooDeep(place)]
                return
            }
            if pass == 0 {
                repairs = checkCovers(map)
                if !problems.isEmpty { return }
            }
            guard let (healed, ownership) = Self.pass(map, count: areas.count) else {
                problems = [.unsettled]
                return
            }
            repairs += ownership.filled
            report.gaps = ownership.gaps
            problems = healed.indices.filter { healed[$0].polygons.isEmpty }
                .map { .vanished($0) }
            if !problems.isEmpty { return }
            if healed == self.areas { break }
            self.areas = healed
        }
        report.repairs = ZoneRepair.joined(repairs)
    }

    /// Records the overlaps that cannot be healed, and returns those that will be.
    private mutating func checkCovers(_ map: Arrangement) -> [ZoneRepair] {
        var isCovered = [Bool](repeating: false, count: areas.count)
        for cover in map.covers {
            for one in cover where one.times > 0 { isCovered[Int(one.zone)] = true }
        }
        problems = isCovered.indices.filter { !isCovered[$0] }.map { .withoutArea($0) }
        var repairs: [ZoneRepair] = []
        for double in map.doubleCovers(narrow: Self.narrow) {
            guard double.isNarrow, let widest = double.widest else {
                problems.append(.cover(double))
                continue
            }
            let isOwn = double.zone == double.other
            repairs.append(
                ZoneRepair(
                    kind: isOwn ? .crossing : .overlap,
                    zone: ZoneIndex(rawValue: UInt32(double.zone)),
                    other: isOwn ? nil : ZoneIndex(rawValue: UInt32(double.other)),
                    places: double.parts.count,
                    areaSquareMetres: double.area,
                    widthMetres: widest.width,
                    place: widest.place
                )
            )
        }
        return repairs
    }

    /// One pass over a map; nil if rounding does not converge.
    private static func pass(
        _ map: Arrangement,
        count: Int
    ) -> (areas: [MultiPolygon], ownership: Ownership)? {
        let ownership = Ownership(closingGapsOf: map, narrow: narrow)
        let slits = OpenSlits(map, owners: ownership.owners, narrow: narrow)
        guard let mouths = slits.mouths() else { return nil }
        if mouths.isEmpty { return (map.areas(owners: ownership.owners, count: count), ownership) }
        let rounded = SnapRounding(map.pieces + mouths)
        guard rounded.isSettled else { return nil }
        let cut = Arrangement(rounded)
        let closed = Ownership(closingGapsOf: cut, narrow: narrow)
        return (cut.areas(owners: closed.owners, count: count), closed)
    }
}
