import Geo

/// The kind of a line of the street plan.
enum LineKind: UInt8, Sendable {
    /// A main road: radials and rings.
    case primary
    /// A road between districts.
    case secondary
    /// A road between quarters.
    case tertiary
    /// A street between the roads and the residential streets.
    case unclassified
    /// A street where people live.
    case residential
    /// A street where people live and cars drive at walking pace.
    case livingStreet
    /// A street or square without cars.
    case pedestrian
    /// A way to yards, garages and car parks.
    case service
    /// A way for pedestrians only.
    case footway
    /// A way for bicycles, on which walking is allowed.
    case cycleway
    /// A way for walking with steps.
    case steps
    /// A bank of the river.
    case bank
    /// The edge of a railway's land.
    case railside
    /// The edge of the motorway's land.
    case motorside
}

/// The main lines of the city before the blocks are cut: square, rings, radials, and the two
/// sides of river, railways and motorway.
struct Skeleton: Sendable {
    /// The kind of each line; more are added while blocks are cut.
    var kinds: [LineKind] = []
    /// The straight pieces, each with its line.
    private(set) var pieces: [(from: Point, to: Point, line: Int32)] = []

    /// Creates the main lines of a ground.
    init(ground: Ground) {
        for (index, ring) in ground.rings.enumerated() {
            let last = index == ground.rings.count - 1
            let kind: LineKind = last ? .tertiary : index.isMultiple(of: 2) ? .primary : .secondary
            // The outline is cut into pieces, so that no street of 60 kilometres has one name.
            circle(at: ring, kind: kind, arcs: last ? 12 : index == 0 ? 5 : 4 + index, of: ground)
        }
        square(of: ground)
        for radial in ground.radials {
            add(radial.polyline, radial.isMain ? .primary : .secondary)
        }
        ribbon(ground.river, half: ground.riverHalfWidth, kind: .bank)
        for railway in ground.railways {
            ribbon(railway, half: Ground.railwayHalfWidth, kind: .railside)
        }
        if let motorway = ground.motorway {
            let half = Ground.motorwayHalfWidth
            circle(at: motorway - half, kind: .motorside, arcs: 8, of: ground, inward: false)
            circle(at: motorway + half, kind: .motorside, arcs: 8, of: ground, inward: true)
        }
    }

    /// Adds a line through points and returns its number.
    private mutating func add(_ polyline: [Point], _ kind: LineKind) {
        let line = Int32(kinds.count)
        kinds.append(kind)
        for index in polyline.indices.dropFirst() {
            pieces.append((polyline[index - 1], polyline[index], line))
        }
    }

    /// A ring around the centre, with the land beside it to its right: counterclockwise, or
    /// clockwise where that lies inward.
    private mutating func circle(
        at distance: Double,
        kind: LineKind,
        arcs: Int,
        of ground: Ground,
        inward: Bool = false
    ) {
        let steps = max(6, Int(distance * 2 * Trigonometry.pi / 170) / arcs)
        for arc in 0..<arcs {
            var polyline: [Point] = []
            for step in 0...steps {
                let share = (Double(arc) + Double(step) / Double(steps)) / Double(arcs)
                polyline.append(ground.ring(distance, angle: share * 2 * Trigonometry.pi))
            }
            // The last arc ends exactly where the first began.
            if arc == arcs - 1 { polyline[steps] = ground.ring(distance, angle: 0) }
            add(inward ? polyline.reversed() : polyline, kind)
        }
    }

    /// The cathedral square, a little askew.
    private mutating func square(of ground: Ground) {
        let half = max(45, ground.walls * 0.13)
        let turn = 0.35
        let corners = [(1.25, 0.8), (-1.2, 0.85), (-1.3, -0.8), (1.15, -0.78)].map {
            corner -> Point in
            let plain = Point(x: corner.0 * half, y: corner.1 * half)
            return Point(angle: plain.angle + turn, distance: plain.length)
        }
        add(corners + [corners[0]], .pedestrian)
    }

    /// Both sides of a strip of land, each running so that the strip lies to its right.
    private mutating func ribbon(_ polyline: [Point], half: Double, kind: LineKind) {
        add(DemoPolyline.offset(polyline, by: half), kind)
        add(DemoPolyline.offset(polyline, by: -half).reversed(), kind)
    }

    /// The map that the lines make: cut at their crossings, without loose ends.
    func map() -> PlanarMap {
        var arrangement = Arrangement()
        for piece in pieces { arrangement.add(piece.from, piece.to, line: piece.line) }
        return arrangement.map()
    }
}
