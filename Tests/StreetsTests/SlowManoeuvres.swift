import Geo
import Streets

/// What a driver does along a route, found slowly: from the angles between streets on the sphere,
/// and by a look at every street of the draft at each junction.
struct SlowManoeuvres {
    let draft: StreetDraft
    let profile: Profile

    /// The actions with the points where they happen; nil if an angle is too close to a limit to be
    /// sure of it.
    func actions(of route: StreetRoute) -> [(Manoeuvre.Action, Int)]? {
        let last = route.geometry.count - 1
        var found: [(Manoeuvre.Action, Int)] = [(.depart, 0)]
        var way = route.stretches
        // Stretches without points of their own have no direction.
        way = way.indices.filter { number in
            way[number].firstPoint < (number + 1 < way.count ? way[number + 1].firstPoint : last)
        }.map { way[$0] }
        var number = 0
        var wasRound = way.first?.features.contains(.roundabout) == true
        let beganRound = wasRound
        var entered: (number: Int, exit: Int32)?
        while number + 1 < way.count {
            let (before, after) = (way[number], way[number + 1])
            let isRound = after.features.contains(.roundabout)
            if isRound, !wasRound { entered = (number + 1, 1) }
            if isRound, wasRound, entered != nil, hasExit(at: junction(after)) {
                entered?.exit += 1
            }
            if wasRound, !isRound {
                if let entered {
                    let point = way[entered.number].firstPoint
                    found.append((.roundabout(exit: entered.exit), point))
                } else if beganRound {
                    found.append((.leaveRoundabout, after.firstPoint))
                }
                entered = nil
            } else if !isRound {
                guard let action = action(before, after) else { return nil }
                if let action { found.append((action, after.firstPoint)) }
            }
            wasRound = isRound
            number += 1
        }
        if let entered { found.append((.roundabout(exit: 0), way[entered.number].firstPoint)) }
        return found + [(.arrive, last)]
    }

    private func junction(_ stretch: StreetRoute.Stretch) -> UInt32 {
        let edge = draft.edges[Int(stretch.edge.rawValue)]
        return stretch.forward ? edge.from : edge.to
    }

    /// The streets that lead out of a junction.
    private func ways(out junction: UInt32) -> [StreetDraft.Arc] {
        draft.arcs.filter { arc in
            arc.from == junction
                && arc.milliseconds[Int(profile.rawValue)] != StreetDraft.Arc.closed
        }
    }

    private func hasExit(at junction: UInt32) -> Bool {
        ways(out: junction).contains { arc in
            let edge = draft.edges[Int(arc.edge)]
            return !edge.features.contains(.roundabout)
                && StreetKind.allCases.prefix { $0 != .service }.contains(edge.kind)
        }
    }

    /// The bearing of the first 15 m of an edge.
    private func bearing(_ edge: UInt32, _ forward: Bool) -> Double {
        let geometry = draft.edges[Int(edge)].geometry
        let points = forward ? geometry : geometry.reversed()
        var left = 15.0
        for (from, to) in zip(points, points.dropFirst()) {
            let step = from.distanceMetres(to: to)
            if step >= left {
                let share = left / step
                let place = Coordinate(
                    latitude: from.latitude + Int32(Double(to.latitude - from.latitude) * share),
                    longitude: from.longitude + Int32(Double(to.longitude - from.longitude) * share)
                )
                return points[0].bearingDegrees(to: place)
            }
            left -= step
        }
        return points[0].bearingDegrees(to: points[points.count - 1])
    }

    /// nil if it is not certain; otherwise what is done, if anything.
    private func action(
        _ before: StreetRoute.Stretch,
        _ after: StreetRoute.Stretch
    ) -> Manoeuvre.Action?? {
        if before.edge == after.edge, before.forward != after.forward { return .some(.turnBack) }
        let back = bearing(before.edge.rawValue, !before.forward)
        func turn(_ edge: UInt32, _ forward: Bool) -> Double {
            // Clockwise from straight on: 180° is back.
            let clockwise = (bearing(edge, forward) - back + 540).truncatingRemainder(
                dividingBy: 360
            )
            return clockwise > 180 ? clockwise - 360 : clockwise
        }
        let own = turn(after.edge.rawValue, after.forward)
        var others: [Double] = []
        let minor: Set<StreetKind> = [
            .service, .track, .pedestrian, .cycleway, .footway, .steps, .platform, .elevator,
            .ferry,
        ]
        for arc in ways(out: junction(after)) {
            if arc.edge == after.edge.rawValue, arc.forward == after.forward { continue }
            if arc.edge == before.edge.rawValue, arc.forward != before.forward { continue }
            let angle = turn(arc.edge, arc.forward)
            if abs(abs(angle) - abs(own)) < 0.2 { return nil }
            if abs(abs(angle) - abs(own) - 25) < 0.2 || abs(angle - own) < 0.2 { return nil }
            if minor.contains(draft.edges[Int(arc.edge)].kind), !minor.contains(after.kind),
                abs(angle) > abs(own)
            {
                continue
            }
            others.append(angle)
        }
        if [0, 20, 45, 120, 180].contains(where: { abs(abs(own) - $0) < 0.2 }) { return nil }
        if others.isEmpty { return .some(nil) }
        switch own {
        case ..<(-120): return .some(.sharpLeft)
        case ..<(-45): return .some(.left)
        case 120...: return .some(.sharpRight)
        case 45...: return .some(.right)
        default: break
        }
        let near = others.filter { abs($0) <= abs(own) + 25 }.sorted()
        guard let first = near.first, let last = near.last else { return .some(nil) }
        if first < own, own < last { return .some(.straight) }
        let hasStraighter = near.contains { abs($0) < abs(own) }
        if own < first {
            return .some(own < -20 && hasStraighter ? .slightLeft : .keepLeft)
        }
        return .some(own > 20 && hasStraighter ? .slightRight : .keepRight)
    }
}
