/// Searches for journeys within a price.
extension TransitSearch {
    /// The greatest number of labels of all searches for one limit together.
    ///
    /// That takes some tenths of a second; what is found by then is the answer.
    private static let labelLimit = 60_000
    /// The first step by which a search for the latest departure goes back, in seconds.
    private static let firstStep: Int32 = 600

    /// The same as ``earliestArrivals(_:in:_:)``, of the journeys whose price keeps to a limit.
    ///
    /// - Parameters:
    ///   - query: where and when journeys begin and end.
    ///   - day: the day.
    ///   - criteria: what is limited besides the price; what is compared counts as limited only.
    ///   - tariff: what rides cost, and the limit.
    ///   - known: some journeys within it, which spare work.
    /// - Returns: the journeys, fewest trips first.
    public mutating func earliestArrivals(
        _ query: Raptor.Query,
        in day: LaidOutDay,
        _ criteria: SearchCriteria,
        within tariff: any RideTariff,
        besides known: [TransitJourney] = []
    ) -> [TransitJourney] {
        remainingLabels = Self.labelLimit
        let better = priced(query, in: day, criteria, within: tariff, besides: known)
        return Self.best(of: better + known).map { found in
            // The same trips and arrival, leaving as late as possible.
            var best = found
            var later = query
            later.bound = found.arrival &+ 1
            later.maxTrips = found.rides.count
            while best.departure < found.arrival {
                later.start = best.departure &+ 1
                let next = priced(later, in: day, criteria, within: tariff, besides: [])
                guard let next = next.first else { break }
                best = next
            }
            return best
        }
    }

    /// The same as ``latestDepartures(_:in:_:)``, of the journeys whose price keeps to a limit.
    ///
    /// Prices are known in the direction of travel only. But who may leave at a moment may leave
    /// earlier and wait, so the latest departure is found by bisection.
    ///
    /// - Parameters: as for that; `start` is the latest arrival, and `bound` comes before every
    ///   departure.
    /// - Returns: the journeys, fewest trips first.
    public mutating func latestDepartures(
        _ query: Raptor.Query,
        in day: LaidOutDay,
        _ criteria: SearchCriteria,
        within tariff: any RideTariff,
        besides known: [TransitJourney] = []
    ) -> [TransitJourney] {
        remainingLabels = Self.labelLimit
        var question = query
        question.bound = query.start &+ 1
        var found: [TransitJourney] = []
        var latest = query.start
        while question.maxTrips > 0 {
            // What is known need not be looked for.
            let usual = known.filter { $0.rides.count <= question.maxTrips }.map { $0.departure }
                .max()
            let earliest = usual.map { $0 &+ 1 } ?? (query.bound &+ 1)
            var (failed, step) = (latest &+ 1, Self.firstStep)
            question.start = latest
            var journeys = priced(question, in: day, criteria, within: tariff, besides: [])
            while journeys.isEmpty, question.start > earliest {
                failed = question.start
                question.start = max(earliest, question.start &- step)
                step = min(step &* 2, 1 << 16)
                journeys = priced(question, in: day, criteria, within: tariff, besides: [])
            }
            guard var latestFound = Self.latest(journeys) ?? usual else { break }
            while latestFound &+ 1 < failed, !journeys.isEmpty {
                let middle = latestFound &+ (failed &- latestFound) / 2
                question.start = middle
                let later = priced(question, in: day, criteria, within: tariff, besides: [])
                if let departure = Self.latest(later) {
                    (latestFound, journeys) = (departure, later)
                } else {
                    failed = middle
                }
            }
            question.start = latestFound
            let last = priced(question, in: day, criteria, within: tariff, besides: [])
            // All of them leave then; the last one has the fewest trips. Without labels left, those
            // found before have to do.
            guard let best = last.last ?? journeys.last(where: { $0.departure == latestFound })
            else { break }
            found.append(best)
            latest = latestFound
            question.maxTrips = best.rides.count - 1
        }
        return found.reversed()
    }

    private static func latest(_ journeys: [TransitJourney]) -> Int32? {
        journeys.map { $0.departure }.max()
    }

    /// The journeys within a price, the earliest first, each with fewer trips than those before.
    ///
    /// While prices do not depend on time, far fewer riders need to be compared. So what arrives so
    /// soon is looked for first, and after it only what has fewer trips.
    private mutating func priced(
        _ query: Raptor.Query,
        in day: LaidOutDay,
        _ criteria: SearchCriteria,
        within tariff: any RideTariff,
        besides known: [TransitJourney]
    ) -> [TransitJourney] {
        let seconds = tariff.timelessSeconds
        guard seconds > 0, seconds < query.bound &- query.start else {
            return searched(query, in: day, criteria, within: tariff, besides: known)
        }
        var soon = query
        soon.bound = query.start &+ seconds
        let first = searched(soon, in: day, criteria, within: tariff, besides: known)
        var rest = query
        if let last = first.last { rest.maxTrips = last.rides.count - 1 }
        guard rest.maxTrips > 0 else { return first }
        return first + searched(rest, in: day, criteria, within: tariff, besides: known)
    }

    /// The journeys that no other beats in arrival and number of trips, fewest trips first.
    private static func best(of journeys: [TransitJourney]) -> [TransitJourney] {
        var best: [TransitJourney] = []
        let ordered = journeys.sorted {
            ($0.rides.count, $0.arrival, 0 &- $0.departure)
                < ($1.rides.count, $1.arrival, 0 &- $1.departure)
        }
        for journey in ordered where journey.arrival < best.last?.arrival ?? Raptor.never {
            best.append(journey)
        }
        return best
    }

    /// One search, with those limits that count.
    private mutating func searched(
        _ query: Raptor.Query,
        in day: LaidOutDay,
        _ criteria: SearchCriteria,
        within tariff: any RideTariff,
        besides known: [TransitJourney]
    ) -> [TransitJourney] {
        func search(_ criterion: some Criterion, _ workspace: inout Raptor) -> [TransitJourney] {
            guard remainingLabels > 0 else { return [] }
            var search = PricedSearch(
                query,
                in: day.forward,
                within: tariff,
                labelLimit: remainingLabels,
                carrying: criterion,
                besides: known,
                &workspace
            )
            defer { remainingLabels -= search.labels.count }
            return search.journeys()
        }
        return switch (criteria.walking, criteria.emissions) {
        case (nil, nil): search(NoCriterion(), &forward)
        case (let walking?, nil): search(walking, &forward)
        case (nil, let emissions?): search(emissions, &forward)
        case (let walking?, let emissions?): search(Pair(walking, emissions), &forward)
        }
    }
}
