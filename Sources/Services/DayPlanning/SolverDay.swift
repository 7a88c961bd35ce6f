import Chronology
import CityData
import DayPlan
import Geo
import Journeys
import Transit
import TripPlanning

/// A day as the solver reads it, and its plans as people read them.
struct SolverDay {
    /// How long before the first task, and after the last, the traveller may be on the way.
    private static let marginSeconds: Int64 = 6 * 3_600

    /// How long before a task one may want to be there; longer leads count as this, in seconds.
    private static let longestLead: Int64 = 43_200

    /// The day of the calendar.
    let input: DayInput
    /// The same for the solver.
    let day: Day
    /// Where its places are.
    let city: CityDay
    /// The same as people call them.
    let places: [ResolvedPlace]
    /// The numbers of the tasks in ``DayInput/tasks``, in an order that the file does not decide.
    ///
    /// The position of a task in it is its identifier to the solver.
    private let order: [Int]

    /// Reads a day of the calendar.
    ///
    /// - Parameters:
    ///   - input: the day.
    ///   - modes: the means of travel to choose from.
    ///   - closed: when a means must not be used.
    ///   - fetches: whether own vehicles that stand elsewhere are brought to the base.
    ///   - now: the present: rentals that were planned to begin by then have begun.
    init(
        _ input: DayInput,
        _ modes: TripModes,
        closed: [TripKind: [Range<Instant>]] = [:],
        fetches: Bool = true,
        now: Instant = Instant(seconds: 0)
    ) {
        self.input = input
        let order = Self.order(of: input)
        self.order = order
        let places = Self.places(of: input)
        self.places = places
        var city = CityDay(
            // Off every city, so that there is no way to it.
            places: places.map { $0.endpoint ?? .place(Coordinate(latitude: 0, longitude: 0)) }
        )
        city.transit = modes.transit
        city.wheelchair = input.wheelchair
        for (kind, spans) in closed { city.closed[kind.mode] = spans }
        city.taxiWaitSeconds = modes.taxi ? 0 : nil
        self.city = city
        let base = input.base.flatMap { Self.number(of: $0, in: places) }
        let span = Self.span(of: input)
        let start = input.start.flatMap { Self.number(of: $0.place, in: places) }
        let morning = input.morning.flatMap { Self.number(of: $0, in: places) }
        var day = Day(
            origin: start ?? morning ?? base,
            from: max(span.lowerBound, input.start?.time ?? span.lowerBound),
            destination: base,
            until: max(span.upperBound, input.start?.time ?? span.upperBound),
            tasks: order.enumerated().compactMap { identifier, task in
                input.hasBegun(input.tasks[task])
                    ? nil
                    : Self.task(
                        TaskIdentifier(rawValue: UInt64(identifier)),
                        input.tasks[task],
                        input,
                        places
                    )
            }
        )
        day.modes = modes.set
        day.limits = input.limits
        Self.remember(input, order, places, now, in: &day)
        if let base {
            func vehicle(_ kind: TripKind) -> OwnVehicle {
                let place = input.vehicles[kind].flatMap { Self.number(of: $0, in: places) }
                return OwnVehicle(
                    at: place ?? morning ?? base,
                    returnPlace: fetches ? base : place ?? morning ?? base
                )
            }
            if modes.car { day.car = vehicle(.car) }
            if modes.bicycle { day.bicycle = vehicle(.bicycle) }
        }
        self.day = day
    }

    // MARK: The question

    /// The places of a day, each once, in an order that the file does not decide.
    static func places(of input: DayInput) -> [ResolvedPlace] {
        var places: [ResolvedPlace] = []
        let fixed = [input.base, input.morning, input.start?.place].compactMap(\.self)
        let own = fixed + input.vehicles.values
        let all = own + input.tasks.flatMap { $0.places.map(\.place) }
        for place in all
        where !places.contains(where: { $0.isSame(as: place) }) {
            places.append(place)
        }
        return places.sorted { $0.order.lexicographicallyPrecedes($1.order) }
    }

    static func number(of place: ResolvedPlace, in places: [ResolvedPlace]) -> PlaceIndex? {
        places.firstIndex { $0.isSame(as: place) }.map {
            PlaceIndex(rawValue: UInt16(truncatingIfNeeded: $0))
        }
    }

    static func number(
        at position: Coordinate,
        in places: [ResolvedPlace]
    ) -> PlaceIndex? {
        places.firstIndex { $0.coordinate == position }.map {
            PlaceIndex(rawValue: UInt16(truncatingIfNeeded: $0))
        }
    }

    private static func order(of input: DayInput) -> [Int] {
        input.tasks.indices.sorted { one, other in
            let (first, second) = (input.tasks[one], input.tasks[other])
            let (left, right) = (first.timing.window, second.timing.window)
            return (left.lowerBound, left.upperBound, first.uid, first.title, one)
                < (right.lowerBound, right.upperBound, second.uid, second.title, other)
        }
    }

