package import Chronology
package import Geo

/// A ride as the tariff sees it: when and where it began and ended, and what was driven.
package struct Course: Hashable, Sendable {
    /// When the meter was started; day, night, holiday and the tariff in force go by it.
    package var start: Instant
    /// What was driven.
    package var drive: Drive
    /// Where it began; nil where that is unknown, and then no fixed fare holds.
    package var origin: End?
    /// Where it ended or is to end; nil where that is unknown.
    package var destination: End?
    /// How often each surcharge's reason was given, such as 2 for `luggage`.
    ///
    /// Reasons that the tariff does not name cost nothing.
    package var extras: [String: Int64]

    /// An end of a ride.
    package struct End: Hashable, Sendable {
        /// Where it is.
        package var place: Coordinate
        /// The name of the taxi zone that it lies in; nil outside all.
        package var zone: String?

        /// An end at a place in a zone.
        package init(_ place: Coordinate, zone: String? = nil) {
            self.place = place
            self.zone = zone
        }
    }

    /// A ride with all that is known of it.
    package init(
        start: Instant,
        drive: Drive,
        from origin: End? = nil,
        to destination: End? = nil,
        extras: [String: Int64] = [:]
    ) {
        self.start = start
        self.drive = drive
        self.origin = origin
        self.destination = destination
        self.extras = extras
    }
}
