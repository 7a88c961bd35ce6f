import Chronology
import DayPlan

/// The solver says what a task may do: begin later, or be shorter. A calendar says what it does.
extension SolverDay {
    /// A repair in terms of the calendar, and the day with exactly these changes.
    ///
    /// - Parameter repair: what the solver found; its plan says by how much a task changes.
    /// - Returns: nil for a repair that a calendar cannot make, such as a task that begins later
    ///   and ends sooner.
    func exact(_ repair: DayRepair) -> (repair: CalendarRepair, day: Day)? {
        var day = day
        var changes: [CalendarChange] = []
        for step in repair.steps where step != .dropWalkLimits {
            guard let identifier = step.task, let number = task(identifier),
                let place = day.tasks.firstIndex(where: { $0.id == identifier })
            else { return nil }
            let kind: CalendarChange.Kind
            switch step {
            case .move: kind = .drop
            case .allowAllModes: kind = .anyMeans
            case .dropWalkLimits: preconditionFailure("walking limits are of no task")
            case .postpone(_, let seconds), .shorten(_, let seconds):
                guard input.tasks[number].timing.isFlexible else {
                    let window = input.tasks[number].timing.window
                    guard let found = Self.change(identifier, from: window, in: repair.plan) else {
                        return nil
                    }
                    kind = found
                    day.tasks[place].change(by: kind)
                    changes.append(CalendarChange(task: number, kind: kind))
                    continue
                }
                let minutes = Int64(seconds) / 60
                kind =
                    step == .postpone(identifier, seconds: seconds)
                    ? .postpone(minutes: minutes) : .shorten(minutes: minutes)
            }
            day.apply(step)
            changes.append(CalendarChange(task: number, kind: kind))
        }
        changes.sort { $0.task < $1.task }
        var found = CalendarRepair(changes: changes)
        found.dropsWalkLimits = repair.steps.contains(.dropWalkLimits)
        if found.dropsWalkLimits { day.apply(.dropWalkLimits) }
        found.peopleAffected = changes.reduce(0) { $0 + input.tasks[$1.task].demands.guests }
        return (found, day)
    }

    /// How a plan changes a task that had a fixed time; nil if not at all, or in two ways at once.
    private static func change(
        _ identifier: TaskIdentifier,
        from window: Range<Instant>,
        in plan: DayPlan
    ) -> CalendarChange.Kind? {
        guard let piece = plan.tasks.first(where: { $0.id == identifier }) else { return nil }
        let later = minutes(piece.start.seconds - window.lowerBound.seconds)
        let sooner = minutes(window.upperBound.seconds - piece.end.seconds)
        let length = window.upperBound.seconds - window.lowerBound.seconds
        if piece.end.seconds - piece.start.seconds == length {
            return later > 0 ? .postpone(minutes: later) : nil
        }
        if later == 0 { return .shorten(minutes: sooner) }
        return sooner == 0 ? .delay(minutes: later) : nil
    }

    /// Whole minutes that are not less than the seconds.
    private static func minutes(_ seconds: Int64) -> Int64 { max(0, (seconds + 59) / 60) }
}

extension DayTask {
    /// Changes a task that takes the whole of its slots.
    fileprivate mutating func change(by kind: CalendarChange.Kind) {
        let shift = Int32(clamping: kind.minutes * 60)
        for number in slots.indices {
            switch kind {
            case .postpone:
                slots[number].from = slots[number].from.adding(seconds: Int64(shift))
                slots[number].until = slots[number].until.adding(seconds: Int64(shift))
            case .shorten:
                slots[number].until = slots[number].until.adding(seconds: -Int64(shift))
            case .delay: slots[number].from = slots[number].from.adding(seconds: Int64(shift))
            case .anyMeans, .drop, .move: break
            }
        }
        switch kind {
        case .shorten, .delay:
            seconds = max(1, seconds - shift)
            leastSeconds = min(leastSeconds, seconds)
        case .postpone, .anyMeans, .drop, .move: break
        }
    }
}
