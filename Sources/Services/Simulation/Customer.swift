package import Chronology
package import Geo

/// A passenger of the simulated day.
package struct Customer: Sendable {
    /// The time of the request or, for a reservation, the reserved time.
    package var at: Moment
    package var origin: Coordinate
    /// Where the passenger wants to go; nil if the record of the trip does not say.
    package var destination: Coordinate?
    /// The size of the party, 1 to 16.
    package var passengers: UInt8
    /// How long before the reserved time the reservation is made; nil for an immediate request.
    package var bookedAhead: Int64?
    /// Whether the passenger shares the ride.
    package var isSharing = false
    /// Whether the passenger uses a wheelchair.
    package var inWheelchair = false
    /// Whether the passenger has no account.
    package var isGuest = false
    /// Whether the passenger gives a destination.
    package var namesDestination = true
    /// Whether the passenger will not be at the pickup point.
    package var staysAway = false
    /// The seconds after which the passenger cancels, if still permitted; nil for never.
    package var patience: Int64?

    /// Creates a passenger with a way between two places, of which the second may be unknown.
    package init(
        at moment: Moment,
        origin: Coordinate,
        destination: Coordinate?,
        passengers: UInt8
    ) {
        at = moment
        self.origin = origin
        self.destination = destination
        self.passengers = passengers
    }
}
