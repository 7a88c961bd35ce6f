package import Dispatching
package import Geo

/// A passenger's order with places, which only the service knows.
package struct RideOrder: Hashable, Sendable {
    package var passenger: PassengerNumber
    /// Whether the passenger has no account.
    package var isGuest = false
    /// The pickup point.
    package var origin: Coordinate
    /// The accuracy in metres of a phone's position (R45); nil for an address or a point on the map
    /// that the passenger confirmed.
    package var accuracyMetres: Double?
    /// The pickup address that the passenger confirmed; nil to look it up.
    package var originDescription: String?
    /// The destination, if given.
    package var destination: Coordinate?
    /// The destination address that the passenger confirmed; nil to look it up.
    package var destinationDescription: String?
    /// The required seats and wheelchair space.
    package var needs: Capacity
    /// Whether others may share the ride.
    package var isShared = false

    /// Creates an order to a pickup point.
    package init(
        _ passenger: PassengerNumber,
        from origin: Coordinate,
        to destination: Coordinate? = nil,
        needs: Capacity = Capacity(seats: 1)
    ) {
        self.passenger = passenger
        self.origin = origin
        self.destination = destination
        self.needs = needs
    }
}
