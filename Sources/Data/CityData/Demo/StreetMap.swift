import OpenData
import SeededRandom

/// Writes the streets of the demo city into its map.
struct StreetMap: Sendable {
    /// The place of each junction in the map; 0 if no street passes.
    private(set) var places: [Int64]
    /// The line of each stretch in the map.
    private(set) var ways: [Int64]
    private let plan: StreetPlan
    private var random: SeededRandom
    private var breaks: Set<Int32> = []

    /// The most stretches that one line of the map has.
    private static let longest = 12

    /// The properties that determine the tags of a stretch; adjacent stretches with
    /// equal ones form one way.
    private struct Style: Equatable {
        var kind: LineKind
        var crossing: StreetPlan.Crossing
        var isOneWay: Bool
        var speed: Int
        var restriction: String
    }

    /// Draws the streets of a plan.
    init(_ plan: StreetPlan, on map: inout MapDraft, random: SeededRandom) {
        self.plan = plan
        self.random = random
        places = [Int64](repeating: 0, count: plan.junctions.count)
        ways = [Int64](repeating: 0, count: plan.stretches.count)
        for junction in plan.junctions.indices where !plan.stars[junction].isEmpty {
            places[junction] = map.add(plan.junctions[junction])
        }
        let turns = signals(on: &map)
        for street in plan.streets {
            let cycle = cycleTag(of: street)
            for chain in street.chains { draw(chain, of: street, cycle: cycle, on: &map) }
        }
        for turn in turns { restrict(turn, on: &map) }
    }

    /// Puts traffic lights on crossings of roads, and chooses forbidden turns there.
    private mutating func signals(on map: inout MapDraft) -> [Int32] {
        var turns: [Int32] = []
        for junction in plan.stars.indices {
            let star = plan.stars[junction]
            let roads = star.filter {
                plan.stretches[Int($0)].kind.rawValue <= LineKind.tertiary.rawValue
            }
            guard star.count >= 3, roads.count >= 2 else { continue }
            let streets = Set(roads.map { plan.stretches[Int($0)].street })
            if streets.count > 1, random.happens(0.7) {
                map.tag(places[junction], "highway", "traffic_signals")
                if star.count >= 3, random.happens(0.35) {
                    turns.append(Int32(junction))
                    breaks.insert(Int32(junction))
                }
            } else if random.happens(0.2) {
                map.tag(places[junction], "highway", "crossing")
                map.tag(places[junction], "crossing", "uncontrolled")
            }
        }
        return turns
    }

    private mutating func cycleTag(of street: StreetPlan.Street) -> [(String, String)] {
        switch street.kind {
        case .primary: return random.happens(0.25) ? [("cycleway", "track")] : []
        case .secondary, .tertiary: return random.happens(0.25) ? [("cycleway", "lane")] : []
        case .residential: return random.happens(0.25) ? [("oneway:bicycle", "no")] : []
        default: return []
        }
    }

    /// Draws one chain of a street, cut where its stretches differ.
    private mutating func draw(
        _ chain: [StreetPlan.Step],
        of street: StreetPlan.Street,
        cycle: [(String, String)],
        on map: inout MapDraft
    ) {
        var run: [StreetPlan.Step] = []
        var style: Style?
        for step in chain {
            let next = self.style(of: step, in: street)
            let isBreak = breaks.contains(plan.start(step))
            if let style, style != next || isBreak || run.count >= Self.longest {
                draw(run, style, of: street, cycle: cycle, on: &map)
                run = []
            }
            style = next
            run.append(step)
        }
        if let style { draw(run, style, of: street, cycle: cycle, on: &map) }
    }

    private mutating func draw(
        _ run: [StreetPlan.Step],
        _ style: Style,
        of street: StreetPlan.Street,
        cycle: [(String, String)],
        on map: inout MapDraft
    ) {
        guard let first = run.first else { return }
        var nodes = [places[Int(plan.start(first))]]
        for step in run {
            for point in plan.polyline(of: step).dropFirst().dropLast() {
                nodes.append(map.add(point))
            }
            nodes.append(places[Int(plan.end(step))])
        }
        var tags = tags(of: style, street: street)
        if style.kind == street.kind { tags += cycle.filter { keeps($0.0, style) } }
        let way = map.add(way: nodes, tags: tags)
        for step in run { ways[Int(step.stretch)] = way }
    }

