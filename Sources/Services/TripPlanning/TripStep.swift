package import Chronology
package import Geo
package import Transit

/// One leg of an option, with all that a page, the command line and JSON show of it.
package struct TripStep: Sendable, Equatable {
    /// The means of this leg.
    package var kind: TripKind
    /// The name of the place or stop where it begins.
    package var fromName: String
    /// The name of the place or stop where it ends.
    package var toName: String
    /// The stop where it begins; nil at the origin of the trip.
    package var from: TripStop?
    /// The stop where it ends; nil at the destination of the trip.
    package var to: TripStop?
    /// When it begins.
    package var departure: Instant
    /// When it ends.
    package var arrival: Instant
    /// How long it is, in metres.
    package var metres: UInt32
    /// The line on the map: of a ride along the shape of its trip, of other legs along the
    /// streets, straight where neither is known.
    package var geometry: [Coordinate]
    /// The streets of a leg on streets, in order; empty for rides and inside stations.
    package var streets: [TripStreet]
    /// How far it leads straight from an islet to the street, where the map knows no way, in
    /// metres; 0 from other places.
    package var straightStartMetres: UInt32 = 0
    /// How far it leads straight from the street to an islet, in metres; 0 to other places.
    package var straightEndMetres: UInt32 = 0
    /// The ride; nil for a leg on streets.
    package var ride: TripRide?

    /// Creates a leg.
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

    /// How long it takes, in seconds.
    package var seconds: Int64 { arrival.seconds - departure.seconds }
}

/// A street of a leg, as far as it is followed.
package struct TripStreet: Sendable, Equatable {
    /// Its name; "" where it has none.
    package var name: String
    /// How long it is followed, in metres.
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
    /// Its number in the city file.
    package var index: StopIndex
    /// The feed's identifier.
    package var id: String
    /// The name of the feed.
    package var feed: String
    /// Its name, in the wanted language where the feed has it.
    package var name: String
    /// The code of the platform; nil where the feed does not state it.
    package var platform: String?
    /// Its position; nil where the feed does not state it.
    package var coordinate: Coordinate?
    /// Whether it takes wheelchairs; nil where the feed does not state it.
    package var wheelchair: Bool?
    /// When a ride arrives; nil where the stop is no part of a ride.
    package var arrival: Instant?
    /// When it departs; nil where the stop is no part of a ride.
    package var departure: Instant?
}

/// A ride on one vehicle, or the part of it that one trip of the timetable makes.
package struct TripRide: Sendable, Equatable {
    /// The kind of vehicle.
    package var mode: TransitMode
    /// The feed's identifier of the route.
    package var routeID: String
    /// The short name of the line; "" where it has none.
    package var shortName: String
    /// The long name of the line; "" where it has none.
    package var longName: String
    /// The line's colour as 0xRRGGBB; nil where the feed does not state it.
    package var color: UInt32?
    /// The colour of text on ``color``; nil where the feed does not state it.
    package var textColor: UInt32?
    /// The name of the agency.
    package var agency: String
    /// What the vehicle shows as its destination; "" where the feed does not say.
    package var headsign: String
    /// The feed's identifier of the trip.
    package var tripID: String
    /// The trip's name for passengers, such as a train number; nil where it has none.
    package var tripName: String?
    /// Whether the vehicle takes wheelchairs; nil where the feed does not state it.
    package var wheelchair: Bool?
    /// Whether it takes bicycles; nil where the feed does not state it.
    package var bikes: Bool?
    /// The service day of the trip.
    package var serviceDay: CivilDate
    /// Whether it runs at a headway and not to these exact times.
    package var isApproximate: Bool
    /// Whether boarding has to be arranged by phone or with the driver.
    package var isByArrangement: Bool
    /// The stops from boarding to alighting, with their times; at least two.
    package var stops: [TripStop]
    /// The trips that the vehicle continues as while riders stay seated, each with its stops from
    /// where it begins.
    package var continuations: [TripRide]

    /// The short name of the line, otherwise the long one.
    package var lineName: String { shortName.isEmpty ? longName : shortName }
}
