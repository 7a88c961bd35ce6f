import Heap

/// The roads that trams and buses use, with the stops beside them.
struct RoadNetwork: Sendable {
    /// The plan of all streets.
    let plan: StreetPlan
    /// The places for stops; each is on both sides of the road.
    private(set) var halts: [Halt] = []
    /// The halt on each stretch; −1 where none is.
    private var haltOf: [Int32]
    private var uses: [UInt8]
    private let roads: [Int32]

    /// A place for two stops that face each other.
    struct Halt: Sendable {
        /// The stretch that it lies on.
        var stretch: Int32
        /// The metres from the stretch's beginning.
        var distance: Double
        /// The name of the halt.
        var name: String
    }

    /// Collects the roads of a plan.
    init(_ plan: StreetPlan) {
        self.plan = plan
        haltOf = [Int32](repeating: -1, count: plan.stretches.count)
        uses = [UInt8](repeating: 0, count: plan.stretches.count)
        var roads: [Int32] = []
        for junction in plan.stars.indices
        where plan.stars[junction].contains(where: { plan.stretches[Int($0)].kind.carriesBuses }) {
            roads.append(Int32(junction))
        }
        self.roads = roads
        placeHalts()
    }

    /// The junction of a road that is nearest to a place.
    func junction(near place: Point) -> Int32 {
        var best = roads.first ?? 0
        var nearest = Double.infinity
        for junction in roads {
            let distance = plan.junctions[Int(junction)].distance(to: place)
            if distance < nearest {
                nearest = distance
                best = junction
            }
        }
        return best
    }

    /// The halt on a stretch, if there is one.
    func halt(on stretch: Int32) -> Int? {
        let halt = haltOf[Int(stretch)]
        return halt < 0 ? nil : Int(halt)
    }

    /// The names of the streets at a junction, the widest first.
    func streetNames(at junction: Int32) -> [String] {
        let streets = plan.stars[Int(junction)].map { Int(plan.stretches[Int($0)].street) }
        let sorted = streets.sorted {
            (plan.streets[$0].kind.rawValue, $0) < (plan.streets[$1].kind.rawValue, $1)
        }
        return sorted.map { plan.streets[$0].name }.filter { !$0.isEmpty }
    }

    private mutating func placeHalts() {
        for street in plan.streets {
            for chain in street.chains {
                var since = 170.0
                for step in chain {
                    let length = plan.length(of: step.stretch)
                    let stretch = plan.stretches[Int(step.stretch)]
                    let place = plan.junctions[Int(stretch.from)]
                    let outer = plan.ground.distance(place) > plan.ground.belt
                    let isPlain = stretch.crossing == .none && stretch.kind.carriesBuses
                    if since > (outer ? 280 : 230), isPlain, length > 24 {
                        haltOf[Int(step.stretch)] = Int32(halts.count)
                        let name = haltName(step, of: street)
                        halts.append(
                            Halt(stretch: step.stretch, distance: length / 2, name: name)
                        )
                        since = 0
                    }
                    since += length
                }
            }
        }
    }

    /// The street and, after a dash, the nearest street that crosses it.
    private func haltName(_ step: StreetPlan.Step, of street: StreetPlan.Street) -> String {
        for junction in [plan.start(step), plan.end(step)] {
            for stretch in plan.stars[Int(junction)] {
                let other = plan.streets[Int(plan.stretches[Int(stretch)].street)]
                if !other.name.isEmpty, other.name != street.name {
                    return "\(street.name) – \(other.name)"
                }
            }
        }
        return street.name
    }

    /// The shortest route on the roads between two junctions, preferring wide roads and those
    /// without a line; empty if there is none (A*: Hart, Nilsson, Raphael 1968).
    mutating func route(from start: Int32, to goal: Int32) -> [StreetPlan.Step] {
        var search = RouteSearch(goal: plan.junctions[Int(goal)])
        search.reach(start, cost: 0, by: -1, at: plan.junctions[Int(start)])
        while let (junction, cost) = search.next() {
            if junction == goal { break }
            for stretch in plan.stars[Int(junction)] {
                let kind = plan.stretches[Int(stretch)].kind
                guard kind.carriesBuses else { continue }
                let other = plan.other(stretch, from: junction)
                let wear = 1 + 0.22 * Double(min(6, uses[Int(stretch)]))
                let factor = kind == .tertiary ? 1.12 : 1
                let step = plan.length(of: stretch) * wear * factor
                search.reach(other, cost: cost + step, by: stretch, at: plan.junctions[Int(other)])
            }
        }
        var steps: [StreetPlan.Step] = []
        var junction = goal
        while junction != start, let stretch = search.arrival(at: junction), stretch >= 0 {
            let before = plan.other(stretch, from: junction)
            let forward = plan.stretches[Int(stretch)].from == before
            steps.append(StreetPlan.Step(stretch: stretch, forward: forward))
            junction = before
        }
        guard junction == start else { return [] }
        for step in steps { uses[Int(step.stretch)] = min(200, uses[Int(step.stretch)] + 1) }
        return steps.reversed()
    }
}

/// The open and closed junctions of one search for a way.
struct RouteSearch: Sendable {
    private let goal: Point
    private var costs: [Int32: (cost: Double, stretch: Int32, isDone: Bool)] = [:]
    private var heap = Heap<Entry>()

    /// A search for the way to a place.
    init(goal: Point) {
        self.goal = goal
    }

    /// Notes that a junction can be reached at a cost by a stretch.
    mutating func reach(_ junction: Int32, cost: Double, by stretch: Int32, at place: Point) {
        if let known = costs[junction], known.isDone || known.cost <= cost { return }
        costs[junction] = (cost, stretch, false)
        heap.push(Entry(key: cost + place.distance(to: goal), junction: junction))
    }

    /// The next junction to go on from, with its cost.
    mutating func next() -> (junction: Int32, cost: Double)? {
        while let top = heap.pop() {
            guard let known = costs[top.junction], !known.isDone else { continue }
            costs[top.junction]?.isDone = true
            return (top.junction, known.cost)
        }
        return nil
    }

    /// The stretch by which a junction is reached best.
    func arrival(at junction: Int32) -> Int32? { costs[junction]?.stretch }

    /// A junction to go on from: the least sum of the cost so far and the distance to the goal
    /// first, then the smaller number.
    private struct Entry: Comparable {
        var key: Double
        var junction: Int32

        static func < (left: Entry, right: Entry) -> Bool {
            (left.key, left.junction) < (right.key, right.junction)
        }
    }
}
