import SeededRandom

/// The streets of the demo city: junctions, the stretches between them, and the
/// streets that they form.
struct StreetPlan: Sendable {
    /// Where each junction lies, after the bending of the ground.
    private(set) var junctions: [Point] = []
    /// Where each junction lay before it.
    private var plain: [Point] = []
    /// The stretches between junctions.
    private(set) var stretches: [Stretch] = []
    /// The streets, each a set of stretches in order.
    private(set) var streets: [Street] = []
    /// The stretches at each junction, ascending.
    private(set) var stars: [[Int32]] = []
    /// The ground that it lies on.
    let ground: Ground
    /// The outlines of squares, parks and works, and of the land between main roads.
    private(set) var areas: [Area] = []

    /// A stretch of street between two junctions.
    struct Stretch: Sendable {
        /// The junction where it begins.
        var from: Int32
        /// The junction where it ends.
        var to: Int32
        /// The kind of the street.
        var kind: LineKind
        /// How the stretch crosses an obstacle.
        var crossing: Crossing
        /// The use of the land to its left.
        var left: LandUse
        /// The use of the land to its right.
        var right: LandUse
        /// The number of its line; lines are numbered in the order of their making.
        var line: Int32
        /// The number of its street.
        var street: Int32 = -1
        /// Whether vehicles may pass it in one direction only, that of its street's chain.
        var isOneWay = false
    }

    /// How a stretch crosses water, railway or motorway.
    enum Crossing: UInt8, Sendable {
        /// The stretch crosses no obstacle.
        case none
        /// The stretch runs over a bridge.
        case bridge
        /// It runs through an underpass.
        case underpass
    }

    /// A street: stretches under one name.
    struct Street: Sendable {
        /// Its unbroken parts: stretches in order, each with whether it is passed forwards.
        var chains: [[Step]]
        /// The kind of its first stretch.
        var kind: LineKind
        /// Whether all of it lies within the old walls.
        var isOld: Bool
        /// Its name; empty if it has none.
        var name = ""
    }

    /// A stretch passed in one direction.
    struct Step: Sendable {
        /// The index of the stretch.
        var stretch: Int32
        /// Whether it is passed from its beginning to its end.
        var forward: Bool
    }

    /// A piece of land with an outline.
    struct Area: Sendable {
        /// The use of the land.
        var use: LandUse
        /// Its outline, not closed.
        var outline: [Point]
        /// Its area in square metres.
        var size: Double
    }

    /// Creates the plan of a ground.
    init(ground: Ground, random: inout SeededRandom, progress: (Double) -> Void) {
        self.ground = ground
        var subdivision = Subdivision(ground: ground, random: random.branch())
        areas = subdivision.wholes()
        subdivision.run(progress: progress)
        collect(&subdivision)
        areas += subdivision.areas()
        keepLargestPart()
        formStreets(&subdivision)
        chain()
        direct(random: &random)
    }

    /// The places along a stretch, both junctions included, where the ground bends it.
    func polyline(of stretch: Stretch) -> [Point] {
        let from = plain[Int(stretch.from)]
        let to = plain[Int(stretch.to)]
        let pieces = Int(from.distance(to: to) / 65) + 1
        return (0...pieces).map { piece in
            if piece == 0 { return junctions[Int(stretch.from)] }
            if piece == pieces { return junctions[Int(stretch.to)] }
            return ground.bent(from.toward(to, Double(piece) / Double(pieces)))
        }
    }

    /// The places along a step in its direction.
    func polyline(of step: Step) -> [Point] {
        let polyline = polyline(of: stretches[Int(step.stretch)])
        return step.forward ? polyline : polyline.reversed()
    }

    /// How many stretches there are between two places where streets meet or end, so that a mere
    /// bend does not count as a junction.
    var sections: Int {
        var ends = 0
        for star in stars where star.count != 2 { ends += star.count }
        return ends / 2
    }

    /// Where a junction lay before the bending of the ground.
    func unbent(_ junction: Int32) -> Point { plain[Int(junction)] }

    /// The length of a stretch in metres.
    func length(of stretch: Int32) -> Double {
        let stretch = stretches[Int(stretch)]
        return junctions[Int(stretch.from)].distance(to: junctions[Int(stretch.to)])
    }

    /// The junction at the other end of a stretch.
    func other(_ stretch: Int32, from junction: Int32) -> Int32 {
        let stretch = stretches[Int(stretch)]
        return stretch.from == junction ? stretch.to : stretch.from
    }

