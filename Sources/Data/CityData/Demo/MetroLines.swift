import Geo
import SeededRandom

/// Lays the underground lines of the demo city.
struct MetroLines: Sendable {
    private let network: RoadNetwork
    private let ground: Ground
    private var random: SeededRandom
    /// The stations so far, with the line's platforms in both directions.
    private(set) var stations: [Station] = []
    /// The tunnels, one for each line.
    private(set) var tunnels: [[Point]] = []
    private var names: StationNames

    /// A station of the metro.
    struct Station: Sendable {
        /// Where it is, under a junction.
        var place: Point
        /// The junction above the station.
        var junction: Int32
        /// Its number among the stops.
        var stop: Int
        /// Its platforms, two for each line.
        var platforms: [Int] = []
        /// The stops that are its entrances.
        var entrances: [Int] = []
    }

    /// Plans metro lines below a network.
    init(network: RoadNetwork, names: StationNames, random: SeededRandom) {
        self.network = network
        self.names = names
        self.random = random
        ground = network.plan.ground
    }

    /// How many lines a city of that size has.
    static func count(inhabitants: Int) -> Int {
        inhabitants < 250_000 ? 0 : min(9, 1 + inhabitants / 600_000)
    }

    /// Adds all lines to a plan of transport.
    mutating func lay(on plan: inout TransitPlan) {
        let count = Self.count(inhabitants: ground.inhabitants)
        let first = random.between(0, 3.14)
        for line in 0..<count {
            let angle = first + Double(line) / Double(count) * Trigonometry.pi
            addLine(number: line + 1, angle: angle, to: &plan)
        }
        for index in stations.indices { furnish(index, on: &plan) }
    }

    private mutating func addLine(number: Int, angle: Double, to plan: inout TransitPlan) {
        let reach = min(ground.radius * 0.86, 13_500)
        let way = Point(angle: angle, distance: 1)
        let aside = ground.walls * random.between(-0.5, 0.5)
        let phase = random.between(0, 6.28)
        var along = -reach * random.between(0.75, 1)
        let end = reach * random.between(0.75, 1)
        var chosen: [Int] = []
        while along < end {
            let swing = Trigonometry.sine(along / 2_900 + phase) * min(700, along.magnitude * 0.16)
            let place = ground.bent(way * along + way.left * (aside + swing))
            let station = station(near: place, on: &plan)
            if !chosen.contains(station) { chosen.append(station) }
            let inner = along.magnitude < ground.belt
            along += (inner ? 700 : 1_050) * random.between(0.85, 1.2)
        }
        guard chosen.count >= 4 else { return }
        let polyline = DemoPolyline.smooth(chosen.map { stations[$0].place }, steps: 6)
        tunnels.append(polyline)
        let out = direction(chosen, polyline, side: 1, line: number, on: &plan)
        let back = direction(
            Array(chosen.reversed()),
            polyline.reversed(),
            side: 2,
            line: number,
            on: &plan
        )
        plan.lines.append(
            TransitPlan.Line(
                number: "M\(number)",
                name: "\(back.headsign) – \(out.headsign)",
                mode: .metro,
                directions: [out, back],
                headways: (3, 5, 9)
            )
        )
    }

    /// The station near a place: one that is there already, or a new one below a junction.
    private mutating func station(near place: Point, on plan: inout TransitPlan) -> Int {
        if let near = stations.firstIndex(where: { $0.place.distance(to: place) < 330 }) {
            return near
        }
        let junction = network.junction(near: place)
        let spot = network.plan.junctions[Int(junction)]
        if let known = stations.firstIndex(where: { $0.place.distance(to: spot) < 200 }) {
            return known
        }
        let name = names.name(at: spot, streets: network.streetNames(at: junction))
        let zone = min(3, 1 + Int(ground.distance(spot) / ground.radius * 2.5))
        let stop = plan.add(
            TransitPlan.Stop(
                name: name,
                place: spot,
                locationType: 1,
                isAccessible: random.happens(0.8),
                zone: zone
            )
        )
        stations.append(Station(place: spot, junction: junction, stop: stop))
        return stations.count - 1
    }

