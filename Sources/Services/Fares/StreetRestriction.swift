package import Chronology
package import Geo

/// A stretch of street that operators have closed or slowed for a while (R70).
package struct StreetRestriction: Hashable, Sendable {
    /// The stretch in the direction of driving; at least two points.
    package var points: [Coordinate]
    /// Whether the same holds against that direction.
    package var isBothWays: Bool
    /// How many times as long as usual the stretch takes; at most ``closed``.
    package var factor: Int
    /// When it holds.
    package var span: Range<Instant>

    /// The factor of a closed street.
    ///
    /// A hundred metres take an hour, so that any way around is quicker. People who live on the
    /// stretch are still reached where there is none.
    package static let closed = 250

    /// Creates a restriction.
    package init(
        _ points: [Coordinate],
        isBothWays: Bool,
        factor: Int,
        during span: Range<Instant>
    ) {
        precondition(points.count >= 2, "a stretch of street has two ends")
        precondition((2...Self.closed).contains(factor), "a restriction makes a street slower")
        self.points = points
        self.isBothWays = isBothWays
        self.factor = factor
        self.span = span
    }

    /// Whether nobody can drive through.
    package var isClosed: Bool { factor >= Self.closed }
}