    /// From when to when the traveller may be on the way.
    ///
    /// For a task at a fixed time, a traveller may leave the evening before; for one that may be
    /// done some time of the day, not before that day.
    private static func span(of input: DayInput) -> ClosedRange<Instant> {
        var (first, last) = (input.span.upperBound, input.span.lowerBound)
        for task in input.tasks {
            let window = window(of: task, input)
            let from = window.lowerBound.adding(seconds: -marginSeconds)
            first = min(first, task.timing.isFlexible ? max(from, input.span.lowerBound) : from)
            last = max(last, window.upperBound)
        }
        return first...max(first, last.adding(seconds: marginSeconds))
    }

    /// The window of a task as far as it concerns the day.
    ///
    /// A task that may be done on any of several days is done on this one, and of an event that
    /// lasts for days no more counts than its part.
    private static func window(of task: CalendarTask, _ input: DayInput) -> Range<Instant> {
        let window = task.timing.window
        let isLong = window.upperBound.seconds - window.lowerBound.seconds > 86_400
        let more: Int64 = task.timing.isFlexible && isLong ? 0 : 86_400
        let (first, last) = (input.span.lowerBound, input.span.upperBound)
        return window.clamped(to: first.adding(seconds: -more)..<last.adding(seconds: more))
    }

    /// A task; nil for one without a place that takes no time, which conflicts with nothing.
    private static func task(
        _ identifier: TaskIdentifier,
        _ task: CalendarTask,
        _ input: DayInput,
        _ places: [ResolvedPlace]
    ) -> DayTask? {
        var window = window(of: task, input)
        guard !task.places.isEmpty || !window.isEmpty else { return nil }
        // To the solver each task takes time, and who is at a place for a moment is there.
        if window.isEmpty { window = window.lowerBound..<window.lowerBound.adding(seconds: 1) }
        let length = window.upperBound.seconds - window.lowerBound.seconds
        var (seconds, least) = (length, length)
        if case .flexible(_, let wanted, let minimum) = task.timing {
            (seconds, least) = (max(1, wanted), max(1, minimum))
        }
        // The pieces that have begun are done.
        let whole = input.pieces(of: task)
        let pieces = whole - input.begunCount(of: task)
        if whole > 1 {
            seconds = seconds / Int64(whole) * Int64(pieces)
            least = least / Int64(whole) * Int64(pieces)
        }
        let demands = task.demands
        let isLate = input.departsWithinWindows && task.timing.isFlexible
        let lead = Int32(clamping: min(demands.leadSeconds, longestLead))
        var planned = DayTask(
            identifier,
            slots: slots(of: task, window, places),
            seconds: Int32(clamping: seconds),
            leastSeconds: Int32(clamping: least),
            // What takes the whole of its window cannot be placed elsewhere.
            isOverlappable: demands.isOverlappable && !task.timing.isFlexible,
            modes: demands.modes?.set ?? .all,
            lead: input.wait.lowerBound + lead...input.wait.upperBound + lead,
            peopleAffected: Int32(clamping: demands.guests)
        )
        planned.pieces = pieces
        if isLate { planned.earliestDeparture = window.lowerBound }
        return planned
    }

    /// Where and when a task may be: at each of its places, during each of its openings.
    private static func slots(
        of task: CalendarTask,
        _ window: Range<Instant>,
        _ places: [ResolvedPlace]
    ) -> [TaskSlot] {
        guard !task.places.isEmpty else {
            return [TaskSlot(place: nil, from: window.lowerBound, until: window.upperBound)]
        }
        return task.places.flatMap { own in
            let number = number(of: own.place, in: places)
            guard task.timing.isFlexible, let openings = own.openings else {
                return [TaskSlot(place: number, from: window.lowerBound, until: window.upperBound)]
            }
            return openings.map { opening in
                TaskSlot(
                    place: number,
                    from: max(window.lowerBound, opening.lowerBound),
                    until: min(window.upperBound, opening.upperBound),
                    closing: opening.upperBound
                )
            }
        }
    }

    // MARK: The answer

    /// The task with an identifier, as a position in ``DayInput/tasks``.
    func task(_ identifier: TaskIdentifier) -> Int? {
        let number = Int(identifier.rawValue)
        return order.indices.contains(number) ? order[number] : nil
    }

