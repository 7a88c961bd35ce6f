/// What identifies an occurrence among those of its event: the time at which it would be without
/// any override (`RECURRENCE-ID`).
public struct OccurrenceID: Hashable, Comparable, Sendable {
    /// Seconds since 1970-01-01T00:00:00Z; for a date or a floating time, of that reading in UTC.
    public var seconds: Int64

    /// Creates an identifier.
    public init(seconds: Int64) {
        self.seconds = seconds
    }

    /// Orders identifiers by time.
    public static func < (left: OccurrenceID, right: OccurrenceID) -> Bool {
        left.seconds < right.seconds
    }
}

/// All occurrences of an event: its start, its rules, the dates added and left out, and the
/// occurrences that were moved (RFC 5545, 3.8.5 and 3.8.4.4).
///
/// Rules speak of the clocks of the event's zone. A time that these clocks skip is counted with
/// the offset from before the change, and one that they show twice means the first (3.3.5). A date
/// or a floating time means the clocks of whoever looks, the observer.
public struct RecurrenceSet: Sendable {
    /// The clocks that the times of an event are read from.
    public enum Clock: Sendable, Equatable {
        /// Whole days on the observer's clocks.
        case days
        /// Times on the observer's clocks.
        case floating
        /// Times on the clocks of a zone.
        case zone(ZoneTable)
    }

    /// An occurrence that is added to those of the rules (`RDATE`).
    public struct Addition: Sendable, Hashable {
        /// When it is.
        public var start: LocalTime
        /// How long it is; nil for as long as the others.
        public var duration: CalendarDuration?

        /// Creates an addition.
        public init(start: LocalTime, duration: CalendarDuration? = nil) {
            self.start = start
            self.duration = duration
        }
    }

    /// An occurrence that was moved, and perhaps all after it.
    public struct Override: Sendable, Equatable {
        /// Which occurrence is meant.
        public var id: OccurrenceID
        /// Whether the change holds for all occurrences after it too (`RANGE=THISANDFUTURE`).
        public var isFuture: Bool
        /// When it is now.
        public var start: LocalTime
        /// The clocks that ``start`` is read from.
        public var clock: Clock
        /// How long it is now.
        public var duration: CalendarDuration

        /// Creates an override.
        public init(
            id: OccurrenceID,
            isFuture: Bool = false,
            start: LocalTime,
            clock: Clock,
            duration: CalendarDuration
        ) {
            self.id = id
            self.isFuture = isFuture
            self.start = start
            self.clock = clock
            self.duration = duration
        }
    }

    /// When the event is for the first time (`DTSTART`).
    public var start: LocalTime
    /// The clocks that ``start``, rules and additions are read from.
    public var clock: Clock
    /// How long each occurrence is.
    public var duration: CalendarDuration
    /// The rules; without any, ``start`` is an occurrence itself.
    public var rules: [RecurrenceRule] = []
    /// The added occurrences, in any order.
    public var additions: [Addition] = [] {
        didSet { additions.sort { $0.start < $1.start } }
    }
    /// The occurrences left out (`EXDATE`), in any order.
    public var exceptions: [OccurrenceID] = [] {
        didSet { exceptions.sort() }
    }
    /// The days on which all occurrences are left out, in any order.
    public var exceptionDays: [CivilDate] = [] {
        didSet { exceptionDays.sort() }
    }
    /// The moved occurrences, in any order; of two with the same identifier the last counts.
    public var overrides: [Override] = []

    /// Creates the set of an event that is once.
    public init(start: LocalTime, clock: Clock, duration: CalendarDuration) {
        self.start = start
        self.clock = clock
        self.duration = duration
    }

    /// The identifier of the occurrence that is at a reading of the event's clocks.
    public func id(at time: LocalTime) -> OccurrenceID {
        Self.id(at: time, clock)
    }

    /// The identifier of an occurrence that is at a reading of given clocks.
    public static func id(at time: LocalTime, _ clock: Clock) -> OccurrenceID {
        guard case .zone(let zone) = clock else { return OccurrenceID(seconds: time.wallSeconds) }
        return OccurrenceID(seconds: time.instant(in: zone).seconds)
    }
}

/// One occurrence of an event.
public struct Occurrence: Hashable, Sendable {
    /// What identifies it among those of its event.
    public var id: OccurrenceID
    /// When it begins, on the clocks of the event or of its override.
    public var local: LocalTime
    /// When it begins.
    public var start: Instant
    /// When it ends; not before ``start``.
    public var end: Instant
    /// The override that applies, as a position in ``RecurrenceSet/overrides``; nil without any.
    public var override: Int?
}

/// The occurrences of a span of time.
public struct Expansion: Sendable, Equatable {
    /// The occurrences, by start and then by identifier.
    public internal(set) var occurrences: [Occurrence] = []
    /// Whether these are all; false where a limit was reached.
    public internal(set) var isComplete = true
    /// How many steps of the limit are left.
    public internal(set) var stepsLeft: Int
}
