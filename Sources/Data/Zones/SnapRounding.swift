import Geo

/// Makes border pieces meet only at their ends, by *snap rounding*.
///
/// Where pieces cross, the crossing is rounded to the grid of coordinates (1e-7 degrees). Every
/// end and every rounded crossing is *hot*: each piece that passes through the unit square around
/// a hot place, of which the west and south sides count, is routed through that place. Then no
/// two pieces cross any more, none moves by more than a unit, and none passes to the other side
/// of a place. This is repeated until nothing moves, so that the operation is idempotent. All
/// decisions are exact.
///
/// Source: Hobby, "Practical segment intersection with finite precision output", 1999; Halperin and
/// Packer, "Iterated snap rounding", 2002.
struct SnapRounding {
    /// The pieces, sorted; they meet at ends only.
    private(set) var pieces: [BorderPiece]
    /// The pairs of pieces that crossed inside both before anything was moved.
    private(set) var crossings: [Crossing] = []
    /// Whether nothing was moved: pieces were cut at most where an end lay exactly on them.
    private(set) var isExact = true
    /// Whether nothing moved any more in the last round.
    private(set) var isSettled = false

    /// Why the pieces were not rounded; nil if they were.
    private(set) var excess: Excess?
    /// The number of comparisons that may still be made.
    private var comparisonsLeft = Self.comparisonLimit

    /// The reason why pieces are too costly to be rounded.
    enum Excess {
        /// They cross more often than ``SnapRounding/crossingLimit``; contains the first crossings.
        case crossings([Crossing])
        /// Too many of them lie close together; contains the corner at which rounding was given up.
        case density(Coordinate)
    }

    /// The greatest number of crossings, far more than the borders of any usable file have: each
    /// one cuts two pieces, and a star of 6,000 corners has 18 million.
    static let crossingLimit = 20_000
    /// The greatest number of comparisons of two pieces, or of a piece and a place: some seconds.
    static let comparisonLimit = 200_000_000
    /// The greatest number of crossings that are named.
    private static let namedLimit = 3

    /// Two pieces of different or the same zones that cross.
    struct Crossing: Hashable {
        /// The zone of one piece.
        let zone: Int32
        /// The zone of the second piece.
        let other: Int32
        /// Where they cross, rounded.
        let place: Coordinate
    }

    /// The greatest number of rounds; at most 4 were ever needed.
    static let roundLimit = 32

    /// Rounds pieces until none crosses another.
    init(_ pieces: [BorderPiece]) {
        self.pieces = BorderPiece.merged(pieces)
        for round in 0..<Self.roundLimit {
            let isChanged = cutOnce(isFirst: round == 0)
            if excess != nil { return }
            if !isChanged {
                isSettled = true
                return
            }
        }
    }

    /// Makes one round; false if nothing had to be cut, or if it would cost too much (``excess``).
    private mutating func cutOnce(isFirst: Bool) -> Bool {
        let (edges, firstPiece) = distinctEdges()
        var hot = edges.flatMap { [$0.start, $0.end] }
        let ends = hot.count
        guard let lattice = Lattice(edges, entryLimit: Self.entryLimit(edges.count)) else {
            excess = .density(Self.longest(edges))
            return false
        }
        var crossings: [Crossing] = []
        var left = comparisonsLeft
        lattice.visitPairs { first, second in
            left -= 1
            guard left >= 0, hot.count - ends <= Self.crossingLimit else { return false }
            guard edges[first].bounds.meets(edges[second].bounds),
                let place = Self.crossing(edges[first], edges[second])
            else { return true }
            hot.append(place)
            guard isFirst, hot.count - ends <= Self.crossingLimit else { return true }
            for one in firstPiece[first]..<firstPiece[first + 1] {
                for other in firstPiece[second]..<firstPiece[second + 1] {
                    let zones = (pieces[one].zone, pieces[other].zone)
                    crossings.append(
                        Crossing(
                            zone: min(zones.0, zones.1),
                            other: max(zones.0, zones.1),
                            place: place
                        )
                    )
                }
            }
            return true
        }
        comparisonsLeft = left
        if isFirst { self.crossings = crossings }
        if hot.count - ends > Self.crossingLimit {
            excess = .crossings(Self.named(crossings))
        } else if left < 0 {
            excess = .density(Self.longest(edges))
        }
        guard excess == nil else { return false }
        if !crossings.isEmpty { isExact = false }
        return lead(edges, firstPiece, through: Self.distinct(hot))
    }

    /// The greatest number of entries in a lattice; those of a city have about three for each
    /// piece.
    private static func entryLimit(_ count: Int) -> Int { 4_000_000 + 8 * count }

    /// The beginning of the longest piece, which meets the most others.
    private static func longest(_ edges: [Segment]) -> Coordinate {
        func reach(_ edge: Segment) -> Int64 {
            let box = edge.bounds
            return Int64(box.north) - Int64(box.south) + Int64(box.east) - Int64(box.west)
        }
        let longest = edges.max { reach($0) < reach($1) }
        return longest?.start ?? Coordinate(latitude: 0, longitude: 0)
    }

    /// The first crossings, each at a different place.
    private static func named(_ crossings: [Crossing]) -> [Crossing] {
        var named: [Crossing] = []
        for crossing in crossings where !named.contains(where: { $0.place == crossing.place }) {
            named.append(crossing)
            if named.count == namedLimit { break }
        }
        return named
    }

