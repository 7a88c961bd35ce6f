import Chronology
import Columns
import Journeys
import OpenData
import Tickets
import Transit

/// A reference for journeys within a price: it rides every chain of vehicles that connect, and asks
/// for the price of each as a whole.
struct SlowPrices {
    let slow: SlowJourneys
    let city: City
    let book: FareBook
    let vehicles: [SlowJourneys.Vehicle]
    let traveller: FareTraveller

    /// Someone at a stop: at the origin, or after alighting.
    private struct Rider {
        let stop: Int
        /// The last trip; nil at the origin.
        let trip: Int?
        let moment: Int
        let metres: Int
        let rides: [FareRide]
    }

    /// The earliest arrivals with exactly so many trips, from 0 to `maxTrips`, of journeys whose
    /// tickets cost at most so much and whose walks are at most so long.
    func arrivals(
        from origin: Int,
        to destination: Int,
        at moment: Int,
        latest: Int,
        maxTrips: Int,
        limit: Int64,
        metres: Int
    ) -> [Int] {
        let feed = slow.feed
        let destinations = feed.stops.indices.filter {
            SlowJourneys.isWithin($0, destination, feed)
        }
        func finish(_ rider: Rider) -> Int {
            destinations.filter { rider.metres + walk(rider.stop, $0).metres <= metres }
                .map { rider.moment + walk(rider.stop, $0).seconds }.min() ?? SlowJourneys.never
        }
        var riders = feed.stops.indices.filter { SlowJourneys.isWithin($0, origin, feed) }
            .map { Rider(stop: $0, trip: nil, moment: moment, metres: 0, rides: []) }
        var best = [riders.map { finish($0) }.min() ?? SlowJourneys.never]
        guard maxTrips > 0 else { return best }
        let running = vehicles.filter { $0.end >= moment && $0.start <= latest }
        for _ in 1...maxTrips {
            riders = riders.flatMap { rider in
                running.flatMap { ridden($0, by: rider, latest, metres) }
            }
            let arrivals = riders.filter { price($0.rides) <= limit }.map { finish($0) }
            best.append(arrivals.min() ?? SlowJourneys.never)
        }
        return best
    }

    private func walk(_ from: Int, _ to: Int) -> (seconds: Int, metres: Int) {
        from == to ? (0, 0) : (slow.walks[from][to], slow.walkMetres[from][to])
    }

    private func way(
        _ rider: Rider,
        to stop: Int,
        _ vehicle: SlowJourneys.Vehicle
    ) -> (seconds: Int, metres: Int) {
        guard let trip = rider.trip else { return walk(rider.stop, stop) }
        return slow.changeWithMetres(rider.stop, trip, stop, vehicle.trip)
    }

    /// A rider after every ride on a vehicle.
    private func ridden(
        _ vehicle: SlowJourneys.Vehicle,
        by rider: Rider,
        _ latest: Int,
        _ metres: Int
    ) -> [Rider] {
        let route = slow.feed.trips[vehicle.trip].route
        var riders: [Rider] = []
        for board in vehicle.stops.indices.dropLast()
        where vehicle.mayBoard[board] && rider.moment <= vehicle.departures[board] {
            let way = way(rider, to: vehicle.stops[board], vehicle)
            guard rider.moment + way.seconds <= vehicle.departures[board],
                rider.metres + way.metres <= metres
            else { continue }
            for call in vehicle.stops.indices
            where call > board && vehicle.mayAlight[call] && vehicle.arrivals[call] <= latest {
                let ride = city.fareRide(
                    RouteIndex(row: route),
                    vehicle.stops[board...call].map { StopIndex(row: $0) },
                    Instant(seconds: Int64(vehicle.departures[board])),
                    Instant(seconds: Int64(vehicle.arrivals[call]))
                )
                riders.append(
                    Rider(
                        stop: vehicle.stops[call],
                        trip: vehicle.trip,
                        moment: vehicle.arrivals[call],
                        metres: rider.metres + way.metres,
                        rides: rider.rides + [ride]
                    )
                )
            }
        }
        return riders
    }

    private func price(_ rides: [FareRide]) -> Int64 {
        book.fare(rides, for: traveller)?.minorUnits ?? .max
    }
}
