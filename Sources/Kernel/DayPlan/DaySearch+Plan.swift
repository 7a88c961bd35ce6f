import Chronology

extension DaySearch {
    /// The best plan that was found; nil if there is none.
    ///
    /// Labels know when things can happen at the earliest and how much later they may. From the end
    /// to the beginning it is now known when they must, and they happen as late as that allows.
    func plan() -> DayPlan? {
        guard let best else { return nil }
        var plan = DayPlan(
            tasks: problem.floating,
            legs: [],
            cost: PlanCost(rawValue: bestCost),
            carPlace: Self.place(best.car),
            bicyclePlace: Self.place(best.bicycle)
        )
        var label = best
        // By when the label's last step is over.
        var deadline = best.time + best.step.laterStart
        var goal: (task: TaskIdentifier?, piece: Int) = (nil, 0)
        while label.step.parent >= 0 {
            let step = label.step
            let parent = labels[Int(step.parent)]
            if step.job >= 0 {
                let job = problem.jobs[Int(step.job)]
                let task = task(label, job, deadline: deadline)
                plan.tasks.append(task)
                goal = (job.id, job.piece)
                deadline = DayProblem.seconds(task.start, since: problem.epoch)
            }
            if let mode = step.mode {
                let departure = departure(label, parent, deadline: deadline)
                let latest = putOff(departure, label, parent, deadline: deadline)
                plan.legs.append(
                    PlannedLeg(
                        from: PlaceIndex(rawValue: parent.place),
                        to: PlaceIndex(rawValue: label.place),
                        task: goal.task,
                        piece: goal.piece,
                        mode: mode,
                        departure: moment(latest),
                        arrival: moment(latest + step.seconds),
                        walkMetres: step.walk
                    )
                )
                deadline = departure
            }
            label = parent
        }
        plan.tasks.sort {
            ($0.start, $0.end, $0.id, $0.piece) < ($1.start, $1.end, $1.id, $1.piece)
        }
        plan.legs.reverse()
        return plan
    }

    /// The piece of a task with which a label ends, if all is over by a moment.
    private func task(
        _ label: DayLabel,
        _ job: DayProblem.Job,
        deadline: Int32
    ) -> PlannedTask {
        let step = label.step
        // At a base all that may be later are tasks that then last longer: this one, or one before.
        let shift = problem.isBase(label.place) ? 0 : label.shift
        let slack = max(0, min(label.stretch + shift, deadline - label.time))
        let longer = min(slack, step.ownStretch)
        let start = step.start + min(slack - longer, step.laterStart)
        return PlannedTask(
            id: job.id,
            piece: job.piece,
            start: moment(start),
            end: moment(start + step.length + longer),
            place: Self.place(label.place),
            lapse: step.lapse
        )
    }

    /// When to set out on the journey with which a label begins its last step.
    ///
    /// - Parameters:
    ///   - label: the label.
    ///   - parent: the one before.
    ///   - deadline: the start of the task; the next departure if it is a journey to a vehicle.
    /// - Returns: the departure.
    private func departure(_ label: DayLabel, _ parent: DayLabel, deadline: Int32) -> Int32 {
        let step = label.step
        let latest = min(step.lastDeparture, deadline - step.lead - step.seconds)
        guard problem.isBase(label.place) else { return latest }
        // At a base time is the traveller's own: what is before only lasts longer if that pays.
        return min(latest, max(step.departure, parent.time + parent.stretch))
    }

    /// The latest departure that costs as much as another one: people wait where they are rather
    /// than where they go.
    private func putOff(
        _ departure: Int32,
        _ label: DayLabel,
        _ parent: DayLabel,
        deadline: Int32
    ) -> Int32 {
        let step = label.step
        let arrival = step.job >= 0 ? Int(step.job) : problem.jobs.count
        // At a base time is the traveller's own, so there it is not the same.
        guard !problem.isBase(label.place), !problem.isBase(parent.place),
            problem.arrivals[arrival].booked == nil
        else { return departure }
        let link = problem.links[parent.place, label.place]
        let end = deadline - step.lead - step.seconds
        var latest = departure
        for number in link.position(at: departure)..<link.departures.count {
            let passage = link.departures[number]
            if passage.first > end { break }
            let isAlike =
                passage.mode == step.mode && passage.seconds == step.seconds
                && passage.walk == step.walk
            if isAlike { latest = passage.first }
        }
        return latest
    }

    private func moment(_ seconds: Int32) -> Instant {
        problem.epoch.adding(seconds: Int64(seconds))
    }

    private static func place(_ place: UInt16) -> PlaceIndex? {
        place == DayLabel.nowhere ? nil : PlaceIndex(rawValue: place)
    }
}
