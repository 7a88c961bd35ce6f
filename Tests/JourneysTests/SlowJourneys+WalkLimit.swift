import OpenData

/// The reference with a walking limit: it keeps all passengers who ever alighted, with their
/// walking distance, and for each vehicle the smallest distance of those on board.
extension SlowJourneys {
    private struct Person {
        let stop: Int
        let trip: Int
        let moment: Int
        let metres: Int
    }

    /// Returns the earliest arrival for each limit of trips from 0 (walking) to `maxTrips`, with a
    /// total walk of at most `maxMetres`.
    ///
    /// Arrivals after `latest` may be missing, as without a walking limit.
    func arrivals(
        from origin: Int,
        to destination: Int,
        at moment: Int,
        latest: Int,
        maxTrips: Int,
        maxMetres: Int,
        _ vehicles: [Vehicle]
    ) -> [Int] {
        let origins = feed.stops.indices.filter { Self.isWithin($0, origin, feed) }
        let destinations = feed.stops.indices.filter { Self.isWithin($0, destination, feed) }
        func walk(_ from: Int, _ to: Int) -> (seconds: Int, metres: Int)? {
            if from == to { return (0, 0) }
            return walks[from][to] < Self.never ? (walks[from][to], walkMetres[from][to]) : nil
        }
        func finish(_ stop: Int, _ moment: Int, _ metres: Int) -> Int {
            destinations.compactMap { walk(stop, $0) }
                .filter { metres + $0.metres <= maxMetres }
                .map { moment + $0.seconds }.min() ?? Self.never
        }
        var best = [origins.map { finish($0, moment, 0) }.min() ?? Self.never]
        var people: [Person] = []
        guard maxTrips > 0 else { return best }
        for _ in 1...maxTrips {
            var atEnd = [Int](repeating: Self.never, count: vehicles.count)
            var found: [Person] = []
            let horizon = min(best.last ?? Self.never, latest)
            for number in vehicles.indices
            where vehicles[number].end >= moment && vehicles[number].start <= horizon {
                let vehicle = vehicles[number]
                var aboard = vehicle.predecessor.map { atEnd[$0] } ?? Self.never
                for position in vehicle.stops.indices {
                    let isNewStop =
                        position > 0
                        || vehicle.predecessor.map { vehicles[$0].stops.last != vehicle.stops[0] }
                            ?? false
                    if aboard <= maxMetres, isNewStop, vehicle.mayAlight[position] {
                        found.append(
                            Person(
                                stop: vehicle.stops[position],
                                trip: vehicle.trip,
                                moment: vehicle.arrivals[position],
                                metres: aboard
                            )
                        )
                    }
                    guard vehicle.mayBoard[position], position + 1 < vehicle.stops.count else {
                        continue
                    }
                    let stop = vehicle.stops[position]
                    for start in origins {
                        guard let walk = walk(start, stop),
                            moment + walk.seconds <= vehicle.departures[position]
                        else { continue }
                        aboard = min(aboard, walk.metres)
                    }
                    aboard = metresToChange(people, to: vehicle, position, below: aboard)
                }
                atEnd[number] = aboard
            }
            people = found
            let arrival = found.map { finish($0.stop, $0.moment, $0.metres) }.min() ?? Self.never
            best.append(min(best.last ?? Self.never, arrival))
        }
        return best
    }

    /// Returns the smallest walking distance with which a passenger can board a vehicle, or `limit`
    /// if it is not below it.
    private func metresToChange(
        _ people: [Person],
        to vehicle: Vehicle,
        _ position: Int,
        below limit: Int
    ) -> Int {
        let (stop, departure) = (vehicle.stops[position], vehicle.departures[position])
        var fewest = limit
        for person in people where person.moment <= departure && person.metres < fewest {
            let way = changeWithMetres(person.stop, person.trip, stop, vehicle.trip)
            if person.moment + way.seconds <= departure {
                fewest = min(fewest, person.metres + way.metres)
            }
        }
        return fewest
    }
}
