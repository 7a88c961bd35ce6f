package import Chronology
package import CityData
package import Journeys
import Transit

/// A question: how to get from one place to another.
package struct TripQuestion: Sendable, Equatable {
    /// The permitted values of ``windowSeconds``.
    package static let windowLimits: ClosedRange<Int32> = 0...86_400

    /// Where the trip begins.
    package var from: ResolvedPlace
    /// Where the trip ends.
    package var to: ResolvedPlace
    /// The earliest departure, or the latest arrival.
    package var time: Instant
    /// Whether ``time`` is the latest arrival.
    package var isArriveBy: Bool
    /// The means of travel to choose from.
    package var modes: TripModes
    /// The greatest number of transfers.
    package var maxTransfers: Int
    /// The greatest total length of all walks, in metres; nil for no limit.
    package var maxWalkMetres: UInt32?
    /// Whether the traveller uses a wheelchair.
    package var wheelchair: Bool
    /// How many seconds after ``time`` (or before it, to arrive by then) further journeys by public
    /// transport may leave; nil for only the best ones at ``time``.
    package var windowSeconds: Int32?
    /// The language of names of stops and lines (BCP 47); nil for the feeds' own.
    package var language: String?
    /// The number of people who travel together; the trip is priced for all of them.
    package var party = 1
    /// The identifiers of the fare products that one of the travellers owns (V80).
    package var passes: [String] = []
    /// What the traveller cares about most; nil leaves the usual order (V68).
    ///
    /// For those who care about prices or emissions, trips by public transport are also looked for
    /// that cost or emit less and take longer; not within a window.
    package var preference: TripPreference?
    /// The most that the trip may cost and emit (V74).
    ///
    /// The search for trips by public transport keeps to these limits on money and emissions. Other
    /// means are left out by them afterwards, with a reason.
    package var limits = TripLimits()
    /// When modes are not used (V72).
    package var avoided: [ModeHours] = []
    /// Whether nobody cycles in rain, or where the forecast does not exclude it (V70).
    package var avoidsRain = false
    /// The most minutes outdoors in the rain; nil for any.
    package var maxWetMinutes: Int64?
    /// The limits that may be given up if no trip keeps to all of them, the first one first; empty
    /// keeps to all of them (V52).
    package var relaxing: [TripConstraint] = []
    /// Whether trips that emit less are looked for, even if they take longer.
    var comparesEmissions: Bool { preference == .green && windowSeconds == nil }
    /// Whether trips that cost less are looked for, even if they take longer.
    var comparesPrices: Bool {
        switch preference {
        case .cheap, .balanced: windowSeconds == nil
        case .quick, .green, nil: false
        }
    }

    /// Creates a question; parameters that are left out have their defaults.
    package init(
        from: ResolvedPlace,
        to: ResolvedPlace,
        time: Instant,
        isArriveBy: Bool = false,
        modes: TripModes = TripModes(),
        maxTransfers: Int = JourneyQuery.defaultMaxTransfers,
        maxWalkMetres: UInt32? = nil,
        wheelchair: Bool = false,
        windowSeconds: Int32? = nil,
        language: String? = nil
    ) {
        self.from = from
        self.to = to
        self.time = time
        self.isArriveBy = isArriveBy
        self.modes = modes
        self.maxTransfers = maxTransfers
        self.maxWalkMetres = maxWalkMetres
        self.wheelchair = wheelchair
        self.windowSeconds = windowSeconds
        self.language = language
    }

    /// The query for the planner about some means of travel.
    ///
    /// - Parameters:
    ///   - from: the endpoint of ``from``.
    ///   - to: the endpoint of ``to``.
    ///   - modes: the means.
    /// - Returns: the query.
    package func query(
        from: Endpoint,
        to: Endpoint,
        _ modes: TravelModes
    ) -> JourneyQuery {
        JourneyQuery(
            from: from,
            to: to,
            time: time,
            isArriveBy: isArriveBy,
            maxTransfers: maxTransfers,
            maxWalkMetres: maxWalkMetres,
            modes: modes,
            wheelchair: wheelchair
        )
    }
}

