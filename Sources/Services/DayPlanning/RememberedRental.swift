import CityData
import TripPlanning

/// The ends of a journey by a shared vehicle.
///
/// Feeds say which vehicles stand there now. A ride that has begun stays in the plan by what is
/// remembered of it.
struct RememberedRental: Sendable, Hashable, Codable {
    /// The place where the vehicle was rented.
    let from: DayMemory.Spot
    /// The place where the vehicle is returned.
    let to: DayMemory.Spot
    /// How many metres of it are walked.
    let walkMetres: Int32

    /// What is remembered of a journey; nil if it is by other means, or a place has no position.
    init?(_ journey: DayJourney, of plan: PlannedDay) {
        guard journey.trip.kind.isShared, let from = plan.place(of: journey.from),
            let to = plan.place(of: journey.to), let start = from.coordinate,
            let end = to.coordinate
        else { return nil }
        self.from = DayMemory.Spot(from.name, at: start)
        self.to = DayMemory.Spot(to.name, at: end)
        walkMetres = Int32(clamping: journey.trip.walkMetres)
    }
}
