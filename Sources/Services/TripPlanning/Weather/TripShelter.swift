import Chronology
import Journeys
import Streets

/// Leads walks in the rain under roofs, where that takes little longer (V70).
///
/// Journeys are found by the quickest walks. Each walk in the rain of those that are shown may then
/// take another way between its ends, within the time that is left before the next leg, or as long
/// as the traveller leaves no earlier and arrives no later than was asked.
struct TripShelter {
    /// The longest detour, in seconds.
    private static let longestDetour: Int64 = 180
    /// The least metres under a roof that are worth another way.
    private static let leastGain: UInt32 = 30

    let planner: Planner
    /// By what sheltered ways are found: a metric that prefers them.
    let metric: StreetMetric
    let rain: TripRain

    /// A trip whose walks in the rain are sheltered.
    ///
    /// - Parameters:
    ///   - option: the trip.
    ///   - itinerary: the journey from which it was built.
    ///   - query: the query that the journey answers.
    /// - Returns: the trip, with other times where a walk at one of its ends takes longer.
    func sheltered(
        _ option: TripOption,
        _ itinerary: Itinerary,
        _ query: JourneyQuery
    ) -> TripOption {
        var option = option
        guard option.steps.count == itinerary.legs.count, !query.wheelchair else { return option }
        for (number, leg) in itinerary.legs.enumerated() where leg.means == .walk {
            let span = leg.departure..<max(leg.departure, leg.arrival)
            guard rain.wetSeconds(during: span) ?? 0 > 0,
                let usual = planner.route(of: leg, in: query)
            else { continue }
            option.steps[number].shelteredMetres = usual.shelteredMetres
            guard let dry = planner.route(of: leg, in: query, by: metric),
                dry.shelteredMetres >= usual.shelteredMetres + Self.leastGain
            else { continue }
            let milliseconds = dry.millisecondsWithoutPreference
            let longer = Int64(milliseconds) - Int64(usual.cost.milliseconds)
            let seconds = max(0, (longer + 999) / 1_000)
            guard seconds <= Self.longestDetour,
                move(number, by: seconds, &option, query)
            else { continue }
            follow(dry, number, &option)
        }
        option.departure = min(option.departure, option.steps.first?.departure ?? option.departure)
        option.arrival = max(option.arrival, option.steps.last?.arrival ?? option.arrival)
        return option
    }

    /// Lets a walk begin earlier, or end later, if there is time.
    private func move(
        _ number: Int,
        by seconds: Int64,
        _ option: inout TripOption,
        _ query: JourneyQuery
    ) -> Bool {
        let step = option.steps[number]
        let (departure, arrival) = (
            step.departure.adding(seconds: -seconds), step.arrival.adding(seconds: seconds)
        )
        let next = number + 1 < option.steps.count ? option.steps[number + 1] : nil
        // Renting takes its time before the ride.
        let handling = next?.rental == nil ? 0 : SharedSearch.handlingSeconds
        if let next, arrival.adding(seconds: handling) <= next.departure {
            option.steps[number].arrival = arrival
        } else if number > 0, number + 1 == option.steps.count,
            !query.isArriveBy || arrival <= query.time
        {
            option.steps[number].arrival = arrival
        } else if number == 0, query.isArriveBy || departure >= query.time {
            option.steps[number].departure = departure
        } else if number == 0, option.steps.count == 1 {
            // Who walks all the way at once arrives later.
            option.steps[number].arrival = arrival
        } else {
            return seconds == 0
        }
        return true
    }

    private func follow(_ route: StreetRoute, _ number: Int, _ option: inout TripOption) {
        let metres = (route.cost.decimetres + 5) / 10
        let usual = option.steps[number].metres
        option.metres = option.metres - min(option.metres, usual) + metres
        option.walkMetres = option.walkMetres - min(option.walkMetres, usual) + metres
        option.steps[number].metres = metres
        option.steps[number].geometry = route.geometry
        option.steps[number].streets = TripStreet.all(of: route, in: planner.city.streets)
        option.steps[number].shelteredMetres = route.shelteredMetres
    }
}
