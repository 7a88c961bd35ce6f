/// The passages of a way, in order.
struct StreetPath {
    var steps: [Step]
    var cost: Cost

    /// A passage, or a part of it between two fractions of its edge.
    struct Step {
        var arc: Int
        var from: UInt32
        var to: UInt32
        var cost = Cost.never
    }

    /// A way of at least two passages, the first and the last possibly in part; costs are not known
    /// yet.
    init(_ arcs: [Int], in network: StreetNetwork, from: UInt32, to: UInt32) {
        cost = .never
        steps = arcs.map { arc in
            let isForward = network.arcs.isForward(arc)
            return Step(
                arc: arc,
                from: isForward ? 0 : StreetPlace.whole,
                to: isForward ? StreetPlace.whole : 0
            )
        }
        guard !steps.isEmpty else { return }
        steps[0].from = from
        steps[steps.count - 1].to = to
    }

    init(_ steps: [Step], _ cost: Cost) {
        self.steps = steps
        self.cost = cost
    }
}

extension PassageTimes {
    /// The way of some passages with their costs; nil if one of them is closed at its hour.
    func followed(_ steps: [StreetPath.Step]) -> StreetPath? {
        var steps = steps
        var elapsed = Cost.zero
        for position in isBackward ? Array(steps.indices.reversed()) : Array(steps.indices) {
            let step = steps[position]
            let part = cost(step.arc, after: elapsed, from: step.from, to: step.to)
            elapsed = elapsed + part
            guard part.isPossible, elapsed.isPossible else { return nil }
            steps[position].cost = part
        }
        return StreetPath(steps, elapsed)
    }
}

extension StreetNetwork {
    /// The quickest way between two places by the rules of an hour (and the shortest among those).
    ///
    /// The quickest way of the best hours is the answer if it is as quick at the moment of each
    /// passage, since nothing can be quicker; otherwise ``HourSearch`` finds the answer.
    func path(
        from origin: StreetPlace,
        to destination: StreetPlace,
        by metric: StreetMetric,
        at moment: PassageMoment,
        using workspace: StreetWorkspace
    ) -> StreetPath? {
        let query = PointQuery(network: self, metric: metric, workspace: workspace)
        let best = PassageTimes(self, metric, .best)
        guard let quickest = path(from: origin, to: destination, query, best) else { return nil }
        let times = PassageTimes(self, metric, moment)
        if times.isBest { return quickest }
        if let followed = times.followed(quickest.steps), followed.cost == quickest.cost {
            return followed
        }
        let direct = direct(from: origin, to: destination, times)
        var search = HourSearch(query, times)
        if let around = search.path(
            from: origin,
            to: destination,
            below: direct?.cost ?? .never
        ) {
            return around
        }
        return direct.map { direct in
            let (from, to) = (origin.fraction, destination.fraction)
            let step = StreetPath.Step(arc: direct.arc, from: from, to: to, cost: direct.cost)
            return StreetPath([step], direct.cost)
        }
    }

    /// The quickest way of the best hours.
    private func path(
        from origin: StreetPlace,
        to destination: StreetPlace,
        _ query: PointQuery,
        _ best: PassageTimes
    ) -> StreetPath? {
        let direct = direct(from: origin, to: destination, best)
        let around = query.search(from: origin, to: destination)
        let (from, to) = (origin.fraction, destination.fraction)
        if let direct, direct.cost <= around?.cost ?? .never {
            let step = StreetPath.Step(arc: direct.arc, from: from, to: to, cost: direct.cost)
            return StreetPath([step], direct.cost)
        }
        guard let around, let arcs = query.way(over: around.top) else { return nil }
        return best.followed(StreetPath(arcs, in: self, from: from, to: to).steps)
    }
}
