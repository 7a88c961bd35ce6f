import Geo

/// Finds gaps between zones that are open at an end, and the cuts that close them.
///
/// A gap that zones enclose is a face of its own. One that opens to the outside, or to a lake
/// between zones, is not: it is a *slit*. From each corner beside open land, a trial cut is drawn
/// to the nearest border of another zone across that land, if it is near. The cuts form cells;
/// adjacent narrow cells form slits. A slit that is deep relative to its mouth (its walls are four
/// times as long as its mouths) is a gap to be closed, and only its mouths remain as cuts. A mere
/// corner between two zones is not deep, and is left unchanged.
struct OpenSlits {
    private let map: Arrangement
    private let owners: [Int32]
    private let narrow: Double
    /// The sides with open land to the left and a zone to the right.
    private var shores: [Int32] = []
    /// The side before each side around its face.
    private var previous: [Int32]

    /// How much longer the walls of a slit must be than its mouths.
    static let depth = 4.0

    /// Examines the open land of a map.
    init(_ map: Arrangement, owners: [Int32], narrow: Double) {
        self.map = map
        self.owners = owners
        self.narrow = narrow
        previous = [Int32](repeating: 0, count: map.next.count)
        for side in map.next.indices { previous[Int(map.next[side])] = Int32(side) }
        for side in map.next.indices where isShore(Int32(side)) { shores.append(Int32(side)) }
    }

    /// The cuts that close all slits, each with the land to be closed to its left.
    ///
    /// - Returns: the cuts; nil if the trial cuts could not be brought onto the map.
    func mouths() -> [BorderPiece]? {
        let trials = trialCuts()
        if trials.isEmpty { return [] }
        let rounded = SnapRounding(map.pieces + trials)
        guard rounded.isSettled else { return nil }
        return SlitCells(Arrangement(rounded), narrow: narrow).mouths
    }

    private func isShore(_ side: Int32) -> Bool {
        owners[Int(map.faces[Int(side)])] == Ownership.open && zone(side) != Ownership.open
    }

    /// The zone to the right of a side.
    private func zone(_ side: Int32) -> Int32 { owners[Int(map.faces[Int(side ^ 1)])] }

    private func trialCuts() -> [BorderPiece] {
        let lines = shores.map { map.segment($0) }
        let lattice = Lattice(lines)
        var cuts: Set<Segment> = []
        for side in shores {
            guard let target = nearest(to: side, lines, lattice) else { continue }
            let start = map.origin(side)
            let isForward = BorderPiece.precedes(start, target)
            cuts.insert(isForward ? Segment(start, target) : Segment(target, start))
        }
        return cuts.map {
            BorderPiece(from: $0.start, to: $0.end, zone: BorderPiece.cut)
        }.sorted(by: BorderPiece.isOrdered)
    }

    /// The nearest place of another zone across the open land at the beginning of a shore;
    /// nil if none is near.
    private func nearest(
        to side: Int32,
        _ lines: [Segment],
        _ lattice: Lattice
    ) -> Coordinate? {
        let corner = map.origin(side)
        let before = previous[Int(side)]
        let own = (zone(side), zone(before))
        let plane = LocalPlane(at: corner)
        let box = BoundingBox(corner).expanded(byMetres: narrow)
        var found: [(metres: Double, number: Int, target: Coordinate)] = []
        lattice.context(box) { number in
            let zone = zone(shores[number])
            guard zone != own.0, zone != own.1, lines[number].bounds.meets(box),
                lines[number].side(of: corner) > 0
            else { return true }
            let foot = plane.footPoint(
                of: corner,
                from: lines[number].start,
                to: lines[number].end
            )
            guard foot.metres < narrow else { return true }
            let target = Self.target(foot.place, lines[number])
            if target != corner { found.append((foot.metres, number, target)) }
            return true
        }
        found.sort { ($0.metres, $0.number) < ($1.metres, $1.number) }
        return found.first { candidate in
            opens(side, towards: candidate.target)
                && isClear(Segment(corner, candidate.target), lines, lattice, candidate.number)
        }?.target
    }

