package import Chronology
import CityData
import TripPlanning

/// A ticket that its owner has for a journey of a day by public transport (ST3).
///
/// The plan keeps the journey before it keeps anything else as it was, as long as the vehicles run
/// and its owner does not release it.
package struct BoughtTicket: Sendable, Hashable, Codable {
    /// A ride of the journey, by which it is found again when vehicles are late.
    struct Ride: Sendable, Hashable, Codable {
        /// The feed's identifier of the trip.
        let trip: String
        /// The name of the line.
        let line: String
        /// The name of the stop where one boards.
        let stop: String
        /// When it leaves there, in seconds since 1970.
        let departure: Int64
        /// Whether the line runs at a headway, so that all its vehicles are one trip of the feed.
        let isApproximate: Bool

        /// By how many seconds a vehicle is late at the most, so that the same trip of the next day
        /// is another.
        static let latest: Int64 = 43_200

        /// Whether a leg is this ride: by the feed's identifier, or where a new feed has others, by
        /// line, stop and time.
        func isSame(as step: TripStep) -> Bool {
            guard let ride = step.ride else { return false }
            let late = abs(step.departure.seconds - departure)
            if ride.tripID == trip, !isApproximate { return late <= Self.latest }
            return ride.lineName == line && step.fromName == stop && late == 0
        }
    }

    /// The task to which the journey leads; nil for the journey to the base.
    package var to: DayMemory.Subject?
    /// When the journey begins, in seconds since 1970.
    package var departure: Int64
    /// When it ends, in seconds since 1970.
    package var arrival: Int64
    /// What the ticket cost, in minor units; nil if unknown.
    package var price: Int64?
    /// The ISO 4217 code of the price's currency.
    package var currency: String?
    /// How many metres of the journey are walked.
    var walkMetres: Int32
    /// The rides in order.
    var rides: [Ride]
    /// Where the journey begins.
    var origin: DayMemory.Spot
    /// Where it ends.
    var goal: DayMemory.Spot

    /// What people call the place to which it leads.
    package var goalName: String { goal.name }

    /// A ticket for a journey; nil for one without a ride, or between places without positions.
    ///
    /// - Parameters:
    ///   - journey: the journey of a plan.
    ///   - plan: the plan.
    package init?(for journey: DayJourney, of plan: PlannedDay) {
        let trip = journey.trip
        guard let from = plan.place(of: journey.from), let to = plan.place(of: journey.to),
            let start = from.coordinate, let end = to.coordinate
        else { return nil }
        rides = trip.steps.compactMap { step in
            step.ride.map { ride in
                Ride(
                    trip: ride.tripID,
                    line: ride.lineName,
                    stop: step.fromName,
                    departure: step.departure.seconds,
                    isApproximate: ride.isApproximate
                )
            }
        }
        guard !rides.isEmpty else { return nil }
        if case .task(let task) = journey.to { self.to = plan.input.tasks[task].subject }
        departure = trip.departure.seconds
        arrival = trip.arrival.seconds
        price = trip.price.minorUnits
        currency = trip.price.currencyCode
        walkMetres = Int32(clamping: trip.walkMetres)
        origin = DayMemory.Spot(from.name, at: start)
        goal = DayMemory.Spot(to.name, at: end)
    }

    /// Whether a trip has the rides of the ticket and no others.
    func isFor(_ trip: TripOption) -> Bool {
        let steps = trip.steps.filter { $0.ride != nil }
        return steps.count == rides.count && zip(rides, steps).allSatisfy { $0.isSame(as: $1) }
    }

    /// Whether a journey of a plan is the one of the ticket.
    package func serves(_ journey: DayJourney, of plan: PlannedDay) -> Bool {
        isFor(journey.trip) && plan.place(of: journey.from)?.coordinate == origin.position
            && plan.place(of: journey.to)?.coordinate == goal.position
    }
}

extension PlannedDay {
    /// Whether its owner has a ticket for a journey.
    package func hasTicket(for journey: DayJourney) -> Bool {
        input.memory.tickets.contains { $0.serves(journey, of: self) }
    }

    /// The tickets for journeys to come that the plan does not make; none of a day that is not
    /// feasible, as nothing is decided there.
    ///
    /// - Parameter now: the current time.
    /// - Returns: the tickets, by departure.
    package func lostTickets(at now: Instant) -> [BoughtTicket] {
        guard isFeasible else { return [] }
        return input.memory.tickets.filter { ticket in
            ticket.departure > now.seconds && !journeys.contains { ticket.serves($0, of: self) }
        }.sorted { $0.departure < $1.departure }
    }
}

extension CalendarRepair {
    /// Whether another repair has the same changes.
    func isSame(as other: CalendarRepair) -> Bool {
        changes == other.changes && dropsWalkLimits == other.dropsWalkLimits
    }
}

extension DayPlanner {
    /// The tickets of a day with the times at which their vehicles run now; those whose vehicles do
    /// not run are left out.
    func tickets(of day: DayInput) -> [BoughtTicket] {
        guard !day.memory.tickets.isEmpty else { return [] }
        let places = SolverDay.places(of: day)
        func place(_ spot: DayMemory.Spot) -> ResolvedPlace? {
            places.first { $0.coordinate == spot.position }
        }
        return day.memory.tickets.compactMap { ticket in
            guard let from = place(ticket.origin), let to = place(ticket.goal) else { return nil }
            let time = Instant(seconds: ticket.departure)
            guard modes.transit != 0 else { return nil }
            // What has begun is made.
            guard time > conditions.now else { return ticket }
            let question = day.question(from, to, time, modes.only(.transit), now: conditions.now)
            do throws(TripFailure) {
                let found = try answer(question).options.first { ticket.isFor($0) }
                return found.map { option in
                    var ticket = ticket
                    ticket.departure = option.departure.seconds
                    ticket.arrival = option.arrival.seconds
                    ticket.walkMetres = Int32(clamping: option.walkMetres)
                    return ticket
                }
            } catch {
                // A planner without time for an answer says nothing of the vehicles.
                let unanswered: [TripFailure] = [.busy, .deadline, .cancelled]
                return unanswered.contains(error) ? ticket : nil
            }
        }
    }
}
