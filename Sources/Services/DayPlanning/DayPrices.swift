import Chronology
package import TripPlanning

extension PlannedDay {
    /// What all journeys cost, each paid for by itself; unknown if the price of one is, or if they
    /// are in several currencies.
    package var price: TripPrice { journeys.price }

    /// The limits of ``DayInput/tripLimits`` that journeys are known to exceed.
    var excesses: Set<TripConstraint> {
        let paid = journeys.filter { !hasTicket(for: $0) }
        let reasons = paid.flatMap { input.tripLimits.exceeded(by: $0.trip) }
        return Set(
            reasons.map { reason -> TripConstraint in
                switch reason {
                case .emissions: .emissions
                case .limit: .modes
                default: .money
                }
            }
        )
    }
}

extension [DayJourney] {
    /// What all cost together; unknown if one is, if they are in several currencies, or if there is
    /// none.
    var price: TripPrice {
        dropFirst().reduce(first?.trip.price ?? .unknown) { $0 + $1.trip.price }
    }

    /// What all cost together, in minor units; 0 without journeys, nil if unknown.
    var knownPrice: Int64? { isEmpty ? 0 : price.minorUnits }
}

extension DayInput {
    /// The day in which a journey is made by other means: the one to a task for that task, and the
    /// one home from its departure on.
    ///
    /// - Parameters:
    ///   - journey: the journey.
    ///   - modes: the means of tasks that demand none.
    /// - Returns: the day; nil if that changes nothing, or would leave the task without any means.
    func without(_ journey: DayJourney, _ modes: TripModes) -> DayInput? {
        guard case .task(let task) = journey.to else {
            var day = self
            let end = span.upperBound.adding(seconds: 86_400)
            guard journey.trip.departure < end else { return nil }
            day.unused[journey.trip.kind, default: []].append(journey.trip.departure..<end)
            return day
        }
        var kept = tasks[task].demands.modes ?? modes
        kept.remove(journey.trip.kind)
        guard !kept.kinds.isEmpty else { return nil }
        var day = self
        day.tasks[task].demands.modes = kept
        return day == self ? nil : day
    }
}