    /// Routes each edge through the hot places that it passes; false if there are none.
    private mutating func lead(
        _ edges: [Segment],
        _ firstPiece: [Int],
        through hot: [Coordinate]
    ) -> Bool {
        let lattice = Lattice(hot)
        var result: [BorderPiece] = []
        result.reserveCapacity(pieces.count)
        var isChanged = false
        for (number, edge) in edges.enumerated() {
            let own = pieces[firstPiece[number]..<firstPiece[number + 1]]
            let passed = Self.passed(by: edge, hot, lattice, &comparisonsLeft)
            if comparisonsLeft < 0 {
                excess = .density(edge.start)
                return false
            }
            if passed.isEmpty {
                result += own
                continue
            }
            isChanged = true
            if passed.contains(where: { edge.side(of: $0) != 0 }) { isExact = false }
            let chain = [edge.start] + passed + [edge.end]
            for piece in own {
                for (from, to) in zip(chain, chain.dropFirst()) {
                    result.append(
                        BorderPiece(from: from, to: to, zone: piece.zone, turns: piece.turns)
                    )
                }
            }
        }
        if isChanged { pieces = BorderPiece.merged(result) }
        return isChanged
    }

    /// The different lines of the sorted pieces, and where the pieces of each begin.
    private func distinctEdges() -> (edges: [Segment], firstPiece: [Int]) {
        var edges: [Segment] = []
        var firstPiece: [Int] = []
        for (number, piece) in pieces.enumerated() where edges.last != piece.segment {
            edges.append(piece.segment)
            firstPiece.append(number)
        }
        return (edges, firstPiece + [pieces.count])
    }

    private static func distinct(_ places: [Coordinate]) -> [Coordinate] {
        var result: [Coordinate] = []
        for place in places.sorted(by: BorderPiece.precedes) where result.last != place {
            result.append(place)
        }
        return result
    }

    /// The hot places other than its ends whose unit squares an edge meets, in its order.
    private static func passed(
        by edge: Segment,
        _ hot: [Coordinate],
        _ lattice: Lattice,
        _ comparisonsLeft: inout Int
    ) -> [Coordinate] {
        let width = Int64(edge.end.longitude) - Int64(edge.start.longitude)
        let height = Int64(edge.end.latitude) - Int64(edge.start.latitude)
        let reach = Int64(width.magnitude + height.magnitude)
        let box = edge.bounds
        var passed: [(along: Int64, place: Coordinate)] = []
        var left = comparisonsLeft
        lattice.context(box) { number in
            left -= 1
            guard left >= 0 else { return false }
            let place = hot[number]
            // Whole numbers within half a unit of the box are within the box.
            guard box.contains(place), place != edge.start, place != edge.end else { return true }
            let east = Int64(place.longitude) - Int64(edge.start.longitude)
            let north = Int64(place.latitude) - Int64(edge.start.latitude)
            let aside = 2 * (width * north - height * east)
            // On the rim of the square only its south-west corner counts, so that no crossing
            // belongs to two squares; lines that fall to the east meet it from below.
            let isAtCorner =
                aside == reach && height < 0 && place.longitude > box.west
                && place.latitude > box.south
            if abs(aside) < reach || isAtCorner {
                passed.append((width * east + height * north, place))
            }
            return true
        }
        comparisonsLeft = left
        passed.sort { first, second in
            first.along == second.along
                ? BorderPiece.precedes(first.place, second.place) : first.along < second.along
        }
        return passed.map(\.place)
    }

    /// Where two lines cross inside both, rounded to the nearest coordinate; nil if they do not.
    static func crossing(_ first: Segment, _ second: Segment) -> Coordinate? {
        guard first.side(of: second.start) * first.side(of: second.end) < 0,
            second.side(of: first.start) * second.side(of: first.end) < 0
        else { return nil }
        let firstEast = Int64(first.end.longitude) - Int64(first.start.longitude)
        let firstNorth = Int64(first.end.latitude) - Int64(first.start.latitude)
        let secondEast = Int64(second.end.longitude) - Int64(second.start.longitude)
        let secondNorth = Int64(second.end.latitude) - Int64(second.start.latitude)
        let east = Int64(second.start.longitude) - Int64(first.start.longitude)
        let north = Int64(second.start.latitude) - Int64(first.start.latitude)
        let whole = firstEast * secondNorth - firstNorth * secondEast
        let part = east * secondNorth - north * secondEast
        return Coordinate(
            latitude: first.start.latitude + share(firstNorth, part, of: whole),
            longitude: first.start.longitude + share(firstEast, part, of: whole)
        )
    }

    /// `length * part / whole`, rounded to the nearest whole number, halves upwards.
    private static func share(_ length: Int64, _ part: Int64, of whole: Int64) -> Int32 {
        let product = 2 * Int128(length) * Int128(part) * (whole < 0 ? -1 : 1)
        let divisor = 2 * Int128(whole.magnitude)
        let (quotient, rest) = (product + divisor / 2).quotientAndRemainder(dividingBy: divisor)
        return Int32(truncatingIfNeeded: rest < 0 ? quotient - 1 : quotient)
    }
}
