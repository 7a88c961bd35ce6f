import Geo
import Streets

/// A simple, slow reference: Dijkstra's algorithm without a queue, directly on a draft.
struct SlowStreets {
    let draft: StreetDraft
    let profile: Profile

    /// A time and a length, compared in this order; nil if there is no route.
    struct Answer: Comparable {
        var milliseconds: Int
        var decimetres: Int

        static func < (first: Answer, second: Answer) -> Bool {
            (first.milliseconds, first.decimetres) < (second.milliseconds, second.decimetres)
        }

        static func + (first: Answer, second: Answer) -> Answer {
            Answer(
                milliseconds: first.milliseconds + second.milliseconds,
                decimetres: first.decimetres + second.decimetres
            )
        }
    }

    /// Times of this many milliseconds (12 days) or more mean that there is no route.
    static let limit = 0x3FFF_FFFF

    /// The time of an arc; nil if it is closed.
    func time(_ arc: StreetDraft.Arc) -> Int? {
        let time = Int(arc.milliseconds[Int(profile.rawValue)])
        return time < Self.limit ? time : nil
    }

    /// The cost of an arc between two fractions of its edge, in the arc's direction.
    func part(_ arc: StreetDraft.Arc, _ from: UInt32, _ to: UInt32) -> Answer? {
        guard let time = time(arc), arc.forward ? from <= to : from >= to else { return nil }
        func part(_ value: Int, _ fraction: UInt32) -> Int {
            (value * Int(fraction) + 32_768) / 65_536
        }
        let length = Int(draft.edges[Int(arc.edge)].lengthDecimetres)
        return Answer(
            milliseconds: abs(part(time, to) - part(time, from)),
            decimetres: abs(part(length, to) - part(length, from))
        )
    }

    /// The fastest route from a place to every vertex.
    func all(from place: StreetPlace) -> [Answer?] {
        var found = [Answer?](repeating: nil, count: draft.vertices.count)
        for arc in draft.arcs where arc.edge == place.edge.rawValue {
            guard let rest = part(arc, place.fraction, arc.forward ? 65_536 : 0) else { continue }
            let head = Int(arc.to)
            if found[head].map({ rest < $0 }) ?? true { found[head] = rest }
        }
        spread(&found)
        return found
    }

    private func spread(_ found: inout [Answer?]) {
        var changed = true
        while changed {
            changed = false
            for arc in draft.arcs {
                guard let time = time(arc), let start = found[Int(arc.from)] else { continue }
                let length = Int(draft.edges[Int(arc.edge)].lengthDecimetres)
                let longer = start + Answer(milliseconds: time, decimetres: length)
                guard longer.milliseconds < Self.limit else { continue }
                if found[Int(arc.to)].map({ longer < $0 }) ?? true {
                    found[Int(arc.to)] = longer
                    changed = true
                }
            }
        }
    }

    /// The fastest route to a place, given those to every vertex.
    func answer(
        _ all: [Answer?],
        from origin: StreetPlace,
        to destination: StreetPlace
    ) -> Answer? {
        var best: Answer?
        for arc in draft.arcs where arc.edge == destination.edge.rawValue {
            if let start = all[Int(arc.from)],
                let rest = part(arc, arc.forward ? 0 : 65_536, destination.fraction)
            {
                let way = start + rest
                if way.milliseconds < Self.limit, best.map({ way < $0 }) ?? true { best = way }
            }
            if origin.edge == destination.edge,
                let way = part(arc, origin.fraction, destination.fraction)
            {
                if best.map({ way < $0 }) ?? true { best = way }
            }
        }
        return best
    }

    func answer(from origin: StreetPlace, to destination: StreetPlace) -> Answer? {
        answer(all(from: origin), from: origin, to: destination)
    }
}

extension Cost {
    /// The cost in the form of the reference.
    var answer: SlowStreets.Answer? {
        isPossible
            ? SlowStreets.Answer(
                milliseconds: Int(milliseconds),
                decimetres: Int(decimetres)
            ) : nil
    }
}
