import Chronology
import TripPlanning

/// What owners of days wish of journeys besides being in time: limits, no rain, and what counts
/// most on the way to a task (V19, V74, V75).
extension DayPlanner {
    /// How often a day is planned again without the means of a journey that its owner dislikes.
    static let limitTries = 8

    /// The journeys that exceed a limit, and those by bicycle in the rain to tasks whose owner does
    /// not want that.
    func unwanted(in plan: PlannedDay) -> [DayJourney] {
        plan.journeys.filter { journey in
            // What is paid for already costs no more.
            if plan.hasTicket(for: journey) { return false }
            if !plan.input.tripLimits.exceeded(by: journey.trip).isEmpty { return true }
            guard case .task(let task) = journey.to, plan.input.tasks[task].demands.avoidsRain,
                journey.trip.arrival > conditions.now
            else { return false }
            return journey.trip.steps.contains { step in
                step.kind == .bicycle && step.departure < step.arrival
                    && conditions.rain(during: step.departure..<step.arrival) != nil
            }
        }
    }

    /// How often a day is planned again to compare the means by which a task is reached.
    private static let aimTries = 12

    /// A plan in which the journey to each task with an aim is made by the means that serves it
    /// best.
    ///
    /// The solver chooses by time. So the day is planned once with each of the other means alone
    /// for the task; what does not work out with the rest of the day, or keeps to fewer of its
    /// owner's limits, does not count. Tasks are looked at in their order, each with the means of
    /// those before it.
    ///
    /// - Parameters:
    ///   - plan: the plan.
    ///   - day: the day as it was planned.
    /// - Returns: the plan, or one that serves the aims better.
    /// - Throws: ``DayPlanningFailure``.
    func aimed(_ plan: PlannedDay, _ day: DayInput) throws(DayPlanningFailure) -> PlannedDay {
        var (plan, day) = (plan, day)
        var tries = 0
        for task in day.tasks.indices where plan.isFeasible {
            guard let aim = day.tasks[task].demands.aim, let journey = plan.lastJourney(to: task),
                !plan.hasTicket(for: journey)
            else { continue }
            let trip = journey.trip
            var best = aim.rank(of: trip)
            let allowed = day.tasks[task].demands.modes ?? modes
            for kind in allowed.kinds where kind != trip.kind {
                guard tries < Self.aimTries else { return plan }
                tries += 1
                var changed = day
                changed.tasks[task].demands.modes = allowed.only(kind)
                let other = try planned(changed)
                guard other.isFeasible, unwanted(in: other).count <= unwanted(in: plan).count,
                    let way = other.lastJourney(to: task)?.trip, aim.rank(of: way) < best
                else { continue }
                (plan, day, best) = (other, changed, aim.rank(of: way))
            }
        }
        return plan
    }
}

extension PlannedDay {
    /// The last journey to a task.
    fileprivate func lastJourney(to task: Int) -> DayJourney? {
        journeys.last { $0.to == .task(task) }
    }
}
