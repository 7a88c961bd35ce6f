import Geo

/// Land that two zones cover, or that one zone does not cover exactly once.
struct DoubleCover {
    /// The number of the zone.
    let zone: Int32
    /// The other zone; the same one if a zone covers land wrongly by itself.
    let other: Int32
    /// The measure of each connected piece of land.
    var parts: [FaceMeasure]

    /// The area of all parts, in square metres.
    var area: Double { parts.reduce(0) { $0 + $1.area } }

    /// The widest of the parts.
    var widest: FaceMeasure? { parts.max { $0.width < $1.width } }

    /// Whether all parts are narrow enough to be healed.
    var isNarrow: Bool { parts.allSatisfy(\.isNarrow) }
}

extension Arrangement {
    /// Finds all land that several zones cover, or that one does not cover exactly once, by zones.
    ///
    /// - Parameter narrow: the width below which land is narrow, in metres.
    /// - Returns: one for each pair of zones, ascending.
    func doubleCovers(narrow: Double) -> [DoubleCover] {
        struct Pair: Hashable {
            let zone: Int32
            let other: Int32
        }
        var lists: [Pair: [Int32]] = [:]
        for (face, cover) in covers.enumerated() {
            for (position, one) in cover.enumerated() {
                if one.times != 1 {
                    lists[Pair(zone: one.zone, other: one.zone), default: []].append(Int32(face))
                }
                guard one.times > 0 else { continue }
                for other in cover[(position + 1)...] where other.times > 0 {
                    lists[Pair(zone: one.zone, other: other.zone), default: []]
                        .append(Int32(face))
                }
            }
        }
        let sides = lists.isEmpty ? [] : sidesOfFaces()
        let pairs = lists.keys.sorted { ($0.zone, $0.other) < ($1.zone, $1.other) }
        return pairs.map { pair in
            let parts = connected(lists[pair] ?? [], sides).map { part in
                FaceMeasure(border(of: part, sides), narrow: narrow)
            }
            return DoubleCover(zone: pair.zone, other: pair.other, parts: parts)
        }
    }

    /// The faces, grouped by whether lines connect them.
    private func connected(_ faces: [Int32], _ sides: [[Int32]]) -> [Set<Int32>] {
        var left = Set(faces)
        var parts: [Set<Int32>] = []
        for face in faces where left.remove(face) != nil {
            var part: Set = [face]
            var waiting = [face]
            while let current = waiting.popLast() {
                for side in sides[Int(current)] {
                    let other = self.faces[Int(side ^ 1)]
                    guard left.remove(other) != nil else { continue }
                    part.insert(other)
                    waiting.append(other)
                }
            }
            parts.append(part)
        }
        return parts
    }

    /// The lines around faces, in a fixed order.
    private func border(of part: Set<Int32>, _ sides: [[Int32]]) -> [Segment] {
        part.sorted().flatMap { sides[Int($0)] }
            .filter { !part.contains(faces[Int($0 ^ 1)]) }
            .map { segment($0) }
    }

    /// The length of a side in metres.
    func metres(_ side: Int32) -> Double {
        let line = lines[Int(side / 2)]
        return LocalPlane(at: line.start).distanceMetres(line.start, line.end)
    }
}
