package import Chronology
package import CityData
package import DayPlan
package import TripPlanning

/// A day with its journeys, or with what prevents it and what would help.
package struct PlannedDay: Sendable, Equatable {
    /// The day that was planned.
    package var input: DayInput
    /// When each task is that has no fixed time, by its position in ``DayInput/tasks``; empty where
    /// the day is not feasible.
    package var times: [Int: Range<Instant>] = [:]
    /// The pieces of each task that is done in several, in order, by its position in
    /// ``DayInput/tasks``; ``times`` has the time from the first to the last.
    package var pieces: [Int: [Range<Instant>]] = [:]
    /// Where each task is that has no fixed time but a place, by its position in
    /// ``DayInput/tasks``; empty where the day is not feasible.
    package var places: [Int: TaskPlace] = [:]
    /// The journeys in order of travel; where the day is not feasible, those that are not affected,
    /// and those that arrive late.
    package var journeys: [DayJourney] = []
    /// Where own vehicles stand at last.
    package var vehicles: [TripKind: ResolvedPlace] = [:]
    /// How many seconds before a task its owner is there, where that is less than wanted because
    /// nothing comes sooner (V56), by its position in ``DayInput/tasks``.
    package var shortWaits: [Int: Int64] = [:]
    /// How many seconds its owner waits before a task, where that is longer than wanted because
    /// nothing comes later in time (V50, V55), by its position in ``DayInput/tasks``.
    package var longWaits: [Int: Int64] = [:]
    /// How many seconds after the start of a task its owner can be there, where nothing comes in
    /// time (V57), by its position in ``DayInput/tasks``.
    package var lateness: [Int: Int64] = [:]
    /// Why the day cannot be as it is; empty for a feasible day.
    package var conflicts: [DayConflict] = []
    /// The smallest sets of changes that make the day feasible, the best first; empty for a
    /// feasible day, and where more changes are needed than are searched for.
    package var repairs: [CalendarRepair] = []
    /// The limits that were given up because no plan keeps to all of them (V52); the journeys that
    /// exceed them say so.
    package var givenUp: [TripConstraint] = []
    /// What people should know about the journeys, each once.
    package var remarks: [TripRemark] = []
    /// Whether the plan is known to be the best one, or the day is known to have none.
    package var isExact = true
    /// By how many minutes of travel, or what weighs as much, the plan may be worse than the best
    /// one; nil if it is the best one, or the two may differ in more than that.
    package var gapMinutes: Int64?

    /// A day of which nothing is known yet.
    package init(input: DayInput) { self.input = input }

    /// Whether everything can take place and be reached in time.
    package var isFeasible: Bool { conflicts.isEmpty }

    /// When a task is: its fixed time, the time that was found for it, or where there is none the
    /// window in which it may be.
    package func time(of task: Int) -> Range<Instant> {
        times[task] ?? input.tasks[task].timing.window
    }

    /// Where a task is: at the place that was chosen for it, or the only one where it may be.
    package func place(of task: Int) -> ResolvedPlace? {
        places[task]?.place ?? input.tasks[task].place
    }

    /// The strikes and alerts of the day that people should know of.
    package var disruptions: [Disruption] {
        remarks.compactMap { if case .disrupted(let disruption) = $0 { disruption } else { nil } }
    }

    /// Whether a journey arrives after the start of its task.
    func isLate(_ journey: DayJourney) -> Bool {
        if case .task(let task) = journey.to { lateness[task] != nil } else { false }
    }

    /// Where a journey begins or ends.
    package func place(of stop: DayStop) -> ResolvedPlace? {
        switch stop {
        case .base: input.base
        case .here: input.start?.place ?? input.morning
        case .vehicle(let kind): input.vehicles[kind]
        case .task(let task): place(of: task)
        }
    }
}

/// Where a journey of a day begins or ends.
package enum DayStop: Sendable, Hashable {
    /// The base of the day.
    case base
    /// Where its owner is when the rest of the day is planned, or when a day begins elsewhere than
    /// at its base.
    case here
    /// Where an own vehicle stands when the day begins, away from the base; nobody stays there, but
    /// takes the vehicle from there.
    case vehicle(TripKind)
    /// A task, as a position in ``DayInput/tasks``.
    case task(Int)

    /// Whether it is at a task.
    package var isTask: Bool { if case .task = self { true } else { false } }
}

