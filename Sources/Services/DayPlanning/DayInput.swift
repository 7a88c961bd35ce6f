package import Chronology
package import CityData
package import DayPlan
import Transit
package import TripPlanning

/// A day that is to be planned: what its owner has to do, where, and when.
package struct DayInput: Sendable, Equatable {
    /// The date in the city's time zone.
    package var date: CivilDate
    /// The day from midnight to midnight on the city's clocks.
    package var span: Range<Instant>
    /// Where the day ends, and begins too unless ``morning`` says otherwise; nil where it begins at
    /// its first task and ends at its last.
    package var base: ResolvedPlace?
    /// Where the day begins, if the day before ended elsewhere than at the base; nil for the base.
    package var morning: ResolvedPlace?
    /// Where its owner is when only the rest of the day is planned; nil for the whole day.
    package var start: DayStart?
    /// Where own vehicles stand at first that are not at the base.
    package var vehicles: [TripKind: ResolvedPlace] = [:]
    /// What its owner wants not to exceed.
    package var limits = DayLimits()
    /// The hours in which its owner does not use some means (V72).
    package var avoided: [ModeHours] = []
    /// Whether its owner does not cycle in the rain (V70).
    package var avoidsRain = false
    /// Whether its owner uses a wheelchair (V69).
    package var wheelchair = false
    /// The identifiers of the fare products that its owner owns (V80).
    package var passes: [String] = []
    /// What one journey may cost and emit; one beyond that is made only where nothing else arrives
    /// in time, and says so (V50, V74).
    package var tripLimits = TripLimits()
    /// Which limits may be given up if no plan keeps to all of them, the first one first; empty
    /// keeps to all but those of ``tripLimits`` (V52).
    package var relaxing: [TripConstraint] = []
    /// When means are not used for another reason, such as their price on the way home.
    var unused: [TripKind: [Range<Instant>]] = [:]
    /// Whether every journey to a task without a fixed time begins within its window (A8, profile
    /// `s2`).
    package var departsWithinWindows = false
    /// How long its owner waits at a destination, in seconds (V55).
    package var wait = DayTask.defaultLead
    /// What is remembered of an earlier plan, which changes as little as possible.
    package var memory = DayMemory()
    /// The tickets of ``memory`` with the times at which their vehicles run now.
    var tickets: [BoughtTicket] = []
    /// In how many pieces tasks are done at the most that may be done in several.
    var mostPieces = 1
    /// The tasks, by the time from which they may begin.
    package var tasks: [CalendarTask]

    /// Creates a day; without a base it begins at its first task and ends at its last.
    package init(
        date: CivilDate,
        span: Range<Instant>,
        base: ResolvedPlace? = nil,
        tasks: [CalendarTask] = []
    ) {
        self.date = date
        self.span = span
        self.base = base
        self.tasks = tasks
    }
}

/// Where the owner of a day is from some time on, whatever was planned before (V51, V65, A15).
///
/// What has begun by then is done or left, and is not planned any more.
package struct DayStart: Sendable, Equatable {
    /// When the owner can set out.
    package var time: Instant
    /// Where the owner is.
    package var place: ResolvedPlace

    /// A start of the rest of a day.
    package init(at place: ResolvedPlace, time: Instant) {
        self.place = place
        self.time = time
    }
}

extension DayInput {
    /// Whether a task has begun before the rest of the day is planned.
    func hasBegun(_ task: CalendarTask) -> Bool {
        guard let start else { return false }
        switch task.timing {
        case .fixed(let span): return span.lowerBound <= start.time
        case .flexible(let window, _, _):
            if window.upperBound <= start.time { return true }
            let placements = placements(of: task)
            return !placements.isEmpty && begunCount(of: task) == placements.count
        }
    }

    /// Plans by the rules of a calendar on what may be at the same time (1.12, a).
    ///
    /// An event without a place that overlaps no other one stays as it is, so that nobody travels
    /// during a call.
    ///
    /// - Parameters:
    ///   - noneOverlap: whether even events that are marked as overlappable do not.
    ///   - unlocatedOverlap: whether an event without a place may be at the time of any other.
    ///   - departsWithinWindows: whether journeys to flexible tasks begin in their windows (A8).
    package mutating func follow(
        noneOverlap: Bool,
        unlocatedOverlap: Bool,
        departsWithinWindows: Bool
    ) {
        self.departsWithinWindows = departsWithinWindows
        if noneOverlap {
            for task in tasks.indices { tasks[task].demands.isOverlappable = false }
        }
        guard unlocatedOverlap else { return }
        let fixed = tasks.indices.filter { !tasks[$0].timing.isFlexible }
        for task in fixed where tasks[task].places.isEmpty {
            let window = tasks[task].timing.window
            if fixed.contains(where: { $0 != task && tasks[$0].timing.window.overlaps(window) }) {
                tasks[task].demands.isOverlappable = true
            }
        }
    }

