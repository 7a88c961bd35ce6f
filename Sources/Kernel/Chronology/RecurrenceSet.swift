/// The identity of an occurrence among those of its event: the time at which it would take place
/// without any override (`RECURRENCE-ID`).
public struct OccurrenceID: Hashable, Comparable, Sendable {
    /// Seconds since 1970-01-01T00:00:00Z; dates and floating times are read as UTC.
    public var seconds: Int64

    /// Creates an identifier from a time.
    public init(seconds: Int64) {
        self.seconds = seconds
    }

    /// Orders identifiers by time.
    public static func < (left: OccurrenceID, right: OccurrenceID) -> Bool {
        left.seconds < right.seconds
    }
}

/// All occurrences of an event: its start, its rules, the added and excluded dates, and the
/// occurrences that were moved (RFC 5545, 3.8.5 and 3.8.4.4).
///
/// Rules refer to the clocks of the event's zone. A time that these clocks skip is converted with
/// the offset from before the change, and a time that they show twice means the first (3.3.5).
/// Dates and floating times refer to the clocks of the observer.
public struct RecurrenceSet: Sendable {
    /// The clocks from which an event's times are read.
    public enum Clock: Sendable, Equatable {
        /// Whole days on the observer's clocks.
        case days
        /// Times on the observer's clocks.
        case floating
        /// Times on the clocks of a zone.
        case zone(ZoneTable)
    }

    /// An occurrence besides those of the rules (`RDATE`).
    public struct Addition: Sendable, Hashable {
        /// When the occurrence begins.
        public var start: LocalTime
        /// How long it lasts; nil if as long as the others.
        public var duration: CalendarDuration?

        /// Creates an added occurrence.
        public init(start: LocalTime, duration: CalendarDuration? = nil) {
            self.start = start
            self.duration = duration
        }
    }

    /// A change of an occurrence, and possibly of all later ones.
    public struct Override: Sendable, Equatable {
        /// The occurrence that is changed.
        public var id: OccurrenceID
        /// Whether the change also applies to all later occurrences (`RANGE=THISANDFUTURE`).
        public var isFuture: Bool
        /// When the occurrence now begins.
        public var start: LocalTime
        /// The clocks from which ``start`` is read.
        public var clock: Clock
        /// How long the occurrence now lasts.
        public var duration: CalendarDuration

        /// Creates an override of one occurrence or, with `isFuture`, of it and all later ones.
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

    /// When the event first begins (`DTSTART`).
    public var start: LocalTime
    /// The clocks from which ``start``, rules and additions are read.
    public var clock: Clock
    /// How long each occurrence lasts.
    public var duration: CalendarDuration
    /// The rules; if there are none, ``start`` is an occurrence itself.
    public var rules: [RecurrenceRule] = []
    /// The added occurrences, in any order.
    public var additions: [Addition] = [] {
        didSet { additions.sort { $0.start < $1.start } }
    }
    /// The excluded occurrences (`EXDATE`), in any order.
    public var exceptions: [OccurrenceID] = [] {
        didSet { exceptions.sort() }
    }
    /// The days on which all occurrences are excluded, in any order.
    public var exceptionDays: [CivilDate] = [] {
        didSet { exceptionDays.sort() }
    }
    /// The overrides, in any order; of two for the same occurrence the last one counts.
    public var overrides: [Override] = []

    /// Creates the set of an event that takes place once.
    public init(start: LocalTime, clock: Clock, duration: CalendarDuration) {
        self.start = start
        self.clock = clock
        self.duration = duration
    }

    /// The identifier of the occurrence at a reading of the event's clocks.
    public func id(at time: LocalTime) -> OccurrenceID {
        Self.id(at: time, clock)
    }

    /// The readings of the event's clocks at which a rule recurs, and the last occurrence that its
    /// end admits: a few readings may be later.
    ///
    /// - Parameters:
    ///   - rule: one of ``rules``.
    ///   - steps: how many steps the iterator may take.
    /// - Returns: an iterator of the readings, and the identifier of the last occurrence.
    public func readings(
        of rule: RecurrenceRule,
        steps: Int
    ) -> (readings: RecurrenceIterator, last: OccurrenceID) {
        var until: LocalTime?
        var last = OccurrenceID(seconds: .max)
        if case .instant(let instant) = rule.end, case .zone(let table) = clock {
            // One day more, since clocks that go back show later times earlier.
            let reading = LocalTime(instant, in: table)
            until = LocalTime(date: reading.date.adding(days: 1), second: reading.second)
            last = OccurrenceID(seconds: instant.seconds)
        }
        let readings = RecurrenceIterator(
            rule,
            start: start,
            isDate: clock == .days,
            until: until,
            steps: steps
        )
        return (readings, last)
    }

    /// The identifier of an occurrence at a reading of the given clocks.
    public static func id(at time: LocalTime, _ clock: Clock) -> OccurrenceID {
        guard case .zone(let zone) = clock else { return OccurrenceID(seconds: time.wallSeconds) }
        return OccurrenceID(seconds: time.instant(in: zone).seconds)
    }
}

/// One occurrence of an event.
public struct Occurrence: Hashable, Sendable {
    /// The identity of the occurrence among those of its event.
    public var id: OccurrenceID
    /// When it begins, on the clocks of the event or of its override.
    public var local: LocalTime
    /// The instant at which it begins.
    public var start: Instant
    /// The instant at which it ends; not before ``start``.
    public var end: Instant
    /// The position in ``RecurrenceSet/overrides`` of the override that applies; nil if none does.
    public var override: Int?
}

/// The occurrences of a span of time.
public struct Expansion: Sendable, Equatable {
    /// The occurrences, sorted by start and then by identifier.
    public internal(set) var occurrences: [Occurrence] = []
    /// Whether these are all; false if a limit was reached.
    public internal(set) var isComplete = true
    /// How many steps of the limit are left.
    public internal(set) var stepsLeft: Int
}
