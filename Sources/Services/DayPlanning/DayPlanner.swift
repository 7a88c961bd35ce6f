package import Chronology
import CityData
package import DayPlan
package import Journeys
import Transit
package import TripPlanning

/// Plans a day: when and where its tasks are, and the journeys between.
///
/// The solver (`DayPlan`) places the tasks and chooses the journeys. Where it finds no plan, the
/// fixed tasks are looked at one after the other to say what is in the way.
package struct DayPlanner {
    /// Answers how to get from one place to another.
    package typealias Answerer = (TripQuestion) throws(TripFailure) -> TripAnswer

    let modes: TripModes
    let answer: Answerer
    let solver: DaySolver
    /// The ways by shared vehicles; nil if nothing is known of any.
    private let rentals: DayRentals?
    let conditions: TripConditions
    private let zone: ZoneTable
    /// Whether something is known of the traffic.
    private let knowsTraffic: Bool

    /// Creates a planner.
    ///
    /// - Parameters:
    ///   - modes: the means of travel to choose from; an own bicycle or car stands at the base of
    ///     the day.
    ///   - answer: answers how to get from one place to another, such as a `TripSearch`.
    ///   - solver: plans days between the same places.
    ///   - rental: answers how to get from one place to another by shared vehicles, also while the
    ///     solver plans; nil without any.
    ///   - conditions: what live feeds say.
    ///   - zone: the city's clocks.
    ///   - knowsTraffic: whether answers tell what traffic costs.
    package init(
        modes: TripModes = TripModes(),
        answer: @escaping Answerer,
        solver: DaySolver,
        rental: Answerer? = nil,
        conditions: TripConditions = .unknown,
        zone: ZoneTable = .utc,
        knowsTraffic: Bool = false
    ) {
        self.modes = modes
        self.answer = answer
        self.solver = solver
        rentals = rental.map { DayRentals(conditions, answer: $0) }
        self.conditions = conditions
        self.zone = zone
        self.knowsTraffic = knowsTraffic
    }

    /// Creates a planner for a day in a city.
    ///
    /// - Parameters:
    ///   - snapshot: the city at a moment.
    ///   - modes: the means of travel to choose from.
    ///   - conditions: what live feeds say.
    ///   - avoided: the hours in which means are not used.
    ///   - span: the day, for these hours.
    package init(
        _ snapshot: CitySnapshot,
        modes: TripModes,
        conditions: TripConditions = .unknown,
        avoiding avoided: [ModeHours] = [],
        during span: Range<Instant>? = nil
    ) {
        let ruled = snapshot.without(ridesIn: avoided, during: span.map(Self.around), conditions)
        var search = TripSearch(ruled)
        var travel: CityTravel?
        let hasRentals = !modes.shared.isEmpty && conditions.knowsRentals
        // The solver asks while it searches, so this needs a workspace of its own.
        var rentals = hasRentals ? TripSearch(ruled) : nil
        self.init(
            modes: modes,
            answer: { question throws(TripFailure) in
                try search.answer(question, conditions: conditions)
            },
            solver: DaySolver(
                solve: { day, city, ways throws(DayFailure) in
                    try search.withPlanner { planner throws(DayFailure) in
                        var times = CityTravel(day, city, &planner, rentals: ways)
                        defer { travel = times }
                        return try DayPlan.solve(day, in: &times, by: planner)
                    }
                },
                again: { day throws(DayFailure) in
                    guard var times = travel else { return nil }
                    return try search.withPlanner { planner throws(DayFailure) in
                        defer { travel = times }
                        return try DayPlan.solve(day, in: &times, by: planner)
                    }
                },
                repairs: { day throws(DayFailure) in
                    guard var times = travel else { return [] }
                    return try search.withPlanner { planner throws(DayFailure) in
                        try DayRepair.repairs(of: day, in: &times, by: planner)
                    }
                }
            ),
            rental: hasRentals
                ? { question throws(TripFailure) in
                    guard let answer = try rentals?.answer(question, conditions: conditions)
                    else { throw .noWay }
                    return answer
                } : nil,
            conditions: conditions,
            zone: snapshot.city.timetable.zone,
            knowsTraffic: snapshot.overlays.streetSpeeds != nil
        )
    }

    /// How long before and after a day its journeys may be, in seconds.
    private static let marginSeconds: Int64 = 2 * 86_400

    /// A day with the times in which its journeys may be.
    private static func around(_ day: Range<Instant>) -> Range<Instant> {
        day.lowerBound.adding(
            seconds: -marginSeconds
        )..<day.upperBound.adding(seconds: marginSeconds)
    }

    /// When means must not be used on a day.
    private func closed(_ day: DayInput) -> [TripKind: [Range<Instant>]] {
        var closed = day.unused
        for kind in TripKind.allCases where kind != .transit {
            let spans = conditions.closedSpans(
                of: kind,
                avoiding: day.avoided,
                avoidsRain: day.avoidsRain,
                during: Self.around(day.span),
                in: zone
            )
            if !spans.isEmpty { closed[kind, default: []] += spans }
        }
        return closed
    }

    /// Plans a day.
    ///
    /// - Parameter day: the day; its tasks may be in any order.
    /// - Returns: when the tasks are and the journeys, or why the day is not feasible and what
    ///   makes it so.
    /// - Throws: ``DayPlanningFailure``.
    package func plan(_ day: DayInput) throws(DayPlanningFailure) -> PlannedDay {
        guard !modes.movesVehicle || day.base != nil else { throw .noBase }
        var day = day
        day.tickets = tickets(of: day)
        var plan = try planned(day)
        var asked = day
        var tries = 0
        search: while plan.isFeasible {
            // The solver knows no prices: what is too dear is tried without its means.
            let unwanted = self.unwanted(in: plan)
            for journey in unwanted {
                guard let changed = asked.without(journey, modes) else { continue }
                guard tries < Self.limitTries else { break search }
                tries += 1
                let other = try planned(changed)
                guard other.isFeasible, self.unwanted(in: other).count < unwanted.count else {
                    continue
                }
                (asked, plan) = (changed, other)
                continue search
            }
            break
        }
        plan = try aimed(plan, asked)
        plan.input = day
        return plan
    }

    /// Plans a day, whatever its journeys cost.
    func planned(_ day: DayInput) throws(DayPlanningFailure) -> PlannedDay {
        let (question, answer) = try solved(day)
        var trips = DayTrips(modes: modes, for: day, now: conditions.now, answer: self.answer)
        if answer.isFeasible, let plan = answer.plan {
            var planned = PlannedDay(input: day)
            planned.isExact = answer.isExact
            // A minute of travel is 600 points (`DayWeights`).
            planned.gapMinutes = answer.isExact ? nil : answer.gap.map { ($0 + 599) / 600 }
            question.describe(plan, in: &planned, &trips)
            // Journeys on foot are asked for alone, which says nothing of public transport.
            if modes.transit != 0, !planned.journeys.contains(where: { $0.trip.kind == .transit }),
                let first = planned.journeys.first, let from = planned.place(of: first.from),
                let to = planned.place(of: first.to)
            {
                trips.noteTimetable(from, to, at: first.trip.departure)
            }
            planned.remarks = remarks(trips, planned)
            return warned(planned, trips)
        }
        return warned(try infeasible(question, answer, trips), trips)
    }

    /// What people should know about a day: the disruptions of all of it, not only those of the
    /// journeys that were asked about.
    func remarks(_ trips: DayTrips, _ day: PlannedDay) -> [TripRemark] {
        let others = trips.remarks.filter { if case .disrupted = $0 { false } else { true } }
        guard modes.transit != 0, !day.input.tasks.isEmpty else { return others }
        let span = day.input.span.lowerBound...day.input.span.upperBound.adding(seconds: -1)
        return others + conditions.disruptions.notable(during: span).map { .disrupted($0) }
    }

    /// A day with the warnings of its journeys.
    private func warned(_ day: PlannedDay, _ trips: DayTrips) -> PlannedDay {
        var day = day
        for (number, journey) in day.journeys.enumerated() {
            var warnings = conditions.warnings(
                of: journey.trip,
                avoidsRain: day.input.avoidsRain,
                modes
            )
            if let minutes = undriven(journey, day, trips) {
                warnings.append(.noDriving(minutes: minutes))
            }
            if !day.hasTicket(for: journey) {
                warnings += day.input.tripLimits.exceeded(by: journey.trip).map { .limit($0) }
            }
            warnings += breaches(of: journey, on: day).map { .limit($0) }
            day.journeys[number].warnings = warnings
        }
        return day
    }

    /// Whether a journey by bicycle is in the rain although its task asks that nobody cycles to it
    /// then (V50); a limit of the whole day is given up by name (``DayRelaxing``).
    private func breaches(of journey: DayJourney, on day: PlannedDay) -> [TripMissing.Reason] {
        guard case .task(let task) = journey.to, !day.input.avoidsRain,
            day.input.tasks[task].demands.avoidsRain, journey.trip.departure >= conditions.now
        else { return [] }
        return conditions.breaches(of: journey.trip, avoiding: [], avoidsRain: true, in: zone)
    }

    /// The minutes that traffic would cost on a journey for which the own car stays at home; nil if
    /// they are few.
    private func undriven(_ journey: DayJourney, _ day: PlannedDay, _ trips: DayTrips) -> Int64? {
        guard knowsTraffic, modes.car, journey.from == .base,
            !journey.trip.steps.contains(where: { $0.kind == .car }),
            journey.trip.arrival > conditions.now,
            let from = day.place(of: journey.from), let to = day.place(of: journey.to)
        else { return nil }
        let minutes = trips.trafficMinutes(from, to, at: journey.trip.departure)
        return minutes >= TripConditions.trafficMinutes ? minutes : nil
    }

    /// By how many seconds of travel a day may be longer in which an own vehicle is fetched from
    /// where it was left.
    private static let fetchSeconds: Int64 = 1_800

    /// The plan of a day in which tasks that may be done in pieces are done in as few as possible.
    private func solved(_ day: DayInput) throws(DayPlanningFailure) -> (SolverDay, DayAnswer) {
        let counts = day.pieceCounts(limit: Day.pieceLimit)
        var asked = day
        for count in counts.dropLast() {
            asked.mostPieces = count
            let found = try solvedInPieces(asked)
            if found.1.isFeasible { return found }
        }
        asked.mostPieces = counts.last ?? 1
        return try solvedInPieces(asked)
    }

    /// The plan of a day, with own vehicles that stand elsewhere brought to the base if that takes
    /// no more than ``fetchSeconds``; otherwise they stay where they are.
    private func solvedInPieces(
        _ day: DayInput
    ) throws(DayPlanningFailure) -> (SolverDay, DayAnswer) {
        let closed = closed(day)
        let whole = SolverDay(day, modes, closed: closed, now: conditions.now)
        let isStray = [TripKind.car, .bicycle].contains { kind in
            let isUsed = kind == .car ? modes.car : modes.bicycle
            guard isUsed, let place = day.vehicles[kind], let base = day.base else { return false }
            return !place.isSame(as: base)
        }
        guard isStray else { return (whole, try solved(whole)) }
        let left = SolverDay(
            day,
            modes,
            closed: closed,
            fetches: false,
            now: conditions.now
        )
        let leaving = try solved(left)
        // Last, since the solver repairs the day that it has planned last.
        let fetching = try solved(whole)
        let isWorthwhile =
            fetching.isFeasible
            && fetching.travelSeconds - leaving.travelSeconds <= Self.fetchSeconds
        return leaving.isFeasible && !isWorthwhile ? (left, leaving) : (whole, fetching)
    }

    private func solved(_ question: SolverDay) throws(DayPlanningFailure) -> DayAnswer {
        do {
            let ways = rentals?.ways(question.input, question.places, modes)
            return try solver.solve(question.day, question.city, ways)
        } catch {
            throw .unsolvable(error)
        }
    }
}

