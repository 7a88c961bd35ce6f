package import Chronology
import DayPlan
package import Journeys
import Transit
package import TripPlanning

/// Plans days of which no plan keeps to all limits of their owner (V52).
///
/// As few limits as possible are given up; of equally few, those that come first in their owner's
/// order (``DayInput/relaxing``), as for trips. A limit is given up before somebody comes late to a
/// task (V57), and after the wait before it has become shorter than wanted (V56).
package struct DayRelaxing {
    /// Plans days with the rules of one of them.
    private let planner: (DayInput) -> DayPlanner
    private let conditions: TripConditions
    private let zone: ZoneTable

    /// Creates a planner of days.
    ///
    /// - Parameters:
    ///   - conditions: what live feeds say.
    ///   - zone: the city's clocks.
    ///   - planner: plans days with the rules of a day.
    package init(
        conditions: TripConditions,
        zone: ZoneTable,
        planner: @escaping (DayInput) -> DayPlanner
    ) {
        self.conditions = conditions
        self.zone = zone
        self.planner = planner
    }

    /// Creates a planner of days in a city.
    ///
    /// - Parameters:
    ///   - snapshot: the city at a moment.
    ///   - modes: the means of travel to choose from.
    ///   - conditions: what live feeds say.
    package init(_ snapshot: CitySnapshot, modes: TripModes, conditions: TripConditions) {
        var known: [[ModeHours]: DayPlanner] = [:]
        self.init(conditions: conditions, zone: snapshot.city.timetable.zone) { day in
            // Hours of public transport are rules on the snapshot.
            let planner =
                known[day.avoided]
                ?? DayPlanner(
                    snapshot,
                    modes: modes,
                    conditions: conditions,
                    avoiding: day.avoided,
                    during: day.span
                )
            known[day.avoided] = planner
            return planner
        }
    }

    /// Plans a day.
    ///
    /// - Parameter day: the day; its tasks may be in any order.
    /// - Returns: as ``DayPlanner/plan(_:)``; with the limits that were given up, if any.
    /// - Throws: ``DayPlanningFailure``.
    package func plan(_ day: DayInput) throws(DayPlanningFailure) -> PlannedDay {
        let kept = try planner(day).plan(day)
        let stated = day.relaxing.filter(day.states)
        guard !stated.isEmpty, !kept.isFeasible || !kept.excesses.isEmpty else { return kept }
        // Money and emissions are weighed with each plan; the others need another one.
        var plans: [Set<TripConstraint>: PlannedDay] = [[]: kept]
        func plan(
            without given: [TripConstraint]
        ) throws(DayPlanningFailure) -> PlannedDay? {
            let rules = Set(given).intersection(TripConstraint.rules)
            let found: PlannedDay
            if let known = plans[rules] {
                found = known
            } else {
                let asked = day.without(rules)
                found = try planner(asked).plan(asked)
                plans[rules] = found
            }
            guard found.isFeasible, found.excesses.isSubset(of: given) else { return nil }
            return relaxed(found, of: day, giving: given)
        }
        // Where nothing helps, one plan tells.
        guard let last = try plan(without: stated) else { return kept }
        for given in TripConstraint.selections(of: stated).dropLast() {
            if let found = try plan(without: given) { return found }
        }
        return last
    }

    /// A plan without some limits, in which each journey says what it exceeds.
    private func relaxed(
        _ plan: PlannedDay,
        of day: DayInput,
        giving given: [TripConstraint]
    ) -> PlannedDay {
        var plan = plan
        plan.input = day
        plan.givenUp = given
        var walked: Int64 = 0
        for number in plan.journeys.indices {
            let trip = plan.journeys[number].trip
            var reasons: [TripMissing.Reason] = []
            if given.contains(.walk) {
                let before = walked
                walked += Int64(trip.walkMetres)
                if let limit = day.limits.legWalkMetres, Int64(trip.walkMetres) > limit {
                    reasons.append(.walk(metres: trip.walkMetres, limit: UInt32(clamping: limit)))
                } else if let limit = day.limits.dayWalkMetres, walked > limit, before <= limit {
                    let metres = UInt32(clamping: walked)
                    reasons.append(.walk(metres: metres, limit: UInt32(clamping: limit)))
                }
            }
            let avoidsRain =
                day.avoidsRain && given.contains(.dryCycling) && trip.departure >= conditions.now
            reasons += conditions.breaches(
                of: trip,
                avoiding: given.contains(.hours) ? day.avoided : [],
                avoidsRain: avoidsRain,
                in: zone
            )
            plan.journeys[number].warnings += reasons.map { .limit($0) }
        }
        return plan
    }
}

extension TripConstraint {
    /// The limits that are rules of the search for a plan.
    fileprivate static let rules: Set<TripConstraint> = [.walk, .hours, .dryCycling]
}

extension DayInput {
    /// Whether its owner states a limit.
    fileprivate func states(_ constraint: TripConstraint) -> Bool {
        switch constraint {
        case .money: tripLimits.minorUnits != nil
        case .emissions: tripLimits.grams != nil
        case .modes: !tripLimits.modes.isEmpty
        case .walk: limits != DayLimits()
        case .hours: !avoided.isEmpty
        case .dryCycling: avoidsRain
        case .wet, .transfers: false
        }
    }

    /// The day without some rules.
    fileprivate func without(_ constraints: Set<TripConstraint>) -> DayInput {
        var day = self
        if constraints.contains(.walk) { day.limits = DayLimits() }
        if constraints.contains(.hours) { day.avoided = [] }
        if constraints.contains(.dryCycling) { day.avoidsRain = false }
        return day
    }
}
