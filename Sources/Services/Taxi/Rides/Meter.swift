package import Chronology
package import Fares
package import Geo
package import Positions

/// What a taxi has driven with its passengers aboard, as its positions show.
///
/// Only sums are kept: a tariff counts time where a taxi is slow and distance where it is fast,
/// and two sums of slow pieces, or of fast ones, are a slow or a fast piece again. So the fare
/// is the same as of all pieces, and the memory does not grow.
package struct Meter: Hashable, Sendable {
    /// The pieces in which time counts, added up.
    package private(set) var slow = Drive.Piece(milliseconds: 0, decimetres: 0)
    /// The pieces in which distance counts, added up.
    package private(set) var fast = Drive.Piece(milliseconds: 0, decimetres: 0)
    /// When it was last moved on.
    package private(set) var at: Moment
    /// Where the taxi was last seen to be elsewhere; nil before it was seen.
    package private(set) var place: Coordinate?
    /// Which pieces are slow; nil where no tariff is in force.
    private let tariff: Tariff?

    /// Nearer than that a taxi counts as standing, in metres: phones tremble.
    static let tremble = 10.0

    /// A meter that starts.
    package init(at moment: Moment, place: Coordinate?, tariff: Tariff?) {
        at = moment
        self.place = place
        self.tariff = tariff
    }

    /// A meter that was kept over a restart.
    init(slow: Drive.Piece, fast: Drive.Piece, at: Moment, place: Coordinate?, tariff: Tariff?) {
        self.init(at: at, place: place, tariff: tariff)
        self.slow = slow
        self.fast = fast
    }

    /// Moves on to where the taxi was reported to be.
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

    /// Moves on to the end of the ride.
    package mutating func stop(at moment: Moment) {
        let passed = moment.milliseconds - at.milliseconds
        guard passed > 0 else { return }
        at = moment
        add(Drive.Piece(milliseconds: passed, decimetres: 0))
    }

    /// What was driven so far.
    package var drive: Drive { Drive([slow, fast]) }

    private mutating func add(_ piece: Drive.Piece) {
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
