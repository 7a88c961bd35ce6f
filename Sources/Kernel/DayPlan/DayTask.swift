public import Chronology

/// What identifies a task wherever it is planned; it breaks ties between equally good plans.
public struct TaskIdentifier: RawRepresentable, Hashable, Comparable, Sendable {
    /// The number that the calendar gives the task.
    public var rawValue: UInt64

    /// The task with a number.
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Orders tasks by number.
    public static func < (left: TaskIdentifier, right: TaskIdentifier) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// Where and within which span of time a task can take place.
///
/// A task at one of several places has a slot for each, and one for each of its opening hours. A
/// slot too short for the task, also one that ends before it begins, may be of use to a repair.
public struct TaskSlot: Hashable, Sendable {
    /// The place; nil where the task can be done anywhere, such as a telephone call.
    public var place: PlaceIndex?
    /// The earliest start.
    public var from: Instant
    /// The latest end; a repair may postpone it, up to ``closing``.
    public var until: Instant
    /// When the place closes, by which the task ends also if it is postponed; nil if never.
    public var closing: Instant?
    /// How much worse this slot is than another, in points of ``DayWeights``; at least 0.
    public var penalty: Int32

    /// Creates a slot; without a closing time it can be postponed without limit.
    public init(
        place: PlaceIndex?,
        from: Instant,
        until: Instant,
        closing: Instant? = nil,
        penalty: Int32 = 0
    ) {
        self.place = place
        self.from = from
        self.until = until
        self.closing = closing
        self.penalty = penalty
    }
}

/// Something to do on a day.
public struct DayTask: Sendable, Equatable {
    /// What identifies the task; different for each task of a day.
    public var id: TaskIdentifier
    /// Where and when it can take place: one of these.
    public var slots: [TaskSlot]
    /// How long it takes; at least 1.
    public var seconds: Int32
    /// To how little it may be shortened, in seconds; at least 1 and at most ``seconds``.
    public var leastSeconds: Int32
    /// In how many pieces of equal length it may be done; 1 for a task in one piece.
    ///
    /// Pieces that follow each other without a break are one to the traveller. Each may be at
    /// another of the task's places.
    public var pieces: Int
    /// Whether other tasks may take place at the same time.
    ///
    /// One who is at its place can do tasks without a place meanwhile; tasks elsewhere wait. An
    /// overlappable task without a place takes no time of the traveller at all. It cannot be moved
    /// or shortened, so it takes the whole of a slot.
    public var isOverlappable: Bool
    /// By which means one may travel to it.
    public var modes: TravelModeSet
    /// Before when no part of a journey to it may begin; nil for any time (A8).
    ///
    /// A journey to an own vehicle, and on in it, is one journey.
    public var earliestDeparture: Instant?
    /// How many seconds before the start one arrives: at least the lower bound, and with a penalty
    /// (``DayWeights/longWait``) more than the upper one (V37, V55).
    public var lead: ClosedRange<Int32>
    /// How many other people a change of its time affects, for ranking repairs.
    public var peopleAffected: Int32

    /// The default waiting at a destination: five to ten minutes (V55).
    public static let defaultLead: ClosedRange<Int32> = 300...600

    /// A task of any kind.
    public init(
        _ id: TaskIdentifier,
        slots: [TaskSlot],
        seconds: Int32,
        leastSeconds: Int32? = nil,
        pieces: Int = 1,
        isOverlappable: Bool = false,
        modes: TravelModeSet = .all,
        lead: ClosedRange<Int32> = Self.defaultLead,
        peopleAffected: Int32 = 0
    ) {
        self.id = id
        self.slots = slots
        self.seconds = seconds
        self.leastSeconds = leastSeconds ?? seconds
        self.pieces = pieces
        self.isOverlappable = isOverlappable
        self.modes = modes
        self.lead = lead
        self.peopleAffected = peopleAffected
    }

    /// A task with a start and an end.
    public init(
        _ id: TaskIdentifier,
        at place: PlaceIndex?,
        from start: Instant,
        until end: Instant
    ) {
        self.init(
            id,
            slots: [TaskSlot(place: place, from: start, until: end)],
            seconds: Int32(clamping: end.seconds &- start.seconds)
        )
    }
}