    /// Writes down when tasks are in a plan, and how its journeys are made.
    func describe(_ plan: DayPlan, in planned: inout PlannedDay, _ trips: inout DayTrips) {
        planned.noteBegun()
        for piece in plan.tasks {
            note(piece, plan, in: &planned)
            guard let task = task(piece.id), planned.input.tasks[task].timing.isFlexible else {
                continue
            }
            planned.add(piece.start..<piece.end, to: task)
            let here = piece.place.map { place($0) }
            planned.places[task] = planned.input.tasks[task].places.first { own in
                here.map { own.place.isSame(as: $0) } ?? false
            }
        }
        for (task, own) in planned.input.tasks.enumerated()
        where own.timing.isFlexible && planned.input.hasBegun(own) {
            guard let placement = planned.input.placements(of: own).first else { continue }
            planned.places[task] = own.places.first { place in
                place.place.coordinate?.latitude == placement.latitude
                    && place.place.coordinate?.longitude == placement.longitude
            }
        }
        planned.vehicles[.car] = plan.carPlace.map { place($0) }
        planned.vehicles[.bicycle] = plan.bicyclePlace.map { place($0) }
        let isElsewhere = planned.input.start != nil || planned.input.morning != nil
        let origin: DayStop = isElsewhere ? .here : .base
        var here = origin
        for leg in plan.legs {
            // A journey begins where the last task before it was, or where the last one ended.
            if let task = lastTask(at: leg.from, before: leg, plan) {
                here = .task(task)
            } else if leg.from == day.origin {
                here = origin
            }
            let to = stop(at: leg, plan)
            let trip = trips.trip(
                place(leg.from),
                place(leg.to),
                TripKind(leg.mode),
                leg.departure...leg.arrival,
                free: free(around: leg, plan),
                walkMetres: leg.walkMetres
            )
            planned.journeys.append(DayJourney(from: here, to: to, trip: trip))
            here = to
        }
    }

    /// From when until when the traveller has nothing to do but a journey: it arrives in time for
    /// its task, and home at any time.
    private func free(around leg: PlannedLeg, _ plan: DayPlan) -> ClosedRange<Instant> {
        let ends =
            plan.tasks.filter { $0.end <= leg.departure }.map(\.end)
            + plan.legs.filter { $0.arrival <= leg.departure }.map(\.arrival)
        let isLast = leg.task == nil && leg == plan.legs.last
        let first = min(leg.departure, max(day.from, ends.max() ?? day.from))
        return first...(isLast ? max(day.until, leg.arrival) : leg.arrival)
    }

    /// Writes down what a plan gives up for a piece of a task.
    private func note(_ piece: PlannedTask, _ plan: DayPlan, in planned: inout PlannedDay) {
        guard let lapse = piece.lapse, let task = task(piece.id),
            let leg = plan.legs.last(where: { $0.task == piece.id && $0.piece == piece.piece })
        else { return }
        let timing = planned.input.tasks[task].timing
        switch lapse {
        case .shortWait:
            planned.shortWaits[task] = piece.start.seconds - leg.arrival.seconds
        case .late:
            let latest = timing.isFlexible ? piece.start : timing.window.lowerBound
            planned.lateness[task] = leg.arrival.seconds - latest.seconds
        case .longWait: planned.longWaits[task] = piece.start.seconds - leg.arrival.seconds
        }
    }

    /// Where a journey ends: at its task, at the base, or where another task is: one that follows,
    /// or one to which an own vehicle was taken before, which is taken from there now.
    private func stop(at leg: PlannedLeg, _ plan: DayPlan) -> DayStop {
        let goal = plan.tasks.first { $0.id == leg.task && $0.piece == leg.piece }
        if let goal, goal.place == leg.to, let task = task(goal.id),
            !input.tasks[task].places.isEmpty
        {
            return .task(task)
        }
        if leg.to == day.destination { return .base }
        if input.start == nil, leg.to == day.origin { return input.morning == nil ? .base : .here }
        if goal?.place != leg.to, let vehicle = vehicle(at: leg.to) {
            return lastTask(at: leg.to, before: leg, plan).map { .task($0) } ?? vehicle
        }
        let next = plan.tasks.filter { $0.start >= leg.arrival && $0.place == leg.to }
            .compactMap { task($0.id) }.first { !input.tasks[$0].places.isEmpty }
        return (next ?? lastTask(at: leg.to, before: leg, plan)).map { .task($0) } ?? .base
    }

    /// Where an own vehicle stands when the day begins.
    private func vehicle(at place: PlaceIndex) -> DayStop? {
        let here = self.place(place)
        let kinds: [TripKind] = [.car, .bicycle]
        return kinds.first { input.vehicles[$0]?.isSame(as: here) ?? false }.map { .vehicle($0) }
    }

    /// The last task at a place before a journey, of those that have a place of their own.
    private func lastTask(
        at place: PlaceIndex,
        before leg: PlannedLeg,
        _ plan: DayPlan
    ) -> Int? {
        plan.tasks.filter { $0.end <= leg.departure && $0.place == place }
            .compactMap { task($0.id) }.last { !input.tasks[$0].places.isEmpty }
    }

    private func place(_ place: PlaceIndex) -> ResolvedPlace { places[Int(place.rawValue)] }
}

extension ResolvedPlace {
    /// What places are put in order by.
    fileprivate var order: [Int64] {
        let stop = stops.first.map { Int64($0.rawValue) } ?? -1
        return [Int64(coordinate?.latitude ?? 0), Int64(coordinate?.longitude ?? 0), stop]
    }
}

extension DayMemory.Subject {
    static func < (left: Self, right: Self) -> Bool {
        (left.uid, left.from) < (right.uid, right.from)
    }
}
