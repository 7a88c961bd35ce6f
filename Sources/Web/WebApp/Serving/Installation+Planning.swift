import Chronology
import CityData
import Dispatching
import Fares
import Journeys
import Taxi
import TaxiPages
import TravelPages
import TripPlanning

extension Installation {
    /// How many trips are planned at the same time: one, so that planning for strangers leaves the
    /// other processors to the taxis (V16, V95).
    private static let planningWorkers = 1
    /// How far ahead the wait for a taxi can be estimated, in seconds.
    private static let waitHorizon: Int64 = 1_800

    /// What plans trips in a city, with the estimates of its taxi service: all of it from one
    /// snapshot.
    static func planning(
        in city: OpenedCity,
        _ taxi: TaxiService,
        _ clock: ServiceClock
    ) -> TravelPages.Planning {
        let map = City(city.file)
        let planner = TripPlanner(CitySnapshot(map), workers: planningWorkers) { ride in
            await estimate(ride, taxi, at: clock.now())
        }
        return TravelPages.Planning(planner, places: PlaceResolver(city: map))
    }

    /// What the order form would say about the same ride; nothing while taxis are not served.
    private static func estimate(
        _ ride: TaxiRide,
        _ taxi: TaxiService,
        at now: Moment
    ) async -> TaxiEstimate {
        let order = RideOrder(
            PassengerNumber(rawValue: 0),
            from: ride.from,
            to: ride.to,
            needs: Capacity(seats: 1, wheelchair: false)
        )
        let moment = Moment(milliseconds: ride.time.seconds * 1_000)
        guard let quote = try? await taxi.quote(order, at: moment) else { return TaxiEstimate() }
        let isSoon = moment < now.adding(seconds: waitHorizon)
        return TaxiEstimate(
            waitSeconds: isSoon ? quote.waitSeconds.flatMap { Int32(exactly: $0) } : nil,
            fare: quote.fare?.likely.total,
            rideSeconds: (quote.drive?.seconds).flatMap { Int32(exactly: $0) }
        )
    }
}