/// A journey of a day.
package struct DayJourney: Sendable, Equatable {
    /// The stop of the day at which the journey begins.
    package var from: DayStop
    /// The stop of the day at which the journey ends.
    package var to: DayStop
    /// The trip, with all its steps and times.
    package var trip: TripOption
    /// What its owner should know about it (V48).
    package var warnings: [JourneyWarning] = []

    /// A journey without warnings.
    package init(from: DayStop, to: DayStop, trip: TripOption) {
        self.from = from
        self.to = to
        self.trip = trip
    }
}

/// What makes a journey worse than it could be, apart from its time (V48).
package enum JourneyWarning: Sendable, Equatable {
    /// Its owner is in the rain for some minutes.
    case rain(minutes: Int64)
    /// It is not made by the own bicycle because it rains, or may rain, on the way.
    case noCycling(TripMissing.Reason)
    /// Traffic makes its drive longer by so many minutes.
    case traffic(minutes: Int64)
    /// It is not made by the own car, whose drive would be longer by so many minutes in traffic.
    case noDriving(minutes: Int64)
    /// It exceeds a limit of its owner.
    case limit(TripMissing.Reason)
    /// Lines do not run in its time, or something happens on those that it uses.
    case disruption(Disruption)
}

/// Why a day cannot be as it is.
///
/// Tasks are positions in ``DayInput/tasks``.
package enum DayConflict: Sendable, Equatable {
    /// A task begins before an earlier one ends.
    case overlap(first: Int, second: Int)
    /// A task cannot be reached in time from the one before it, or from the base at all; with the
    /// reason where it is another than time.
    case unreachable(from: DayStop, to: Int, TripFailure?)
    /// There is no way from the last task to the base.
    case noReturn(from: Int, TripFailure?)
    /// No time is found for a task besides all others.
    case noRoom(Int)
}

/// Changes that together make a day feasible.
package struct CalendarRepair: Sendable, Hashable {
    /// The changes, in the order of the tasks.
    package var changes: [CalendarChange]
    /// Whether its owner walks further than the limits on walking of this day.
    package var dropsWalkLimits = false
    /// How many people are invited to what changes, each counted once for each task.
    package var peopleAffected = 0
    /// The tickets whose journeys its owner would not make (ST3).
    package var lostTickets: [BoughtTicket] = []

    /// What repairs are ranked by before money (V46): the number of changes, then of tasks that are
    /// dropped and of tickets that are lost, then the minutes, then the people affected.
    var rank: [Int64] {
        [
            Int64(changes.count + (dropsWalkLimits ? 1 : 0)), Int64(dropCount),
            Int64(lostTickets.count), minutes, Int64(peopleAffected),
        ]
    }

    /// The minutes by which tasks begin later or end sooner, in all.
    package var minutes: Int64 { changes.reduce(0) { $0 + $1.kind.minutes } }
    /// How many tasks are dropped.
    package var dropCount: Int { changes.count { $0.kind == .drop } }
}

/// A change of one task.
package struct CalendarChange: Sendable, Hashable {
    /// The kinds of changes.
    package enum Kind: Sendable, Hashable {
        /// The task begins and ends some minutes later.
        case postpone(minutes: Int64)
        /// The task ends some minutes sooner.
        case shorten(minutes: Int64)
        /// The task begins some minutes later and ends as before.
        case delay(minutes: Int64)
        /// The task is reached by any means, whatever its owner prefers for it.
        case anyMeans
        /// The task does not take place.
        case drop
        /// The task takes place on another day, so many minutes later.
        case move(minutes: Int64)

        /// By how much its time changes.
        package var minutes: Int64 {
            switch self {
            case .postpone(let minutes), .shorten(let minutes), .delay(let minutes): minutes
            case .move(let minutes): minutes
            case .anyMeans, .drop: 0
            }
        }
    }

    /// The task, as a position in ``DayInput/tasks``.
    package var task: Int
    /// What becomes of it.
    package var kind: Kind
}

/// Why a day cannot be planned at all.
package enum DayPlanningFailure: Error, Sendable, Equatable {
    /// Own vehicles stand at the base, and the day has none.
    case noBase
    /// The solver refuses the day.
    case unsolvable(DayFailure)
}
