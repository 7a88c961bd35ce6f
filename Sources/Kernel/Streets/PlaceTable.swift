import Columns

/// Some fixed places, such as all stops of a city, prepared for searches for the quickest ways
/// between them and any other place.
///
/// A search takes some tenths of a millisecond for a thousand places, wherever they are. It never
/// changes, and threads may share it.
public struct PlaceTable: Sendable {
    /// The cost of the quickest way between a place and one of the table.
    public struct Found: Sendable, Equatable {
        /// The cost in the best hours, which is the least at any hour.
        public var cost: Cost
        /// The hours at which the way may cost more.
        public var hours: HourSets
    }

    private let network: StreetNetwork
    private let metric: StreetMetric
    private let direction: SearchDirection
    private let places: [StreetPlace]
    private let graph: RestrictedGraph
    /// The hours at which arcs that a search climbs cost more.
    private let climbingHours: [UInt32: HourSets]
    /// The hours at which the street of each place may take longer.
    private let placeHours: [HourSets]

    /// Prepares places.
    ///
    /// - Parameters:
    ///   - places: the places.
    ///   - direction: `forward` for ways to them, `backward` for ways from them.
    ///   - network: the streets.
    ///   - metric: the costs of the profile.
    ///   - varying: what costs more at some hours by this metric.
    ///   - workspace: memory for this network.
    public init(
        _ places: [StreetPlace],
        _ direction: SearchDirection,
        in network: StreetNetwork,
        by metric: StreetMetric,
        _ varying: VaryingShortcuts,
        using workspace: StreetWorkspace
    ) {
        precondition(workspace.vertexCount == network.vertexCount, "a workspace serves one network")
        self.network = network
        self.metric = metric
        self.direction = direction
        self.places = places
        graph = RestrictedGraph(
            places,
            direction,
            in: network,
            by: metric,
            varying: varying,
            using: workspace
        )
        climbingHours = direction == .forward ? varying.up : varying.down
        placeHours = places.map { metric.hourSets(at: $0, in: network) }
    }

    /// Finds the quickest ways between a place and those of the table.
    ///
    /// - Parameters:
    ///   - place: the place.
    ///   - workspace: memory for this network.
    ///   - isWanted: whether a place of the table, by its number, is asked for.
    ///   - body: receives the number of each wanted place, in their order, and the way.
    public func forEach(
        from place: StreetPlace,
        using workspace: StreetWorkspace,
        where isWanted: (Int) -> Bool,
        _ body: (Int, Found) -> Void
    ) {
        precondition(workspace.vertexCount == network.vertexCount, "a workspace serves one network")
        let times = PassageTimes(network, metric, .best)
        let rows = Scratch(repeating: Label(), count: graph.vertices.count)
        climb(place, times, workspace, rows)
        flow(rows)
        let startHours = metric.hourSets(at: place, in: network)
        for number in places.indices where isWanted(number) {
            var best = Label()
            for end in graph.ends(ofPlace: number) {
                let label = rows[Int(end.row)]
                let cost = label.cost &+ end.cost
                if cost < best.cost { best = Label(cost: cost, hours: label.hours) }
            }
            let other = places[number]
            let ends = direction == .forward ? (place, other) : (other, place)
            if let direct = network.direct(from: ends.0, to: ends.1, times)?.cost,
                direct.packed < best.cost
            {
                best = Label(cost: direct.packed)
            }
            best.hours.formUnion(startHours)
            best.hours.formUnion(placeHours[number])
            body(number, Found(cost: Cost(packed: best.cost), hours: best.hours))
        }
    }

    /// Propagates the costs downwards through the hierarchy.
    private func flow(_ rows: borrowing Scratch<Label>) {
        let (sources, costs, hours) = (graph.sources, graph.costs, graph.hours)
        for row in graph.vertices.indices {
            var best = rows[row]
            for arc in graph.arcs(ofRow: row) {
                let source = rows[Int(sources[arc])]
                let cost = source.cost &+ costs[arc]
                guard cost < best.cost else { continue }
                best = Label(cost: cost, hours: source.hours)
                if !hours.isEmpty { best.hours.formUnion(hours[arc]) }
            }
            rows[row] = best
        }
    }

    /// The cost of a vertex, and the hours at which the way to it may cost more.
    private struct Label: BitwiseCopyable {
        var cost = Cost.packedNever
        var hours = HourSets()
    }

    /// Climbs from a place, and enters the costs into the rows of the small graph.
    private func climb(
        _ place: StreetPlace,
        _ times: PassageTimes,
        _ workspace: StreetWorkspace,
        _ rows: borrowing Scratch<Label>
    ) {
        let side = workspace.forward
        side.begin()
        switch direction {
        case .forward: network.departures(from: place, times, into: &side.entries)
        case .backward: network.arrivals(at: place, times, into: &side.entries)
        }
        let climbing = direction == .forward ? metric.up : metric.down
        let query = PointQuery(network: network, metric: metric, workspace: workspace)
        let count = query.climb(side, climbing)
        // By the positions of the vertices, which ascend.
        var hours = [HourSets](repeating: HourSets(), count: count)
        for position in 0..<count {
            let vertex = Int(side.settled[position])
            let label = side.labels[vertex]
            guard label.cost < Cost.packedNever else { continue }
            if !climbingHours.isEmpty, label.parent != SearchSide.Label.none {
                let arc = climbing.arc(Int(label.parent), vertex, below: network.vertexCount)
                let parent = (0..<position).bisected { side.settled[$0] < label.parent }
                hours[position] = hours[parent]
                hours[position].formUnion(
                    arc.map { climbingHours[$0] ?? HourSets() } ?? .all
                )
            }
            if let row = graph.row(vertex) {
                rows[row] = Label(cost: label.cost, hours: hours[position])
            }
        }
    }
}
