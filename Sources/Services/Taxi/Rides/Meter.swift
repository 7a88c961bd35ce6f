package import Chronology
package import Fares
package import Geo
package import Positions

/// Measures a ride with passengers on board from the taxi's positions.
///
/// Only sums are kept. A tariff charges time while a taxi is slow and distance while it is fast,
/// and the sum of slow pieces is slow again, as is the sum of fast ones fast. The fare is therefore
/// the same as for the individual pieces, in constant memory.
package struct Meter: Hashable, Sendable {
    /// The sum of the pieces that are charged by time.
    package private(set) var slow = Drive.Piece(milliseconds: 0, decimetres: 0)
    /// The sum of the pieces that are charged by distance.
    package private(set) var fast = Drive.Piece(milliseconds: 0, decimetres: 0)
    /// The time of the last update.
    package private(set) var at: Moment
    /// The last position at which movement was detected; nil before the first report.
    package private(set) var place: Coordinate?
    /// The tariff that decides which pieces are slow; nil if none is in force.
    private let tariff: Tariff?

    /// Movement in metres below which a taxi counts as standing, because positions are noisy.
    static let tremble = 10.0

    /// Creates a meter at the start of a ride.
    package init(at moment: Moment, place: Coordinate?, tariff: Tariff?) {
        at = moment
        self.place = place
        self.tariff = tariff
    }

    /// Restores a meter after a restart.
    init(slow: Drive.Piece, fast: Drive.Piece, at: Moment, place: Coordinate?, tariff: Tariff?) {
        self.init(at: at, place: place, tariff: tariff)
        self.slow = slow
        self.fast = fast
    }

    /// Advances the meter to a position report.
    package mutating func pass(_ report: PositionReport) {
        let passed = report.at.milliseconds - at.milliseconds
        guard passed > 0 else { return }
        at = report.at
        guard let from = place else {
            place = report.place
            add(Drive.Piece(milliseconds: passed, decimetres: 0))
            return
        }
        let metres = from.distanceMetres(to: report.place)
        guard metres > max(Self.tremble, report.accuracyMetres ?? 0) else {
            add(Drive.Piece(milliseconds: passed, decimetres: 0))
            return
        }
        place = report.place
        add(Drive.Piece(milliseconds: passed, decimetres: Int64((metres * 10).rounded())))
    }

    /// Advances the meter to the end of the ride.
    package mutating func stop(at moment: Moment) {
        let passed = moment.milliseconds - at.milliseconds
        guard passed > 0 else { return }
        at = moment
        add(Drive.Piece(milliseconds: passed, decimetres: 0))
    }

    /// The drive measured so far.
    package var drive: Drive { Drive([slow, fast]) }

    private mutating func add(_ piece: Drive.Piece) {
        precondition(piece.milliseconds > 0 && piece.decimetres >= 0, "A meter ran backwards.")
        if tariff?.timeCounts(in: piece) ?? false {
            slow = slow.adding(piece)
        } else {
            fast = fast.adding(piece)
        }
    }
}

extension Drive.Piece {
    fileprivate func adding(_ other: Drive.Piece) -> Drive.Piece {
        Drive.Piece(
            milliseconds: milliseconds + other.milliseconds,
            decimetres: decimetres + other.decimetres
        )
    }
}
