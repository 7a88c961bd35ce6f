extension DaySearch {
    /// Where a journey leads.
    struct Target {
        enum Purpose {
            /// To a slot of a job, with how long before its start one must be there.
            case job(DayProblem.Slot, lead: Int32)
            /// To an own vehicle.
            case pickUp(TravelMode)
            /// To the day's destination.
            case home
        }

        var place: UInt16
        /// The number of the job; that after the last for the day's destination.
        var job: Int
        var modes: TravelModeSet
        /// The earliest departure that is permitted.
        var earliest: Int32 = 0
        /// The latest arrival that is of use.
        var latest: Int32
        var purpose: Purpose
    }

    /// Continues a label in all ways.
    mutating func follow(_ label: DayLabel, _ index: Int32) {
        if problem.isComplete(label.done) { goHome(label, index) }
        for job in problem.jobs.indices where label.done & (1 << UInt64(job)) == 0 {
            // Pieces are alike, so they are done in their order.
            let isNext =
                problem.jobs[job].piece == 0 || label.done & (1 << UInt64(job - 1)) != 0
            if isNext { attempt(job, label, index) }
        }
        for (mode, place) in [(TravelMode.bicycle, label.bicycle), (.car, label.car)]
        where place != DayLabel.nowhere && place != label.place && label.pickUp == .none {
            guard problem.modes.contains(TravelModeSet(mode)) else { continue }
            var target = Target(
                place: place,
                job: -1,
                modes: problem.modes.subtracting(TravelModeSet(mode)),
                latest: problem.end,
                purpose: .pickUp(mode)
            )
            travel(label, index, target)
            for earliest in earliestDepartures(label) {
                target.earliest = earliest
                travel(label, index, target)
            }
        }
    }

    /// The moments after a label's before which no journey to some job that is left may begin.
    private func earliestDepartures(_ label: DayLabel) -> [Int32] {
        let moments = problem.jobs.indices.compactMap { job -> Int32? in
            let isLeft = label.done & (1 << UInt64(job)) == 0
            let earliest = problem.jobs[job].earliestDeparture
            return isLeft && earliest > label.time ? earliest : nil
        }
        return moments.isEmpty ? [] : Set(moments).sorted()
    }

    /// Does a job next, in each of its slots.
    private mutating func attempt(_ number: Int, _ label: DayLabel, _ index: Int32) {
        let job = problem.jobs[number]
        for slot in problem.slots(of: job) {
            guard slot.place != DayLabel.nowhere else {
                if label.pickUp == .none { stay(number, slot, label, index) }
                for place in 0..<problem.links.placeCount {
                    let place = UInt16(truncatingIfNeeded: place)
                    var target = target(number, slot, at: place, lead: 0)
                    target.modes = problem.modes(of: number, toward: place, done: label.done)
                    target.earliest = problem.earliestDeparture(
                        of: number,
                        toward: place,
                        done: label.done
                    )
                    travel(label, index, target)
                }
                continue
            }
            if label.place == slot.place || label.place == DayLabel.nowhere {
                if label.pickUp == .none { stay(number, slot, label, index) }
            } else {
                let lead = job.lead.lowerBound
                travel(label, index, target(number, slot, at: slot.place, lead: lead))
            }
        }
    }

    private func target(
        _ number: Int,
        _ slot: DayProblem.Slot,
        at place: UInt16,
        lead: Int32
    ) -> Target {
        let latestStart = slot.until - problem.jobs[number].least
        return Target(
            place: place,
            job: number,
            modes: problem.jobs[number].modes,
            earliest: problem.jobs[number].earliestDeparture,
            latest: rung == .strict
                ? latestStart - lead : rung == .shortWaits ? latestStart : slot.until - 1,
            purpose: .job(slot, lead: lead)
        )
    }

    /// Ends the day, after the journey to its destination if there is one.
    private mutating func goHome(_ label: DayLabel, _ index: Int32) {
        let destination = problem.destination
        if destination == DayLabel.nowhere || label.place == DayLabel.nowhere
            || label.place == destination
        {
            guard label.pickUp == .none else { return }
            var last = label
            last.step = DayStep(parent: index)
            last.cost += legCost(problem.jobs.count, nil, from: label.place, to: label.place)
            arriveHome(last, slack: DayLabel.forever)
        } else {
            let target = Target(
                place: destination,
                job: problem.jobs.count,
                modes: problem.modes,
                latest: problem.end,
                purpose: .home
            )
            travel(label, index, target)
        }
    }

    /// Travels to a target by all options that may be best.
    private mutating func travel(_ label: DayLabel, _ index: Int32, _ target: Target) {
        guard label.place != DayLabel.nowhere, label.place != target.place else { return }
        let link = problem.links[label.place, target.place]
        let fixed = label.time + label.stretch + label.shift
        let job = target.job >= 0 && target.job < problem.jobs.count ? target.job : nil
        let least = bounds.leastCost(label, goingTo: job, problem)
        /// Whether no plan that takes an option can be better than the best one so far.
        func isHopeless(_ passage: DayLinks.Passage) -> Bool {
            let waited = Int64(max(0, passage.first - fixed)) * problem.weights.waiting
            return least + waited + passage.cost >= bestCost
        }
        for passage in link.spans where !isHopeless(passage) {
            depart(label, index, passage, target)
        }
        let early = Early(target, from: label.place, problem)
        // Of the rides that arrive before all can begin, the best one.
        var best: (cost: Int64, passage: DayLinks.Passage)?
        var known: DayLinks.Arrived?
        let first = max(label.time, target.earliest)
        for number in link.position(at: first)..<link.departures.count {
            let passage = link.departures[number]
            if passage.first > target.latest { break }
            // From here on each departure costs waiting, so one may beat all later ones.
            if passage.first >= fixed, let known, known.beats(link.later[number]) { break }
            if isHopeless(passage) { continue }
            let extra: Int64?
            if let early, let penalty = early.penalty(passage) {
                let cost =
                    label.cost(after: passage.first - label.time, problem.weights) + penalty.all
                if best.map({ cost <= $0.cost }) ?? true { best = (cost, passage) }
                extra = penalty.extra
            } else {
                extra = depart(label, index, passage, target)
            }
            guard let extra, passage.first >= fixed, !passage.mode.movesVehicle else { continue }
            let isLimited = problem.limitsDayWalk
            let arrived = DayLinks.Arrived(passage, extra, problem.weights, isLimited: isLimited)
            if known.map({ arrived.beats($0) }) ?? true { known = arrived }
        }
        if let best { depart(label, index, best.passage, target) }
    }

    /// What tells apart the rides to a job that arrive so early that all begin it at once: only
    /// their costs differ, so one is enough.
    private struct Early {
        /// When one must be there.
        let until: Int32
        /// What each second of waiting there costs.
        let waiting: Int64
        /// How long before the start one is there at least.
        let lead: Int32
        /// From how many seconds before the start on there is a penalty.
        let longest: Int32
        let longWait: Int64
        /// What a ride costs for being another means than before.
        let change: Int64

        /// Nil where more than the cost differs.
        init?(_ target: Target, from origin: UInt16, _ problem: DayProblem) {
            guard case .job(let slot, let lead) = target.purpose, !problem.limitsDayWalk,
                problem.arrivals[target.job].booked == nil,
                !problem.jobs[target.job].hasWantedStarts
            else { return nil }
            until = slot.from - lead
            let isBase = problem.isBase(target.place)
            waiting = isBase ? 0 : problem.weights.waiting
            self.lead = lead
            longest = isBase ? .max : problem.jobs[target.job].lead.upperBound
            longWait = problem.weights.longWait
            let former = problem.arrivals[target.job].formerMode
            change = former == nil || former == .transit ? 0 : PlanCost.changedLeg
        }

        /// What a ride costs with the waiting after it, and of that what ``depart`` returns; nil
        /// for one that does not arrive early.
        func penalty(_ passage: DayLinks.Passage) -> (all: Int64, extra: Int64)? {
            let wait = until - passage.first - passage.seconds
            guard passage.mode == .transit, wait >= 0 else { return nil }
            let idle = wait + lead
            let extra = change + (idle > longest ? longWait : 0)
            return (passage.cost + extra + Int64(idle) * waiting, extra)
        }
    }

    /// Takes an option to a target.
    ///
    /// - Returns: what it costs besides the option itself; nil if it cannot be taken.
    @discardableResult
    private mutating func depart(
        _ label: DayLabel,
        _ index: Int32,
        _ passage: DayLinks.Passage,
        _ target: Target
    ) -> Int64? {
        let departure = max(passage.first, label.time, target.earliest)
        tries += 1
        guard departure <= passage.last, departure + passage.seconds <= target.latest,
            var next = moved(label, passage, target)
        else { return nil }
        next.pass(departure - label.time, problem.weights)
        next.time = departure + passage.seconds
        next.free = next.time
        next.step = DayStep(
            parent: index,
            job: -1,
            mode: passage.mode,
            departure: departure,
            lastDeparture: passage.last,
            seconds: passage.seconds,
            walk: passage.walk
        )
        let slack = passage.last - departure
        var extra: Int64 = 0
        if target.job >= 0 {
            extra = legCost(target.job, passage, from: label.place, to: target.place)
        }
        next.cost += passage.cost + extra
        switch target.purpose {
        case .job(let slot, let lead):
            extra += begin(target.job, slot, next, slack: slack, lead: lead)
        case .pickUp(let vehicle):
            next.limit(slack)
            next.pickUpDeparture = problem.limitsDepartures ? departure : 0
            next.pickUp.by = passage.mode.rawValue + 1
            next.pickUp.vehicle = vehicle.rawValue
            if problem.isBase(next.place) { next.shift = DayLabel.forever }
            add(next)
        case .home:
            arriveHome(next, slack: slack)
        }
        return extra
    }

    /// A label in another place, with the vehicle in which it went there; nil if the vehicle is
    /// elsewhere, or a limit is exceeded.
    private func moved(
        _ label: DayLabel,
        _ passage: DayLinks.Passage,
        _ target: Target
    ) -> DayLabel? {
        guard target.modes.contains(TravelModeSet(passage.mode)) else { return nil }
        var next = label
        next.place = target.place
        if label.pickUp != .none {
            guard passage.mode.rawValue == label.pickUp.vehicle,
                target.modes.rawValue & (1 << (label.pickUp.by - 1)) != 0,
                label.pickUpDeparture >= target.earliest
            else { return nil }
        }
        if passage.mode == .car {
            guard label.car == label.place else { return nil }
            next.car = target.place
        }
        if passage.mode == .bicycle {
            guard label.bicycle == label.place else { return nil }
            next.bicycle = target.place
        }
        let legWalk = label.pickUpWalk + passage.walk
        next.walk += passage.walk
        guard legWalk <= problem.limits.legWalkMetres ?? .max,
            next.walk <= problem.limits.dayWalkMetres ?? .max
        else { return nil }
        next.pickUp = .none
        next.pickUpWalk = 0
        next.pickUpDeparture = 0
        if case .pickUp = target.purpose { next.pickUpWalk = passage.walk }
        return next
    }

    /// What a journey costs for being another one than before, or than was booked.
    ///
    /// - Parameters:
    ///   - job: the job to which it leads; that after the last for the day's destination.
    ///   - passage: the option that is taken; nil where the traveller stays.
    ///   - origin: where it begins.
    ///   - destination: where it ends.
    /// - Returns: the cost.
    func legCost(
        _ job: Int,
        _ passage: DayLinks.Passage?,
        from origin: UInt16,
        to destination: UInt16
    ) -> Int64 {
        let arrival = problem.arrivals[job]
        var cost: Int64 = 0
        if let mode = arrival.formerMode, mode != passage?.mode { cost += PlanCost.changedLeg }
        if let booked = arrival.booked {
            let departure = DayProblem.seconds(booked.option.first, since: problem.epoch)
            let isKept =
                passage.map { passage in
                    passage.mode == booked.option.mode && passage.seconds == booked.option.seconds
                        && passage.first == departure && passage.last == departure
                        && booked.origin.rawValue == origin
                        && booked.destination.rawValue == destination
                } ?? false
            if !isKept { cost += PlanCost.broken }
        }
        return cost
    }
}
