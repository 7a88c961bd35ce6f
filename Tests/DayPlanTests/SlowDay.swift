import Chronology

@testable import DayPlan

/// The best plan of a day by trying everything.
///
/// At each step of time it tries each action that is possible in each state that can be reached.
/// There is no bound, no dominance and no order of promise.
///
/// All times of the day must be multiples of the step.
struct SlowDay {
    /// Where a traveller can be at a moment.
    struct State: Hashable {
        var done: UInt64 = 0
        /// -1 for nowhere.
        var place: Int
        var car: Int
        var bicycle: Int
        var walk: Int32 = 0
        /// Until which step an overlappable task holds the traveller here.
        var held: Int = 0
        /// Since when nothing but that task has been done; 0 where nothing holds the traveller.
        var since: Int = 0
        /// The journey since the last task.
        var leg: Leg?
        /// How many steps ago that journey ended; at most ``longest``.
        var waited = 0
    }

    struct Leg: Hashable {
        var modes: TravelModeSet
        var mode: TravelMode
        var walk: Int32
        /// The vehicle that must be taken next.
        var vehicle: TravelMode?
        var booked: BookedJourney?
        /// At which step it began; 0 where no task asks.
        var began = 0
    }

    static let longest = 10

    let day: Day
    let table: TravelTable
    let step: Int32
    let steps: Int
    let jobs: [(task: DayTask, piece: Int)]
    private var reached: [[State: Int64]]
    private var best: Int64?

    /// The least cost of any plan; nil if there is none.
    static func cost(_ day: Day, _ table: TravelTable, step: Int32) -> PlanCost? {
        var slow = SlowDay(day, table, step)
        return slow.search().map { PlanCost(rawValue: $0) }
    }

    private init(_ day: Day, _ table: TravelTable, _ step: Int32) {
        self.day = day
        self.table = table
        self.step = step
        steps = Int(day.until.seconds - day.from.seconds) / Int(step)
        jobs = day.tasks.sorted { $0.id < $1.id }
            .filter { !($0.isOverlappable && $0.slots.contains { $0.place == nil }) }
            .flatMap { task in (0..<task.pieces).map { (task, $0) } }
        reached = Array(repeating: [:], count: steps + 1)
    }

    private mutating func search() -> Int64? {
        let start = State(
            place: Self.number(day.origin),
            car: Self.number(day.car?.place),
            bicycle: Self.number(day.bicycle?.place)
        )
        reached[0][start] = 0
        for moment in 0...steps {
            // What begins an overlappable task goes on at the same moment.
            while !reached[moment].isEmpty {
                let states = reached[moment]
                reached[moment] = [:]
                for (state, cost) in states {
                    wait(state, cost, moment)
                    for number in jobs.indices { begin(number, state, cost, moment) }
                    travel(state, cost, moment)
                    end(state, cost, moment)
                }
            }
        }
        return best
    }

    static func number(_ place: PlaceIndex?) -> Int { place.map { Int($0.rawValue) } ?? -1 }

    private func isBase(_ place: Int) -> Bool {
        place == Self.number(day.origin) || place == Self.number(day.destination) || place == -1
    }

    private func time(_ moment: Int) -> Instant {
        day.from.adding(seconds: Int64(moment) * Int64(step))
    }

    private mutating func reach(_ state: State, _ cost: Int64, _ moment: Int) {
        guard moment <= steps else { return }
        reached[moment][state] = min(reached[moment][state] ?? .max, cost)
    }

    private mutating func wait(_ state: State, _ cost: Int64, _ moment: Int) {
        var next = state
        if state.leg != nil { next.waited = min(state.waited + 1, Self.longest) }
        let isFree = isBase(state.place) || moment < state.held
        let price = isFree ? 0 : Int64(step) * Int64(day.weights.waiting)
        reach(next, cost + price, moment + 1)
    }

    private mutating func begin(_ number: Int, _ state: State, _ cost: Int64, _ moment: Int) {
        let (task, piece) = jobs[number]
        guard state.done & (1 << UInt64(number)) == 0, state.leg?.vehicle == nil,
            piece == 0 || state.done & (1 << UInt64(number - 1)) != 0
        else { return }
        if let leg = state.leg {
            guard task.modes.isSuperset(of: leg.modes) else { return }
            if let earliest = task.earliestDeparture, time(leg.began) < earliest { return }
        }
        for slot in task.slots {
            if slot.place == nil {
                guard isAllowed(state, toDo: number) else { continue }
                begin(number, slot, state, cost, moment)
            } else if moment >= state.held,
                state.place == -1 || state.place == Self.number(slot.place)
            {
                var next = state
                next.place = Self.number(slot.place)
                begin(number, slot, next, cost, moment)
            }
        }
    }

