public import Chronology

/// A day to be planned: tasks, where the traveller is, what they own and what they want.
///
/// It may be longer than a day: a trip out of town, or several days that are planned at once.
public struct Day: Sendable {
    /// How many pieces all tasks of a day may have together.
    public static let pieceLimit = 60
    /// How long a day may be, in seconds: seven times 24 hours.
    public static let longestSeconds: Int64 = 604_800

    /// Where the traveller is at first; nil if the day begins at its first task.
    public var origin: PlaceIndex?
    /// When the traveller can set out or begin a task.
    public var from: Instant
    /// Where the traveller must be at last; nil if the day ends at its last task.
    public var destination: PlaceIndex?
    /// When all must be done and the traveller back.
    public var until: Instant
    /// What there is to do, in any order.
    public var tasks: [DayTask]
    /// The traveller's own car; nil where there is none, or it must not be used.
    public var car: OwnVehicle?
    /// The traveller's own bicycle.
    public var bicycle: OwnVehicle?
    /// By which means the traveller travels.
    public var modes: TravelModeSet = .all
    /// What the traveller wants not to exceed.
    public var limits = DayLimits()
    /// What the traveller weighs against what.
    public var weights = DayWeights()
    /// What an earlier plan has said, which changes as little as possible.
    public var former: [FormerTask] = []
    /// How an earlier plan has travelled where that ought not to change, such as in the next hours.
    public var formerLegs: [FormerLeg] = []
    /// What must be kept before anything else that is not impossible.
    public var commitments: [Commitment] = []

    /// A day without vehicles, limits and an earlier plan.
    public init(
        origin: PlaceIndex?,
        from: Instant,
        destination: PlaceIndex?,
        until: Instant,
        tasks: [DayTask]
    ) {
        self.origin = origin
        self.from = from
        self.destination = destination
        self.until = until
        self.tasks = tasks
    }
}

/// An own car or bicycle.
public struct OwnVehicle: Hashable, Sendable {
    /// Where it stands when the day begins.
    public var place: PlaceIndex
    /// Where it must stand when the day ends; nil if anywhere.
    public var returnPlace: PlaceIndex?

    /// A vehicle that stands somewhere.
    public init(at place: PlaceIndex, returnPlace: PlaceIndex?) {
        self.place = place
        self.returnPlace = returnPlace
    }
}

/// What a traveller wants not to exceed (V73).
public struct DayLimits: Hashable, Sendable {
    /// How many metres to walk on one journey between tasks; nil without a limit.
    public var legWalkMetres: Int32?
    /// How many metres to walk on all journeys of the day; nil without a limit.
    public var dayWalkMetres: Int32?

    /// Limits that allow any walk.
    public init() {}
}

/// What a traveller weighs against what, in points.
///
/// With the defaults a second of travel is 10 points, so 600 points are a minute of it. Each weight
/// is 0 to ``limit``, each penalty 0 to ``penaltyLimit``; ``DayPlan/solve(_:by:effort:)`` clamps.
public struct DayWeights: Hashable, Sendable {
    /// The greatest weight of a second or a metre.
    public static let limit: Int32 = 1_000
    /// The greatest penalty.
    public static let penaltyLimit: Int32 = 1_000_000

    /// For a second of travel, by the numbers of ``TravelMode``.
    public var travel: [Int32] = [10, 10, 10, 10, 10, 10, 10, 10]
    /// For each journey, by the numbers of ``TravelMode``: parking a car takes five minutes, and a
    /// taxi is worth it if it saves twenty.
    ///
    /// A rental counts what is paid for it, too: two minutes,
    /// and ten for a car.
    public var leg: [Int32] = [0, 0, 600, 3_000, 12_000, 1_200, 1_200, 6_000]
    /// For a metre on foot, besides its time.
    public var walking: Int32 = 2
    /// For a second that is neither a task nor travel, anywhere but at the day's origin and
    /// destination, where time is the traveller's own.
    public var waiting: Int32 = 6
    /// For a second by which a task is shortened.
    public var shortening: Int32 = 20
    /// For waiting longer than the upper bound of ``DayTask/lead`` although no later departure
    /// would do: fifteen minutes.
    ///
    /// A profile that takes ten minutes at most for a rule and not for a wish sets this to the
    /// greatest penalty.
    public var longWait: Int32 = 9_000
    /// For a second by which the lower bound of ``DayTask/lead`` is missed, or by which the
    /// traveller is late.
    ///
    /// It counts as no less than ``waiting`` and ``shortening`` together.
    public var lateness: Int32 = 60

    /// The default weights, as stated at each of them.
    public init() {}
}

/// When and where an earlier plan put a piece of a task.
public struct FormerTask: Hashable, Sendable {
    /// The task that the earlier plan placed.
    public var task: TaskIdentifier
    /// The number of the piece, from 0.
    public var piece: Int
    /// The start in the earlier plan.
    public var start: Instant
    /// The place in the earlier plan; nil for a task that is done anywhere, which stays as it was
    /// wherever the traveller is.
    public var place: PlaceIndex?

    /// A piece of an earlier plan.
    public init(_ task: TaskIdentifier, piece: Int = 0, start: Instant, place: PlaceIndex?) {
        self.task = task
        self.piece = piece
        self.start = start
        self.place = place
    }
}

/// How an earlier plan travelled.
public struct FormerLeg: Hashable, Sendable {
    /// The task to which the journey led; nil for the one to the day's destination.
    public var task: TaskIdentifier?
    /// The piece of the task.
    public var piece: Int
    /// The means of travel in the earlier plan.
    public var mode: TravelMode

    /// A journey of an earlier plan.
    public init(to task: TaskIdentifier?, piece: Int = 0, by mode: TravelMode) {
        self.task = task
        self.piece = piece
        self.mode = mode
    }
}

/// What a plan keeps if it can: before it keeps other things as they were, and before it is good.
public enum Commitment: Hashable, Sendable {
    /// A task begins at a time: guests were told, or its owner has put it there.
    case start(TaskIdentifier, Instant)
    /// A task is at a place.
    case place(TaskIdentifier, PlaceIndex)
    /// A journey to a task, or to the day's destination: a ticket is bought, or a taxi reserved.
    case journey(BookedJourney)
}

/// A journey that is booked.
public struct BookedJourney: Hashable, Sendable {
    /// The task to which it leads; nil for the day's destination.
    public var task: TaskIdentifier?
    /// The piece of the task, from 0.
    public var piece: Int
    /// The place where the booked journey begins.
    public var origin: PlaceIndex
    /// The place where the booked journey ends.
    public var destination: PlaceIndex
    /// When, how and how long; one departure.
    public var option: TravelOption

    /// A booked journey.
    public init(
        to task: TaskIdentifier?,
        piece: Int = 0,
        from origin: PlaceIndex,
        to destination: PlaceIndex,
        _ option: TravelOption
    ) {
        self.task = task
        self.piece = piece
        self.origin = origin
        self.destination = destination
        self.option = option
    }
}