/// The means of travel that people want to choose from.
package struct TripModes: Sendable, Hashable {
    /// Whether to walk all the way; walks to and from stops are always permitted.
    package var walk: Bool
    /// Whether to cycle, all the way or to the first stop.
    package var bicycle: Bool
    /// Whether to drive, all the way or to the first stop.
    package var car: Bool
    /// Whether to take a taxi.
    package var taxi: Bool
    /// The vehicles of public transport, as a set of `TransitMode.bit`.
    package var transit: UInt32
    /// Whether to ride a shared bicycle.
    package var bikeshare = false
    /// Whether to ride a shared scooter.
    package var scooter = false
    /// Whether to drive a shared car.
    package var carshare = false

    /// Creates a choice of means; by default walking and all of public transport.
    package init(
        walk: Bool = true,
        bicycle: Bool = false,
        car: Bool = false,
        taxi: Bool = false,
        transit: UInt32 = TransitMode.all
    ) {
        self.walk = walk
        self.bicycle = bicycle
        self.car = car
        self.taxi = taxi
        self.transit = transit
    }

    /// The kinds of shared vehicles among the means.
    package var shared: [TripKind] {
        [bikeshare ? .bikeshare : nil, scooter ? .scooter : nil, carshare ? .carshare : nil]
            .compactMap(\.self)
    }

    /// All kinds of trips among the means, in the order of answers.
    package var kinds: [TripKind] {
        TripKind.allCases.filter { kind in
            switch kind {
            case .transit: transit != 0
            case .walk: walk
            case .bicycle: bicycle
            case .bikeshare: bikeshare
            case .scooter: scooter
            case .car: car
            case .carshare: carshare
            case .taxi: taxi
            }
        }
    }

    /// The means that the planner supports: all but the taxi and shared vehicles.
    package var vehicles: TravelModes {
        TravelModes(walk: walk, bicycle: bicycle, car: car, transit: transit)
    }

    /// The means of both choices.
    package func union(_ other: TripModes) -> TripModes {
        var modes = TripModes(
            walk: walk || other.walk,
            bicycle: bicycle || other.bicycle,
            car: car || other.car,
            taxi: taxi || other.taxi,
            transit: transit | other.transit
        )
        modes.bikeshare = bikeshare || other.bikeshare
        modes.scooter = scooter || other.scooter
        modes.carshare = carshare || other.carshare
        return modes
    }

    /// The means with those of some kinds as well.
    package func with(_ kinds: some Sequence<TripKind>) -> TripModes {
        var modes = self
        for kind in kinds {
            switch kind {
            case .transit: modes.transit = TransitMode.all
            case .walk: modes.walk = true
            case .bicycle: modes.bicycle = true
            case .bikeshare: modes.bikeshare = true
            case .scooter: modes.scooter = true
            case .car: modes.car = true
            case .carshare: modes.carshare = true
            case .taxi: modes.taxi = true
            }
        }
        return modes
    }

    /// Removes the means of a kind of trips.
    package mutating func remove(_ kind: TripKind) {
        switch kind {
        case .transit: transit = 0
        case .walk: walk = false
        case .bicycle: bicycle = false
        case .bikeshare: bikeshare = false
        case .scooter: scooter = false
        case .car: car = false
        case .carshare: carshare = false
        case .taxi: taxi = false
        }
    }

    /// All means of travel.
    package static let all = TripModes(walk: false, transit: 0).with(TripKind.allCases)
}

/// A means of travel.
package enum TripKind: String, Sendable, Hashable, CaseIterable {
    /// By public transport.
    case transit
    /// On foot, or in a wheelchair.
    case walk
    /// By the traveller's own bicycle.
    case bicycle
    /// By a shared bicycle.
    case bikeshare
    /// By a shared scooter.
    case scooter
    /// By the traveller's own car.
    case car
    /// By a shared car, with the walk to it.
    case carshare
    /// By a taxi of the city.
    case taxi

    /// Whether the vehicle is shared with others who rent it.
    package var isShared: Bool { self == .bikeshare || self == .scooter || self == .carshare }
}
