package import Chronology
package import Fares
package import Geo
package import Streets

/// Estimates driving times from the streets and calibrates them by actual drives.
///
/// It is an actor because a street search needs an exclusive workspace. Without streets all results
/// are unknown and returned at once (F14).
package actor DriveTimeEstimator {
    /// An estimate of a future drive.
    package struct Ahead: Hashable, Sendable {
        /// The drive according to the map.
        package var mapped: Drive
        /// The drive with the calibrated duration.
        package var likely: Drive
        /// The uncertainty of the duration.
        package var spread: TimeSpread
    }

    private var arrivals: Arrivals?
    private let zone: ZoneTable
    /// The calibration learned so far.
    package private(set) var calibration: Calibration

    /// Creates an estimator with or without the streets of a city.
    package init(streets: StreetNetwork?, zone: ZoneTable, calibration: Calibration) {
        arrivals = streets.map { Arrivals($0) }
        self.zone = zone
        self.calibration = calibration
    }

    /// Switches to the streets of a new city file; estimates in progress finish on the old ones.
    ///
    /// The caller makes the workspace, which takes a while in a large city: nobody waits for it.
    package func renew(_ arrivals: sending Arrivals) {
        self.arrivals = arrivals
    }

    /// Estimates the drive between two places; nil if unknown.
    ///
    /// - Parameters:
    ///   - origin: the start of the drive.
    ///   - destination: the end of the drive.
    ///   - moment: the departure time.
    ///   - isDetailed: whether to include each street, as fares need.
    /// - Returns: the drive according to the map and with its calibrated duration.
    package func drive(
        from origin: Coordinate,
        to destination: Coordinate,
        at moment: Moment,
        isDetailed: Bool = false
    ) -> Ahead? {
        guard let arrivals else { return nil }
        let found =
            isDetailed
            ? arrivals.detailedDrive(from: origin, to: destination)
            : arrivals.drive(from: origin, to: destination)
        guard let mapped = found else { return nil }
        let time = LocalTime(moment.instant, in: zone)
        return Ahead(
            mapped: mapped,
            likely: calibration.corrected(mapped, at: time),
            spread: calibration.spread(decimetres: mapped.decimetres)
        )
    }

    /// Returns the fastest way between two places, for maps; nil if unknown.
    package func way(
        from origin: Coordinate,
        to destination: Coordinate
    ) -> [Coordinate]? {
        arrivals?.geometry(from: origin, to: destination)
    }

    /// Returns the fastest drive with its turns; nil if unknown.
    ///
    /// Parameters are those of `Arrivals.guidedWay`.
    package func guidedWay(
        from origin: Coordinate,
        heading: Double?,
        to destination: Coordinate
    ) -> GuidedWay? {
        arrivals?.guidedWay(from: origin, heading: heading, to: destination)
    }

    /// Computes the effects of a joiner on a shared ride; nil if unknown.
    package func sharing(_ ride: SharedWay.Ride, joinedBy joiner: SharedWay.Sharer) -> SharedWay? {
        arrivals?.sharing(ride, joinedBy: joiner)
    }

    /// Returns the calibration after further drives to pickup points, to be stored before use.
    func taught(by drives: [Driven]) -> Calibration {
        var taught = calibration
        for drive in drives {
            let time = LocalTime(drive.began.instant, in: zone)
            taught.learn(mapped: drive.mapped, real: drive.milliseconds, at: time)
        }
        return taught
    }

    /// Replaces the calibration after it was stored.
    func adopt(_ calibration: Calibration) {
        self.calibration = calibration
    }

    /// A completed drive to a pickup point.
    struct Driven: Sendable {
        var mapped: Drive
        var began: Moment
        var milliseconds: Int64
    }
}

extension Moment {
    /// The instant rounded down to whole seconds.
    var instant: Instant {
        Instant(seconds: milliseconds / 1_000)
    }
}
