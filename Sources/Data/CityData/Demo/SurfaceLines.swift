import Geo
import SeededRandom

/// Lays the tram and bus lines of the demo city on its roads.
struct SurfaceLines: Sendable {
    private var network: RoadNetwork
    private let ground: Ground
    private var random: SeededRandom
    /// The two stops of each halt that a line uses: one for the forward direction, one for
    /// the backward direction.
    private var stopsOf: [Int: (forward: Int?, back: Int?)] = [:]
    /// The stretches on which trams run, in the order of the lines.
    private(set) var tramways: [[StreetPlan.Step]] = []

    /// The least distance between two stops of a line, in metres.
    private static let leastHop = 170.0

    /// Plans bus and tram lines on a network.
    init(network: RoadNetwork, random: SeededRandom) {
        self.network = network
        ground = network.plan.ground
        self.random = random
    }

    /// Adds all tram and bus lines to a plan of transport.
    mutating func lay(on plan: inout TransitPlan, progress: (Double) -> Void) {
        let people = Double(ground.inhabitants)
        let trams = people < 80_000 ? 0 : max(2, Int(4 * (people / 1_000_000).squareRoot() * 2.8))
        let buses = Int(7 + people / 12_000)
        for tram in 0..<trams { addTram(number: tram + 1, of: trams, to: &plan) }
        var number = 40
        for bus in 0..<buses {
            addBus(number: number, kind: bus, to: &plan)
            number += 1
            if bus.isMultiple(of: 16) { progress(Double(bus) / Double(buses)) }
        }
        let nights = max(1, Int((people / 1_000_000).squareRoot() * 9))
        for night in 0..<nights { addNight(number: night + 1, of: nights, to: &plan) }
        addShuttles(to: &plan)
    }

    private func somewhere(_ low: Double, _ high: Double, _ random: inout SeededRandom) -> Point {
        let distance = ground.radius * random.between(low, high)
        return ground.bent(ground.ring(distance, angle: random.between(0, 6.2831853)))
    }

    /// A tram line across the centre, or along a ring for every fourth one.
    private mutating func addTram(number: Int, of count: Int, to plan: inout TransitPlan) {
        let angle =
            (Double(number) + random.between(-0.2, 0.2)) / Double(count) * 2 * Trigonometry.pi
        let reach = min(8_000, ground.radius * 0.6)
        let start = ground.bent(Point(angle: angle, distance: reach * random.between(0.7, 1)))
        let turn = random.between(2.3, 3.7)
        let end = ground.bent(Point(angle: angle + turn, distance: reach * random.between(0.7, 1)))
        let middle = ground.bent(Point(angle: angle + turn / 2, distance: ground.walls))
        let route = way(through: number.isMultiple(of: 4) ? [start, end] : [start, middle, end])
        guard route.count > 8 else { return }
        tramways.append(route)
        let headway = random.between(5, 9)
        add(
            route,
            number: String(number),
            mode: .tram,
            headways: (headway, headway * 1.4, 14),
            service: number.isMultiple(of: 3) ? .blocks : .trips,
            to: &plan
        )
    }

    /// A bus line: from the outskirts to the middle, across, or around.
    private mutating func addBus(number: Int, kind: Int, to plan: inout TransitPlan) {
        let people = Double(ground.inhabitants)
        let longest = min(15_000, max(3_500, ground.radius * 1.2))
        var route: [StreetPlan.Step] = []
        for _ in 0..<6 {
            let start =
                kind % 3 == 0 ? somewhere(0.05, 0.4, &random) : somewhere(0.25, 0.97, &random)
            var end = somewhere(0.3, 0.97, &random)
            let far = start.distance(to: end)
            let wanted = longest * random.between(0.5, 0.95)
            if far > wanted { end = start.toward(end, wanted / far) }
            guard start.distance(to: end) > longest * 0.35 else { continue }
            route = way(through: [start, end])
            if route.count > 12 { break }
        }
        guard route.count > 12 else { return }
        // Denser service in a larger city, and on the lines that come first.
        let base = people < 300_000 ? 11.0 : 9.0
        let rank = random.unit()
        let peak = (base * (rank < 0.3 ? 0.8 : rank < 0.75 ? 1.15 : 1.9)).rounded()
        let service: TransitPlan.Service = kind % 40 == 7 ? .blocks : .trips
        add(
            route,
            number: String(number),
            mode: .bus,
            headways: (peak, peak * 1.35, min(30, peak * 2.2)),
            service: service,
            to: &plan
        )
    }

