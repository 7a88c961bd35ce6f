import Columns
import Geo

extension StreetNetwork {
    /// What a driver does along a route: first ``Manoeuvre/Action/depart``, at last
    /// ``Manoeuvre/Action/arrive``, and between them what they could get wrong.
    ///
    /// A junction where the driver simply follows the street has no manoeuvre, whatever the street
    /// is called there. Turns are measured between the directions of the streets within 15 m of the
    /// junction, and among all streets that the profile may enter there, forbidden turns included:
    /// a driver sees them too.
    ///
    /// - Parameters:
    ///   - route: a route of this network.
    ///   - metric: the costs of the profile that travels.
    /// - Returns: the manoeuvres in order; at least two.
    /// - Complexity: linear in the length of the route.
    public func manoeuvres(of route: StreetRoute, by metric: StreetMetric) -> [Manoeuvre] {
        var finder = ManoeuvreFinder(network: self, metric: metric, route: route)
        return finder.found()
    }
}

/// Finds the manoeuvres of one route.
private struct ManoeuvreFinder {
    let network: StreetNetwork
    let metric: StreetMetric
    let route: StreetRoute
    /// How far each point of the geometry lies along it, in metres.
    private let along: [Double]
    /// The stretches that have a length: only they have a direction.
    private let stretches: [StreetRoute.Stretch]
    private var manoeuvres: [Manoeuvre] = []

    /// How far from a junction the direction of a street is measured, in metres.
    private static let directionMetres = 15.0
    /// How far a street without a name may lead to the one whose name the driver reads, in metres.
    private static let nameMetres = 60.0

    init(network: StreetNetwork, metric: StreetMetric, route: StreetRoute) {
        self.network = network
        self.metric = metric
        self.route = route
        var along = [0.0]
        for (from, to) in zip(route.geometry, route.geometry.dropFirst()) {
            along.append((along.last ?? 0) + LocalPlane(at: from).distanceMetres(from, to))
        }
        self.along = along
        let ends = route.stretches.dropFirst().map { $0.firstPoint } + [route.geometry.count - 1]
        stretches = zip(route.stretches, ends).compactMap { $0.firstPoint < $1 ? $0 : nil }
    }

    mutating func found() -> [Manoeuvre] {
        add(.depart, at: 0, onto: 0)
        var position = 0
        if let first = stretches.first, first.features.contains(.roundabout) {
            position = leaveRoundabout(0)
            if position < stretches.count {
                add(.leaveRoundabout, at: stretches[position].firstPoint, onto: position)
            }
        }
        while position + 1 < stretches.count {
            position = pass(position)
        }
        add(.arrive, at: route.geometry.count - 1, onto: stretches.count)
        return manoeuvres
    }

    /// Adds what the driver does at the end of a stretch.
    ///
    /// - Returns: the stretch on which they are afterwards.
    private mutating func pass(_ position: Int) -> Int {
        let before = stretches[position]
        let after = stretches[position + 1]
        if after.features.contains(.roundabout) {
            let end = leaveRoundabout(position + 1)
            let exit = end < stretches.count ? exitNumber(position + 1, end) : 0
            add(.roundabout(exit: exit), at: after.firstPoint, onto: end)
            return end
        }
        if before.edge == after.edge, before.forward != after.forward {
            add(.turnBack, at: after.firstPoint, onto: position + 1)
            return position + 1
        }
        let incoming = direction(number(before.edge), forward: !before.forward) + 180
        let way = exit(number(after.edge), after.forward, after: incoming)
        let junction = start(of: after)
        let others = exits(of: junction).filter { arc in
            let edge = network.arcs.edge(arc)
            let isForward = network.arcs.isForward(arc)
            return (edge, isForward) != (number(after.edge), after.forward)
                && (edge, isForward) != (number(before.edge), !before.forward)
        }.map { exit(network.arcs.edge($0), network.arcs.isForward($0), after: incoming) }
        if let action = Manoeuvre.action(way, among: others) {
            add(action, at: after.firstPoint, onto: position + 1)
        }
        return position + 1
    }

    /// The first stretch after a roundabout, given one inside it.
    private func leaveRoundabout(_ position: Int) -> Int {
        stretches[position...].firstIndex { !$0.features.contains(.roundabout) } ?? stretches.count
    }

    /// Counts the exits from the entrance of a roundabout to the one where the route leaves it.
    private func exitNumber(_ first: Int, _ end: Int) -> Int32 {
        var number: Int32 = 1
        for stretch in stretches[(first + 1)..<max(first + 1, end)] {
            let hasExit = exits(of: start(of: stretch)).contains { arc in
                let edge = network.arcs.edge(arc)
                return !network.edges.features(edge).contains(.roundabout)
                    && !Self.isMinor(network.edges.kind(edge))
            }
            if hasExit { number += 1 }
        }
        return number
    }

    private func number(_ edge: EdgeIndex) -> Int { Int(truncatingIfNeeded: edge.rawValue) }

    private func start(of stretch: StreetRoute.Stretch) -> Int {
        let edge = number(stretch.edge)
        return stretch.forward ? network.edges.from(edge) : network.edges.to(edge)
    }

    /// The passages out of a junction that the profile may take.
    private func exits(of junction: Int) -> [Int] {
        network.arcs.out(of: junction).filter {
            metric.milliseconds[$0] != StreetDraft.Arc.closed
        }
    }

    private func exit(_ edge: Int, _ isForward: Bool, after incoming: Double) -> Manoeuvre.Exit {
        var turn = direction(edge, forward: isForward) - incoming
        while turn > 180 { turn -= 360 }
        while turn <= -180 { turn += 360 }
        return Manoeuvre.Exit(turn: turn, isMinor: Self.isMinor(network.edges.kind(edge)))
    }

    private static func isMinor(_ kind: StreetKind) -> Bool {
        kind.rawValue >= StreetKind.service.rawValue
    }

    /// The direction in which an edge leads away from one of its ends, in degrees clockwise from
    /// north.
    private func direction(_ edge: Int, forward isForward: Bool) -> Double {
        let count = network.pointCount(edge)
        func point(_ number: Int) -> Coordinate {
            network.point(isForward ? number : count - 1 - number, of: edge)
        }
        let plane = LocalPlane(at: point(0))
        var reached = 0.0
        var (east, north) = (0.0, 0.0)
        for number in 1..<count {
            let next = plane.project(point(number))
            let step =
                ((next.east - east) * (next.east - east)
                + (next.north - north) * (next.north - north)).squareRoot()
            let rest = Self.directionMetres - reached
            if step >= rest {
                east += (next.east - east) * rest / step
                north += (next.north - north) * rest / step
                break
            }
            reached += step
            (east, north) = next
        }
        return Trigonometry.angle(y: east, x: north) * 180 / Trigonometry.pi
    }

    private mutating func add(_ action: Manoeuvre.Action, at point: Int, onto position: Int) {
        var name: UInt32 = 0
        for stretch in stretches.dropFirst(position) {
            guard along[stretch.firstPoint] <= along[point] + Self.nameMetres else { break }
            // What follows the roundabout is the exit, not the roundabout itself.
            name = stretch.name
            if name != 0 { break }
        }
        manoeuvres.append(
            Manoeuvre(action: action, point: point, metres: along[point], name: name)
        )
    }
}