    private func keeps(_ key: String, _ style: Style) -> Bool {
        key == "oneway:bicycle" ? style.isOneWay : style.crossing == .none
    }

    private func style(of step: StreetPlan.Step, in street: StreetPlan.Street) -> Style {
        let stretch = plan.stretches[Int(step.stretch)]
        let distance = plan.junctions[Int(stretch.from)].length
        var kind = stretch.kind
        if kind == .footway, street.isOld, stretch.street.isMultiple(of: 6) { kind = .steps }
        var speed = 0
        switch kind {
        case .primary: speed = distance > plan.ground.belt ? 70 : 50
        case .secondary, .tertiary, .unclassified: speed = 50
        case .residential: speed = street.isOld || stretch.street.isMultiple(of: 3) ? 30 : 50
        case .livingStreet: speed = 10
        default: break
        }
        var restriction = ""
        let quiet = kind == .residential || kind == .livingStreet
        if quiet, distance < plan.ground.walls * 0.75 {
            restriction = distance < plan.ground.walls * 0.5 ? "permit" : "destination"
        }
        return Style(
            kind: kind,
            crossing: stretch.crossing,
            isOneWay: stretch.isOneWay,
            speed: speed,
            restriction: restriction
        )
    }

    private func tags(of style: Style, street: StreetPlan.Street) -> [(String, String)] {
        var tags = [("highway", style.kind.highway)]
        if !street.name.isEmpty { tags.append(("name", street.name)) }
        if style.isOneWay { tags.append(("oneway", "yes")) }
        if style.speed > 0 { tags.append(("maxspeed", String(style.speed))) }
        if style.kind == .primary { tags.append(("lanes", "4")) }
        if style.kind == .cycleway { tags.append(("foot", "yes")) }
        if style.kind == .steps { tags.append(("step_count", "24")) }
        if style.kind.rawValue <= LineKind.residential.rawValue { tags.append(("lit", "yes")) }
        if !style.restriction.isEmpty {
            tags.append(("motor_vehicle", style.restriction))
            tags.append(("taxi", "yes"))
        }
        switch style.crossing {
        case .none: break
        case .bridge: tags += [("bridge", "yes"), ("layer", "1")]
        case .underpass: tags += [("tunnel", "yes"), ("layer", "-1")]
        }
        return tags
    }

    /// Forbids turning left, or going on in any other way than straight ahead, at a crossing.
    private mutating func restrict(_ junction: Int32, on map: inout MapDraft) {
        let star = plan.stars[Int(junction)]
        let place = plan.junctions[Int(junction)]
        let from = star[random.below(star.count)]
        let arriving = (place - plan.junctions[Int(plan.other(from, from: junction))]).unit
        let straight = random.happens(0.2)
        var best: (value: Double, stretch: Int32)?
        for stretch in star where stretch != from {
            let target = plan.junctions[Int(plan.other(stretch, from: junction))]
            let leaving = (target - place).unit
            let value = straight ? arriving.dot(leaving) : arriving.cross(leaving)
            if value > max(0.7, best?.value ?? 0) { best = (value, stretch) }
        }
        guard let best, ways[Int(best.stretch)] != ways[Int(from)] else { return }
        map.add(
            relation: [
                OSMMember(.way, ways[Int(from)], role: "from"),
                OSMMember(.node, places[Int(junction)], role: "via"),
                OSMMember(.way, ways[Int(best.stretch)], role: "to"),
            ],
            tags: [
                OSMTag("type", "restriction"),
                OSMTag("restriction", straight ? "only_straight_on" : "no_left_turn"),
            ]
        )
    }
}

extension LineKind {
    /// The OSM value of `highway`.
    var highway: String {
        switch self {
        case .primary: "primary"
        case .secondary: "secondary"
        case .tertiary: "tertiary"
        case .unclassified: "unclassified"
        case .residential: "residential"
        case .livingStreet: "living_street"
        case .pedestrian: "pedestrian"
        case .footway: "footway"
        case .cycleway: "cycleway"
        case .steps: "steps"
        case .service, .bank, .railside, .motorside: "service"
        }
    }
}
