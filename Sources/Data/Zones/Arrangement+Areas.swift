import Geo

extension Arrangement {
    /// The areas of zones that own faces, in a canonical form.
    ///
    /// Faces with the same owner become one polygon where they share a line. Outlines run
    /// counter-clockwise and holes clockwise; each ring begins at its westernmost (of those
    /// southernmost) place, and rings and polygons are in the order of these. A ring never meets
    /// itself: a border that returns to a place becomes two rings that touch there.
    ///
    /// - Parameters:
    ///   - owners: the zone of each face, or less than 0 for open land.
    ///   - count: the number of zones.
    /// - Returns: the area of each zone.
    func areas(owners: [Int32], count: Int) -> [MultiPolygon] {
        var parts: [[(group: Int32, rings: [Ring])]] = Array(repeating: [], count: count)
        let groups = groups(owners: owners)
        var isDone = [Bool](repeating: false, count: next.count)
        var places: [Int32: (zone: Int, part: Int)] = [:]
        for side in next.indices where !isDone[side] {
            let owner = owners[Int(faces[side])]
            guard owner >= 0, owner != owners[Int(faces[side ^ 1])] else { continue }
            let rings = Self.simpleRings(border(from: Int32(side), owners, &isDone))
            let group = groups[Int(faces[side])]
            if let known = places[group] {
                parts[known.zone][known.part].rings += rings
            } else {
                places[group] = (Int(owner), parts[Int(owner)].count)
                parts[Int(owner)].append((group, rings))
            }
        }
        return parts.map { list in
            MultiPolygon(
                list.map { Self.polygon($0.rings) }.sorted {
                    Self.precedes($0.outline, $1.outline)
                }
            )
        }
    }

    /// The number of the first face of the connected land of the same owner, for each face.
    private func groups(owners: [Int32]) -> [Int32] {
        var groups = (0..<Int32(faceCount)).map { $0 }
        func root(_ face: Int32) -> Int32 {
            var root = face
            while groups[Int(root)] != root {
                groups[Int(root)] = groups[Int(groups[Int(root)])]
                root = groups[Int(root)]
            }
            return root
        }
        for line in lines.indices {
            let left = faces[line * 2]
            let right = faces[line * 2 + 1]
            guard owners[Int(left)] == owners[Int(right)] else { continue }
            let roots = (root(left), root(right))
            groups[Int(max(roots.0, roots.1))] = min(roots.0, roots.1)
        }
        return groups.indices.map { root(Int32($0)) }
    }

    /// The places along the border of an owner's land, from a side until the border returns to it.
    private func border(
        from side: Int32,
        _ owners: [Int32],
        _ isDone: inout [Bool]
    ) -> [Coordinate] {
        let owner = owners[Int(faces[Int(side)])]
        var places: [Coordinate] = []
        var current = side
        repeat {
            isDone[Int(current)] = true
            places.append(origin(current))
            current = next[Int(current)]
            // Lines with the same owner on both sides are no border: turn on beyond them.
            while owners[Int(faces[Int(current ^ 1)])] == owner {
                current = next[Int(current ^ 1)]
            }
        } while current != side
        return places
    }

    /// Splits a closed path into rings wherever it returns to a place.
    private static func simpleRings(_ way: [Coordinate]) -> [Ring] {
        var rings: [Ring] = []
        var open: [Coordinate] = []
        var positions: [Coordinate: Int] = [:]
        for place in way + way.prefix(1) {
            if let start = positions[place] {
                let corners = Array(open[start...])
                for corner in corners.dropFirst() { positions[corner] = nil }
                open.removeLast(open.count - start - 1)
                if let ring = ring(corners) { rings.append(ring) }
            } else {
                positions[place] = open.count
                open.append(place)
            }
        }
        return rings
    }

    /// A ring that begins at its westernmost corner.
    private static func ring(_ corners: [Coordinate]) -> Ring? {
        guard
            let first = corners.indices.min(by: {
                BorderPiece.precedes(corners[$0], corners[$1])
            })
        else { return nil }
        let turned = corners[first...] + corners[..<first]
        return try? Ring(turned + [corners[first]])
    }

    /// The one counter-clockwise ring with the others as its holes.
    private static func polygon(_ rings: [Ring]) -> Polygon {
        let sorted = rings.sorted { precedes($0, $1) }
        let outline = sorted.first { $0.isCounterClockwise } ?? sorted[0]
        return Polygon(outline: outline, holes: sorted.filter { $0 != outline })
    }

    private static func precedes(_ first: Ring, _ second: Ring) -> Bool {
        for (one, other) in zip(first.points, second.points) where one != other {
            return BorderPiece.precedes(one, other)
        }
        return first.points.count < second.points.count
    }
}
