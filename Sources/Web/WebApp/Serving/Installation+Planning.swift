import Chronology
import CityData
import Dispatching
import Fares
import Journeys
import LiveFeeds
import Taxi
import TaxiPages
import TripPlanning

extension Installation {
    /// The number of trips planned at the same time: one, so that planning for strangers leaves the
    /// other processors to the taxis (V16, V95).
    private static let planningWorkers = 1
    /// The horizon within which the wait for a taxi can be estimated, in seconds.
    private static let waitHorizon: Int64 = 1_800

    /// Opens the city in a file.
    ///
    /// The first city gets the estimates of the taxi service, which serves it alone.
    static func city(
        _ file: CityFile.Identified,
        _ number: Int,
        _ taxi: TaxiService,
        _ feeds: LiveFeeds,
        _ settings: Settings,
        _ clock: ServiceClock
    ) -> OpenedCity {
        let conditions: TripConditionsProvider = {
            TripConditions(
                feeds.world,
                now: Instant(seconds: clock.now().milliseconds / 1_000)
            )
        }
        let taxis: TaxiEstimator = { ride in await estimate(ride, taxi, at: clock.now()) }
        return OpenedCity(
            file,
            workers: planningWorkers,
            taxi: number == 0 ? taxis : nil,
            conditions: conditions,
            disruptions: {
                let operators = settings.strikeOperators
                return Disruptions(feeds.world, $0, operators, now: Instant(clock.now()))
            },
            traffic: {
                CityTraffic(
                    feeds.world,
                    $0,
                    restrictions: taxi.restrictions,
                    learned: taxi.streetSpeeds,
                    now: Instant(clock.now())
                )
            },
            delays: settings.delays,
            passPeriods: settings.passPeriods
        )
    }

    /// The addresses of the city in which the taxis drive, from the file in service.
    ///
    /// It does not keep the cities: their planners keep the taxi service, which keeps this.
    static func addresses(_ cities: CurrentCities) -> AddressSource {
        AddressSource { [weak cities] in cities?.current.cities.first?.places.address(at: $0) }
    }

    /// Takes new city files, strikes, alerts and traffic while the server runs.
    var renewal: CityRenewal {
        let operators = settings.strikeOperators
        return CityRenewal(cities) { [taxi, feeds, settings, clock] in
            Self.city($0, $1, taxi, feeds, settings, clock)
        } taken: { [taxi, clock] city, number in
            guard number == 0 else { return }
            let now = Instant(clock.now())
            await taxi.learn(on: city.streets)
            await taxi.drives.renew(city.planner.traffic.arrivals(in: city.streets, at: now))
        } disruptions: { [feeds, clock] city in
            city.planner.disruptions.renewed(
                by: feeds.world,
                city.city.timetable,
                operators,
                now: Instant(clock.now())
            )
        } traffic: { [taxi, feeds, clock] city in
            city.planner.traffic.renewed(
                by: feeds.world,
                city.city,
                restrictions: taxi.restrictions,
                learned: taxi.streetSpeeds,
                now: Instant(clock.now())
            )
        } isUrgent: { [taxi, clock] city in
            city.planner.traffic.isOutdated(by: taxi.restrictions, now: Instant(clock.now()))
        }
    }

    /// The estimate that the order form would show for the same ride; nil while taxis are not
    /// served.
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
