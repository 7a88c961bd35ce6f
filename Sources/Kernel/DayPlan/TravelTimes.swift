public import Chronology

/// A place of a day, by its number in the list of the day's places.
///
/// Number the places in an order of their own, such as that of their coordinates, and not in the
/// order in which people entered them: the numbers break ties between equally good plans.
public struct PlaceIndex: RawRepresentable, Hashable, Comparable, Sendable {
    /// The number, from 0.
    public var rawValue: UInt16

    /// The place with a number.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Orders places by number.
    public static func < (left: PlaceIndex, right: PlaceIndex) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// A means of getting from one place of a day to another.
public enum TravelMode: UInt8, CaseIterable, Sendable {
    /// On foot all the way.
    case walk
    /// By public transport, with the walks to, from and between stops.
    case transit
    /// By the traveller's own bicycle, which must be where the journey begins.
    case bicycle
    /// By the traveller's own car, which must be where the journey begins.
    case car
    /// By taxi, which need not be where the journey begins.
    case taxi
    /// By a shared bicycle, with the walks to it and from where it is returned.
    case bikeshare
    /// By a shared scooter, likewise.
    case scooter
    /// By a shared car, likewise.
    case carshare

    /// Whether an own vehicle has to be where the journey begins, and moves along.
    public var movesVehicle: Bool { self == .bicycle || self == .car }

    /// Whether a vehicle is rented and returned on the way.
    public var isRental: Bool { self == .bikeshare || self == .scooter || self == .carshare }
}

/// A set of ``TravelMode``.
public struct TravelModeSet: OptionSet, Hashable, Sendable {
    /// One bit for each mode.
    public var rawValue: UInt8

    /// The set with these bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The set of one mode.
    public init(_ mode: TravelMode) { rawValue = 1 << mode.rawValue }

    /// The set with ``TravelMode/walk`` alone.
    public static let walk = TravelModeSet(.walk)
    /// By public transport.
    public static let transit = TravelModeSet(.transit)
    /// The set with ``TravelMode/bicycle`` alone.
    public static let bicycle = TravelModeSet(.bicycle)
    /// The set with ``TravelMode/car`` alone.
    public static let car = TravelModeSet(.car)
    /// The set with ``TravelMode/taxi`` alone.
    public static let taxi = TravelModeSet(.taxi)
    /// By shared bicycle.
    public static let bikeshare = TravelModeSet(.bikeshare)
    /// By shared scooter.
    public static let scooter = TravelModeSet(.scooter)
    /// The set with ``TravelMode/carshare`` alone.
    public static let carshare = TravelModeSet(.carshare)
    /// The set of all modes, later ones included.
    public static let all = TravelModeSet(rawValue: .max)
}

/// A way to get from one place to another: at each moment of a span one can set out, and the
/// journey then takes a number of seconds.
///
/// A ride by public transport has one moment of departure. A walk can begin at any time. A drive
/// takes another time at each hour of the day, so it is several options with a span each.
public struct TravelOption: Hashable, Sendable {
    /// The means of travel of the whole way.
    public var mode: TravelMode
    /// The earliest departure.
    public var first: Instant
    /// The latest departure.
    public var last: Instant
    /// How long the journey takes.
    public var seconds: Int32
    /// How many metres of it are walked.
    public var walkMetres: Int32

    /// An option with a span of departures.
    public init(
        _ mode: TravelMode,
        first: Instant,
        last: Instant,
        seconds: Int32,
        walkMetres: Int32 = 0
    ) {
        self.mode = mode
        self.first = first
        self.last = last
        self.seconds = seconds
        self.walkMetres = walkMetres
    }

    /// An option with one departure.
    public init(
        _ mode: TravelMode,
        departure: Instant,
        seconds: Int32,
        walkMetres: Int32 = 0
    ) {
        self.init(
            mode,
            first: departure,
            last: departure,
            seconds: seconds,
            walkMetres: walkMetres
        )
    }
}

/// How one gets from place to place, as a function of the moment of departure.
///
/// For each pair of places these are all options that may be best for somebody: by arrival, by
/// departure, by walking, and for each mode. Options that others beat do no harm but take time.
/// Travellers may always wait, so a later departure of the same mode never has to arrive earlier.
public protocol TravelTimes {
    /// How many places there are: those with the numbers from 0 up to this one.
    var placeCount: Int { get }

    /// The options from a place to another, in any order; empty where there is no way.
    func options(from origin: PlaceIndex, to destination: PlaceIndex) -> [TravelOption]
}

/// Travel times in memory.
public struct TravelTable: TravelTimes, Sendable {
    /// How many places there are.
    public let placeCount: Int
    private var pairs: [[TravelOption]]

    /// A table without options.
    public init(placeCount: Int) {
        self.placeCount = placeCount
        pairs = Array(repeating: [], count: placeCount * placeCount)
    }

    /// Adds an option from a place to another; both must be numbers of the table.
    public mutating func add(
        _ option: TravelOption,
        from origin: PlaceIndex,
        to destination: PlaceIndex
    ) {
        pairs[Int(origin.rawValue) * placeCount + Int(destination.rawValue)].append(option)
    }

    /// The options from a place to another.
    public func options(
        from origin: PlaceIndex,
        to destination: PlaceIndex
    ) -> [TravelOption] {
        pairs[Int(origin.rawValue) * placeCount + Int(destination.rawValue)]
    }

    /// Puts options in the place of another.
    mutating func replace(
        _ option: TravelOption,
        with others: [TravelOption],
        from origin: PlaceIndex,
        to destination: PlaceIndex
    ) {
        let pair = Int(origin.rawValue) * placeCount + Int(destination.rawValue)
        pairs[pair].removeAll { $0 == option }
        pairs[pair] += others
    }
}
