import Geo

/// The motorway ring of a large demo city: two carriageways on their own land, below the roads that
/// cross it, with slip roads to the main ones.
enum Motorway {
    /// Metres between two points of a carriageway, about.
    private static let step = 90.0
    /// How many points before and after a road its slip roads leave and join.
    private static let slip = 4

    /// Adds the ring to the map; nothing in a city without one.
    static func draw(_ plan: StreetPlan, streets: StreetMap, on map: inout MapDraft) {
        guard let distance = plan.ground.motorway else { return }
        let count = Int(2 * Trigonometry.pi * distance / step)
        // Traffic keeps to the right: the outer carriageway runs counterclockwise.
        let outer = carriageway(distance + 9, count, plan, on: &map)
        let inner = carriageway(distance - 9, count, plan, on: &map)
        draw(outer, reversed: false, count, distance, plan, on: &map)
        draw(inner, reversed: true, count, distance, plan, on: &map)
        var last = -100
        for crossing in crossings(plan, count: count) where crossing.index > last + 2 * slip + 4 {
            last = crossing.index
            let before = (crossing.index - slip + count) % count
            let after = (crossing.index + slip) % count
            let far = streets.places[Int(crossing.outer)]
            let near = streets.places[Int(crossing.inner)]
            for slip in [
                [outer[before], far], [far, outer[after]], [inner[after], near],
                [near, inner[before]],
            ] {
                map.add(
                    way: slip,
                    tags: [("highway", "motorway_link"), ("oneway", "yes"), ("maxspeed", "50")]
                )
            }
        }
    }

    private static func carriageway(
        _ distance: Double,
        _ count: Int,
        _ plan: StreetPlan,
        on map: inout MapDraft
    ) -> [Int64] {
        (0..<count).map { index in
            let angle = Double(index) / Double(count) * 2 * Trigonometry.pi
            return map.add(plan.ground.bent(plan.ground.ring(distance, angle: angle)))
        }
    }

    /// Draws a carriageway in pieces, those over the river as bridges.
    private static func draw(
        _ nodes: [Int64],
        reversed: Bool,
        _ count: Int,
        _ distance: Double,
        _ plan: StreetPlan,
        on map: inout MapDraft
    ) {
        let ground = plan.ground
        var start = 0
        var wasWet = false
        for index in 0...count {
            let angle = Double(index) / Double(count) * 2 * Trigonometry.pi
            let place = ground.ring(distance, angle: angle)
            let isWet =
                DemoPolyline.distance(from: place, to: ground.river) < ground.riverHalfWidth + 70
            guard index > start, index == count || isWet != wasWet || index - start >= 24 else {
                if index == start { wasWet = isWet }
                continue
            }
            var piece = (start...index).map { nodes[$0 % count] }
            if reversed { piece.reverse() }
            var tags = [
                ("highway", "motorway"), ("oneway", "yes"), ("maxspeed", "90"), ("lanes", "3"),
                ("name", "Tangenziale"), ("ref", "T1"),
            ]
            if wasWet { tags += [("bridge", "yes"), ("layer", "1")] }
            map.add(way: piece, tags: tags)
            start = index
            wasWet = isWet
        }
    }

    /// Where main roads cross the motorway's land, in the order of the ring.
    private static func crossings(
        _ plan: StreetPlan,
        count: Int
    ) -> [(index: Int, inner: Int32, outer: Int32)] {
        var found: [(index: Int, inner: Int32, outer: Int32)] = []
        for stretch in plan.stretches
        where stretch.left == .motorway && stretch.right == .motorway && stretch.kind == .primary {
            let ends = [stretch.from, stretch.to].sorted {
                let left = plan.junctions[Int($0)].length
                let right = plan.junctions[Int($1)].length
                return (left, $0) < (right, $1)
            }
            let span = plan.junctions[Int(ends[0])].distance(to: plan.junctions[Int(ends[1])])
            guard span > Ground.motorwayHalfWidth else { continue }
            let angle = plan.unbent(ends[0]).toward(plan.unbent(ends[1]), 0.5).angle
            let turn = angle < 0 ? angle + 2 * Trigonometry.pi : angle
            let index = Int(turn / (2 * Trigonometry.pi) * Double(count)) % count
            found.append((index, ends[0], ends[1]))
        }
        return found.sorted { ($0.index, $0.inner) < ($1.index, $1.inner) }
    }
}
