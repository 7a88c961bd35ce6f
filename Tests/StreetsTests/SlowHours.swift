import Geo
import SeededRandom
import Streets

/// A simple, slow reference for streets with rules for certain hours: Dijkstra's algorithm without
/// a queue, directly on a draft, forwards from a departure or backwards from an arrival.
struct SlowHours {
    let slow: SlowStreets
    let moment: PassageMoment
    /// The usual traffic of arcs.
    var traffic: [Int: SlowTraffic] = [:]

    typealias Answer = SlowStreets.Answer

    private var draft: StreetDraft { slow.draft }

    private var isBackward: Bool {
        if case .arrival = moment { true } else { false }
    }

    init(_ draft: StreetDraft, _ profile: Profile, _ moment: PassageMoment) {
        slow = SlowStreets(draft: draft, profile: profile)
        self.moment = moment
    }

    /// All times that a passage may take, and whether each applies at a minute of the week.
    private func time(_ arc: Int, at milliseconds: Int) -> UInt32 {
        let week = 7 * 24 * 3_600_000
        let minute = UInt16(((milliseconds % week) + week) % week / 60_000)
        let rules = draft.rules.filter { rule in
            Int(rule.arc) == arc && rule.profile == slow.profile
                && draft.hours[Int(rule.hours)].contains(minute)
        }
        return rules.map(\.milliseconds).reduce(least(arc), max)
    }

    private func least(_ arc: Int) -> UInt32 {
        draft.arcs[arc].milliseconds[Int(slow.profile.rawValue)]
    }

    /// The cost of a part of an arc after an elapsed time or, if the way must end at a moment,
    /// before one.
    func part(_ arc: Int, _ from: UInt32, _ to: UInt32, after elapsed: Int) -> Answer? {
        func part(_ time: UInt32) -> Answer? {
            var changed = draft.arcs[arc]
            changed.milliseconds[Int(slow.profile.rawValue)] = time
            return slow.part(changed, from, to)
        }
        func jammed(_ answer: Answer?, _ milliseconds: (SlowTraffic, Int) -> Int) -> Answer? {
            guard var answer, let free = part(least(arc)), let traffic = traffic[arc] else {
                return answer
            }
            answer.milliseconds = max(answer.milliseconds, milliseconds(traffic, free.milliseconds))
            return answer
        }
        switch moment {
        case .best: return part(least(arc))
        case .always:
            let all = draft.rules.filter { Int($0.arc) == arc && $0.profile == slow.profile }
            return jammed(part(all.map(\.milliseconds).reduce(least(arc), max))) {
                $0.slowest($1)
            }
        case .whole(let moment):
            return jammed(part(time(arc, at: Int(moment.milliseconds)))) {
                $0.taken($1, at: Int(moment.milliseconds))
            }
        case .departure(let moment):
            let begin = Int(moment.milliseconds) + elapsed
            return jammed(part(time(arc, at: begin))) { $0.taken($1, from: begin) }
        case .arrival(let moment):
            // The latest beginning, tried millisecond by millisecond.
            let times = draft.rules.filter { Int($0.arc) == arc }.map(\.milliseconds)
            let end = Int(moment.milliseconds) - elapsed
            let all = (times + [least(arc)]).compactMap(part).compactMap { answer in
                jammed(answer) { $0.taken($1, until: end) }
            }.sorted()
            return all.first { cost in
                let begin = end - cost.milliseconds
                return jammed(part(time(arc, at: begin))) { $0.taken($1, until: end) } == cost
            }
        }
    }

    private func whole(_ arc: Int, after elapsed: Int) -> Answer? {
        let isForward = draft.arcs[arc].forward
        return part(arc, isForward ? 0 : 65_536, isForward ? 65_536 : 0, after: elapsed)
    }

    /// The costs between a place and every vertex: from the place or, if the way must end at a
    /// moment, to it.
    func all(_ place: StreetPlace) -> [Answer?] {
        var found = [Answer?](repeating: nil, count: draft.vertices.count)
        var isSettled = [Bool](repeating: false, count: draft.vertices.count)
        func offer(_ vertex: UInt32, _ answer: Answer) {
            guard answer.milliseconds < SlowStreets.limit else { return }
            if found[Int(vertex)].map({ answer < $0 }) ?? true { found[Int(vertex)] = answer }
        }
        for (number, arc) in draft.arcs.enumerated() where arc.edge == place.edge.rawValue {
            let start: UInt32 = arc.forward ? 0 : 65_536
            let ends = isBackward ? (start, place.fraction) : (place.fraction, 65_536 - start)
            if let cost = part(number, ends.0, ends.1, after: 0) {
                offer(isBackward ? arc.from : arc.to, cost)
            }
        }
        while true {
            var next: Int?
            for vertex in found.indices where !isSettled[vertex] {
                guard let cost = found[vertex] else { continue }
                if next.flatMap({ found[$0] }).map({ cost < $0 }) ?? true { next = vertex }
            }
            guard let vertex = next, let cost = found[vertex] else { return found }
            isSettled[vertex] = true
            for (number, arc) in draft.arcs.enumerated()
            where Int(isBackward ? arc.to : arc.from) == vertex {
                if let more = whole(number, after: cost.milliseconds) {
                    offer(isBackward ? arc.from : arc.to, cost + more)
                }
            }
        }
    }

    /// The quickest way between the place of `all` and another one.
    func answer(_ all: [Answer?], _ place: StreetPlace, _ other: StreetPlace) -> Answer? {
        var best: Answer?
        func offer(_ answer: Answer?) {
            guard let answer, answer.milliseconds < SlowStreets.limit else { return }
            if best.map({ answer < $0 }) ?? true { best = answer }
        }
        for (number, arc) in draft.arcs.enumerated() where arc.edge == other.edge.rawValue {
            let start: UInt32 = arc.forward ? 0 : 65_536
            let ends = isBackward ? (other.fraction, 65_536 - start) : (start, other.fraction)
            if let cost = all[Int(isBackward ? arc.to : arc.from)],
                let rest = part(number, ends.0, ends.1, after: cost.milliseconds)
            {
                offer(cost + rest)
            }
            if place.edge == other.edge {
                let ends = isBackward ? (other, place) : (place, other)
                offer(part(number, ends.0.fraction, ends.1.fraction, after: 0))
            }
        }
        return best
    }
}

extension RandomStreets {
    /// Adds rules for hours that begin and end within minutes of a moment of the week.
    static func addRules(
        to draft: inout StreetDraft,
        around minute: Int,
        _ random: inout SeededRandom
    ) {
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let ranges = (0..<Int.random(in: 1...3, using: &random)).map { _ in
                let start = min(10_079, max(0, minute + Int.random(in: -9...9, using: &random)))
                let end = min(10_080, start + Int.random(in: 1...6, using: &random))
                return UInt16(start)..<UInt16(end)
            }
            draft.hours.append(WeekHours(ranges))
        }
        guard !draft.arcs.isEmpty else { return }
        for _ in 0..<draft.arcs.count / 2 {
            draft.rules.append(
                StreetDraft.Rule(
                    arc: UInt32.random(in: 0..<UInt32(draft.arcs.count), using: &random),
                    profile: Profile.allCases.randomElement(using: &random) ?? .car,
                    hours: UInt32.random(in: 0..<UInt32(draft.hours.count), using: &random),
                    milliseconds: Int.random(in: 0..<3, using: &random) > 0
                        ? StreetDraft.Arc.closed : UInt32.random(in: 0...120_000, using: &random)
                )
            )
        }
    }
}