    private mutating func direction(
        _ chosen: [Int],
        _ polyline: [Point],
        side: Int,
        line: Int,
        on plan: inout TransitPlan
    ) -> TransitPlan.LineDirection {
        var metres: [Double] = []
        var stops: [Int] = []
        for (rank, number) in chosen.enumerated() {
            let station = stations[number]
            let last = polyline.index(
                polyline.startIndex,
                offsetBy: min(polyline.count - 1, rank * 6)
            )
            metres.append(DemoPolyline.length(Array(polyline[...last])))
            let before = chosen[max(0, rank - 1)]
            let after = chosen[min(chosen.count - 1, rank + 1)]
            let way = (stations[after].place - stations[before].place).unit
            let platform = plan.add(
                TransitPlan.Stop(
                    name: plan.stops[station.stop].name,
                    place: station.place + way.left * -6,
                    parent: station.stop,
                    isAccessible: plan.stops[station.stop].isAccessible,
                    platform: "M\(line) \(side)",
                    zone: plan.stops[station.stop].zone
                )
            )
            stations[number].platforms.append(platform)
            stops.append(platform)
        }
        let headsign = plan.stops[stops[stops.count - 1]].name
        return TransitPlan.LineDirection(
            stops: stops,
            metres: metres,
            shape: polyline,
            headsign: headsign
        )
    }

    /// Adds the entrances of a station, and levels, stairs and lifts where lines meet.
    private mutating func furnish(_ index: Int, on plan: inout TransitPlan) {
        let station = stations[index]
        let star = network.plan.stars[Int(station.junction)]
        for (rank, stretch) in star.prefix(4).enumerated() {
            let other = network.plan.other(stretch, from: station.junction)
            let way = network.plan.junctions[Int(other)] - station.place
            let reach = min(35, way.length * 0.6)
            let place = station.place + way.unit * reach + way.unit.left * 6
            let entrance = plan.add(
                TransitPlan.Stop(
                    name: "\(plan.stops[station.stop].name) – ingresso \(rank + 1)",
                    place: place,
                    locationType: 2,
                    parent: station.stop,
                    isAccessible: rank == 0 && plan.stops[station.stop].isAccessible == true
                )
            )
            stations[index].entrances.append(entrance)
        }
        if station.platforms.count > 2 || index == 0 { connect(stations[index], on: &plan) }
    }

    private func connect(_ station: Station, on plan: inout TransitPlan) {
        let hall = plan.add(
            TransitPlan.Stop(
                name: plan.stops[station.stop].name + " – mezzanino",
                place: station.place,
                locationType: 3,
                parent: station.stop,
                level: -1
            )
        )
        for (rank, entrance) in station.entrances.enumerated() {
            plan.stops[entrance].level = 0
            let mode = rank == 0 ? 5 : rank == 1 ? 4 : 2
            plan.pathways.append(
                TransitPlan.Pathway(
                    from: entrance,
                    to: hall,
                    mode: mode,
                    isBothWays: true,
                    seconds: mode == 5 ? 50 : 35
                )
            )
        }
        for platform in station.platforms {
            plan.stops[platform].level = -2
            for mode in [2, 5] {
                plan.pathways.append(
                    TransitPlan.Pathway(
                        from: hall,
                        to: platform,
                        mode: mode,
                        isBothWays: true,
                        seconds: mode == 5 ? 60 : 45
                    )
                )
            }
            for other in station.platforms where other != platform {
                plan.transfers.append((platform, other, 120))
            }
        }
    }
}

/// Names for stations: of the quarter where one is near, otherwise of the
/// street; each is used once.
struct StationNames: Sendable {
    private var taken: Set<String> = []
    private let quarters: [(name: String, place: Point)]

    /// TownNames from the quarters of a city.
    init(quarters: [(name: String, place: Point)]) {
        self.quarters = quarters
    }

    /// The name of a station at a place, near streets of some names.
    mutating func name(at place: Point, streets: [String]) -> String {
        if place.length < 450, taken.insert("Duomo").inserted { return "Duomo" }
        for quarter in quarters where quarter.place.distance(to: place) < 700 {
            if taken.insert(quarter.name).inserted { return quarter.name }
        }
        for street in streets {
            let subject = street.drop { $0 != " " }.dropFirst()
            let plain = subject.isEmpty ? street : String(subject)
            if taken.insert(plain).inserted { return plain }
        }
        var number = 2
        let head = streets.first ?? "Stazione"
        while !taken.insert("\(head) \(number)").inserted { number += 1 }
        return "\(head) \(number)"
    }
}
