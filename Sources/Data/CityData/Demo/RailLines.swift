import SeededRandom

/// Lays the suburban railways of the demo city on their land, joined below the centre.
struct RailLines: Sendable {
    private let plan: StreetPlan
    private var random: SeededRandom
    private var names: StationNames
    /// The tracks above the ground, each with whether it lies in a tunnel.
    private(set) var tracks: [(polyline: [Point], isTunnel: Bool)] = []
    /// The stations: their number among the stops and their place.
    private(set) var stations: [(stop: Int, place: Point)] = []
    private var branches: [Branch] = []

    private struct Branch {
        /// From the terminus outwards.
        var polyline: [Point]
        /// Station and metres along the polyline, from the terminus outwards.
        var stations: [(station: Int, metres: Double)]
    }

    /// Plans the railway lines of a plan.
    init(_ plan: StreetPlan, names: StationNames, random: SeededRandom) {
        self.plan = plan
        self.names = names
        self.random = random
    }

    /// Adds all lines to a plan of transport.
    mutating func lay(on transit: inout TransitPlan) {
        for (index, railway) in plan.ground.railways.enumerated() {
            addBranch(railway.map { plan.ground.bent($0) }, number: index, on: &transit)
        }
        guard branches.count > 1 else { return }
        let half = max(1, branches.count / 2)
        var number = 1
        for index in 0..<branches.count where index + half < branches.count || index == 0 {
            let other = (index + half) % branches.count
            addLine(index, other, number: number, to: &transit)
            number += 1
        }
        for index in branches.indices where branches.count > 3 {
            let other = (index + 1) % branches.count
            addLine(index, other, number: number, to: &transit)
            number += 1
        }
    }

    private mutating func addBranch(
        _ polyline: [Point],
        number: Int,
        on transit: inout TransitPlan
    ) {
        tracks.append((polyline, false))
        // Trains of the city turn back at its edge; the tracks go on into the land.
        let inner = polyline.filter { $0.length < plan.ground.radius * 0.93 * outline($0) }
        let length = DemoPolyline.length(inner)
        var stations: [(station: Int, metres: Double)] = []
        var metres = 130.0
        while metres < length - 60 {
            let (place, _) = DemoPolyline.place(on: inner, at: metres)
            let isFirst = stations.isEmpty && number == 0
            let name =
                isFirst ? "Centrale" : names.name(at: place, streets: nearStreets(to: place))
            stations.append((addStation(name, place, on: &transit), metres))
            metres += random.between(1_200, 1_900) * min(1, plan.ground.radius / 4_000)
        }
        branches.append(Branch(polyline: inner, stations: stations))
    }

    private func outline(_ place: Point) -> Double { plan.ground.outline(place.angle) }

    /// The names of the roads around a place, the nearest first.
    private func nearStreets(to place: Point) -> [String] {
        var near: [(distance: Double, name: String)] = []
        for stretch in plan.stretches where stretch.kind.carriesBuses {
            let distance = plan.junctions[Int(stretch.from)].distance(to: place)
            let name = plan.streets[Int(stretch.street)].name
            if distance < 500, !name.isEmpty { near.append((distance, name)) }
        }
        return near.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.map(\.name)
    }

    private mutating func addStation(
        _ name: String,
        _ place: Point,
        on transit: inout TransitPlan
    ) -> Int {
        let ground = plan.ground
        let zone = min(4, 1 + Int(ground.distance(place) / ground.radius * 2.5))
        let stop = transit.add(
            TransitPlan.Stop(
                name: name,
                place: place,
                locationType: 1,
                isAccessible: true,
                isRail: true,
                zone: zone
            )
        )
        stations.append((stop, place))
        return stations.count - 1
    }

    /// A line from the end of one branch below the centre to the end of another.
    private mutating func addLine(
        _ first: Int,
        _ second: Int,
        number: Int,
        to transit: inout TransitPlan
    ) {
        let from = branches[first]
        let to = branches[second]
        guard let start = from.polyline.first, let end = to.polyline.first else { return }
        let bow = plan.ground.walls * 0.5
        let middle = start.toward(end, 0.5)
        let pulled = middle.length > bow ? middle.unit * bow : middle
        let tunnel = DemoPolyline.smooth([start, pulled, end], steps: 8)
        tracks.append((tunnel, true))
        let inward = DemoPolyline.length(from.polyline)
        let below = DemoPolyline.length(tunnel)
        var stops = from.stations.reversed().map { ($0.station, inward - $0.metres) }
        stops += to.stations.map { ($0.station, inward + below + $0.metres) }
        let shape = from.polyline.reversed() + tunnel.dropFirst() + to.polyline.dropFirst()
        let out = direction(stops, shape: Array(shape), platform: 1, on: &transit)
        let total = inward + below + DemoPolyline.length(to.polyline)
        let returned = stops.reversed().map { ($0.0, total - $0.1) }
        let back = direction(Array(returned), shape: shape.reversed(), platform: 2, on: &transit)
        let headway = number <= 2 ? 15.0 : 30
        transit.lines.append(
            TransitPlan.Line(
                number: "S\(number)",
                name: "\(back.headsign) – \(out.headsign)",
                mode: .rail,
                directions: [out, back],
                headways: (headway, headway, 30)
            )
        )
    }

    private mutating func direction(
        _ calls: [(Int, Double)],
        shape: [Point],
        platform: Int,
        on transit: inout TransitPlan
    ) -> TransitPlan.LineDirection {
        let first = calls.first?.1 ?? 0
        let stops = calls.map { self.platform(platform, of: $0.0, on: &transit) }
        return TransitPlan.LineDirection(
            stops: stops,
            metres: calls.map { $0.1 - first },
            shape: shape,
            headsign: stops.last.map { transit.stops[$0].name } ?? ""
        )
    }

    private var platforms: [Int: [Int: Int]] = [:]

    private mutating func platform(
        _ number: Int,
        of station: Int,
        on transit: inout TransitPlan
    ) -> Int {
        if let known = platforms[station]?[number] { return known }
        let parent = stations[station].stop
        let aside = Point(x: number == 1 ? 5 : -5, y: 0)
        let stop = transit.add(
            TransitPlan.Stop(
                name: transit.stops[parent].name,
                place: stations[station].place + aside,
                parent: parent,
                isAccessible: true,
                platform: String(number),
                isRail: true,
                zone: transit.stops[parent].zone
            )
        )
        platforms[station, default: [:]][number] = stop
        return stop
    }
}
