/// What partial plans cost at least until they are whole, and until when all can be reached.
struct DayBounds {
    /// For each job the least cost of getting to its place, and of its slot.
    private let entry: [Int64]
    /// The same without the waiting that the time on the way spares.
    private let netEntry: [Int64]
    /// For each place, one more for nowhere, and each job: when to be free there to reach the job.
    private let latest: [Int32]
    /// For each job its earliest start.
    private let earliest: [Int32]
    /// Whether a job may be done where time is the traveller's own.
    private let isAtBase: [Bool]
    /// For each place, one more for nowhere, and each job: whether it may be done there.
    private let isThere: [Bool]
    /// The least cost of the journey to the day's destination; 0 where there may be none.
    private let homeward: Int64
    private let netHomeward: Int64
    /// Whether a second of travel never costs less than one of waiting.
    private let isTravelWorse: Bool

    init(_ problem: DayProblem, _ rung: Rung) {
        let jobs = problem.jobs
        let links = problem.links
        let hasPlaceless = jobs.contains { $0.isPlaceless }
        /// Whether the journey to a place may be that to another job, or none.
        func isShared(_ place: UInt16, _ job: Int) -> Bool {
            place == DayLabel.nowhere || place == problem.origin
                || jobs.indices.contains { other in
                    other != job && problem.slots(of: jobs[other]).contains { $0.place == place }
                }
        }
        func least(_ costs: [Int64], _ job: Int) -> Int64 {
            let all = problem.slots(of: jobs[job]).map { slot -> Int64 in
                let cost = isShared(slot.place, job) ? 0 : costs[Int(slot.place)]
                return cost == PlanCost.never ? 0 : min(cost, 1 << 32) + slot.penalty
            }
            return all.min() ?? 0
        }
        entry = jobs.indices.map { least(links.leastCost, $0) }
        netEntry = jobs.indices.map { least(links.leastNetCost, $0) }
        isTravelWorse = links.leastNetCost.allSatisfy { $0 >= 0 }
        earliest = jobs.map { problem.slots(of: $0).map { $0.from }.min() ?? 0 }
        isAtBase = jobs.map { job in
            problem.slots(of: job).contains { problem.isBase($0.place) }
        }
        let isHomeOpen =
            problem.destination == DayLabel.nowhere || hasPlaceless
            || problem.slots.contains { $0.place == problem.destination }
        let home = isHomeOpen ? PlanCost.never : links.leastCost[Int(problem.destination)]
        homeward = home == PlanCost.never ? 0 : home
        let netHome = isHomeOpen ? PlanCost.never : links.leastNetCost[Int(problem.destination)]
        netHomeward = netHome == PlanCost.never ? 0 : netHome
        var latest: [Int32] = []
        var isThere: [Bool] = []
        for place in 0...links.placeCount {
            let from = place == links.placeCount ? DayLabel.nowhere : UInt16(place)
            for job in jobs {
                let times = problem.slots(of: job).map { slot in
                    Self.latest(from, job, slot, rung, problem, hasPlaceless)
                }
                isThere.append(problem.slots(of: job).contains { $0.place == from })
                latest.append(times.max() ?? 0 - DayLabel.forever)
            }
        }
        self.latest = latest
        self.isThere = isThere
    }

    /// When to be free at a place to reach a job in a slot.
    private static func latest(
        _ from: UInt16,
        _ job: DayProblem.Job,
        _ slot: DayProblem.Slot,
        _ rung: Rung,
        _ problem: DayProblem,
        _ hasPlaceless: Bool
    ) -> Int32 {
        let links = problem.links
        guard rung != .lateArrivals else { return slot.until - 1 - links.seconds(from, slot.place) }
        var lead: Int32 = 0
        if rung == .strict, from != DayLabel.nowhere, from != slot.place, !hasPlaceless {
            // One who comes for another task at the place need not come earlier for this one.
            lead =
                problem.jobs.filter { job in
                    problem.slots(of: job).contains { $0.place == slot.place }
                }.map { $0.lead.lowerBound }.min() ?? 0
        }
        return slot.until - job.least - lead - links.seconds(from, slot.place)
    }

    /// Whether each job that is left can be reached in time, looked at alone.
    func canReachAll(_ label: DayLabel, _ problem: DayProblem) -> Bool {
        let count = problem.jobs.count
        let place = min(Int(label.place), problem.links.placeCount)
        for job in 0..<count where label.done & (1 << UInt64(job)) == 0 {
            let moment = problem.jobs[job].isPlaceless ? label.free : label.time
            if moment > latest[place * count + job] { return false }
        }
        return true
    }

    /// What a whole plan costs at least that goes on to a job, or where there is none to the day's
    /// destination or to a vehicle, without the cost of getting there.
    ///
    /// It is the first of the bounds of ``leastCost(_:_:)`` for what follows.
    func leastCost(_ label: DayLabel, goingTo target: Int?, _ problem: DayProblem) -> Int64 {
        let now = label.cost - Int64(label.stretch) * problem.weights.shortening
        var sum: Int64 = 0
        let here = min(Int(label.place), problem.links.placeCount) * problem.jobs.count
        for job in problem.jobs.indices
        where job != target && label.done & (1 << UInt64(job)) == 0 && !isThere[here + job] {
            sum += entry[job]
        }
        // The way home may be the one that is meant.
        return now + sum + (target == nil || label.place == problem.destination ? 0 : homeward)
    }

    /// What a whole plan costs at least.
    ///
    /// The greater of two bounds: each place is entered once; and until the last of the earliest
    /// starts, time passes by tasks, travel or waiting.
    func leastCost(_ label: DayLabel, _ problem: DayProblem) -> Int64 {
        let weights = problem.weights
        let now = label.cost - Int64(label.stretch) * weights.shortening
        var sum: Int64 = 0
        var greatest: Int64 = 0
        var net: Int64 = 0
        var lengths: Int32 = 0
        var last: Int32 = 0 - DayLabel.forever
        var lastLength: Int32 = 0
        let here = min(Int(label.place), problem.links.placeCount) * problem.jobs.count
        // One who fetches a vehicle at a base may spend time there.
        var isOwnTime =
            problem.isBase(label.place)
            || label.car != DayLabel.nowhere && problem.isBase(label.car)
            || label.bicycle != DayLabel.nowhere && problem.isBase(label.bicycle)
        for job in problem.jobs.indices where label.done & (1 << UInt64(job)) == 0 {
            // A task without a place may have led here before.
            if !isThere[here + job] {
                sum += entry[job]
                greatest = max(greatest, entry[job])
                net += netEntry[job]
            }
            lengths += problem.jobs[job].full
            isOwnTime = isOwnTime || isAtBase[job]
            if earliest[job] > last {
                last = earliest[job]
                lastLength = problem.jobs[job].full
            }
        }
        // The day that begins anywhere begins at one of the places.
        if label.place == DayLabel.nowhere { sum -= greatest }
        if label.place != problem.destination {
            sum += label.place == DayLabel.nowhere ? 0 : homeward
            net += netHomeward
        }
        guard isTravelWorse, !isOwnTime else { return now + sum }
        let gap = last - (label.time + label.stretch + label.shift) - (lengths - lastLength)
        return now + max(sum, net + Int64(max(0, gap)) * weights.waiting)
    }
}
