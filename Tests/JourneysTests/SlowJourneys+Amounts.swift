import OpenData

/// The reference with limits on walking and on emissions: it keeps all passengers who ever alighted
/// with what they walked and emitted, and for each vehicle all amounts of those on board.
extension SlowJourneys {
    /// What a passenger has walked, in metres, and emitted, in micrograms.
    struct Amount: Hashable {
        var metres = 0
        var micrograms = 0

        /// Whether neither is more than that of another.
        func isNoMore(than other: Amount) -> Bool {
            metres <= other.metres && micrograms <= other.micrograms
        }

        /// The amount after a walk.
        func walked(_ metres: Int, _ rate: Int) -> Amount {
            Amount(metres: self.metres + metres, micrograms: micrograms + metres * rate)
        }
    }

    /// What counts, and how far.
    struct Limits {
        /// What walking emits per metre.
        var walkRate: Int
        /// What a vehicle of a trip emits until each of its stops from the one before; nil where
        /// that is unknown.
        var steps: (_ trip: Int) -> [Int]?
        /// The greatest amount of a journey.
        var greatest: Amount
    }

    private struct Passenger {
        let stop: Int
        let trip: Int
        let moment: Int
        let amount: Amount
    }

    /// Returns the earliest arrival for each limit of trips from 0 (walking) to `maxTrips`, with
    /// no more than the greatest amounts.
    ///
    /// Arrivals after `latest` may be missing.
    func arrivals(
        from origin: Int,
        to destination: Int,
        at moment: Int,
        latest: Int,
        maxTrips: Int,
        within limits: Limits,
        _ vehicles: [Vehicle]
    ) -> [Int] {
        let origins = feed.stops.indices.filter { Self.isWithin($0, origin, feed) }
        let destinations = feed.stops.indices.filter { Self.isWithin($0, destination, feed) }
        func finish(_ stop: Int, _ moment: Int, _ amount: Amount) -> Int {
            destinations.compactMap { walk(stop, $0) }
                .filter {
                    amount.walked($0.metres, limits.walkRate).isNoMore(than: limits.greatest)
                }
                .map { moment + $0.seconds }.min() ?? Self.never
        }
        var best = [origins.map { finish($0, moment, Amount()) }.min() ?? Self.never]
        var people: [Passenger] = []
        guard maxTrips > 0 else { return best }
        for _ in 1...maxTrips {
            var atEnd = [[Amount]](repeating: [], count: vehicles.count)
            var found: [Passenger] = []
            let horizon = min(best.last ?? Self.never, latest)
            for number in vehicles.indices
            where vehicles[number].end >= moment && vehicles[number].start <= horizon {
                let vehicle = vehicles[number]
                let steps = limits.steps(vehicle.trip)
                var aboard = vehicle.predecessor.map { atEnd[$0] } ?? []
                for position in vehicle.stops.indices {
                    let isNewStop =
                        position > 0
                        || vehicle.predecessor.map { vehicles[$0].stops.last != vehicle.stops[0] }
                            ?? false
                    if position > 0 { aboard = ridden(aboard, steps?[position], limits.greatest) }
                    if isNewStop, vehicle.mayAlight[position] {
                        found += aboard.map {
                            Passenger(
                                stop: vehicle.stops[position],
                                trip: vehicle.trip,
                                moment: vehicle.arrivals[position],
                                amount: $0
                            )
                        }
                    }
                    guard vehicle.mayBoard[position], position + 1 < vehicle.stops.count else {
                        continue
                    }
                    for start in origins {
                        guard let walk = walk(start, vehicle.stops[position]),
                            moment + walk.seconds <= vehicle.departures[position]
                        else { continue }
                        insert(
                            Amount().walked(walk.metres, limits.walkRate),
                            into: &aboard,
                            limits.greatest
                        )
                    }
                    change(people, to: vehicle, position, limits, &aboard)
                }
                atEnd[number] = aboard
            }
            people = found
            let arrival = found.map { finish($0.stop, $0.moment, $0.amount) }.min() ?? Self.never
            best.append(min(best.last ?? Self.never, arrival))
        }
        return best
    }

    private func walk(_ from: Int, _ to: Int) -> (seconds: Int, metres: Int)? {
        if from == to { return (0, 0) }
        return walks[from][to] < Self.never ? (walks[from][to], walkMetres[from][to]) : nil
    }

    private func ridden(_ aboard: [Amount], _ step: Int?, _ greatest: Amount) -> [Amount] {
        guard let step else { return [] }
        return aboard.map { Amount(metres: $0.metres, micrograms: $0.micrograms + step) }
            .filter { $0.isNoMore(than: greatest) }
    }

    private func insert(_ amount: Amount, into aboard: inout [Amount], _ greatest: Amount) {
        guard amount.isNoMore(than: greatest),
            !aboard.contains(where: { $0.isNoMore(than: amount) })
        else { return }
        aboard.removeAll { amount.isNoMore(than: $0) }
        aboard.append(amount)
    }

    private func change(
        _ people: [Passenger],
        to vehicle: Vehicle,
        _ position: Int,
        _ limits: Limits,
        _ aboard: inout [Amount]
    ) {
        let (stop, departure) = (vehicle.stops[position], vehicle.departures[position])
        for person in people where person.moment <= departure {
            let way = changeWithMetres(person.stop, person.trip, stop, vehicle.trip)
            guard person.moment + way.seconds <= departure else { continue }
            insert(
                person.amount.walked(way.metres, limits.walkRate),
                into: &aboard,
                limits.greatest
            )
        }
    }
}
