import Chronology
import CityData
import DayPlan
import TripPlanning

extension DayPlanner {
    /// What is in the way of a day without a plan, and what helps.
    func infeasible(
        _ question: SolverDay,
        _ answer: DayAnswer,
        _ trips: DayTrips
    ) throws(DayPlanningFailure) -> PlannedDay {
        let day = question.input
        var planned = PlannedDay(input: day)
        planned.isExact = answer.isExact
        var trips = trips
        let slots = Self.slots(of: day)
        let schedule = DaySchedule(
            slots,
            base: day.base,
            from: day.start,
            morning: day.morning,
            &trips
        )
        planned.journeys = schedule.journeys
        planned.conflicts = schedule.conflicts.compactMap(\.conflict)
        if let plan = answer.plan { add(plan, question, to: &planned, &trips) }
        let isPlain =
            day.limits == DayLimits() && day.start == nil && day.morning == nil
            && day.tickets.isEmpty
            && day.tasks.allSatisfy { !$0.timing.isFlexible && $0.demands.modes == nil }
        if isPlain, !modes.movesVehicle, !schedule.conflicts.isEmpty {
            // These are to the minute, and as many as there are.
            var search = DayRepairSearch(slots, base: day.base, until: day.span.upperBound, trips)
            planned.repairs = search.repairs(of: schedule.conflicts)
        } else {
            planned.repairs = try repairs(question, trips)
        }
        let closed = day.tasks.indices.filter { day.tasks[$0].isClosed }
        planned.conflicts += closed.map { .noRoom($0) }
        if planned.conflicts.isEmpty {
            planned.conflicts = Self.crowded(planned).map { .noRoom($0) }
        }
        planned.remarks = remarks(trips, planned)
        return planned
    }

    /// Adds the journeys that arrive late at tasks that cannot be reached in time, rather than none
    /// (V57).
    private func add(
        _ plan: DayPlan,
        _ question: SolverDay,
        to planned: inout PlannedDay,
        _ trips: inout DayTrips
    ) {
        var late = PlannedDay(input: planned.input)
        question.describe(plan, in: &late, &trips)
        for conflict in planned.conflicts {
            guard case .unreachable(let from, let to, _) = conflict,
                let lateness = late.lateness[to], lateness > 0,
                let journey = late.journeys.last(where: { $0.to == .task(to) }),
                journey.from == from
            else { continue }
            planned.lateness[to] = lateness
            planned.journeys.append(journey)
        }
        planned.journeys.sort { $0.trip.departure < $1.trip.departure }
    }

    /// The repairs that the solver finds, each tried out as the calendar would make it.
    private func repairs(
        _ question: SolverDay,
        _ trips: DayTrips
    ) throws(DayPlanningFailure) -> [CalendarRepair] {
        var repairs: [CalendarRepair] = []
        var plans: [DayPlan] = []
        do {
            for found in try solver.repairs(question.day) {
                guard let (repair, day) = question.exact(found),
                    let answer = try solver.again(day), answer.isFeasible, let plan = answer.plan,
                    !repairs.contains(where: { $0.isSame(as: repair) })
                else { continue }
                repairs.append(ticketed(repair, plan, question, trips))
                plans.append(plan)
            }
        } catch {
            throw .unsolvable(error)
        }
        var ranks = repairs.map(\.rank)
        // Prices take a search for each journey, and are looked up only where they decide.
        let prices = repairs.indices.map { number -> Int64? in
            guard ranks.count(where: { $0 == ranks[number] }) > 1 else { return nil }
            var priced = PlannedDay(input: question.input)
            var trips = trips
            question.describe(plans[number], in: &priced, &trips)
            return priced.journeys.knownPrice
        }
        // An unknown price counts as the highest; equal repairs stay in the solver's order.
        for number in ranks.indices { ranks[number] += [prices[number] ?? .max, Int64(number)] }
        return repairs.indices.sorted { ranks[$0].lexicographicallyPrecedes(ranks[$1]) }
            .map { repairs[$0] }
    }

    /// A repair with the tickets that it would lose.
    private func ticketed(
        _ repair: CalendarRepair,
        _ plan: DayPlan,
        _ question: SolverDay,
        _ trips: DayTrips
    ) -> CalendarRepair {
        guard !question.input.tickets.isEmpty else { return repair }
        var planned = PlannedDay(input: question.input)
        var trips = trips
        question.describe(plan, in: &planned, &trips)
        var repair = repair
        repair.lostTickets = planned.lostTickets(at: conditions.now)
        return repair
    }

    /// The tasks for which there is no time: of those that a repair changes the flexible ones, if
    /// there are any.
    private static func crowded(_ day: PlannedDay) -> [Int] {
        let changed = Set(day.repairs.flatMap(\.changes).map(\.task))
        let concerned = day.input.tasks.indices.filter { changed.isEmpty || changed.contains($0) }
        let flexible = concerned.filter { day.input.tasks[$0].timing.isFlexible }
        return flexible.isEmpty ? concerned : flexible
    }

    /// The fixed tasks that take time or have a place, in order; a reminder that has neither
    /// conflicts with nothing.
    private static func slots(of day: DayInput) -> [DaySlot] {
        var slots: [DaySlot] = []
        for (index, task) in day.tasks.enumerated() {
            guard case .fixed(let span) = task.timing, !task.demands.isOverlappable else {
                continue
            }
            guard task.place != nil || !span.isEmpty, !day.hasBegun(task) else { continue }
            slots.append(
                DaySlot(
                    task: index,
                    place: task.place,
                    start: span.lowerBound,
                    end: span.upperBound,
                    guests: task.demands.guests
                )
            )
        }
        // The order of the file decides nothing.
        slots.sort { one, other in
            let (first, second) = (day.tasks[one.task], day.tasks[other.task])
            return (one.start, one.end, first.uid, first.title, one.task)
                < (other.start, other.end, second.uid, second.title, other.task)
        }
        return slots
    }
}