/// Plans days between the places of a city.
package struct DaySolver {
    /// Plans a day, with the ways by shared vehicles that are known.
    package var solve: (Day, CityDay, RentalWays?) throws(DayFailure) -> DayAnswer
    /// Plans a day at the same places as the day that was planned last; nil if there was none.
    package var again: (Day) throws(DayFailure) -> DayAnswer?
    /// Finds what makes the day that was planned last feasible.
    package var repairs: (Day) throws(DayFailure) -> [DayRepair]

    /// Creates a solver.
    package init(
        solve: @escaping (Day, CityDay, RentalWays?) throws(DayFailure) -> DayAnswer,
        again: @escaping (Day) throws(DayFailure) -> DayAnswer?,
        repairs: @escaping (Day) throws(DayFailure) -> [DayRepair]
    ) {
        self.solve = solve
        self.again = again
        self.repairs = repairs
    }
}

extension DayAnswer {
    /// How long the traveller is on the way in its plan, in seconds.
    fileprivate var travelSeconds: Int64 {
        plan?.legs.reduce(0) { $0 + $1.arrival.seconds - $1.departure.seconds } ?? 0
    }
}

extension TripModes {
    /// Whether they include a vehicle that stays where it is left.
    var movesVehicle: Bool { bicycle || car }
}
