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

    /// Whether every passage always takes the least time.
    var isBest: Bool { moment == .best || rules.isEmpty }

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
            // The passage must begin earlier than it ends by the time that the rules of its
            // beginning give it; of several such moments the latest counts.
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
    /// the way moves on; at least 1.
    ///
    /// Without a fraction it begins or ends where the passage does.
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

    /// The cost from a fraction of an arc's edge to the arc's end.
    func costToHead(_ arc: Int, after elapsed: Cost = .zero, from fraction: UInt32) -> Cost {
        let end = arcs.isForward(arc) ? StreetPlace.whole : 0
        return cost(arc, after: elapsed, from: fraction, to: end)
    }
}
