package import Chronology
package import Fares
package import Geo
package import Streets

/// Asks the streets how long taxis take, and learns from how long they took.
///
/// An actor, since a search through the streets needs a workspace of its own. Without streets
/// everything is unknown, and nothing waits for anything (F14).
package actor DriveDesk {
    /// A drive that lies ahead.
    package struct Ahead: Hashable, Sendable {
        /// As the map has it.
        package var mapped: Drive
        /// In the time that it will really take.
        package var likely: Drive
        /// How much the time may differ.
        package var spread: TimeSpread
    }

    private let arrivals: Arrivals?
    private let zone: ZoneTable
    /// What was learned so far.
    package private(set) var calibration: Calibration

    /// A desk with the streets of a city, or none.
    package init(streets: StreetNetwork?, zone: ZoneTable, calibration: Calibration) {
        arrivals = streets.map { Arrivals($0) }
        self.zone = zone
        self.calibration = calibration
    }

    /// The drive from a place to another that begins then; nil where it is unknown.
    ///
    /// - Parameters:
    ///   - origin: where it begins.
    ///   - destination: where it ends.
    ///   - moment: when it begins.
    ///   - isDetailed: whether street by street, as a fare needs it.
    /// - Returns: the drive as mapped and as likely.
    package func drive(
        from origin: Coordinate,
        to destination: Coordinate,
        at moment: Moment,
        isDetailed: Bool = false
    ) -> Ahead? {
        guard let arrivals else { return nil }
        let found =
            isDetailed
            ? arrivals.course(from: origin, to: destination)
            : arrivals.drive(from: origin, to: destination)
        guard let mapped = found else { return nil }
        let time = LocalTime(moment.instant, in: zone)
        return Ahead(
            mapped: mapped,
            likely: calibration.corrected(mapped, at: time),
            spread: calibration.spread(decimetres: mapped.decimetres)
        )
    }

    /// What it means for everybody when somebody joins a shared ride; nil where unknown.
    package func sharing(_ ride: SharedWay.Ride, joinedBy joiner: SharedWay.Sharer) -> SharedWay? {
        arrivals?.sharing(ride, joinedBy: joiner)
    }

    /// What would be known after some drives to meeting points ended, for keeping it first.
    func taught(by drives: [Driven]) -> Calibration {
        var taught = calibration
        for drive in drives {
            let time = LocalTime(drive.began.instant, in: zone)
            taught.learn(mapped: drive.mapped, real: drive.milliseconds, at: time)
        }
        return taught
    }

    /// Goes by what was learned and kept.
    func adopt(_ calibration: Calibration) {
        self.calibration = calibration
    }

    /// A drive to a meeting point that ended.
    struct Driven: Sendable {
        var mapped: Drive
        var began: Moment
        var milliseconds: Int64
    }
}

extension Moment {
    /// The whole second that it lies in.
    var instant: Instant {
        Instant(seconds: milliseconds / 1_000)
    }
}
