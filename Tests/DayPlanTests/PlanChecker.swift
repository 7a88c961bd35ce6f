import Chronology

@testable import DayPlan

/// Checks a plan against its day, and recomputes its cost from what the plan says.
///
/// It shares the types of days and plans with the solver, and nothing else.
struct PlanChecker {
    let day: Day
    let table: TravelTable
    private(set) var faults: [String] = []
    private(set) var cost: Int64 = 0
    /// The tasks so far, in the order of the day.
    private var attended: Set<PlannedTask> = []

    private init(_ day: Day, _ table: TravelTable) {
        self.day = day
        self.table = table
    }

    /// What is wrong with a plan; empty if it keeps all rules and costs what it says.
    static func faults(_ plan: DayPlan, _ day: Day, _ table: TravelTable) -> [String] {
        var checker = PlanChecker(day, table)
        checker.check(plan)
        if checker.cost != plan.cost.rawValue {
            checker.faults.append("costs \(checker.cost), not \(plan.cost.rawValue)")
        }
        return checker.faults
    }

    private enum Event {
        case task(PlannedTask)
        case leg(PlannedLeg)

        var start: Instant {
            switch self {
            case .task(let task): task.start
            case .leg(let leg): leg.departure
            }
        }
        var end: Instant {
            switch self {
            case .task(let task): task.end
            case .leg(let leg): leg.arrival
            }
        }
    }

    /// What comes first where two things begin at once: a journey, then what others may overlap.
    private func rank(_ event: Event) -> Int {
        guard case .task(let planned) = event else { return 0 }
        return task(planned.id)?.isOverlappable == true ? 1 : 2
    }

    private mutating func require(_ condition: Bool, _ fault: @autoclosure () -> String) {
        if !condition { faults.append(fault()) }
    }

    private func isBase(_ place: PlaceIndex?) -> Bool {
        place == nil || place == day.origin || place == day.destination
    }

    private func task(_ id: TaskIdentifier) -> DayTask? { day.tasks.first { $0.id == id } }

    private func floats(_ task: DayTask) -> Bool {
        task.isOverlappable && task.slots.contains { $0.place == nil }
    }

    private mutating func check(_ plan: DayPlan) {
        for task in day.tasks {
            let starts = plan.tasks.filter { $0.id == task.id }.sorted { $0.piece < $1.piece }
            require(starts.map(\.piece) == Array(0..<task.pieces), "pieces of \(task.id)")
            let moments = starts.map(\.start)
            require(moments == moments.sorted(), "order of the pieces of \(task.id)")
        }
        let located = plan.tasks.filter { planned in !(task(planned.id).map(floats) ?? true) }
        let events = (located.map { Event.task($0) } + plan.legs.map { .leg($0) })
            .sorted { ($0.start, rank($0), $0.end) < ($1.start, rank($1), $1.end) }
        overlaps(located, plan.legs)
        var place = day.origin
        var time = day.from
        var car = day.car?.place
        var bicycle = day.bicycle?.place
        var legs: [PlannedLeg] = []
        var walked: Int32 = 0
        for event in events {
            if event.start > time, !isBase(place) {
                cost += (event.start.seconds - time.seconds) * Int64(day.weights.waiting)
            }
            time = max(time, event.end)
            switch event {
            case .leg(let leg):
                require(leg.from == place, "a journey from elsewhere at \(leg.departure)")
                if leg.mode == .car {
                    require(car == leg.from, "no car at \(leg.departure)")
                    car = leg.to
                }
                if leg.mode == .bicycle {
                    require(bicycle == leg.from, "no bicycle at \(leg.departure)")
                    bicycle = leg.to
                }
                walked += leg.walkMetres
                ride(leg)
                place = leg.to
                legs.append(leg)
            case .task(let task):
                if let here = place, let there = task.place {
                    require(here == there, "\(task.id) elsewhere")
                }
                place = task.place ?? place
                attend(task, legs)
                attended.insert(task)
                legs = []
            }
        }
        end(place, time, car, bicycle, legs, walked)
        require(plan.carPlace == car && plan.bicyclePlace == bicycle, "vehicles at the end")
    }

    private mutating func end(
        _ place: PlaceIndex?,
        _ time: Instant,
        _ car: PlaceIndex?,
        _ bicycle: PlaceIndex?,
        _ legs: [PlannedLeg],
        _ walked: Int32
    ) {
        require(time <= day.until, "ends late")
        if let destination = day.destination, let place {
            require(place == destination, "ends elsewhere")
        }
        if let back = day.car?.returnPlace { require(car == back, "car not back") }
        if let back = day.bicycle?.returnPlace { require(bicycle == back, "bicycle not back") }
        require(walked <= day.limits.dayWalkMetres ?? .max, "walks \(walked) m")
        changes(nil, 0, legs)
    }

    private mutating func overlaps(_ tasks: [PlannedTask], _ legs: [PlannedLeg]) {
        for (number, one) in tasks.enumerated() {
            for other in tasks[(number + 1)...]
            where one.start < other.end && other.start < one.end {
                let pair = [one, other].compactMap { task($0.id) }
                let isAllowed =
                    pair.contains { $0.isOverlappable }
                    && pair.contains { task in task.slots.contains { $0.place == nil } }
                require(isAllowed, "\(one.id) and \(other.id) overlap")
            }
            for leg in legs {
                require(leg.departure >= one.end || leg.arrival <= one.start, "travel in \(one.id)")
            }
        }
        for (one, other) in zip(legs, legs.dropFirst()) {
            require(one.arrival <= other.departure, "journeys overlap")
        }
    }

