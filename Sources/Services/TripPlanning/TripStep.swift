package import Chronology
package import Geo
package import Transit

/// One leg of an option, with everything that pages, the command line and JSON show of it.
package struct TripStep: Sendable, Equatable {
    /// The means of travel of this leg.
    package var kind: TripKind
    /// The name of the place or stop where it begins.
    package var fromName: String
    /// The name of the place or stop where it ends.
    package var toName: String
    /// The stop where it begins; nil at the origin of the trip.
    package var from: TripStop?
    /// The stop where it ends; nil at the destination of the trip.
    package var to: TripStop?
    /// When the leg begins.
    package var departure: Instant
    /// When the leg ends.
    package var arrival: Instant
    /// The length in metres.
    package var metres: UInt32
    /// The line on the map: for a ride along the shape of its trip, for other legs along the
    /// streets; straight if neither is known.
    package var geometry: [Coordinate]
    /// The streets of a leg on streets, in order; empty for rides and for walks inside stations.
    package var streets: [TripStreet]
    /// The length of the straight line from an islet to the street, where the map knows no way, in
    /// metres; 0 from other places.
    package var straightStartMetres: UInt32 = 0
    /// The length of the straight line from the street to an islet, in metres; 0 to other places.
    package var straightEndMetres: UInt32 = 0
    /// The metres of a walk in the rain on which people stay dry; 0 if it does not rain.
    package var shelteredMetres: UInt32 = 0
    /// How much longer a drive takes than the quickest without traffic, in seconds.
    package var trafficSeconds: Int64 = 0
    /// The ride; nil for a leg on streets.
    package var ride: TripRide?
    /// The rental of a shared vehicle; nil for all other legs.
    package var rental: TripRental?

    /// Creates a leg without straight lines.
    package init(
        kind: TripKind,
        fromName: String,
        toName: String,
        from: TripStop? = nil,
        to: TripStop? = nil,
        departure: Instant,
        arrival: Instant,
        metres: UInt32,
        geometry: [Coordinate] = [],
        streets: [TripStreet] = [],
        ride: TripRide? = nil
    ) {
        self.kind = kind
        self.fromName = fromName
        self.toName = toName
        self.from = from
        self.to = to
        self.departure = departure
        self.arrival = arrival
        self.metres = metres
        self.geometry = geometry
        self.streets = streets
        self.ride = ride
    }

    /// The duration in seconds.
    package var seconds: Int64 { arrival.seconds - departure.seconds }
}

/// A street of a leg, and how far the leg follows it.
package struct TripStreet: Sendable, Equatable {
    /// Its name; "" where it has none.
    package var name: String
    /// The metres along it.
    package var metres: Double
    /// The turn onto it; nil for the first street.
    package var turn: TripTurn?
}

/// A turn from one street onto another.
package enum TripTurn: String, Sendable, CaseIterable {
    case straight, slightLeft, slightRight, left, right, sharpLeft, sharpRight, back
}

/// A stop of public transport.
package struct TripStop: Sendable, Equatable {
    /// The row in the timetable.
    package var index: StopIndex
    /// The feed's identifier.
    package var id: String
    /// The name of the feed.
    package var feed: String
    /// Its name, in the requested language if the feed has it.
    package var name: String
    /// The code of the platform; nil if the feed states none.
    package var platform: String?
    /// Its position; nil if the feed states none.
    package var coordinate: Coordinate?
    /// Whether it is accessible by wheelchair; nil if the feed does not state it.
    package var wheelchair: Bool?
    /// When a ride arrives; nil if the stop is not part of a ride.
    package var arrival: Instant?
    /// When a ride departs; nil if the stop is not part of a ride.
    package var departure: Instant?
}

/// A ride on one vehicle, or the part of it that belongs to one trip of the timetable.
package struct TripRide: Sendable, Equatable {
    /// The kind of vehicle.
    package var mode: TransitMode
    /// The row of the route in the timetable.
    package var route: RouteIndex
    /// The feed's identifier of the route.
    package var routeID: String
    /// The short name of the line; "" if it has none.
    package var shortName: String
    /// The long name of the line; "" if it has none.
    package var longName: String
    /// The line's colour as 0xRRGGBB; nil if the feed states none.
    package var color: UInt32?
    /// The colour of text on ``color``; nil if the feed states none.
    package var textColor: UInt32?
    /// The name of the agency.
    package var agency: String
    /// The destination that the vehicle shows; "" if the feed states none.
    package var headsign: String
    /// The feed's identifier of the trip.
    package var tripID: String
    /// The trip's name for passengers, such as a train number; nil if it has none.
    package var tripName: String?
    /// Whether the vehicle is accessible by wheelchair; nil if the feed does not state it.
    package var wheelchair: Bool?
    /// Whether it takes bicycles; nil if the feed does not state it.
    package var bikes: Bool?
    /// The service day of the trip.
    package var serviceDay: CivilDate
    /// Whether it runs at a headway rather than at these exact times.
    package var isApproximate: Bool
    /// Whether boarding has to be arranged by phone or with the driver.
    package var isByArrangement: Bool
    /// The stops from boarding to alighting, with their times; at least two.
    package var stops: [TripStop]
    /// The trips that the vehicle continues as while riders stay seated, each with the stops from
    /// its beginning on.
    package var continuations: [TripRide]
    /// The metres of the whole ride by the modes of its trips; empty for a continuation.
    package var stretches: [RideStretch] = []

    /// The short name of the line, otherwise the long one.
    package var lineName: String { shortName.isEmpty ? longName : shortName }
}
