import SeededRandom

/// The small ways within and around the finished blocks.
extension Subdivision {
    /// Lays ways that cut the corner of a block: footpaths, and slip roads between wide streets.
    mutating func cutCorners() {
        for number in blocks where uses[Int(number)] == .block {
            for edge in map.boundary(of: number) where random.happens(0.11) {
                cutCorner(after: edge, of: number)
            }
        }
    }

    private mutating func cutCorner(after edge: Int32, of number: Int32) {
        let onward = map.next[Int(edge)]
        let corner = map.end(edge)
        let back = map.start(edge) - corner
        let ahead = map.end(onward) - corner
        let cosine = back.unit.dot(ahead.unit)
        guard min(back.length, ahead.length) > 36, cosine < 0.7, cosine > -0.6,
            map.line(of: edge) != map.line(of: onward)
        else { return }
        let reach = random.between(7, 17)
        let line = Int32(kinds.count)
        let wide = max(
            kinds[Int(map.line(of: edge))].rawValue,
            kinds[Int(map.line(of: onward))].rawValue
        )
        kinds.append(wide < LineKind.residential.rawValue ? .service : .footway)
        streets.append()
        _ = map.cut(edge, at: corner + back.unit * reach)
        _ = map.cut(onward, at: corner + ahead.unit * (reach * random.between(0.8, 1.2)))
        _ = map.join(map.next[Int(edge)], map.next[Int(onward)], line: line)
        // The little triangle bears no houses.
        uses.append(.park)
    }

    /// Adds yards, garages and closes that end within a block.
    mutating func addDeadEnds() {
        for number in blocks {
            let use = uses[Int(number)]
            guard use == .block || use == .industrial else { continue }
            let face = Face(number, of: map)
            let zone = ground.zone(at: face.centre, use: use)
            guard face.area > 1_800 else { continue }
            var wanted = zone.deadEnds * min(2, face.area / zone.blockArea)
            while wanted > 0 {
                if random.happens(wanted) { addDeadEnd(in: face, zone: zone) }
                wanted -= 1
            }
        }
    }

    private mutating func addDeadEnd(in face: Face, zone: TownZone) {
        let around = map.boundary(of: face.number)
        let edge = around[random.below(around.count)]
        let kind = kinds[Int(map.line(of: edge))]
        let from = map.start(edge)
        let way = map.end(edge) - from
        let isQuiet = kind.rawValue <= LineKind.service.rawValue && kind != .primary
        guard isQuiet, way.length > zone.spacing * 3.2 else { return }
        let base = from.toward(map.end(edge), random.between(0.35, 0.65))
        let depth = face.depth(from: base, along: way.unit.left, in: map)
        let length = min(depth * 0.62, depth - 12, 130)
        guard length > 14 else { return }
        let line = Int32(kinds.count)
        kinds.append(length > 60 && random.happens(0.5) ? .residential : .service)
        streets.append()
        _ = map.cut(edge, at: base)
        let tip = base + (way.unit.left + way.unit * random.between(-0.1, 0.1)) * length
        _ = map.sprout(map.next[Int(edge)], to: tip, line: line)
    }
}