    private mutating func addNight(number: Int, of count: Int, to plan: inout TransitPlan) {
        let angle = Double(number) / Double(count) * 2 * Trigonometry.pi
        let reach = min(11_000, ground.radius * 0.75)
        let start = ground.bent(Point(angle: angle, distance: ground.walls * 1.02))
        let route = way(through: [start, ground.bent(Point(angle: angle + 0.3, distance: reach))])
        guard route.count > 8 else { return }
        add(
            route,
            number: "N\(number)",
            mode: .bus,
            headways: (30, 30, 30),
            service: .night,
            to: &plan
        )
    }

    /// Two short lines whose times are a frequency: one kept exactly, one about.
    private mutating func addShuttles(to plan: inout TransitPlan) {
        for exact in [true, false] {
            let start = somewhere(0.1, 0.3, &random)
            let turn = Point(
                angle: random.between(0, 6.28),
                distance: min(2_600, ground.radius * 0.8)
            )
            let route = way(through: [start, start + turn])
            guard route.count > 4 else { continue }
            add(
                route,
                number: exact ? "C1" : "C2",
                mode: .bus,
                headways: (10, 15, 20),
                service: .frequencies(exact: exact),
                to: &plan
            )
        }
    }

    /// A way on the roads through some places, without going back on itself.
    private mutating func way(through places: [Point]) -> [StreetPlan.Step] {
        var steps: [StreetPlan.Step] = []
        let junctions = places.map { network.junction(near: $0) }
        for index in junctions.indices.dropFirst() {
            steps += network.route(from: junctions[index - 1], to: junctions[index])
        }
        var result: [StreetPlan.Step] = []
        for step in steps {
            if let last = result.last, last.stretch == step.stretch {
                result.removeLast()
            } else {
                result.append(step)
            }
        }
        return result
    }

    private mutating func add(
        _ route: [StreetPlan.Step],
        number: String,
        mode: TransitPlan.Mode,
        headways: (Double, Double, Double),
        service: TransitPlan.Service,
        to plan: inout TransitPlan
    ) {
        let back = route.reversed().map {
            StreetPlan.Step(stretch: $0.stretch, forward: !$0.forward)
        }
        guard let out = direction(route, mode: mode, in: &plan),
            let home = direction(Array(back), mode: mode, in: &plan)
        else { return }
        let name = "\(home.headsign) – \(out.headsign)"
        plan.lines.append(
            TransitPlan.Line(
                number: number,
                name: name,
                mode: mode,
                directions: [out, home],
                headways: headways,
                service: service
            )
        )
    }

    /// The stops along a route; nil if they are fewer than four.
    private mutating func direction(
        _ route: [StreetPlan.Step],
        mode: TransitPlan.Mode,
        in plan: inout TransitPlan
    ) -> TransitPlan.LineDirection? {
        var shape: [Point] = []
        var stops: [Int] = []
        var metres: [Double] = []
        var travelled = 0.0
        for step in route {
            let polyline = network.plan.polyline(of: step)
            if let halt = network.halt(on: step.stretch) {
                let here = travelled + DemoPolyline.length(polyline) / 2
                if metres.isEmpty || here - metres[metres.count - 1] > Self.leastHop {
                    stops.append(stop(at: halt, forward: step.forward, in: &plan))
                    metres.append(here)
                }
            }
            travelled += DemoPolyline.length(polyline)
            shape += shape.isEmpty ? polyline : Array(polyline.dropFirst())
        }
        guard stops.count >= 4, let last = stops.last, let first = metres.first else { return nil }
        return TransitPlan.LineDirection(
            stops: stops,
            metres: metres.map { $0 - first },
            shape: shape,
            headsign: plan.stops[last].name
        )
    }

    /// The stop of a halt on the right of the road for a direction.
    private mutating func stop(at number: Int, forward: Bool, in plan: inout TransitPlan) -> Int {
        let known = stopsOf[number]
        if let stop = forward ? known?.forward : known?.back { return stop }
        let halt = network.halts[number]
        let polyline = network.plan.polyline(
            of: StreetPlan.Step(stretch: halt.stretch, forward: true)
        )
        let length = DemoPolyline.length(polyline)
        let (place, way) = DemoPolyline.place(on: polyline, at: length * (forward ? 0.62 : 0.38))
        let zone = min(3, 1 + Int(ground.distance(place) / ground.radius * 2.5))
        let stop = plan.add(
            TransitPlan.Stop(
                name: halt.name,
                place: place + way.left * (forward ? -7 : 7),
                isAccessible: random.happens(0.15) ? nil : random.happens(0.75),
                zone: zone
            )
        )
        if forward {
            stopsOf[number] = (stop, known?.back)
        } else {
            stopsOf[number] = (known?.forward, stop)
        }
        return stop
    }
}
