/// What its owner prefers, and what alone keeps a task from being reached (V50).
package enum DayPreference: String, Sendable {
    /// The means by which its owner wants to travel to the task.
    case means
    /// How far its owner wants to walk.
    case walk
}

extension PlannedDay {
    /// The preference without which a conflict would not be, whatever else stays as it is; nil if
    /// there is none.
    ///
    /// - Parameter conflict: a conflict of the day.
    /// - Returns: the preference that a repair of the day gives up, and nothing else.
    package func preference(inTheWayOf conflict: DayConflict) -> DayPreference? {
        let tasks = conflict.tasks
        let isOfMeans = repairs.contains { repair in
            repair.changes.count == 1 && !repair.dropsWalkLimits
                && repair.changes[0].kind == .anyMeans && tasks.contains(repair.changes[0].task)
        }
        if isOfMeans { return .means }
        return repairs.contains { $0.changes.isEmpty && $0.dropsWalkLimits } ? .walk : nil
    }
}

extension DayConflict {
    /// The tasks that are in each other's way, or not reached.
    fileprivate var tasks: [Int] {
        switch self {
        case .overlap(let first, let second): [first, second]
        case .unreachable(.task(let from), let to, _): [from, to]
        case .unreachable(_, let to, _): [to]
        case .noReturn(let from, _): [from]
        case .noRoom(let task): [task]
        }
    }
}
