public import Chronology
public import Geo
public import Transit

/// An answer: how to get there, leg by leg.
public struct Itinerary: Sendable, Equatable {
    /// The time at which the itinerary begins.
    public var departure: Instant
    /// The time at which the itinerary ends.
    public var arrival: Instant
    /// The legs in order of travel.
    public var legs: [Leg]

    /// The number of transfers: trips minus one, never below 0.
    public var transfers: Int {
        max(0, legs.reduce(0) { $0 + ($1.ride == nil ? 0 : 1) } - 1)
    }

    /// The total walking distance in metres.
    public var walkMetres: UInt32 {
        legs.reduce(0) { $0 &+ ($1.means == .walk ? $1.metres : 0) }
    }

    /// Metres travelled in all.
    public var metres: UInt32 {
        legs.reduce(0) { $0 &+ $1.metres }
    }
}

/// A part of a journey with one means of transport.
public struct Leg: Sendable, Equatable {
    /// The time at which the leg begins.
    public var departure: Instant
    /// The time at which the leg ends.
    public var arrival: Instant
    /// The stop where it begins; nil at the journey's origin, and where a vehicle is rented or
    /// returned away from stops.
    public var from: StopIndex?
    /// The stop where it ends; nil at the journey's destination, and where a vehicle is rented or
    /// returned away from stops.
    public var to: StopIndex?
    /// The length in metres.
    public var metres: UInt32
    /// The means of transport.
    public var means: Means
    /// Where it begins, if a vehicle is rented or returned there; nil everywhere else.
    public var fromPlace: Coordinate?
    /// Where it ends, if a vehicle is rented or returned there; nil everywhere else.
    public var toPlace: Coordinate?

    /// The ride; nil for a leg on foot, by bicycle, by car, by taxi or by a rented vehicle.
    public var ride: RideLeg? {
        guard case .ride(let ride) = means else { return nil }
        return ride
    }

    /// The rental; nil for a leg by other means.
    public var rental: RentalLeg? {
        guard case .rental(let rental) = means else { return nil }
        return rental
    }

    /// Whether its streets are those that are open at its hour; changes between vehicles and
    /// rentals use those that are open at any hour.
    var isTimed: Bool {
        (from == nil || to == nil) && fromPlace == nil && toPlace == nil
    }
}

/// The means of transport of a leg.
public enum Means: Sendable, Equatable {
    /// On foot, or in a wheelchair.
    case walk
    /// The traveller's own bicycle.
    case bicycle
    /// The traveller's own car.
    case car
    /// By a taxi, which comes so many seconds after the leg begins.
    case taxi(waitSeconds: Int32)
    /// By a vehicle that is rented for the leg.
    case rental(RentalLeg)
    /// In a vehicle of public transport.
    case ride(RideLeg)
}

/// The properties of a leg in a vehicle.
public struct RideLeg: Sendable, Equatable {
    /// The trip that riders board.
    public var trip: TripIndex
    /// The route of the first trip.
    public var route: RouteIndex
    /// The mode of the vehicle.
    public var mode: TransitMode
    /// The headsign where riders board, as a number of ``Timetable/texts``.
    public var headsign: UInt32
    /// Whether it runs at a headway rather than at these exact times.
    public var isApproximate: Bool
    /// Whether boarding has to be arranged by phone or with the driver.
    public var isByArrangement: Bool
    /// The run that is ridden.
    public var run: RunIndex
    /// The pattern of the run.
    public var pattern: PatternIndex
    /// The positions of the pattern from boarding to alighting.
    public var positions: Range<Int>
    /// The service day of the run.
    public var day: CivilDate
}
