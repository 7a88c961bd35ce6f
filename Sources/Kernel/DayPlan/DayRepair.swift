import Chronology
public import Journeys

/// One change of a day that might make it feasible (V46).
public enum RepairStep: Hashable, Sendable {
    /// The task may start later by so many seconds.
    case postpone(TaskIdentifier, seconds: Int32)
    /// The task may be shorter by so many seconds.
    case shorten(TaskIdentifier, seconds: Int32)
    /// The task may be reached by any means, whatever its template says.
    case allowAllModes(TaskIdentifier)
    /// Limits on walking no longer hold.
    case dropWalkLimits
    /// The task is moved to another day.
    case move(TaskIdentifier)
}

/// A smallest set of changes that makes a day feasible.
public struct DayRepair: Sendable, Equatable {
    /// The changes; without any of them, or with fewer seconds of one, the day does not work out.
    public var steps: [RepairStep]
    /// The plan of the day with these changes.
    public var plan: DayPlan
    /// How many other people the changes affect.
    public var peopleAffected: Int32
    /// By how much tasks are postponed and shortened in all.
    public var seconds: Int32

    /// How many changes a repair has at the most.
    public static let stepLimit = 3
    /// The effort for each day that is planned in search of repairs.
    ///
    /// It is bounded, so that a repair may be missed, but never wrong.
    public static let effort = 100_000
    /// The effort for all of them together.
    public static let wholeEffort = 3_000_000
    /// By how much a task is postponed at the most, in seconds.
    public static let longestPostponement: Int32 = 14_400
    /// Postponing and shortening go by so many seconds.
    public static let unitSeconds: Int32 = 300

    /// Finds the smallest sets of changes that make a day feasible, the best first.
    ///
    /// The best has the fewest changes, then the fewest seconds, then the fewest people affected
    /// (V46). What is moved to another day takes no seconds.
    ///
    /// - Parameters:
    ///   - day: the day, without a feasible plan.
    ///   - times: how long one travels.
    ///   - limit: how many repairs to return at the most.
    /// - Returns: repairs of the smallest number of changes that any repair has; empty if the day
    ///   needs more than ``stepLimit`` changes, or is feasible as it is.
    /// - Throws: what is wrong with the day.
    public static func repairs(
        of day: Day,
        by times: some TravelTimes,
        limit: Int = 5
    ) throws(DayFailure) -> [DayRepair] {
        var search = RepairSearch(day: day)
        guard try search.plan([], times) == nil else { return [] }
        for count in 1...stepLimit {
            let found = try search.repairs(count, times)
            if !found.isEmpty { return Array(found.sorted(by: isBetter).prefix(limit)) }
        }
        return []
    }

    /// Finds the smallest sets of changes that make a day in a city feasible.
    ///
    /// What the plans of the repairs use is looked up, as ``DayPlan/solve(_:in:by:effort:)`` does;
    /// those of which something turns out to be otherwise are left out in the end.
    ///
    /// - Parameters:
    ///   - day: the day, without a feasible plan.
    ///   - travel: the travel times.
    ///   - planner: what finds journeys.
    ///   - limit: how many repairs to return at the most.
    /// - Returns: as ``repairs(of:by:limit:)``.
    /// - Throws: what is wrong with the day.
    public static func repairs(
        of day: Day,
        in travel: inout CityTravel,
        by planner: Planner,
        limit: Int = 5
    ) throws(DayFailure) -> [DayRepair] {
        for _ in 0..<lookUpLimit {
            let found = try repairs(of: day, by: travel, limit: limit)
            var isChanged = false
            for repair in found {
                let isNew = travel.lookUp(repair.plan, planner)
                isChanged = isChanged || isNew
            }
            if !isChanged { return found }
        }
        return try repairs(of: day, by: travel, limit: limit).filter { repair in
            !travel.lookUp(repair.plan, planner)
        }
    }

    /// How many times repairs are looked for because what their plans use was not known.
    private static let lookUpLimit = 8

    private static func isBetter(_ left: DayRepair, _ right: DayRepair) -> Bool {
        left.rank.lexicographicallyPrecedes(right.rank)
    }

    private var rank: [Int64] {
        [Int64(seconds), Int64(peopleAffected), plan.cost.rawValue, Int64(kinds)]
    }

    /// The kinds of the steps: later ones are harder on the traveller.
    private var kinds: Int { steps.reduce(0) { $0 + $1.kind } }
}

extension RepairStep {
    fileprivate var kind: Int {
        switch self {
        case .postpone: 1
        case .shorten: 2
        case .allowAllModes: 3
        case .dropWalkLimits: 4
        case .move: 5
        }
    }

    /// The task that changes.
    public var task: TaskIdentifier? {
        switch self {
        case .postpone(let task, _), .shorten(let task, _), .allowAllModes(let task),
            .move(let task):
            task
        case .dropWalkLimits: nil
        }
    }

    /// By how many seconds the task changes.
    public var seconds: Int32 {
        switch self {
        case .postpone(_, let seconds), .shorten(_, let seconds): seconds
        case .allowAllModes, .dropWalkLimits, .move: 0
        }
    }