    private mutating func ride(_ leg: PlannedLeg) {
        let booked = day.commitments.compactMap { commitment -> TravelOption? in
            guard case .journey(let journey) = commitment, journey.origin == leg.from,
                journey.destination == leg.to
            else { return nil }
            return journey.option
        }
        let seconds = leg.arrival.seconds - leg.departure.seconds
        let exists = (table.options(from: leg.from, to: leg.to) + booked).contains {
            $0.mode == leg.mode && $0.first <= leg.departure && leg.departure <= $0.last
                && Int64($0.seconds) == seconds && $0.walkMetres == leg.walkMetres
        }
        require(exists, "no such journey at \(leg.departure)")
        require(leg.departure >= day.from, "sets out too early")
        require(day.modes.contains(TravelModeSet(leg.mode)), "a mode that is switched off")
        let number = Int(leg.mode.rawValue)
        cost += seconds * Int64(day.weights.travel[number]) + Int64(day.weights.leg[number])
        cost += Int64(leg.walkMetres) * Int64(day.weights.walking)
    }

    private mutating func attend(_ planned: PlannedTask, _ legs: [PlannedLeg]) {
        guard let task = task(planned.id) else { return faults.append("an unknown task") }
        let pieces = Int64(task.pieces)
        let least = Int64(task.leastSeconds) / pieces
        let length = planned.end.seconds - planned.start.seconds
        let fits = task.slots.filter {
            ($0.place == nil || $0.place == planned.place) && $0.from <= planned.start
                && planned.end <= $0.until && $0.until.seconds - $0.from.seconds >= least
        }
        let walk = legs.reduce(0) { $0 + $1.walkMetres }
        require(walk <= day.limits.legWalkMetres ?? .max, "a journey with too much walking")
        require(legs.count <= 2, "a journey of \(legs.count) parts")
        let others = day.tasks.filter { other in
            let done = attended.count { $0.id == other.id }
            return done < other.pieces && task.slots.allSatisfy { $0.place == nil }
                && other.slots.contains { $0.place != nil && $0.place == legs.last?.to }
        }
        for leg in legs {
            let mode = TravelModeSet(leg.mode)
            require(task.modes.contains(mode), "a mode that the task forbids")
            require(
                task.earliestDeparture.map { leg.departure >= $0 } ?? true,
                "a journey that begins before the window"
            )
            require(
                others.allSatisfy { $0.earliestDeparture.map { leg.departure >= $0 } ?? true },
                "a journey that begins before the window of a later task"
            )
            require(
                others.allSatisfy { $0.modes.contains(mode) },
                "a mode that a later task forbids"
            )
        }
        let prices = fits.compactMap { price(planned, $0, task, length, least, legs) }
        guard let price = prices.min() else { return faults.append("\(task.id) in no slot") }
        cost += price
        if let former = day.former.last(where: { $0.task == task.id && $0.piece == planned.piece }),
            former.start != planned.start
                || former.place.map({ $0 != planned.place }) ?? false
        {
            cost += 1 << 37
        }
        for commitment in day.commitments where planned.piece == 0 {
            switch commitment {
            case .start(task.id, let start) where start != planned.start: cost += 1 << 43
            case .place(task.id, let place) where place != planned.place: cost += 1 << 43
            default: break
            }
        }
        changes(task.id, planned.piece, legs)
    }

    /// What attending a task in a slot costs; nil if it cannot be in it like that.
    private func price(
        _ planned: PlannedTask,
        _ slot: TaskSlot,
        _ task: DayTask,
        _ length: Int64,
        _ least: Int64,
        _ legs: [PlannedLeg]
    ) -> Int64? {
        let latest = min(slot.until, day.until).seconds - least
        let weights = day.weights
        let lateness = Int64(max(weights.lateness, weights.waiting + weights.shortening))
        var price = Int64(slot.penalty)
        let full = Int64(task.seconds) / Int64(task.pieces)
        if planned.lapse == .late {
            let delay = planned.start.seconds - latest
            guard delay > 0, planned.end == min(slot.until, day.until) else { return nil }
            return price + (1 << 57) + delay * lateness
        }
        guard length >= least, length <= full else { return nil }
        price += (full - length) * Int64(weights.shortening)
        guard let leg = legs.last else { return price }
        let wait = planned.start.seconds - leg.arrival.seconds
        let lead = slot.place == nil ? 0 : Int64(task.lead.lowerBound)
        if wait < lead {
            guard planned.lapse == .shortWait, planned.start.seconds == latest else { return nil }
            return price + (1 << 51) + (lead - wait) * lateness
        }
        if wait > Int64(task.lead.upperBound), !isBase(planned.place) {
            guard planned.lapse == .longWait else { return nil }
            price += Int64(weights.longWait)
        }
        return price
    }

    private mutating func changes(_ task: TaskIdentifier?, _ piece: Int, _ legs: [PlannedLeg]) {
        if let former = day.formerLegs.last(where: { $0.task == task && $0.piece == piece }),
            former.mode != legs.last?.mode
        {
            cost += 1 << 31
        }
        for case .journey(let journey) in day.commitments
        where journey.task == task && piece == 0 {
            let isKept =
                legs.last.map {
                    $0.mode == journey.option.mode && $0.departure == journey.option.first
                        && $0.arrival.seconds - $0.departure.seconds
                            == Int64(journey.option.seconds)
                        && $0.from == journey.origin && $0.to == journey.destination
                } ?? false
            if !isKept { cost += 1 << 43 }
        }
    }
}
