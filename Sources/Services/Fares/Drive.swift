package import Streets

/// A drive as a sequence of pieces, as a taxi meter measures it.
package struct Drive: Hashable, Sendable {
    /// The pieces in order; the speed is assumed to be constant within each.
    package let pieces: [Piece]

    /// A part of a drive with constant speed.
    package struct Piece: Hashable, Sendable {
        /// The duration in milliseconds, from 0 to ``Drive/limit``.
        package let milliseconds: Int64
        /// The length in decimetres, from 0 to ``Drive/limit``.
        package let decimetres: Int64

        /// Creates a piece, clamping its values to the limits.
        package init(milliseconds: Int64, decimetres: Int64) {
            self.milliseconds = max(0, min(Drive.limit, milliseconds))
            self.decimetres = max(0, min(Drive.limit, decimetres))
        }
    }

    /// The limit of a piece in milliseconds (over three weeks) or decimetres (five times around the
    /// earth), so that no sum overflows.
    package static let limit: Int64 = 2_000_000_000

    /// Creates a drive from its pieces.
    package init(_ pieces: [Piece]) {
        self.pieces = pieces
    }

    /// Creates a drive of constant speed.
    package init(milliseconds: Int64, decimetres: Int64) {
        pieces = [Piece(milliseconds: milliseconds, decimetres: decimetres)]
    }

    /// Creates the drive along a street route, with a piece for each stretch.
    package init(_ route: StreetRoute) {
        pieces = route.stretches.map { stretch in
            Piece(
                milliseconds: Int64(stretch.cost.milliseconds),
                decimetres: Int64(stretch.cost.decimetres)
            )
        }
    }

    /// The total duration in milliseconds.
    package var milliseconds: Int64 { pieces.reduce(0) { $0 + $1.milliseconds } }
    /// The total length in decimetres.
    package var decimetres: Int64 { pieces.reduce(0) { $0 + $1.decimetres } }
    /// The total duration in seconds, rounded half up.
    package var seconds: Int64 { (milliseconds + 500) / 1_000 }
    /// The total length in metres, rounded half up.
    package var metres: Int64 { (decimetres + 5) / 10 }

    /// Returns the drive with its duration scaled by a factor in thousandths, clamped
    /// to 0 to 100 times.
    package func taking(perMille: Int64) -> Drive {
        let factor = max(0, min(100_000, perMille))
        return Drive(
            pieces.map { piece in
                Piece(
                    milliseconds: (piece.milliseconds * factor + 500) / 1_000,
                    decimetres: piece.decimetres
                )
            }
        )
    }
}
