import SeededRandom

/// Divides the land between the main roads into blocks.
///
/// Each face is halved across its longer side until its parts are blocks, as surveyors did (Parish
/// and Müller, "Procedural modeling of cities", 2001; Vanegas et al., "Procedural generation of
/// parcels", 2012). An early cut is a road, a late one a residential street or a footpath. A cut
/// that would end near a corner on the other side of the street ends in that corner and takes the
/// name of the street that it continues.
struct Subdivision: Sendable {
    /// The map, which ends as the plan of all streets.
    var map: PlanarMap
    /// The kind of each line in the map.
    var kinds: [LineKind]
    /// The land use of each face.
    var uses: [LandUse]
    /// The lines that are one street.
    var streets: Partition
    let ground: Ground
    var random: SeededRandom
    private var pending: [Int32] = []
    private(set) var blocks: [Int32] = []
    private var dedicated: [StreetPlan.Area] = []

    /// Attempts to cut one face before it is left whole.
    private static let attempts = 5

    /// The main lines of a ground, uncut.
    init(ground: Ground, random: SeededRandom) {
        self.ground = ground
        self.random = random
        let skeleton = Skeleton(ground: ground)
        map = skeleton.map()
        kinds = skeleton.kinds
        streets = Partition(count: kinds.count)
        uses = [LandUse](repeating: .block, count: map.faceEdge.count)
        assignLand()
    }

    /// Cuts all land into blocks and adds the dead ends.
    mutating func run(progress: (Double) -> Void) {
        let whole = ground.radius * ground.radius * 3.2
        var done = 0.0
        var steps = 0
        while let number = pending.popLast() {
            let face = Face(number, of: map)
            let zone = ground.zone(at: face.centre, use: uses[Int(number)])
            // Most blocks are of the common size, some much larger.
            let share = random.unit()
            let enough = zone.blockArea * (0.55 + 2.6 * share * share)
            let isPark = uses[Int(number)] == .park
            if !isPark { dedicate(face) }
            if face.area < enough || !divide(face, zone: zone) {
                done += face.area
                blocks.append(number)
            }
            steps += 1
            if steps.isMultiple(of: 4_096) { progress(min(1, done / whole)) }
        }
        cutCorners()
        addDeadEnds()
    }

    /// The number of the street that a line belongs to.
    mutating func street(of line: Int32) -> Int { streets.root(Int(line)) }

    /// The land between the main roads, before it is cut.
    func wholes() -> [StreetPlan.Area] {
        pending.compactMap { number in
            uses[Int(number)] == .block ? area(number, use: .block) : nil
        }
    }

    /// The squares, parks and industrial areas, each undivided.
    func areas() -> [StreetPlan.Area] { dedicated }

    private func area(_ number: Int32, use: LandUse) -> StreetPlan.Area {
        let face = Face(number, of: map)
        let outline = face.edges.map { ground.bent(map.start($0)) }
        return StreetPlan.Area(use: use, outline: outline, size: face.area)
    }

    /// Assigns a use to the faces of the skeleton, and turns two near the centre into parks.
    private mutating func assignLand() {
        for edge in 0..<map.line.count {
            let strip = Int(map.face[edge * 2 + 1])
            switch kinds[Int(map.line[edge])] {
            case .bank: uses[strip] = .water
            case .railside where uses[strip] != .water: uses[strip] = .railway
            case .motorside where uses[strip] == .block: uses[strip] = .motorway
            default: break
            }
        }
        uses[0] = .outside
        var central: [(distance: Double, face: Int32)] = []
        for number in 1..<Int32(uses.count) where uses[Int(number)] == .block {
            let face = Face(number, of: map)
            if face.centre.length < ground.walls * 0.1 {
                uses[Int(number)] = .square
                dedicated.append(area(number, use: .square))
                continue
            }
            pending.append(number)
            if ground.distance(face.centre) > ground.walls, face.area > 40_000 {
                central.append((face.centre.length, number))
            }
        }
        central.sort { ($0.distance, $0.face) < ($1.distance, $1.face) }
        for rank in [1, 6, 15] where rank < central.count {
            uses[Int(central[rank].face)] = .park
            dedicated.append(area(central[rank].face, use: .park))
        }
    }

    /// Makes some faces parks, squares or works before they are cut further.
    private mutating func dedicate(_ face: Face) {
        let distance = ground.distance(face.centre)
        let index = Int(face.number)
        guard uses[index] == .block else { return }
        switch face.area {
        case 2_500..<9_000 where distance < ground.belt:
            if random.happens(0.02) { uses[index] = .square }
        case 12_000..<60_000:
            if random.happens(0.022) { uses[index] = .park }
        case 60_000..<300_000 where distance > ground.walls:
            if random.happens(0.035) {
                uses[index] = .park
            } else if distance > ground.belt, random.happens(nearTracks(face) ? 0.3 : 0.008) {
                uses[index] = .industrial
            }
        default: break
        }
        if uses[index] != .block { dedicated.append(area(face.number, use: uses[index])) }
    }

    /// Whether a railway passes so near that factories settle.
    private func nearTracks(_ face: Face) -> Bool {
        ground.railways.contains { DemoPolyline.distance(from: face.centre, to: $0) < 550 }
    }

