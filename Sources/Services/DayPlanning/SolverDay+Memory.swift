import Chronology
import CityData
import DayPlan
import Geo
import TripPlanning

extension SolverDay {
    /// Tells the solver what an earlier plan has said.
    static func remember(
        _ input: DayInput,
        _ order: [Int],
        _ places: [ResolvedPlace],
        _ now: Instant,
        in day: inout Day
    ) {
        let former = FormerPlan(input, order, places, known: Set(day.tasks.map(\.id)))
        former.addPlacements(to: &day)
        former.addLegs(to: &day, at: now)
        former.addTaxis(to: &day)
        former.addTickets(to: &day)
        former.addPins(to: &day)
    }
}

/// What an earlier plan has said, in terms of the tasks and places of the solver.
private struct FormerPlan {
    private let input: DayInput
    private let places: [ResolvedPlace]
    private let identifiers: [DayMemory.Subject: TaskIdentifier]
    /// How many pieces of each task have begun: they are not planned any more.
    private let begun: [DayMemory.Subject: Int]

    init(
        _ input: DayInput,
        _ order: [Int],
        _ places: [ResolvedPlace],
        known: Set<TaskIdentifier>
    ) {
        self.input = input
        self.places = places
        let all = order.enumerated().map { number, task in
            (input.tasks[task].subject, TaskIdentifier(rawValue: UInt64(number)))
        }
        identifiers = Dictionary(all.filter { known.contains($0.1) }) { first, _ in first }
        begun = Dictionary(input.tasks.map { ($0.subject, input.begunCount(of: $0)) }) { $1 }
    }

    private var memory: DayMemory { input.memory }

    private func number(at position: Coordinate) -> PlaceIndex? {
        SolverDay.number(at: position, in: places)
    }

    /// The piece of a task to which a journey led, of those that are still planned; negative for
    /// one that has begun.
    private func piece(to task: DayMemory.Subject?, from departure: Int64) -> Int {
        guard let task else { return 0 }
        let pieces = memory.placements.filter { $0.task == task }
        let piece = pieces.firstIndex { $0.start >= departure } ?? max(0, pieces.count - 1)
        return piece - (begun[task] ?? 0)
    }

    /// Where and when tasks were.
    func addPlacements(to day: inout Day) {
        var counts: [DayMemory.Subject: Int] = [:]
        for placement in memory.placements {
            let piece = counts[placement.task, default: 0] - (begun[placement.task] ?? 0)
            counts[placement.task, default: 0] += 1
            guard piece >= 0, let task = identifiers[placement.task] else { continue }
            var place: PlaceIndex?
            if let latitude = placement.latitude, let longitude = placement.longitude {
                place = number(at: Coordinate(latitude: latitude, longitude: longitude))
            }
            let start = Instant(seconds: placement.start)
            day.former.append(FormerTask(task, piece: piece, start: start, place: place))
        }
    }

    /// How journeys were made; rides by shared vehicles that have begun are booked.
    func addLegs(to day: inout Day, at now: Instant) {
        for leg in memory.legs {
            let task = leg.to.flatMap { identifiers[$0] }
            let piece = piece(to: leg.to, from: leg.departure)
            // The task to which it led is gone, or that piece of it is done.
            guard leg.to == nil || task != nil, piece >= 0,
                let mode = TripKind(rawValue: leg.kind)?.mode
            else { continue }
            day.formerLegs.append(FormerLeg(to: task, piece: piece, by: mode))
            guard let rental = leg.rental, leg.departure <= now.seconds,
                let from = number(at: rental.from.position),
                let to = number(at: rental.to.position)
            else { continue }
            // What feeds say of vehicles says nothing of rides that have begun.
            let option = TravelOption(
                mode,
                departure: Instant(seconds: leg.departure),
                seconds: Int32(clamping: (leg.arrival ?? leg.departure) - leg.departure),
                walkMetres: rental.walkMetres
            )
            let ride = BookedJourney(to: task, piece: piece, from: from, to: to, option)
            day.commitments.append(.journey(ride))
        }
    }

    /// The taxis that are ordered.
    func addTaxis(to day: inout Day) {
        for taxi in memory.taxis {
            let task = taxi.to.flatMap { identifiers[$0] }
            let piece = piece(to: taxi.to, from: taxi.departure)
            guard taxi.to == nil || task != nil, piece >= 0, let from = number(at: taxi.from),
                let to = number(at: taxi.destination)
            else { continue }
            let option = TravelOption(
                .taxi,
                departure: Instant(seconds: taxi.departure),
                seconds: Int32(clamping: taxi.arrival - taxi.departure),
                walkMetres: 0
            )
            let ride = BookedJourney(to: task, piece: piece, from: from, to: to, option)
            day.commitments.append(.journey(ride))
        }
    }

    /// The tickets that are bought.
    func addTickets(to day: inout Day) {
        // An appointment that is put off is the same one.
        let byEntry = Dictionary(grouping: identifiers.keys, by: \.uid)
            .compactMapValues { $0.count == 1 ? identifiers[$0[0]] : nil }
        for ticket in input.tickets {
            let task = ticket.to.flatMap { identifiers[$0] ?? byEntry[$0.uid] }
            let piece = piece(to: ticket.to, from: ticket.departure)
            guard ticket.to == nil || task != nil, piece >= 0,
                let from = number(at: ticket.origin.position),
                let to = number(at: ticket.goal.position)
            else { continue }
            let option = TravelOption(
                .transit,
                departure: Instant(seconds: ticket.departure),
                seconds: Int32(clamping: ticket.arrival - ticket.departure),
                walkMetres: ticket.walkMetres
            )
            let ride = BookedJourney(to: task, piece: piece, from: from, to: to, option)
            day.commitments.append(.journey(ride))
        }
    }

    /// The tasks that their owner keeps at a time; of one in pieces it is the first.
    func addPins(to day: inout Day) {
        for (subject, start) in memory.pins.sorted(by: { $0.key < $1.key }) {
            guard let task = identifiers[subject], begun[subject] ?? 0 == 0 else { continue }
            day.commitments.append(.start(task, Instant(seconds: start)))
        }
    }
}
