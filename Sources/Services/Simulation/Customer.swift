package import Chronology
package import Geo

/// Somebody who wants to be driven on the simulated day.
package struct Customer: Sendable {
    /// When he asks; for a reservation, the hour for which he asks.
    package var at: Moment
    /// Where he waits.
    package var origin: Coordinate
    /// Where he wants to go.
    package var destination: Coordinate
    /// With how many, himself included: 1 to 16.
    package var passengers: UInt8
    /// How long before the hour he books; nil when he wants a taxi at once.
    package var bookedAhead: Int64?
    /// Whether he shares his ride.
    package var isSharing = false
    /// Whether he travels in a wheelchair.
    package var inWheelchair = false
    /// Whether he has no account.
    package var isGuest = false
    /// Whether he says where he wants to go.
    package var namesDestination = true
    /// Whether he does not come.
    package var staysAway = false
    /// After how many seconds he cancels, if he still may; nil if he never does.
    package var patience: Int64?

    /// Somebody who wants to be driven from a place to a place.
    package init(
        at moment: Moment,
        origin: Coordinate,
        destination: Coordinate,
        passengers: UInt8
    ) {
        at = moment
        self.origin = origin
        self.destination = destination
        self.passengers = passengers
    }
}