    /// A foot point, moved to an end of its line that is next to it.
    private static func target(_ foot: Coordinate, _ line: Segment) -> Coordinate {
        for end in [line.start, line.end] {
            let east = (Int64(end.longitude) - Int64(foot.longitude)).magnitude
            let north = (Int64(end.latitude) - Int64(foot.latitude)).magnitude
            if max(east, north) <= 3 { return end }
        }
        return foot
    }

    /// Whether a direction points into the open land at the corner where a side begins.
    private func opens(_ side: Int32, towards target: Coordinate) -> Bool {
        let corner = map.origin(side)
        let wayOut = map.segment(side)
        let wayIn = Segment(corner, map.origin(previous[Int(side)]))
        let turn = wayOut.side(of: wayIn.end)
        if turn == 0 { return wayOut.side(of: target) > 0 }
        return turn > 0
            ? wayOut.side(of: target) > 0 && wayIn.side(of: target) < 0
            : wayOut.side(of: target) > 0 || wayIn.side(of: target) < 0
    }

    /// Whether a cut crosses no border on its way.
    private func isClear(
        _ cut: Segment,
        _ lines: [Segment],
        _ lattice: Lattice,
        _ target: Int
    ) -> Bool {
        var isClear = true
        lattice.context(cut.bounds) { number in
            // Rounding may carry the end of the cut across the line that it leads to.
            guard number != target else { return true }
            let meeting = cut.meeting(lines[number])
            if meeting == .cross || meeting == .overlap { isClear = false }
            return isClear
        }
        return isClear
    }
}

/// The cells into which trial cuts divide open land.
private struct SlitCells {
    private let map: Arrangement
    private let owners: [Int32]
    /// Whether each face is open, cut and narrow.
    private var isCell: [Bool]
    /// For each line, whether it is a cut and no border.
    private let isCut: [Bool]

    init(_ map: Arrangement, narrow: Double) {
        self.map = map
        owners = Ownership(covered: map).owners
        isCut = map.lines.indices.map { line in
            map.pieces(on: line).contains { $0.zone == BorderPiece.cut }
                && map.pieces(on: line).count == 1
        }
        isCell = [Bool](repeating: false, count: map.faceCount)
        let sides = map.sidesOfFaces()
        for face in 1..<max(1, map.faceCount) where owners[face] == Ownership.open {
            guard sides[face].contains(where: { isCut[Int($0 / 2)] }) else { continue }
            let lines = sides[face].map { map.segment($0) }
            isCell[face] = FaceMeasure(lines, narrow: narrow).isNarrow
        }
    }

    /// The cuts at the ends of deep slits, with the slit to their left.
    var mouths: [BorderPiece] {
        let sides = map.sidesOfFaces()
        var isSeen = [Bool](repeating: false, count: map.faceCount)
        var mouths: [BorderPiece] = []
        for face in isCell.indices where isCell[face] && !isSeen[face] {
            isSeen[face] = true
            var slit = [face]
            var position = 0
            while position < slit.count {
                for side in sides[slit[position]] where isCut[Int(side / 2)] {
                    let other = Int(map.faces[Int(side ^ 1)])
                    guard isCell[other], !isSeen[other] else { continue }
                    isSeen[other] = true
                    slit.append(other)
                }
                position += 1
            }
            mouths += self.mouths(of: slit.flatMap { sides[$0] })
        }
        return mouths
    }

    /// The mouths of one slit; empty if it is not deep or borders only one zone.
    private func mouths(of sides: [Int32]) -> [BorderPiece] {
        var walls = 0.0
        var open = 0.0
        var zones: Set<Int32> = []
        var mouths: [BorderPiece] = []
        for side in sides {
            let other = Int(map.faces[Int(side ^ 1)])
            if !isCut[Int(side / 2)] {
                walls += map.metres(side)
                if owners[other] != Ownership.open { zones.insert(owners[other]) }
            } else if !isCell[other] {
                open += map.metres(side)
                mouths.append(
                    BorderPiece(
                        from: map.origin(side),
                        to: map.end(side),
                        zone: BorderPiece.cut
                    )
                )
            }
        }
        return zones.count > 1 && open * OpenSlits.depth <= walls ? mouths : []
    }
}