    /// Where and when an earlier plan put the pieces of a task, in their order; one for a task in
    /// one piece.
    func placements(of task: CalendarTask) -> [DayMemory.Placement] {
        memory.placements.filter { $0.task == task.subject }
    }
}

/// An event or a task of a day.
package struct CalendarTask: Sendable, Equatable {
    /// When a task takes place.
    package enum Timing: Sendable, Hashable {
        /// From a fixed start to a fixed end.
        case fixed(Range<Instant>)
        /// Somewhere within a window, for some seconds, and for fewer where it must be shortened.
        case flexible(window: Range<Instant>, seconds: Int64, minimumSeconds: Int64)

        /// Whether it has no fixed time.
        package var isFlexible: Bool {
            if case .flexible = self { true } else { false }
        }

        /// When it may begin, and by when it must end.
        package var window: Range<Instant> {
            switch self {
            case .fixed(let span): span
            case .flexible(let window, _, _): window
            }
        }
    }

    /// What a task asks of the journey to it and of other tasks.
    package struct Demands: Sendable, Hashable {
        /// Whether other tasks may take place at the same time (V26).
        package var isOverlappable: Bool
        /// Whether its owner travels to it on their own, such as out of the city (V27).
        package var isTransfer: Bool
        /// How long before its start its owner wants to be there, besides the usual waiting (V37).
        package var leadSeconds: Int64
        /// The means of travel that may be used to reach it; nil for those of the day.
        package var modes: TripModes?
        /// What counts most on the way to it; nil for nothing in particular (V19).
        package var aim: TripPreference?
        /// Whether its owner does not cycle to it in the rain (V19, V70).
        package var avoidsRain = false
        /// How many people are invited, whom a change of its time affects (V46).
        package var guests = 0

        /// Creates demands; by default none.
        package init(
            isOverlappable: Bool = false,
            isTransfer: Bool = false,
            leadSeconds: Int64 = 0,
            modes: TripModes? = nil
        ) {
            self.isOverlappable = isOverlappable
            self.isTransfer = isTransfer
            self.leadSeconds = leadSeconds
            self.modes = modes
        }
    }

    /// What identifies it in its calendar; all occurrences of a series share it.
    package var uid: String
    /// What it is, in one line.
    package var title: String
    /// A fixed time, or a window with a length.
    package var timing: Timing
    /// Where it may be: at any one of these; empty for a task that is done wherever its owner is.
    ///
    /// At a fixed time it is at one place at the most, whatever its hours.
    package var places: [TaskPlace]
    /// How short a piece of it may be, in seconds; nil for one that is done in one piece.
    package var leastPieceSeconds: Int64?
    /// How many places are known of which it may be at any; ``places`` are those considered.
    package var knownPlaces: Int
    /// What its calendar calls its place; nil if nothing.
    package var location: String?
    /// What it asks of the journey to it and of other tasks.
    package var demands = Demands()
    /// The line of the calendar where it stands, from 1.
    package var line: Int

    /// Creates a task; without places it is done wherever its owner is.
    package init(
        uid: String,
        title: String,
        timing: Timing,
        place: ResolvedPlace? = nil,
        line: Int
    ) {
        self.uid = uid
        self.title = title
        self.timing = timing
        places = place.map { [TaskPlace($0)] } ?? []
        knownPlaces = places.count
        self.line = line
    }

    /// Where it is; nil if that is not known before the day is planned.
    package var place: ResolvedPlace? { places.count == 1 ? places[0].place : nil }
}

extension TripModes {
    /// The means that a calendar names; names that mean nothing are left out.
    init(named names: [String]) {
        let kinds = names.compactMap { TripKind(rawValue: $0.lowercased()) }
        self = TripModes(walk: false, transit: 0).with(kinds)
    }
}