    /// Whether the journey was as all tasks ask that are still to be done where it led.
    private func isAllowed(_ state: State, toDo number: Int) -> Bool {
        guard let leg = state.leg else { return true }
        return jobs.indices.allSatisfy { other in
            let isHere = jobs[other].task.slots.contains { Self.number($0.place) == state.place }
            let earliest = jobs[other].task.earliestDeparture
            return other == number || state.done & (1 << UInt64(other)) != 0 || !isHere
                || jobs[other].task.modes.isSuperset(of: leg.modes)
                    && earliest.map { time(leg.began) >= $0 } ?? true
        }
    }

    private mutating func begin(
        _ number: Int,
        _ slot: TaskSlot,
        _ state: State,
        _ cost: Int64,
        _ moment: Int
    ) {
        let task = jobs[number].task
        let full = Int(task.seconds) / task.pieces / Int(step)
        let least = Int(task.leastSeconds) / task.pieces / Int(step)
        let from = Int(slot.from.seconds - day.from.seconds) / Int(step)
        let until = min(Int(slot.until.seconds - day.from.seconds) / Int(step), steps)
        let latest = until - least
        guard from <= latest, moment >= from else { return }
        // During an overlappable task others begin as soon as they can, or where they were, or so
        // that they end no earlier than it.
        let starts = day.former.filter { $0.task == task.id }.map { $0.start }
        let kept = day.commitments.contains(.start(task.id, time(moment)))
        let isFirst =
            moment >= state.held || moment == max(from, state.since) || kept
            || starts.contains(time(moment))
        let lead = state.leg == nil || slot.place == nil ? 0 : task.lead.lowerBound
        let waited = Int32(state.waited) * step
        var cost = cost + Int64(slot.penalty) + changes(number, state, moment)
        let lateness = Int64(
            max(day.weights.lateness, day.weights.waiting + day.weights.shortening)
        )
        var lengths: [Int] = []
        if moment > latest {
            guard moment < until, isFirst else { return }
            cost += PlanCost.late + Int64(moment - latest) * Int64(step) * lateness
            lengths = []
            let held = task.isOverlappable ? until : state.held
            let end = task.isOverlappable ? moment : until
            reach(after(number, state, held: held, since: end), cost, end)
        } else if waited < lead {
            guard moment == latest else { return }
            cost += PlanCost.short + Int64(lead - waited) * lateness
            lengths = [least]
        } else {
            if state.leg != nil, !isBase(state.place), waited > task.lead.upperBound {
                cost += Int64(day.weights.longWait)
            }
            lengths = (least...full).filter { moment + $0 <= until }
            if moment < state.held {
                // During an overlappable task only these lengths are tried.
                if !isFirst { lengths = lengths.filter { moment + $0 >= state.held } }
                let filling = min(max(least, state.held - moment), lengths.last ?? least)
                lengths = lengths.filter {
                    !isFirst || $0 == least || $0 == filling
                        || $0 > filling && moment + filling >= state.held
                }
            }
        }
        for length in lengths {
            let price = cost + Int64(full - length) * Int64(step) * Int64(day.weights.shortening)
            if task.isOverlappable {
                let next = after(number, state, held: moment + length, since: moment)
                reach(next, price, moment)
            } else {
                let end = moment + length
                let next = after(number, state, held: state.held, since: end)
                reach(next, price, end)
            }
        }
    }

    private func after(_ number: Int, _ state: State, held: Int, since: Int) -> State {
        var next = state
        next.done |= 1 << UInt64(number)
        next.leg = nil
        next.waited = 0
        next.held = held
        next.since = held > since ? since : 0
        return next
    }

    /// What starting a task now costs for being another plan than before.
    private func changes(_ number: Int, _ state: State, _ moment: Int) -> Int64 {
        let (task, piece) = jobs[number]
        var cost: Int64 = 0
        if let former = day.former.last(where: { $0.task == task.id && $0.piece == piece }),
            former.start != time(moment)
                || former.place.map({ Self.number($0) != state.place }) ?? false
        {
            cost += PlanCost.changedStart
        }
        if piece == 0 {
            for commitment in day.commitments {
                switch commitment {
                case .start(task.id, let start) where start != time(moment): cost += PlanCost.broken
                case .place(task.id, let place) where Self.number(place) != state.place:
                    cost += PlanCost.broken
                default: break
                }
            }
        }
        return cost + legChanges(task.id, piece, state.leg)
    }

