package import Chronology
import Columns
package import Journeys
import Transit

/// How probable it is to arrive on time, from the delays of the past.
///
/// The vehicles of a journey are late independently of each other; one vehicle is as late at the
/// stop where it is left, by its share of the distribution, as where it is boarded. Nobody leaves a
/// stop before the timetable says. A traveller who misses a vehicle takes the next one that runs
/// from the same platform to the same platform.
package struct TripReliability: Sendable {
    private let city: City
    private let delays: DelayTable
    private let departures: StopDepartures

    /// How much later than planned counts as on time where no time was asked for, in seconds.
    package static let tolerance: Int64 = 300
    /// How long later vehicles are waited for, in seconds.
    private static let patience: Int64 = 7_200
    /// How many later vehicles are looked at.
    private static let laterLimit = 12
    /// The width of the times that are told apart, in seconds.
    private static let step: Int64 = 1

    /// The reliability of the journeys of a city.
    ///
    /// - Complexity: O(*n*) in the positions of all patterns.
    package init(_ city: City, _ delays: DelayTable) {
        self.city = city
        self.delays = delays
        departures = StopDepartures(city.timetable)
    }

    /// A vehicle that can be taken, with what its shares say.
    private struct Vehicle {
        let departure: Int64
        let arrival: Int64
        let boarding: [Int64]
        let alighting: [Int64]
    }

    /// The probability that a journey ends by a time.
    ///
    /// - Parameters:
    ///   - itinerary: the journey.
    ///   - deadline: the time; nil for ``tolerance`` after the planned arrival.
    /// - Returns: 0 to 1; nil where a delay is not known, as of cars, of shared vehicles, which
    ///   others may take first, and of trips that nobody observed.
    package func onTime(_ itinerary: Itinerary, by deadline: Instant? = nil) -> Double? {
        let limit = deadline?.seconds ?? itinerary.arrival.seconds + Self.tolerance
        // The probability of being at a point at a time, in steps; what is missing never comes.
        var times: [Int64: Double] = [Self.steps(itinerary.departure.seconds): 1]
        for leg in itinerary.legs {
            switch leg.means {
            case .walk, .bicycle:
                let steps = Self.steps(leg.arrival.seconds - leg.departure.seconds)
                times = Dictionary(uniqueKeysWithValues: times.map { ($0.key + steps, $0.value) })
            case .car, .taxi, .rental: return nil
            case .ride(let ride):
                guard let vehicles = vehicles(of: leg, ride) else { return nil }
                times = Self.ridden(times, vehicles)
            }
        }
        return min(1, times.reduce(0) { $0 + ($1.key * Self.step <= limit ? $1.value : 0) })
    }

    /// Seconds as the nearest number of steps.
    private static func steps(_ seconds: Int64) -> Int64 { (seconds + step / 2) / step }

    /// The times after a ride.
    private static func ridden(_ times: [Int64: Double], _ vehicles: [Vehicle]) -> [Int64: Double] {
        var after: [Int64: Double] = [:]
        let share = 1 / Double(Delay.shareCount)
        for (time, probability) in times {
            var rest = probability
            for vehicle in vehicles where rest > 1e-6 {
                var caught = 0.0
                for (boarding, alighting) in zip(vehicle.boarding, vehicle.alighting)
                where time * step <= vehicle.departure + boarding {
                    after[steps(vehicle.arrival + alighting), default: 0] += rest * share
                    caught += share
                }
                rest *= 1 - caught
            }
        }
        return after
    }

    /// The vehicle of a ride and those after it that run between the same platforms; nil if nothing
    /// is known of the first.
    private func vehicles(of leg: Leg, _ ride: RideLeg) -> [Vehicle]? {
        let patterns = city.timetable.patterns
        let platforms = patterns.positions(ride.pattern)
        func platform(_ position: Int) -> PlatformIndex {
            patterns.platform[platforms.lowerBound.advanced(by: position)]
        }
        guard let last = ride.positions.last, let first = ride.positions.first else { return nil }
        let (from, to) = (platform(first), platform(last))
        guard
            let own = known(ride.run, (first, last), (from, to), ride.day)
        else { return nil }
        var found = [
            Vehicle(
                departure: leg.departure.seconds,
                arrival: leg.arrival.seconds,
                boarding: own.boarding,
                alighting: own.alighting
            )
        ]
        let later = leg.departure.adding(seconds: 1)
        for departure in departures.departures(
            from: [from],
            in: later..<later.adding(seconds: Self.patience)
        ) where found.count <= Self.laterLimit {
            let positions = patterns.positions(departure.pattern)
            guard
                let end = (departure.position + 1..<positions.count).first(where: {
                    patterns.platform[positions.lowerBound.advanced(by: $0)] == to
                })
            else { continue }
            let run = patterns.times(
                patterns.runTiming[departure.run],
                positionCount: positions.count
            )
            let seconds = run.arrival(end) - run.departure(departure.position)
            // A vehicle that nobody observed is as late as the one that was missed.
            let known =
                known(departure.run, (departure.position, end), (from, to), departure.day) ?? own
            found.append(
                Vehicle(
                    departure: departure.time.seconds,
                    arrival: departure.time.seconds + Int64(seconds),
                    boarding: known.boarding,
                    alighting: known.alighting
                )
            )
        }
        return found
    }

    /// The delays of a run where it is boarded and where it is left; nil if one is not known.
    private func known(
        _ run: RunIndex,
        _ positions: (from: Int, to: Int),
        _ ends: (from: PlatformIndex, to: PlatformIndex),
        _ day: CivilDate
    ) -> (boarding: [Int64], alighting: [Int64])? {
        let (stops, patterns) = (city.timetable.platforms.stop, city.timetable.patterns)
        // The trip on which one sits may be another at the end.
        let (first, last) = (positions.from, max(positions.from, positions.to - 1))
        guard
            let boarding = delays.delay(
                of: patterns.trip(run, at: first),
                at: stops[ends.from],
                on: day
            ),
            let alighting = delays.delay(
                of: patterns.trip(run, at: last),
                at: stops[ends.to],
                on: day
            )
        else { return nil }
        return (boarding.shares.map { max(0, $0) }, alighting.shares)
    }
}
