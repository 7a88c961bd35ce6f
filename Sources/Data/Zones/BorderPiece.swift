import Geo

/// A straight piece of some zone's border, in one fixed direction.
///
/// The pieces of a zone form closed lines. Every ring runs with its zone to the left, so that
/// crossing a piece from right to left enters the zone once more.
struct BorderPiece: Hashable {
    /// The end that comes first by longitude, then latitude.
    let start: Coordinate
    /// The end that comes second by longitude, then latitude.
    let end: Coordinate
    /// The zone's number, or ``cut``.
    let zone: Int32
    /// How often the zone is entered from the right side of the piece to its left.
    var turns: Int32

    /// The number used in place of a zone for a line that only divides open land.
    static let cut: Int32 = -1

    /// A piece from a line with the zone to its left.
    init(from: Coordinate, to: Coordinate, zone: Int32, turns: Int32 = 1) {
        let isForward = Self.precedes(from, to)
        start = isForward ? from : to
        end = isForward ? to : from
        self.zone = zone
        self.turns = isForward ? turns : -turns
    }

    /// The piece as a geometric segment.
    var segment: Segment { Segment(start, end) }

    /// The order of places from west to east, and from south to north on a meridian.
    static func precedes(_ first: Coordinate, _ second: Coordinate) -> Bool {
        (first.longitude, first.latitude) < (second.longitude, second.latitude)
    }

    /// The order of pieces by their ends, then by zone.
    static func isOrdered(_ first: BorderPiece, _ second: BorderPiece) -> Bool {
        if first.start != second.start { return precedes(first.start, second.start) }
        if first.end != second.end { return precedes(first.end, second.end) }
        return first.zone < second.zone
    }

    /// The borders of areas as pieces, outlines and holes each taken in their right direction.
    static func borders(of areas: [MultiPolygon]) -> [BorderPiece] {
        var pieces: [BorderPiece] = []
        for (zone, area) in areas.enumerated() {
            for polygon in area.polygons {
                for (number, ring) in polygon.rings.enumerated() {
                    let turns: Int32 = ring.isCounterClockwise == (number == 0) ? 1 : -1
                    for index in 0..<(ring.points.count - 1) {
                        let edge = ring.edge(index)
                        guard edge.start != edge.end else { continue }
                        pieces.append(
                            BorderPiece(
                                from: edge.start,
                                to: edge.end,
                                zone: Int32(zone),
                                turns: turns
                            )
                        )
                    }
                }
            }
        }
        return pieces
    }

    /// The same pieces sorted, with those of one zone on one line merged and those that cancel each
    /// other left out.
    static func merged(_ pieces: [BorderPiece]) -> [BorderPiece] {
        var merged: [BorderPiece] = []
        merged.reserveCapacity(pieces.count)
        for piece in pieces.sorted(by: isOrdered) {
            if let last = merged.last, last.start == piece.start, last.end == piece.end,
                last.zone == piece.zone
            {
                merged[merged.count - 1].turns += piece.turns
            } else {
                if merged.last?.turns == 0 { merged.removeLast() }
                merged.append(piece)
            }
        }
        if merged.last?.turns == 0 { merged.removeLast() }
        return merged
    }
}
