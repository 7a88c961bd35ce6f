package import Streets

/// What a taxi drives, piece by piece, as its meter sees it.
package struct Drive: Hashable, Sendable {
    /// The pieces in order; the speed is taken as even within each.
    package let pieces: [Piece]

    /// A stretch driven at one speed.
    package struct Piece: Hashable, Sendable {
        /// How long it took, from 0 to ``Drive/limit``.
        package let milliseconds: Int64
        /// How long it is, from 0 to ``Drive/limit``.
        package let decimetres: Int64

        /// A piece; numbers beyond the limits are cut.
        package init(milliseconds: Int64, decimetres: Int64) {
            self.milliseconds = max(0, min(Drive.limit, milliseconds))
            self.decimetres = max(0, min(Drive.limit, decimetres))
        }
    }

    /// The most milliseconds (over three weeks) or decimetres (five times round the earth) of a
    /// piece, so that no sum overflows.
    package static let limit: Int64 = 2_000_000_000

    /// A drive of these pieces.
    package init(_ pieces: [Piece]) {
        self.pieces = pieces
    }

    /// A drive at one speed.
    package init(milliseconds: Int64, decimetres: Int64) {
        pieces = [Piece(milliseconds: milliseconds, decimetres: decimetres)]
    }

    /// The drive along a way through the streets, a piece for each stretch.
    package init(_ route: StreetRoute) {
        pieces = route.stretches.map { stretch in
            Piece(
                milliseconds: Int64(stretch.cost.milliseconds),
                decimetres: Int64(stretch.cost.decimetres)
            )
        }
    }

    /// How long it takes, in milliseconds.
    package var milliseconds: Int64 { pieces.reduce(0) { $0 + $1.milliseconds } }
    /// How long it is, in decimetres.
    package var decimetres: Int64 { pieces.reduce(0) { $0 + $1.decimetres } }
    /// How long it takes, in whole seconds, half a second rounded up.
    package var seconds: Int64 { (milliseconds + 500) / 1_000 }
    /// How long it is, in whole metres, half a metre rounded up.
    package var metres: Int64 { (decimetres + 5) / 10 }

    /// The same way in another time, in thousandths of this one; a factor beyond 0 to 100 times
    /// is cut.
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
