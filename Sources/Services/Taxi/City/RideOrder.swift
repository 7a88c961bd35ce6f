package import Dispatching
package import Fares
package import Geo

/// What a passenger asks for, with the places that only the service knows.
package struct RideOrder: Hashable, Sendable {
    /// Who asks.
    package var passenger: PassengerNumber
    /// Whether he has no account.
    package var isGuest = false
    /// Where he wants to be met.
    package var origin: Coordinate
    /// How exact that is, in metres, where a phone's position was taken (R45); nil for an address
    /// or a point on the map that he confirmed.
    package var accuracyMetres: Double?
    /// Its address as he confirmed it; nil to have it looked up.
    package var originWords: String?
    /// Where he wants to go.
    package var destination: Coordinate?
    /// Its address as he confirmed it; nil to have it looked up.
    package var destinationWords: String?
    /// Seats and room.
    package var needs: Capacity
    /// Whether others may share the ride.
    package var isShared = false

    /// An order of a taxi to a place.
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

    /// What the dispatcher is asked.
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

    /// Checks the places (R42, R45).
    ///
    /// - Parameter allowedMetres: how exact a phone's position must be; -1 for any.
    /// - Throws: what is wrong with a place.
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

    /// The furthest that a destination may be, in metres.
    package static let farthest = 300_000.0

    private static func check(_ place: Coordinate) throws(TaxiService.Failure) {
        guard place.isOnEarth, place.latitude != 0 || place.longitude != 0 else { throw .noPlace }
    }
}

/// What a passenger is told before he asks (R46): all of it may be unknown.
package struct RideQuote: Hashable, Sendable {
    /// The zone; nil where the meeting point lies outside the city (R41).
    package var zone: ZoneNumber?
    /// What the meeting point is called.
    package var originWords: PlaceWords
    /// In how many seconds the first taxi of the zone's queue that can carry him could be there.
    package var waitSeconds: Int64?
    /// How many taxis wait in the zone that can carry what he needs.
    package var taxisWaiting: Int
    /// The drive to the destination.
    package var drive: Drive?
    /// What it will cost.
    package var fare: FareEstimate?
}
