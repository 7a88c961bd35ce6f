import Columns

/// By which hour the rules of passages are read.
///
/// A rule is that of the moment at which a passage begins; nobody waits until a street opens. For
/// each junction only the earliest arrival counts (at an arrival, the latest departure).
public enum PassageMoment: Sendable, Equatable {
    /// Each passage takes the least time that it ever takes: a lower bound at any hour.
    case best
    /// The way begins at a moment, and each passage obeys the rules of the moment at which it is
    /// begun.
    case departure(WeekMoment)
    /// The same for a way that ends at a moment.
    case arrival(WeekMoment)
    /// All passages obey the rules of one moment.
    case whole(WeekMoment)
    /// Each passage takes the most time that it ever takes: such a way can be gone at any hour.
    case always

    /// All passages as at the moment where the way begins or ends.
    var frozen: PassageMoment {
        switch self {
        case .best, .always, .whole: self
        case .departure(let moment), .arrival(let moment): .whole(moment)
        }
    }
}

/// The costs of passages for one profile at some hour.
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

    /// Whether every passage always takes the least time.
    var isBest: Bool { moment == .best || rules.isEmpty }

    /// Whether elapsed times count back from the end of the way.
    var isBackward: Bool {
        if case .arrival = moment { true } else { false }
    }

    /// The packed cost of a whole passage.
    ///
    /// - Parameters:
    ///   - arc: the passage.
    ///   - elapsed: the packed cost from the beginning of the way to that of the passage; at an
    ///     arrival, that from its end to the end of the way.
    /// - Returns: milliseconds and length; never where the passage is closed.
    @inline(__always)
    func cost(_ arc: Int, after elapsed: UInt64) -> UInt64 {
        guard rules.vary(arc) else { return arcs.cost(arc, metric.milliseconds) }
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
        guard rules.vary(arc) else { return part(least) }
        let before = Int64(elapsed.milliseconds)
        switch moment {
        case .best: return part(least)
        case .always: return part(rules.slowest(arc, least))
        case .whole(let moment): return part(rules.time(arc, least, at: moment))
        case .departure(let moment):
            return part(rules.time(arc, least, at: moment.adding(before)))
        case .arrival(let moment):
            // The passage begins so much before its end as it takes by the rules of that moment;
            // of several moments the latest counts.
            var best = Cost.never
            func consider(_ time: UInt32) {
                let cost = part(time)
                guard cost < best else { return }
                let begin = moment.adding(-before - Int64(cost.milliseconds))
                if rules.time(arc, least, at: begin) == time { best = cost }
            }
            consider(least)
            rules.forEach(arc) { _, time in consider(max(least, time)) }
            return best
        }
    }

    /// For how many milliseconds the cost of a part of a passage stays as it is, if the moment of
    /// the way moves on; at least 1. Without a fraction it begins or ends where the passage does.
    func unchanged(_ arc: Int, after elapsed: Cost, from: UInt32?, to: UInt32?) -> Int64 {
        guard rules.vary(arc), elapsed.isPossible else { return .max }
        let isForward = arcs.isForward(arc)
        let from = from ?? (isForward ? 0 : StreetPlace.whole)
        let to = to ?? (isForward ? StreetPlace.whole : 0)
        let before = Int64(elapsed.milliseconds)
        switch moment {
        case .best, .always, .whole: return .max
        case .departure(let moment): return rules.unchanged(arc, from: moment.adding(before))
        case .arrival(let moment):
            // Whichever time the passage takes, its beginning must not pass a change of the rules.
            let least = metric.milliseconds[arc]
            var unchanged = Int64.max
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

    /// From a fraction of an arc's edge to its end.
    func costToHead(_ arc: Int, after elapsed: Cost = .zero, from fraction: UInt32) -> Cost {
        let end = arcs.isForward(arc) ? StreetPlace.whole : 0
        return cost(arc, after: elapsed, from: fraction, to: end)
    }
}