    /// The junction where a step begins.
    func start(_ step: Step) -> Int32 {
        let stretch = stretches[Int(step.stretch)]
        return step.forward ? stretch.from : stretch.to
    }

    /// The junction where a step ends.
    func end(_ step: Step) -> Int32 {
        let stretch = stretches[Int(step.stretch)]
        return step.forward ? stretch.to : stretch.from
    }

    /// Sets the name of a street.
    mutating func name(_ street: Int, _ name: String) {
        streets[street].name = name
    }

    private mutating func collect(_ plan: inout Subdivision) {
        let map = plan.map
        plain = map.points
        junctions = plain.map { ground.bent($0) }
        for edge in 0..<map.line.count {
            let half = Int32(edge * 2)
            let left = plan.uses[Int(map.face[edge * 2])]
            let right = plan.uses[Int(map.face[edge * 2 + 1])]
            let line = map.line[edge]
            let plain = plan.kinds[Int(line)]
            let middle = map.start(half).toward(map.end(half), 0.5)
            guard let kind = kind(plain, at: middle, left: left, right: right) else { continue }
            stretches.append(
                Stretch(
                    from: map.origin[edge * 2],
                    to: map.origin[edge * 2 + 1],
                    kind: kind,
                    crossing: plain.isSide
                        ? .none : crossing(left: left, right: right, line: line),
                    left: left,
                    right: right,
                    line: line
                )
            )
        }
    }

    /// The kind of street of a piece of a line; nil if it is not a street.
    private func kind(
        _ plain: LineKind,
        at place: Point,
        left: LandUse,
        right: LandUse
    ) -> LineKind? {
        let distance = place.length
        switch plain {
        case .bank, .railside, .motorside:
            guard left.isLand || right.isLand else { return nil }
            return plain == .bank ? .tertiary : .unclassified
        case .primary, .secondary:
            if distance < ground.walls * 0.32 { return .pedestrian }
            return distance < ground.walls * 0.96 ? .tertiary : plain
        case .tertiary where distance < ground.walls * 0.9:
            return .unclassified
        default:
            return plain
        }
    }

    private func crossing(left: LandUse, right: LandUse, line: Int32) -> Crossing {
        // The outline has the river on one side only, where it leaves the city.
        let strip = left == .outside ? right : left
        guard left == right || left == .outside || right == .outside else { return .none }
        return switch strip {
        case .water, .motorway: .bridge
        case .railway: line.isMultiple(of: 4) ? .bridge : .underpass
        default: .none
        }
    }

    /// Removes all parts that are not connected with the largest one.
    private mutating func keepLargestPart() {
        var parts = Partition(count: junctions.count)
        for stretch in stretches { parts.unite(Int(stretch.from), Int(stretch.to)) }
        var sizes = [Int](repeating: 0, count: junctions.count)
        for stretch in stretches { sizes[parts.root(Int(stretch.from))] += 1 }
        let largest = sizes.indices.max { (sizes[$0], $1) < (sizes[$1], $0) } ?? 0
        stretches = stretches.filter { parts.root(Int($0.from)) == largest }
        stars = Array(repeating: [], count: junctions.count)
        for index in stretches.indices {
            stars[Int(stretches[index].from)].append(Int32(index))
            stars[Int(stretches[index].to)].append(Int32(index))
        }
    }

    /// Makes a street of all stretches of united lines.
    private mutating func formStreets(_ plan: inout Subdivision) {
        var roots: [Int32: Int32] = [:]
        for index in stretches.indices {
            let root = Int32(plan.street(of: stretches[index].line))
            if let known = roots[root] {
                stretches[index].street = known
            } else {
                let number = Int32(streets.count)
                roots[root] = number
                stretches[index].street = number
                streets.append(Street(chains: [], kind: stretches[index].kind, isOld: true))
            }
        }
    }

