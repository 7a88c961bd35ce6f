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
        let known = Set(day.tasks.map(\.id))
        let all = order.enumerated().map { number, task in
            (input.tasks[task].subject, TaskIdentifier(rawValue: UInt64(number)))
        }
        let identifiers = Dictionary(all.filter { known.contains($0.1) }) { first, _ in first }
        let memory = input.memory
        for placement in memory.placements {
            guard let task = identifiers[placement.task] else { continue }
            var place: PlaceIndex?
            if let latitude = placement.latitude, let longitude = placement.longitude {
                let position = Coordinate(latitude: latitude, longitude: longitude)
                place = number(at: position, in: places)
            }
            day.former.append(
                FormerTask(task, start: Instant(seconds: placement.start), place: place)
            )
        }
        for leg in memory.legs {
            let task = leg.to.flatMap { identifiers[$0] }
            // The task to which it led is gone.
            if leg.to != nil, task == nil { continue }
            guard let mode = TripKind(rawValue: leg.kind)?.mode else { continue }
            day.formerLegs.append(FormerLeg(to: task, by: mode))
            if let rental = leg.rental, leg.departure <= now.seconds,
                let from = number(at: rental.from.position, in: places),
                let to = number(at: rental.to.position, in: places)
            {
                // What feeds say of vehicles says nothing of rides that have begun.
                let option = TravelOption(
                    mode,
                    departure: Instant(seconds: leg.departure),
                    seconds: Int32(clamping: (leg.arrival ?? leg.departure) - leg.departure),
                    walkMetres: rental.walkMetres
                )
                let ride = BookedJourney(to: task, from: from, to: to, option)
                day.commitments.append(.journey(ride))
            }
        }
        for taxi in memory.taxis {
            let task = taxi.to.flatMap { identifiers[$0] }
            guard taxi.to == nil || task != nil,
                let from = number(at: taxi.from, in: places),
                let to = number(at: taxi.destination, in: places)
            else { continue }
            let option = TravelOption(
                .taxi,
                departure: Instant(seconds: taxi.departure),
                seconds: Int32(clamping: taxi.arrival - taxi.departure),
                walkMetres: 0
            )
            day.commitments.append(.journey(BookedJourney(to: task, from: from, to: to, option)))
        }
        for (subject, start) in memory.pins.sorted(by: { $0.key < $1.key }) {
            guard let task = identifiers[subject] else { continue }
            day.commitments.append(.start(task, Instant(seconds: start)))
        }
    }
}