    /// The same change by another number of seconds.
    func by(seconds: Int32) -> RepairStep {
        switch self {
        case .postpone(let task, _): .postpone(task, seconds: seconds)
        case .shorten(let task, _): .shorten(task, seconds: seconds)
        case .allowAllModes, .dropWalkLimits, .move: self
        }
    }
}

extension Day {
    /// Applies a step of a repair; one about a task that the day does not have does nothing.
    public mutating func apply(_ step: RepairStep) {
        if step == .dropWalkLimits { limits = DayLimits() }
        guard let number = tasks.firstIndex(where: { $0.id == step.task }) else { return }
        switch step {
        case .postpone(_, let seconds):
            for slot in tasks[number].slots.indices {
                let until = tasks[number].slots[slot].until.adding(seconds: Int64(seconds))
                let closing = tasks[number].slots[slot].closing ?? until
                tasks[number].slots[slot].until = min(until, closing)
            }
        case .shorten(_, let seconds):
            tasks[number].leastSeconds = max(1, tasks[number].leastSeconds - seconds)
        case .allowAllModes: tasks[number].modes = .all
        case .dropWalkLimits: break
        case .move: tasks.remove(at: number)
        }
    }
}

/// Tries sets of changes, the small ones first.
private struct RepairSearch {
    let day: Day
    private var effortLeft = DayRepair.wholeEffort
    /// The links of the day, which most changes leave as they are.
    private var links: DayLinks?

    init(day: Day) { self.day = day }

    /// The plan of the day with some changes; nil if there is none, or it is not known.
    mutating func plan(
        _ steps: [RepairStep],
        _ times: some TravelTimes
    ) throws(DayFailure) -> DayPlan? {
        guard effortLeft > 0 else { return nil }
        var changed = day
        for step in steps { changed.apply(step) }
        let isSameLinks = changed.limits == day.limits
        let problem = try DayProblem(changed, times, links: isSameLinks ? links : nil)
        if isSameLinks { links = problem.links }
        let answer = DayPlan.solve(
            problem,
            effort: min(effortLeft, DayRepair.effort),
            rungs: [.strict, .shortWaits]
        )
        // Also a day that is over at once takes time to set up.
        effortLeft -= max(answer.tries, 1_000)
        return answer.plan
    }

    /// All changes, each as large as it may be.
    private var changes: [RepairStep] {
        var changes: [RepairStep] = []
        for task in day.tasks.sorted(by: { $0.id < $1.id }) {
            if !task.isOverlappable {
                changes.append(.postpone(task.id, seconds: DayRepair.longestPostponement))
                let unit = DayRepair.unitSeconds
                let least = task.leastSeconds / 2 / unit * unit
                if task.pieces == 1, least > 0 {
                    changes.append(.shorten(task.id, seconds: least))
                }
            }
            if !task.modes.isSuperset(of: day.modes) { changes.append(.allowAllModes(task.id)) }
            changes.append(.move(task.id))
        }
        if day.limits != DayLimits() { changes.append(.dropWalkLimits) }
        return changes
    }

    /// All repairs of a number of changes, none of which contains a smaller one.
    mutating func repairs(
        _ count: Int,
        _ times: some TravelTimes
    ) throws(DayFailure) -> [DayRepair] {
        let changes = changes
        var found: [DayRepair] = []
        var chosen = Array(0..<count)
        while let last = chosen.last, last < changes.count {
            let steps = chosen.map { changes[$0] }
            // One change of a task is enough for a set.
            let tasks = Set(steps.map { $0.task })
            if tasks.count == steps.count, let plan = try plan(steps, times) {
                found.append(try repair(steps, plan, times))
            }
            // The next combination.
            var position = count - 1
            while position > 0, chosen[position] == changes.count - count + position {
                position -= 1
            }
            chosen[position] += 1
            for next in position + 1..<max(count, position + 1) {
                chosen[next] = chosen[next - 1] + 1
            }
        }
        return found
    }

    /// Reduces the seconds of each change to the fewest that work.
    private mutating func repair(
        _ steps: [RepairStep],
        _ plan: DayPlan,
        _ times: some TravelTimes
    ) throws(DayFailure) -> DayRepair {
        var steps = steps
        var best = plan
        for number in steps.indices where steps[number].seconds > 0 {
            var low: Int32 = 0
            var high = steps[number].seconds / DayRepair.unitSeconds
            while high - low > 1 {
                let middle = (low + high) / 2
                steps[number] = steps[number].by(seconds: middle * DayRepair.unitSeconds)
                if let plan = try self.plan(steps, times) {
                    best = plan
                    high = middle
                } else {
                    low = middle
                }
            }
            steps[number] = steps[number].by(seconds: high * DayRepair.unitSeconds)
        }
        let people = steps.map { step in
            day.tasks.first { $0.id == step.task }?.peopleAffected ?? 0
        }
        return DayRepair(
            steps: steps,
            plan: best,
            peopleAffected: people.reduce(0) { $0 + min($1, 1_000_000) },
            seconds: steps.reduce(0) { $0 + $1.seconds }
        )
    }
}
