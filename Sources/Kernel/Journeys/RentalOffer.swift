public import Chronology
public import Geo
public import Streets

/// Vehicles for rent around one end of a journey by public transport, and where each of them may
/// be returned.
///
/// They lead to the first stop or from the last one: a walk, a ride and a walk. What a system
/// knows and allows (free docks, areas, parking rules) is settled by the caller. A vehicle is
/// returned only at one of the places that are named for it, never anywhere else in the street.
public struct RentalOffer: Sendable {
    /// The kind of vehicle, by a number of the caller's own.
    public var kind: UInt8
    /// The profile whose streets it rides on.
    public var profile: Profile
    /// How long renting takes before the ride, and returning after it, in seconds for each.
    public var handlingSeconds: Int32
    /// The greatest length of a ride, in metres.
    public var rideMetresLimit: UInt32
    /// When a rental may begin.
    public var moments: ClosedRange<Instant>
    /// When nobody rides; a ride may end when such a span begins, and begin when it ends.
    public var closures: [Range<Instant>] = []
    /// The vehicles.
    public var vehicles: [Vehicle] = []
    /// The places where some vehicle may be returned.
    public var ends: [Coordinate] = []

    /// An offer without vehicles.
    public init(
        kind: UInt8,
        profile: Profile,
        handlingSeconds: Int32,
        rideMetresLimit: UInt32,
        moments: ClosedRange<Instant>
    ) {
        precondition(handlingSeconds >= 0, "renting cannot take less than no time")
        self.kind = kind
        self.profile = profile
        self.handlingSeconds = handlingSeconds
        self.rideMetresLimit = rideMetresLimit
        self.moments = moments
    }

    /// A vehicle, or several of one type at a station.
    public struct Vehicle: Sendable, Hashable {
        /// Where it stands.
        public var place: Coordinate
        /// How many metres it goes; nil for any number.
        public var rangeMetres: UInt32?
        /// What it emits for all travellers, in micrograms of CO2 equivalent per metre; nil if that
        /// is unknown.
        public var microgramsPerMetre: Int64?
        /// Where it may be returned, as positions in ``RentalOffer/ends``; never where it stands.
        public var ends: [Int]

        /// A vehicle; by default with any range and unknown emissions.
        public init(
            at place: Coordinate,
            rangeMetres: UInt32? = nil,
            microgramsPerMetre: Int64? = nil,
            ends: [Int]
        ) {
            self.place = place
            self.rangeMetres = rangeMetres
            self.microgramsPerMetre = microgramsPerMetre
            self.ends = ends
        }
    }
}

/// The properties of a leg in a rented vehicle.
public struct RentalLeg: Sendable, Equatable {
    /// The kind of vehicle, as the offer numbers it.
    public var kind: UInt8
    /// The profile whose streets it rides on.
    public var profile: Profile
    /// The vehicle, as a position in ``RentalOffer/vehicles``.
    public var vehicle: Int
    /// Where it is returned, as a position in ``RentalOffer/ends``.
    public var end: Int
    /// The seconds at the leg's beginning in which it is rented, and as many at its end in which it
    /// is returned.
    public var handlingSeconds: Int32
    /// What it emits, in micrograms per metre; nil if that is unknown.
    public var microgramsPerMetre: Int64?
}
