extension DaySearch {
    /// Does a job where the traveller is.
    mutating func stay(_ number: Int, _ slot: DayProblem.Slot, _ label: DayLabel, _ index: Int32) {
        tries += 1
        var next = label
        if label.place == DayLabel.nowhere { next.place = slot.place }
        next.step = DayStep(parent: index)
        next.cost += legCost(number, nil, from: label.place, to: label.place)
        if slot.place == DayLabel.nowhere, label.free < label.time {
            meanwhile(number, slot, next)
        }
        _ = begin(number, slot, next, slack: DayLabel.forever, lead: 0)
    }

    /// Does a job at each start that may be best, from when the traveller is there.
    ///
    /// - Parameters:
    ///   - number: the job.
    ///   - slot: where and when it can be done.
    ///   - next: the label at the arrival, or where no journey is needed, when all else is done.
    ///   - slack: how much later the journey can begin.
    ///   - lead: how long before the start one must be there.
    /// - Returns: the penalty for waiting long at the earliest start; the greatest one where other
    ///   starts are possible.
    mutating func begin(
        _ number: Int,
        _ slot: DayProblem.Slot,
        _ next: DayLabel,
        slack: Int32,
        lead: Int32
    ) -> Int64 {
        let job = problem.jobs[number]
        let latest = slot.until - job.least
        let earliest = max(slot.from, next.time + lead)
        guard earliest <= latest else {
            beginShortOrLate(number, slot, next, lead: lead)
            return problem.weights.longWait
        }
        let penalty = put(
            number,
            slot,
            next,
            slack: slack,
            lead: lead,
            at: earliest,
            isWanted: false
        )
        guard job.hasWantedStarts else { return penalty }
        job.forEachWantedStart { start in
            guard start >= earliest, start <= latest else { return }
            _ = put(number, slot, next, slack: slack, lead: lead, at: start, isWanted: true)
        }
        return problem.weights.longWait
    }

    /// Puts a job at a start, which may become later unless it is wanted.
    private mutating func put(
        _ number: Int,
        _ slot: DayProblem.Slot,
        _ arrival: DayLabel,
        slack: Int32,
        lead: Int32,
        at start: Int32,
        isWanted: Bool
    ) -> Int64 {
        let job = problem.jobs[number]
        let weights = problem.weights
        let isBase = problem.isBase(arrival.place)
        var next = arrival
        // One waits where one is rather than where one goes, unless that is at one's base.
        let wait = start - next.time - lead
        let later = min(wait, isBase ? min(slack, next.stretch) : slack)
        next.pass(later, weights)
        next.limit(slack - later)
        var penalty: Int64 = 0
        if isBase {
            next.shift = DayLabel.forever
        } else {
            let idle = wait - later + lead
            next.cost += Int64(idle) * weights.waiting
            if next.step.mode != nil, idle > job.lead.upperBound {
                penalty = weights.longWait
                next.step.lapse = .longWait
            }
        }
        let rest = slot.until - job.least - start
        next.limit(isWanted ? 0 : rest)
        next.step.laterStart = next.stretch + (isBase ? 0 : next.shift)
        next.step.lead = lead
        next.step.start = start
        next.step.length = job.least
        next.step.ownStretch = min(job.full - job.least, rest)
        next.stretch = min(next.step.ownStretch + next.stretch, rest)
        next.shift = isBase ? DayLabel.forever : min(next.shift, rest - next.stretch)
        next.cost += penalty + Int64(job.full - job.least) * weights.shortening
        complete(number, slot, next, at: start, until: start + job.least, isWanted: isWanted)
        return penalty
    }

    /// Does a job although the traveller comes too shortly before its latest start, or after it.
    private mutating func beginShortOrLate(
        _ number: Int,
        _ slot: DayProblem.Slot,
        _ arrival: DayLabel,
        lead: Int32
    ) {
        let job = problem.jobs[number]
        let weights = problem.weights
        let latest = slot.until - job.least
        var next = arrival
        next.limit(0)
        next.step.ownStretch = 0
        if next.time <= latest {
            guard rung != .strict else { return }
            let wait = latest - next.time
            next.step.lapse = .shortWait
            next.step.lead = wait
            next.step.start = latest
            next.cost += PlanCost.short + Int64(lead - wait) * weights.lateness
            if !problem.isBase(next.place) { next.cost += Int64(wait) * weights.waiting }
            next.cost += Int64(job.full - job.least) * weights.shortening
        } else {
            guard rung == .lateArrivals, next.time < slot.until else { return }
            next.step.lapse = .late
            next.step.lead = 0
            next.step.start = next.time
            next.cost += PlanCost.late + Int64(next.time - latest) * weights.lateness
        }
        next.step.length = slot.until - next.step.start
        if problem.isBase(next.place) { next.shift = DayLabel.forever }
        let start = next.step.start
        complete(number, slot, next, at: start, until: slot.until, isWanted: true)
    }

