import Columns

/// The hour whose rules apply to a passage.
///
/// The rule of a passage is that of the moment at which it begins; nobody waits for a street to
/// open. For each junction only the earliest arrival counts or, in a search by arrival, the latest
/// departure.
public enum PassageMoment: Sendable, Equatable {
    /// Each passage takes its least time: a lower bound for all hours.
    case best
    /// The way begins at a moment, and each passage obeys the rules of the moment at which it
    /// begins.
    case departure(WeekMoment)
    /// The way ends at a moment, and each passage obeys the rules of the moment at which it begins.
    case arrival(WeekMoment)
    /// All passages obey the rules of one moment.
    case whole(WeekMoment)
    /// Each passage takes its greatest time: such a way can be taken at any hour.
    case always

    /// The same with the rules of the moment at which the way begins or ends for all passages.
    var frozen: PassageMoment {
        switch self {
        case .best, .always, .whole: self
        case .departure(let moment), .arrival(let moment): .whole(moment)
        }
    }
}

/// The costs of passages for one profile at an hour.
struct PassageTimes {
    private let arcs: ArcColumns
    let metric: StreetMetric
    let moment: PassageMoment

    init(_ network: StreetNetwork, _ metric: StreetMetric, _ moment: PassageMoment) {
        arcs = network.arcs
        self.metric = metric
        self.moment = moment
    }

    private var rules: StreetRules { metric.rules }
    private var traffic: StreetTraffic { metric.traffic }

    /// Whether every passage always takes the least time.
    var isBest: Bool { moment == .best || !metric.variesByHour }

    /// Whether elapsed costs are counted back from the end of the way.
    var isBackward: Bool {
        if case .arrival = moment { true } else { false }
    }

    /// The packed cost of a whole passage.
    ///
    /// - Parameters:
    ///   - arc: the passage.
    ///   - elapsed: the packed cost from the beginning of the way to that of the passage or, in a
    ///     search by arrival, from the end of the passage to that of the way.
    /// - Returns: milliseconds and length; never if the passage is closed.
    @inline(__always)
    func cost(_ arc: Int, after elapsed: UInt64) -> UInt64 {
        guard metric.vary(arc) else { return arcs.cost(arc, metric.milliseconds) }
        let isForward = arcs.isForward(arc)
        return cost(
            arc,
            after: Cost(packed: elapsed),
            from: isForward ? 0 : StreetPlace.whole,
            to: isForward ? StreetPlace.whole : 0
        ).packed
    }

    /// The cost of a part of a passage, between two fractions of its edge, where the whole takes a
    /// time.
    private func cost(_ arc: Int, taking time: UInt32, from: UInt32, to: UInt32) -> Cost {
        PartialCost(
            milliseconds: time,
            decimetres: arcs.length(arc),
            isForward: arcs.isForward(arc)
        ).cost(from: from, to: to)
    }

    /// The cost of a part of a passage, between two fractions of its edge.
    func cost(_ arc: Int, after elapsed: Cost, from: UInt32, to: UInt32) -> Cost {
        func part(_ time: UInt32) -> Cost { cost(arc, taking: time, from: from, to: to) }
        let least = metric.milliseconds[arc]
        guard metric.vary(arc) else { return part(least) }
        let before = Int64(elapsed.milliseconds)
        let free = part(least)
        switch moment {
        case .best: return free
        case .always:
            return slower(
                part(rules.slowest(arc, least)),
                traffic.slowest(arc, free.milliseconds),
                free
            )
        case .whole(let moment):
            return slower(
                part(rules.time(arc, least, at: moment)),
                traffic.milliseconds(arc, free.milliseconds, at: moment),
                free
            )
        case .departure(let moment):
            let begin = moment.adding(before)
            return slower(
                part(rules.time(arc, least, at: begin)),
                traffic.milliseconds(arc, free.milliseconds, from: begin),
                free
            )
        case .arrival(let moment):
            // The passage must begin earlier than it ends by the time that the rules of its
            // beginning give it; of several such moments the latest counts.
            let end = moment.adding(-before)
            let jammed = traffic.milliseconds(arc, free.milliseconds, until: end)
            var best = Cost.never
            func consider(_ time: UInt32) {
                let cost = slower(part(time), jammed, free)
                guard cost < best else { return }
                let begin = end.adding(-Int64(cost.milliseconds))
                if rules.time(arc, least, at: begin) == time { best = cost }
            }
            consider(least)
            rules.forEach(arc) { _, time in consider(max(least, time)) }
            return best
        }
    }

    /// What a part of a passage costs under its rules and in its traffic: the slower counts.
    ///
    /// - Parameters:
    ///   - ruled: the cost by the rules; never if they close the passage.
    ///   - jammed: the milliseconds in traffic.
    ///   - free: the cost in the metric, whose length counts.
    /// - Returns: the cost; never if a rule closes the passage.
    private func slower(_ ruled: Cost, _ jammed: UInt32, _ free: Cost) -> Cost {
        guard ruled.isPossible, free.isPossible, jammed > ruled.milliseconds else { return ruled }
        return Cost(milliseconds: jammed, decimetres: free.decimetres)
    }

    /// For how many milliseconds the cost of a part of a passage stays as it is, if the moment of
    /// the way moves on; at least 1.
    ///
    /// Without a fraction it begins or ends where the passage does.
    func unchanged(_ arc: Int, after elapsed: Cost, from: UInt32?, to: UInt32?) -> Int64 {
        guard metric.vary(arc), elapsed.isPossible else { return .max }
        let isForward = arcs.isForward(arc)
        let from = from ?? (isForward ? 0 : StreetPlace.whole)
        let to = to ?? (isForward ? StreetPlace.whole : 0)
        let before = Int64(elapsed.milliseconds)
        func unchangedTraffic(_ moment: WeekMoment) -> Int64 {
            let cost = cost(arc, after: elapsed, from: from, to: to)
            guard cost.isPossible else { return .max }
            let begin = isBackward ? moment.adding(-before - Int64(cost.milliseconds)) : moment
            return traffic.unchanged(
                arc,
                from: isBackward ? begin : begin.adding(before),
                taking: cost.milliseconds
            )
        }
        switch moment {
        case .best, .always, .whole: return .max
        case .departure(let moment):
            return min(
                rules.unchanged(arc, from: moment.adding(before)),
                unchangedTraffic(moment)
            )
        case .arrival(let moment):
            // Whichever time the passage takes, its beginning must not pass a change of the rules.
            let least = metric.milliseconds[arc]
            var unchanged = unchangedTraffic(moment)
            func consider(_ time: UInt32) {
                let cost = cost(arc, taking: time, from: from, to: to)
                guard cost.isPossible else { return }
                let begin = moment.adding(-before - Int64(cost.milliseconds))
                unchanged = min(unchanged, rules.unchanged(arc, from: begin))
            }
            consider(least)
            rules.forEach(arc) { _, time in consider(max(least, time)) }
            return unchanged
        }
    }

    /// From an arc's beginning to a fraction of its edge.
    func costFromTail(_ arc: Int, after elapsed: Cost = .zero, to fraction: UInt32) -> Cost {
        let begin = arcs.isForward(arc) ? 0 : StreetPlace.whole
        return cost(arc, after: elapsed, from: begin, to: fraction)
    }

    /// The cost from a fraction of an arc's edge to the arc's end.
    func costToHead(_ arc: Int, after elapsed: Cost = .zero, from fraction: UInt32) -> Cost {
        let end = arcs.isForward(arc) ? StreetPlace.whole : 0
        return cost(arc, after: elapsed, from: fraction, to: end)
    }
}
