package import Chronology
package import Geo

/// The input of a tariff: when and where a ride began and ended, and its drive.
package struct TariffInput: Hashable, Sendable {
    /// When the meter was started, which determines the tariff and its day, night
    /// or holiday charges.
    package var start: Instant
    package var drive: Drive
    /// The start; nil if unknown, in which case no fixed fare applies.
    package var origin: End?
    /// The actual or planned end; nil if unknown.
    package var destination: End?
    /// The number of occurrences of each surcharge, such as 2 for `luggage`.
    ///
    /// Surcharges that the tariff does not name cost nothing.
    package var extras: [String: Int64]

    /// The start or end of a ride.
    package struct End: Hashable, Sendable {
        package var place: Coordinate
        /// The name of the taxi zone that contains it; nil outside all zones.
        package var zone: String?

        /// Creates an end at a place in a zone.
        package init(_ place: Coordinate, zone: String? = nil) {
            self.place = place
            self.zone = zone
        }
    }

    /// Creates a ride with all known data.
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