    /// Does a task without a place while the traveller is somewhere for an overlappable one.
    ///
    /// It begins as soon as it can, for its least length or until the other task ends. Or it begins
    /// so that it ends with the other task or after it: that may spare waiting.
    private mutating func meanwhile(_ number: Int, _ slot: DayProblem.Slot, _ label: DayLabel) {
        let job = problem.jobs[number]
        let earliest = max(slot.from, label.free)
        let latest = slot.until - job.least
        guard earliest < label.time else { return }
        guard earliest <= latest else { return meanwhileLate(number, slot, label, at: earliest) }
        meanwhile(number, slot, label, at: earliest)
        let last = label.time - job.full
        if last > earliest, last + job.full <= slot.until {
            meanwhile(number, slot, label, at: last)
        }
        job.forEachWantedStart { start in
            guard start > earliest, start <= latest, start < label.time else { return }
            meanwhile(number, slot, label, at: start)
        }
    }

    /// Does a task at a start before an overlappable one ends.
    private mutating func meanwhile(
        _ number: Int,
        _ slot: DayProblem.Slot,
        _ label: DayLabel,
        at start: Int32
    ) {
        let job = problem.jobs[number]
        let isBase = problem.isBase(label.place)
        let longest = min(job.full, slot.until - start)
        let filling = min(max(job.least, label.time - start), longest)
        for length in filling > job.least ? [job.least, filling] : [filling] {
            let end = start + length
            var next = label
            next.limit(0)
            next.step.start = start
            next.step.length = length
            next.step.ownStretch = end >= label.time ? longest - length : 0
            next.stretch = next.step.ownStretch
            next.shift = isBase ? DayLabel.forever : 0
            next.cost += Int64(job.full - length) * problem.weights.shortening
            let over = max(end, label.time)
            complete(number, slot, next, at: start, until: over, isWanted: true, free: end)
            // As long as the other task lasts, beginning later is no waiting.
            let later = min(label.time - start, slot.until - end - next.stretch)
            guard end >= label.time, !isBase, later > 0 else { continue }
            next.shift = later
            next.step.laterStart = later
            complete(number, slot, next, at: start, until: over, isWanted: false, free: end)
        }
    }

    /// Does a task during an overlappable one although its latest start is over.
    private mutating func meanwhileLate(
        _ number: Int,
        _ slot: DayProblem.Slot,
        _ label: DayLabel,
        at start: Int32
    ) {
        guard rung == .lateArrivals, start < slot.until else { return }
        let latest = slot.until - problem.jobs[number].least
        var next = label
        next.limit(0)
        next.step.lapse = .late
        next.step.start = start
        next.step.length = slot.until - start
        next.step.ownStretch = 0
        if problem.isBase(next.place) { next.shift = DayLabel.forever }
        next.cost += PlanCost.late + Int64(start - latest) * problem.weights.lateness
        let over = max(slot.until, label.time)
        complete(number, slot, next, at: start, until: over, isWanted: true, free: slot.until)
    }

    /// Adds the label of a job that is done.
    private mutating func complete(
        _ number: Int,
        _ slot: DayProblem.Slot,
        _ label: DayLabel,
        at start: Int32,
        until end: Int32,
        isWanted: Bool,
        free: Int32? = nil
    ) {
        let job = problem.jobs[number]
        var next = label
        next.done |= 1 << UInt64(number)
        next.step.job = Int16(truncatingIfNeeded: number)
        next.time = end
        next.free = free ?? (job.isOverlappable ? start : end)
        next.cost += slot.penalty
        // A start that may still become later is not the wanted one.
        let isFormer =
            isWanted && start == job.formerStart
            && next.place == job.formerPlace ?? next.place
        if job.formerStart != nil, !isFormer { next.cost += PlanCost.changedStart }
        if let kept = job.keptStart, !(isWanted && start == kept) { next.cost += PlanCost.broken }
        if let kept = job.keptPlace, next.place != kept { next.cost += PlanCost.broken }
        add(next)
    }

    /// Ends the day.
    ///
    /// - Parameters:
    ///   - label: the label at the day's destination, or after the last task.
    ///   - slack: how much later the last journey can begin.
    mutating func arriveHome(_ label: DayLabel, slack: Int32) {
        guard label.time <= problem.end,
            problem.car?.returnPlace.map({ $0.rawValue == label.car }) ?? true,
            problem.bicycle?.returnPlace.map({ $0.rawValue == label.bicycle }) ?? true
        else { return }
        var last = label
        // A later end is worth it where a task can last longer.
        last.step.laterStart = min(last.stretch, slack, problem.end - last.time)
        last.cost -= Int64(last.step.laterStart) * problem.weights.shortening
        finish(last)
    }
}
