package import Geo
package import Streets

/// A measured position of a taxi during a drive.
package struct DrivePoint: Hashable, Sendable {
    /// The time in milliseconds since 1970-01-01 UTC.
    package let milliseconds: Int64
    /// The place that was measured.
    package let place: Coordinate
    /// The radius in metres within which the taxi is with a probability of 68%.
    package let accuracyMetres: Double

    /// Creates a position.
    package init(milliseconds: Int64, place: Coordinate, accuracyMetres: Double) {
        self.milliseconds = milliseconds
        self.place = place
        self.accuracyMetres = accuracyMetres
    }
}

/// Finds the streets on which a taxi drove, from the positions that its phone reported.
///
/// It is the hidden Markov model of Newson and Krumm, "Hidden Markov Map Matching Through Noise and
/// Sparseness" (ACM SIGSPATIAL GIS 2009, doi:10.1145/1653771.1653818). The states are the streets
/// near each position. A street is the less probable the further it lies from the position, and a
/// pair of streets the more the way between them differs from the straight line. The most probable
/// sequence is found by the algorithm of Viterbi. Logarithms of probabilities are sums of squares
/// and differences, so that no mathematical library is needed.
///
/// Positions that say nothing are left out: vague ones, single leaps, and those within
/// ``stepMetres`` of the last one, because noise would lead back and forth. The drive is divided
/// where nobody knows how it went on: after a silence, a long stop, a leap that the next position
/// confirms, or where no way leads on.
///
/// A value must be used by one thread at a time, because of its workspace.
package struct DriveMatcher {
    /// A position and the street on which it lies.
    struct Match {
        let point: DrivePoint
        let street: StreetPlace
    }

    /// The accuracy above which a position is left out, in metres.
    static let vaguestMetres = 50.0
    /// The least distance between two positions that are used, in metres; twice the standard
    /// deviation of a bad fix (Newson and Krumm, 4.1).
    static let stepMetres = 40.0
    /// The longest time without positions within a drive, in milliseconds: a long tunnel.
    static let silenceLimit: Int64 = 60_000
    /// The longest time between two positions that are used, in milliseconds.
    ///
    /// Red lights and jams are part of a drive, a pickup or a coffee is not.
    static let stopLimit: Int64 = 180_000
    /// The longest straight line between two positions that are used, in metres.
    static let legMetres = 1_000.0
    /// The greatest plausible speed, in metres per second: 160 km/h.
    static let fastest = 45.0
    /// The most streets that are considered for a position.
    private static let candidateLimit = 6
    /// How far a way may differ from the straight line, in metres, until it is less probable by the
    /// factor e: the parameter beta of Newson and Krumm.
    private static let detourMetres = 10.0

    let streets: StreetNetwork
    let metric: StreetMetric
    let workspace: StreetWorkspace

    /// Creates a matcher for a city.
    ///
    /// - Parameter streets: the network; ways are those of taxis according to the map.
    /// - Complexity: linear in the number of junctions.
    package init(_ streets: StreetNetwork) {
        self.streets = streets
        metric = streets.metric(.taxi)
        workspace = StreetWorkspace(for: streets)
    }

    /// Finds the streets that a taxi passed from end to end.
    ///
    /// - Parameter points: the positions of the drive in the order of time.
    /// - Returns: the passages in the order of driving; those that are implausibly quick or slow
    ///   are left out.
    /// - Complexity: six small searches for each position that is used, in Milan about 0.4 ms.
    package func passages(of points: [DrivePoint]) -> [DrivenPassage] {
        Self.pieces(points).flatMap { matches(of: $0) }.flatMap { passages(along: $0) }
    }

    /// Leaves out what says nothing, and divides the drive where nobody knows how it went on.
    static func pieces(_ points: [DrivePoint]) -> [[DrivePoint]] {
        var pieces: [[DrivePoint]] = []
        var piece: [DrivePoint] = []
        var heard: Int64 = 0
        var leap: DrivePoint?
        func begin(with points: [DrivePoint]) {
            if piece.count > 1 { pieces.append(piece) }
            piece = points
        }
        for point in points where point.accuracyMetres <= vaguestMetres {
            guard let last = piece.last else {
                piece = [point]
                heard = point.milliseconds
                continue
            }
            let elapsed = point.milliseconds - last.milliseconds
            guard elapsed > 0 else { continue }
            if point.milliseconds - heard > silenceLimit || elapsed > stopLimit {
                begin(with: [point])
                leap = nil
            } else if !isReachable(point, from: last) {
                guard let known = leap, isReachable(point, from: known) else {
                    leap = point
                    continue
                }
                begin(with: [known, point])
                leap = nil
            } else {
                leap = nil
                let step = max(stepMetres, 2 * point.accuracyMetres)
                if last.place.distanceMetres(to: point.place) >= step { piece.append(point) }
            }
            heard = point.milliseconds
        }
        begin(with: [])
        return pieces
    }

    private static func isReachable(_ point: DrivePoint, from known: DrivePoint) -> Bool {
        let seconds = Double(point.milliseconds - known.milliseconds) / 1_000
        let spare = point.accuracyMetres + known.accuracyMetres
        return known.place.distanceMetres(to: point.place) <= max(0, seconds) * fastest + spare
    }

    // MARK: The hidden Markov model

    /// A street that may be the one of a position.
    private struct State {
        let street: StreetPlace
        /// The negative logarithm of the probability of the best sequence that ends here.
        var cost: Double
        /// The number of the state before it.
        var parent: Int?
    }

    /// Finds the most probable streets, divided where no way leads on.
    func matches(of piece: [DrivePoint]) -> [[Match]] {
        var found: [[Match]] = []
        var points: [DrivePoint] = []
        var layers: [[State]] = []
        func finish() {
            if layers.count > 1 { found.append(Self.best(of: layers, points)) }
            points = []
            layers = []
        }
        for point in piece {
            let states = candidates(near: point)
            // Off the map, as in a car park.
            guard !states.isEmpty else { continue }
            if let last = points.last, let layer = layers.last {
                let next = transitions(from: layer, at: last, to: states, at: point)
                guard next.isEmpty else {
                    points.append(point)
                    layers.append(next)
                    continue
                }
                finish()
            }
            points = [point]
            layers = [states]
        }
        finish()
        return found
    }

    /// The standard deviation of a position in one direction, in metres.
    ///
    /// A radius of 68% is 1.5 times as large. No street is mapped more exactly than to 5 m.
    private static func deviation(of point: DrivePoint) -> Double {
        max(5, point.accuracyMetres / 1.5)
    }

    private func candidates(near point: DrivePoint) -> [State] {
        let deviation = Self.deviation(of: point)
        return streets.snap(
            point.place,
            for: .taxi,
            count: Self.candidateLimit,
            within: min(60, max(30, 3 * deviation))
        ).map { street in
            let share = street.distanceMetres / deviation
            return State(street: street, cost: share * share / 2)
        }
    }

    /// Joins the streets of a position to those of the last one.
    ///
    /// - Returns: the streets to which a way leads, with the best sequence to each.
    private func transitions(
        from layer: [State],
        at last: DrivePoint,
        to states: [State],
        at point: DrivePoint
    ) -> [State] {
        let elapsed = point.milliseconds - last.milliseconds
        let straight = last.place.distanceMetres(to: point.place)
        guard elapsed <= Self.stopLimit, straight <= Self.legMetres else { return [] }
        // Longer ways are less probable than any that lead on, and quicker ones impossible.
        let limit = SearchLimit(
            milliseconds: UInt32(clamping: 3 * elapsed + 10_000),
            decimetres: UInt32((2 * straight + 150) * 10)
        )
        let scale = max(Self.detourMetres, straight * 0.15)
        var joined = states.map { State(street: $0.street, cost: .infinity) }
        for (number, state) in layer.enumerated() {
            let tree = streets.shortestPathTree(
                state.street,
                within: limit,
                by: metric,
                using: workspace
            )
            for (index, next) in states.enumerated() {
                let way = tree.cost(next.street)
                guard way.isPossible else { continue }
                let cost = state.cost + abs(way.metres - straight) / scale + next.cost
                if cost < joined[index].cost {
                    joined[index].cost = cost
                    joined[index].parent = number
                }
            }
        }
        return joined.filter { $0.parent != nil }
    }

    /// The most probable sequence.
    private static func best(of layers: [[State]], _ points: [DrivePoint]) -> [Match] {
        var matches: [Match] = []
        var number: Int?
        for (layer, point) in zip(layers, points).reversed() {
            let index = number ?? layer.indices.min { layer[$0].cost < layer[$1].cost } ?? 0
            matches.append(Match(point: point, street: layer[index].street))
            number = layer[index].parent
        }
        return matches.reversed()
    }
}