    private func legChanges(_ task: TaskIdentifier?, _ piece: Int, _ leg: Leg?) -> Int64 {
        var cost: Int64 = 0
        if let former = day.formerLegs.last(where: { $0.task == task && $0.piece == piece }),
            former.mode != leg?.mode
        {
            cost += PlanCost.changedLeg
        }
        if piece == 0, let booked = booked(task) {
            let kept = leg?.booked
            let isKept =
                kept?.origin == booked.origin && kept?.destination == booked.destination
                && kept?.option.first == booked.option.first
                && kept?.option.mode == booked.option.mode
                && kept?.option.seconds == booked.option.seconds
            if !isKept { cost += PlanCost.broken }
        }
        return cost
    }

    private func booked(_ task: TaskIdentifier?) -> BookedJourney? {
        for case .journey(let journey) in day.commitments where journey.task == task {
            return journey
        }
        return nil
    }

    private mutating func travel(_ state: State, _ cost: Int64, _ moment: Int) {
        guard moment >= state.held, state.place >= 0, state.leg == nil || state.leg?.vehicle != nil
        else { return }
        for other in 0..<table.placeCount where other != state.place {
            let from = PlaceIndex(rawValue: UInt16(state.place))
            let to = PlaceIndex(rawValue: UInt16(other))
            var options = table.options(from: from, to: to)
            for case .journey(let journey) in day.commitments
            where journey.origin == from && journey.destination == to {
                options.append(journey.option)
            }
            for option in options where option.first <= time(moment) && time(moment) <= option.last
            {
                ride(option, to: other, state, cost, moment)
            }
        }
    }

    private mutating func ride(
        _ option: TravelOption,
        to place: Int,
        _ state: State,
        _ cost: Int64,
        _ moment: Int
    ) {
        var next = state
        let mode = option.mode
        guard day.modes.contains(TravelModeSet(mode)) else { return }
        if let vehicle = state.leg?.vehicle, vehicle != mode { return }
        next.place = place
        if mode == .car {
            guard state.car == state.place else { return }
            next.car = place
        }
        if mode == .bicycle {
            guard state.bicycle == state.place else { return }
            next.bicycle = place
        }
        let legWalk = (state.leg?.walk ?? 0) + option.walkMetres
        next.walk += option.walkMetres
        guard legWalk <= day.limits.legWalkMetres ?? .max,
            next.walk <= day.limits.dayWalkMetres ?? .max
        else { return }
        if day.limits.dayWalkMetres == nil { next.walk = 0 }
        let number = Int(mode.rawValue)
        let price =
            Int64(option.seconds) * Int64(day.weights.travel[number])
            + Int64(day.weights.leg[number])
            + Int64(option.walkMetres) * Int64(day.weights.walking)
        let arrival = moment + Int(option.seconds / step)
        next.waited = 0
        let modes = (state.leg?.modes ?? []).union(TravelModeSet(mode))
        let asks = day.tasks.contains { $0.earliestDeparture != nil }
        let began = state.leg?.began ?? (asks ? moment : 0)
        if state.leg == nil {
            for (vehicle, at) in [(TravelMode.car, state.car), (.bicycle, state.bicycle)]
            where at == place && vehicle != mode && day.modes.contains(TravelModeSet(vehicle)) {
                next.leg = Leg(
                    modes: modes,
                    mode: mode,
                    walk: legWalk,
                    vehicle: vehicle,
                    booked: nil,
                    began: began
                )
                reach(next, cost + price, arrival)
            }
        }
        let journeys = day.commitments.compactMap { commitment -> BookedJourney? in
            if case .journey(let journey) = commitment { return journey }
            return nil
        }
        let booked = journeys.first {
            $0.option.mode == mode && $0.option.first == time(moment)
                && option.first == option.last && $0.option.seconds == option.seconds
                && Self.number($0.origin) == state.place && Self.number($0.destination) == place
        }
        next.leg = Leg(
            modes: modes,
            mode: mode,
            walk: 0,
            vehicle: nil,
            booked: booked,
            began: began
        )
        reach(next, cost + price, arrival)
    }

    private mutating func end(_ state: State, _ cost: Int64, _ moment: Int) {
        guard state.done == (1 << UInt64(jobs.count)) - 1, moment >= state.held,
            state.leg?.vehicle == nil,
            day.destination == nil || state.place == -1
                || state.place == Self.number(day.destination),
            day.destination != nil || state.leg == nil,
            day.car?.returnPlace.map({ Self.number($0) == state.car }) ?? true,
            day.bicycle?.returnPlace.map({ Self.number($0) == state.bicycle }) ?? true
        else { return }
        let total = cost + legChanges(nil, 0, state.leg)
        best = min(best ?? .max, total)
    }
}
