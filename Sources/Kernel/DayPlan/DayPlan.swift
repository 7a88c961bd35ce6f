public import Chronology

/// A plan of a day: when and where each task is, and how to get there.
public struct DayPlan: Sendable, Equatable {
    /// The pieces of tasks in order of their start; overlappable tasks among them.
    public var tasks: [PlannedTask]
    /// The journeys in order of departure.
    public var legs: [PlannedLeg]
    /// How good the plan is.
    public var cost: PlanCost
    /// Where the car is at the end; nil if there is none.
    public var carPlace: PlaceIndex?
    /// Where the bicycle is at the end; nil if there is none.
    public var bicyclePlace: PlaceIndex?
}

/// A piece of a task in a plan.
public struct PlannedTask: Sendable, Hashable {
    /// The task of which this is a piece.
    public var id: TaskIdentifier
    /// The number of the piece, from 0.
    public var piece: Int
    /// The planned start; the traveller may have to be there earlier (the task's lead).
    public var start: Instant
    /// The planned end, which is earlier than wished where the task is shortened.
    public var end: Instant
    /// Where the traveller is meanwhile; nil if that is unknown.
    public var place: PlaceIndex?
    /// What had to be given up for it.
    public var lapse: Lapse?

    /// What a plan gives up where nothing better exists: the ladder of relaxations.
    public enum Lapse: UInt8, Sendable {
        /// The traveller waits longer than wanted.
        case longWait
        /// The traveller arrives in time, but less early than wanted (V56).
        case shortWait
        /// The traveller comes after the latest start, and attends the rest (V57).
        case late
    }
}

/// A journey in a plan.
public struct PlannedLeg: Sendable, Hashable {
    /// The place where the journey begins.
    public var from: PlaceIndex
    /// The place where the journey ends.
    public var to: PlaceIndex
    /// The task to which it leads; nil for the day's destination.
    ///
    /// A journey to an own vehicle has the task to which the vehicle then leads.
    public var task: TaskIdentifier?
    /// The piece of the task.
    public var piece: Int
    /// The means of travel of the whole journey.
    public var mode: TravelMode
    /// The moment at which the traveller sets out.
    public var departure: Instant
    /// When one is there.
    public var arrival: Instant
    /// How many metres are walked.
    public var walkMetres: Int32
}

/// The answer to a day: a plan with its certificate.
public struct DayAnswer: Sendable, Equatable {
    /// The best plan that was found; nil if none was.
    public var plan: DayPlan?
    /// No plan costs less than this.
    public var bound: PlanCost
    /// Whether the search has ended: the plan is the best one, or there is none.
    public var isExact: Bool
    /// How many ways to continue partial plans were tried.
    public var tries: Int

    /// By how many points the plan may be worse than the best one; nil where the two may differ in
    /// more than points, or there is no plan.
    public var gap: Int64? {
        guard let plan else { return nil }
        let difference = plan.cost.rawValue - bound.rawValue
        return difference < PlanCost.changedLeg ? difference : nil
    }

    /// Whether the day works out: each task is attended from its start.
    public var isFeasible: Bool { plan.map { $0.cost.lateTasks == 0 } ?? false }
}

/// Why a day cannot be planned.
public enum DayFailure: Error, Equatable, Sendable {
    /// The tasks have more pieces than ``Day/pieceLimit``.
    case tooManyPieces(Int)
    /// Two tasks have the same identifier.
    case repeatedTask(TaskIdentifier)
    /// A task takes no time, its least length is out of bounds, it has no pieces, or pieces that
    /// are not whole seconds; or it is overlappable and shorter than a slot.
    case invalidLength(TaskIdentifier)
    /// The bounds of a task's waiting are negative or longer than a day.
    case invalidLead(TaskIdentifier)
    /// A place that the travel times do not know.
    case unknownPlace(PlaceIndex)
    /// The day ends before it begins, or is longer than ``Day/longestSeconds``.
    case invalidSpan
}

extension DayPlan {
    /// An effort of about a second.
    public static let defaultEffort = 1_000_000

    /// Plans a day.
    ///
    /// The plan is the best one if the search ends within the effort, which it does for real days.
    /// Otherwise it is the best one found, with a bound. The same day gets the same answer,
    /// whatever the order of its tasks, on every machine. `docs/decisions/0039-day-plan.md`
    /// explains the method.
    ///
    /// - Parameters:
    ///   - day: the day.
    ///   - times: how long one travels.
    ///   - effort: how many ways to continue partial plans to try before the search is cut short;
    ///     a tenth of it for each rung of the ladder of relaxations that is climbed after that.
    /// - Returns: the answer.
    /// - Throws: what is wrong with the day.
    public static func solve(
        _ day: Day,
        by times: some TravelTimes,
        effort: Int = defaultEffort
    ) throws(DayFailure) -> DayAnswer {
        solve(try DayProblem(day, times), effort: effort, rungs: Rung.allCases)
    }

    /// Plans a day on some rungs of the ladder.
    static func solve(_ problem: DayProblem, effort: Int, rungs: [Rung]) -> DayAnswer {
        var bound: PlanCost?
        var tries = 0
        var isProved = true
        for rung in rungs {
            var search = DaySearch(problem, rung)
            search.run(effort: max(effort - tries, effort / 10))
            tries += search.tries
            // Without a plan, later rungs may have one; but none of theirs is better than this.
            if !search.isExhausted, bound == nil { bound = PlanCost(rawValue: search.bound) }
            isProved = isProved && search.isExhausted
            guard let plan = search.plan() else { continue }
            return DayAnswer(
                plan: plan,
                bound: bound ?? plan.cost,
                isExact: isProved,
                tries: tries
            )
        }
        return DayAnswer(
            plan: nil,
            bound: bound ?? .zero,
            isExact: isProved,
            tries: tries
        )
    }
}

/// The ladder of relaxations: what a search allows.
enum Rung: UInt8, CaseIterable {
    /// Each arrival is early enough.
    case strict
    /// Arrivals may be less early than wanted.
    case shortWaits
    /// Arrivals may be late.
    case lateArrivals
}
