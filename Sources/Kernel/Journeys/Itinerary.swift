public import Chronology
public import Transit

/// An answer: how to get there, leg by leg.
public struct Itinerary: Sendable, Equatable {
    /// When it begins.
    public var departure: Instant
    /// When it ends.
    public var arrival: Instant
    /// Its legs in order.
    public var legs: [Leg]

    /// How many times riders change: trips minus one, never below 0.
    public var transfers: Int {
        max(0, legs.reduce(0) { $0 + ($1.ride == nil ? 0 : 1) } - 1)
    }

    /// Metres walked.
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
    /// When it begins.
    public var departure: Instant
    /// When it ends.
    public var arrival: Instant
    /// Where it begins: a stop, or nil for the journey's origin.
    public var from: StopIndex?
    /// Where it ends: a stop, or nil for the journey's destination.
    public var to: StopIndex?
    /// How long it is, in metres.
    public var metres: UInt32
    /// By which means.
    public var means: Means

    /// The ride; nil where it is under one's own power.
    public var ride: RideLeg? {
        guard case .ride(let ride) = means else { return nil }
        return ride
    }
}

/// The means of a leg.
public enum Means: Sendable, Equatable {
    /// On foot, or in a wheelchair.
    case walk
    /// On one's own bicycle.
    case bicycle
    /// In one's own car.
    case car
    /// In a vehicle of public transport.
    case ride(RideLeg)
}

/// What is particular to a leg in a vehicle.
public struct RideLeg: Sendable, Equatable {
    /// The trip that riders board.
    public var trip: TripIndex
    /// Its route.
    public var route: RouteIndex
    /// What kind of vehicle it is.
    public var mode: TransitMode
    /// What the vehicle shows where riders board, as a number of ``Timetable/texts``.
    public var headsign: UInt32
    /// Whether it runs at a headway and not to these exact times.
    public var isApproximate: Bool
    /// Whether boarding needs a call or a word with the driver.
    public var isByArrangement: Bool
    /// The run's row.
    public var run: RunIndex
    /// The pattern's row.
    public var pattern: UInt32
    /// The positions of the pattern from boarding to alighting.
    public var positions: Range<Int>
    /// The service day.
    public var day: CivilDate
}