    /// The kind of a cut through a face.
    private mutating func kind(for face: Face, zone: TownZone, use: LandUse) -> LineKind {
        if use == .park { return random.happens(0.12) ? .cycleway : .footway }
        if use == .square { return .pedestrian }
        switch face.area {
        case 1_100_000...: return .secondary
        case 240_000...: return .tertiary
        case 90_000...: return .unclassified
        default: break
        }
        if face.area < zone.blockArea * 2.6, random.happens(zone.footpaths) {
            return random.happens(0.1) ? .cycleway : .footway
        }
        if face.area < zone.blockArea * 2.6, random.happens(0.08) { return .service }
        let isOld = ground.distance(face.centre) < ground.walls
        if isOld, random.happens(0.16) { return .pedestrian }
        return random.happens(0.03) ? .livingStreet : .residential
    }

    /// Tries to halve a face; whether it could.
    private mutating func divide(_ face: Face, zone: TownZone) -> Bool {
        let use = uses[Int(face.number)]
        let axis = face.longAxis(in: map)
        // Some blocks are cut lengthwise, so that not all end up square.
        let isLong = face.area < zone.blockArea * 6 && random.happens(zone.lengthwise)
        for attempt in 0..<Self.attempts {
            let across = (attempt >= 3) != isLong ? axis.way : axis.way.left
            let turn = random.bell() * zone.turn
            let way = (across + across.left * turn).unit
            let shift = random.bell() * zone.shift * axis.length
            let through = face.centre + axis.way * (attempt >= 3 ? 0 : shift)
            guard
                let chord = face.chord(through: through, along: way, in: map),
                let ends = fit(chord, in: face, zone: zone, snapping: attempt < 2)
            else { continue }
            cut(face, between: ends, zone: zone, use: use)
            return true
        }
        return false
    }

    /// Where a cut ends: on an edge or, near a corner, in the corner.
    private func fit(
        _ chord: (Face.Hit, Face.Hit),
        in face: Face,
        zone: TownZone,
        snapping: Bool
    ) -> (CutEnd, CutEnd)? {
        let reach = snapping ? zone.snap : zone.spacing
        let first = CutEnd(chord.0, zone: zone, reach: reach, map: map)
        let second = CutEnd(chord.1, zone: zone, reach: reach, map: map)
        guard let first, let second, first.edge != second.edge,
            face.admits(first, second, spacing: zone.spacing, in: map)
        else { return nil }
        return (first, second)
    }

    private mutating func cut(
        _ face: Face,
        between ends: (CutEnd, CutEnd),
        zone: TownZone,
        use: LandUse
    ) {
        let line = Int32(kinds.count)
        kinds.append(kind(for: face, zone: zone, use: use))
        streets.append()
        let from = corner(ends.0)
        let to = corner(ends.1)
        let chord = Int32(map.origin.count)
        let new = map.join(from, to, line: line)
        uses.append(use)
        extend(chord)
        extend(chord ^ 1)
        bend(chord, in: face, zone: zone)
        pending += [face.number, new]
    }

    /// The half-edge of the face that begins where a cut ends.
    private mutating func corner(_ end: CutEnd) -> Int32 {
        guard !end.isCorner else { return end.edge }
        let vertex = map.cut(end.edge, at: end.place)
        let after = map.next[Int(end.edge)]
        assert(map.origin[Int(after)] == vertex)
        return after
    }

    /// Names a new street after the one that it continues beyond its first corner.
    private mutating func extend(_ halfEdge: Int32) {
        let way = (map.end(halfEdge) - map.start(halfEdge)).unit
        var best: Int32?
        var bestCosine = -0.93
        var other = map.previous[Int(halfEdge)] ^ 1
        while other != halfEdge {
            let cosine = (map.end(other) - map.start(other)).unit.dot(way)
            if cosine < bestCosine {
                bestCosine = cosine
                best = other
            }
            other = map.previous[Int(other)] ^ 1
        }
        guard let best else { return }
        let mine = kinds[Int(map.line(of: halfEdge))]
        let theirs = kinds[Int(map.line(of: best))]
        let both = [mine, theirs]
        guard both.allSatisfy({ $0.rawValue <= LineKind.livingStreet.rawValue }),
            Int(mine.rawValue) - Int(theirs.rawValue) < 3
        else { return }
        streets.unite(Int(map.line(of: halfEdge)), Int(map.line(of: best)))
    }

    /// Bends a long new street at its middle, where nothing is in the way.
    private mutating func bend(_ chord: Int32, in face: Face, zone: TownZone) {
        let from = map.start(chord)
        let to = map.end(chord)
        let length = from.distance(to: to)
        guard length > 90, zone.turn > 0.1 else { return }
        let aside = random.bell() * 0.09 * length
        guard aside.magnitude > 3, face.isClear(from, to, by: aside.magnitude * 2 + 10, in: map)
        else { return }
        let middle = from.toward(to, random.between(0.42, 0.58))
        _ = map.cut(chord, at: middle + (to - from).unit.left * aside)
    }
}
