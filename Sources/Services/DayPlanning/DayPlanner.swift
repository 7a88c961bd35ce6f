import Chronology
package import TripPlanning

/// Plans the journeys of a day whose tasks have fixed times.
///
/// Tasks that have no fixed time are refused (``DayPlanningFailure``): placing them is the work of
/// a solver that takes the same ``DayInput`` and returns the same ``PlannedDay``.
package struct DayPlanner {
    /// Answers how to get from one place to another.
    package typealias Answerer = (TripQuestion) throws(TripFailure) -> TripAnswer

    private let modes: TripModes
    private let answer: Answerer

    /// Creates a planner.
    ///
    /// - Parameters:
    ///   - modes: the means of travel to choose from.
    ///   - answer: answers how to get from one place to another, such as a `TripSearch`.
    package init(modes: TripModes = TripModes(), answer: @escaping Answerer) {
        self.modes = modes
        self.answer = answer
    }

    /// Plans a day.
    ///
    /// Between two tasks at different places there is a journey that leaves no sooner than the
    /// first ends, arrives by the start of the second, and leaves as late as people would. Two
    /// tasks never take place at the same time, nor does a task while its owner travels.
    ///
    /// - Parameter day: the day; its tasks may be in any order.
    /// - Returns: the journeys, or why the day is not feasible and what makes it so.
    /// - Throws: ``DayPlanningFailure`` for a task without a fixed time.
    package func plan(_ day: DayInput) throws(DayPlanningFailure) -> PlannedDay {
        let slots = try Self.slots(of: day)
        var trips = DayTrips(modes: modes, answer: answer)
        let schedule = DaySchedule(slots, base: day.base, &trips)
        var repairs: [DayRepair] = []
        if !schedule.conflicts.isEmpty {
            var search = DayRepairSearch(slots, base: day.base, until: day.span.upperBound, trips)
            repairs = search.repairs(of: schedule.conflicts)
        }
        return PlannedDay(
            input: day,
            journeys: schedule.journeys,
            conflicts: schedule.conflicts.compactMap(\.conflict),
            repairs: repairs,
            remarks: trips.remarks
        )
    }

    /// The tasks that take time or have a place, in order; a reminder that has neither is in
    /// nobody's way.
    private static func slots(of day: DayInput) throws(DayPlanningFailure) -> [DaySlot] {
        var slots: [DaySlot] = []
        for (index, task) in day.tasks.enumerated() {
            guard case .fixed(let span) = task.timing else { throw .flexibleTask(index) }
            guard task.place != nil || !span.isEmpty else { continue }
            slots.append(
                DaySlot(
                    task: index,
                    place: task.place,
                    start: span.lowerBound,
                    end: span.upperBound
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
