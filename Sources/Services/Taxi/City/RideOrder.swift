package import Dispatching
package import Fares
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

    /// The dispatcher's form of the order.
    func form(in zone: ZoneNumber?) -> RequestForm {
        RequestForm(
            passenger: passenger,
            isGuest: isGuest,
            zone: zone,
            needs: needs,
            hasDestination: destination != nil,
            isShared: isShared
        )
    }

    /// Validates the places (R42, R45).
    ///
    /// - Parameter allowedMetres: the accuracy required of a phone's position; -1 for any.
    /// - Throws: the problem of a place.
    func check(allowedMetres: Int64) throws(TaxiService.Failure) {
        try Self.check(origin)
        if let accuracyMetres, allowedMetres >= 0 {
            guard accuracyMetres <= Double(allowedMetres) else {
                throw .positionTooVague(allowedMetres: allowedMetres)
            }
        }
        guard let destination else { return }
        try Self.check(destination)
        guard origin.distanceMetres(to: destination) <= Self.farthest else {
            throw .destinationTooFar
        }
    }

    /// The greatest distance of a destination in metres.
    package static let farthest = 300_000.0

    private static func check(_ place: Coordinate) throws(TaxiService.Failure) {
        guard place.isOnEarth, place.latitude != 0 || place.longitude != 0 else { throw .noPlace }
    }
}

/// The information shown before a request (R46); all of it may be unknown.
package struct RideQuote: Hashable, Sendable {
    /// The zone; nil if the pickup point is outside the city (R41).
    package var zone: ZoneNumber?
    /// The pickup point in readable form.
    package var originDescription: PlaceDescription
    /// The estimated wait in seconds for the first suitable taxi in the zone's queue.
    package var waitSeconds: Int64?
    /// The number of suitable taxis that are queued in the zone.
    package var taxisWaiting: Int
    /// The drive to the destination.
    package var drive: Drive?
    package var fare: FareEstimate?
}