    /// Brings the stretches of each street in order, outwards from the centre.
    private mutating func chain() {
        var members: [[Int32]] = Array(repeating: [], count: streets.count)
        for index in stretches.indices {
            members[Int(stretches[index].street)].append(Int32(index))
        }
        var used = [Bool](repeating: false, count: stretches.count)
        for street in streets.indices {
            var ends: [(degree: Int, distance: Double, junction: Int32)] = []
            for member in members[street] {
                for junction in [stretches[Int(member)].from, stretches[Int(member)].to] {
                    let star = stars[Int(junction)]
                    let degree = star.filter { stretches[Int($0)].street == street }.count
                    let distance = junctions[Int(junction)].length
                    if distance > ground.walls { streets[street].isOld = false }
                    ends.append((degree == 2 ? 2 : 1, distance, junction))
                }
            }
            ends.sort {
                ($0.degree, $0.distance, $0.junction) < ($1.degree, $1.distance, $1.junction)
            }
            for end in ends {
                while let chain = walk(from: end.junction, street: Int32(street), used: &used) {
                    streets[street].chains.append(chain)
                }
            }
            streets[street].kind =
                members[street].map { stretches[Int($0)].kind.rawValue }.min()
                .flatMap(LineKind.init(rawValue:)) ?? streets[street].kind
        }
    }

    /// The unused stretches of a street from a junction on, straight ahead where it forks.
    private func walk(from first: Int32, street: Int32, used: inout [Bool]) -> [Step]? {
        var steps: [Step] = []
        var junction = first
        var way: Point?
        while true {
            var best: Int32?
            var bestCosine = -2.0
            for stretch in stars[Int(junction)]
            where stretches[Int(stretch)].street == street && !used[Int(stretch)] {
                let target = junctions[Int(other(stretch, from: junction))]
                let onward = (target - junctions[Int(junction)]).unit
                let cosine = way?.dot(onward) ?? 0
                if cosine > bestCosine {
                    bestCosine = cosine
                    best = stretch
                }
            }
            guard let best else { break }
            used[Int(best)] = true
            let forward = stretches[Int(best)].from == junction
            steps.append(Step(stretch: best, forward: forward))
            let next = other(best, from: junction)
            way = (junctions[Int(next)] - junctions[Int(junction)]).unit
            junction = next
        }
        return steps.isEmpty ? nil : steps
    }

    /// Makes narrow streets one-way without cutting any off: a line whose two ends lie on older
    /// ways for cars may be one-way, since such an ear keeps a graph strongly connected (Robbins,
    /// "A theorem on graphs", 1939); one that no car reaches becomes a footpath.
    private mutating func direct(random: inout SeededRandom) {
        var first: [Int32: Int32] = [:]
        var last: [Int32: Int32] = [:]
        var order: [Int32] = []
        for street in streets {
            for step in street.chains.joined() {
                let line = stretches[Int(step.stretch)].line
                if first[line] == nil {
                    first[line] = start(step)
                    order.append(line)
                }
                last[line] = end(step)
            }
        }
        order.sort()
        var verdicts: [Int32: Bool] = [:]
        var carries = [Int32](repeating: Int32.max, count: junctions.count)
        var members: [Int32: [Int32]] = [:]
        for index in stretches.indices {
            members[stretches[index].line, default: []].append(Int32(index))
        }
        for line in order {
            guard let from = first[line], let to = last[line], let all = members[line] else {
                continue
            }
            let kind = stretches[Int(all[0])].kind
            guard kind.carriesCars else { continue }
            let joined = [from, to].filter { carries[Int($0)] < line }.count
            if kind.rawValue >= LineKind.residential.rawValue, joined == 0 {
                for member in all { stretches[Int(member)].kind = .footway }
                continue
            }
            let zone = ground.zone(at: junctions[Int(from)], use: .block)
            verdicts[line] =
                joined == 2 && from != to && kind == .residential && random.happens(zone.oneWay)
            for member in all {
                carries[Int(stretches[Int(member)].from)] = min(
                    carries[Int(stretches[Int(member)].from)],
                    line
                )
                carries[Int(stretches[Int(member)].to)] = min(
                    carries[Int(stretches[Int(member)].to)],
                    line
                )
            }
        }
        for index in stretches.indices {
            stretches[index].isOneWay = verdicts[stretches[index].line] ?? false
        }
    }
}

extension LandUse {
    /// Whether streets are cut on it.
    var isLand: Bool { rawValue >= LandUse.square.rawValue }
}

extension LineKind {
    /// Whether cars may use it.
    var carriesCars: Bool { rawValue <= LineKind.livingStreet.rawValue || self == .service }
    /// Whether it is the side of a strip of land that only other lines cross.
    var isSide: Bool { self == .bank || self == .railside || self == .motorside }
    /// Whether buses may use it.
    var carriesBuses: Bool { rawValue <= LineKind.tertiary.rawValue }
}
