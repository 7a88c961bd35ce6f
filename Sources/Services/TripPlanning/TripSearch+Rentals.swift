import Chronology
import Journeys
import LiveFeeds

/// Journeys by public transport whose first or last leg is by a shared vehicle (V62).
extension TripSearch {
    /// How many searches are made for one kind of vehicle at one end: one more for each set of
    /// rentals that turned out to be forbidden or too expensive.
    private static let rentalSearchLimit = 6
    /// Trips that must arrive later than this after the last moment at which a vehicle may be
    /// rented do not begin with one, and no rental lasts longer, in seconds.
    private static let longestTrip: Int64 = 7_200

    /// Adds the journeys with a shared vehicle to the first stop, or from the last one, of each
    /// kind that is asked for.
    ///
    /// - Parameters:
    ///   - query: the query by public transport alone.
    ///   - question: its question.
    ///   - conditions: what live feeds say.
    ///   - rules: the rules of the question.
    ///   - found: the journeys found so far.
    ///   - check: called between searches.
    /// - Throws: what `check` throws.
    mutating func addRentals(
        _ query: JourneyQuery,
        _ question: TripQuestion,
        _ conditions: TripConditions,
        _ rules: TripRules,
        _ found: inout [Found],
        _ check: Check
    ) throws(TripFailure) {
        let span = conditions.rentalSpan
        let last = span.upperBound.adding(seconds: question.isArriveBy ? Self.longestTrip : 0)
        guard conditions.knowsRentals, !question.wheelchair,
            (span.lowerBound...last).contains(question.time)
        else { return }
        for kind in question.modes.shared {
            for isOrigin in [true, false] {
                try check()
                let end = RentalEnd(
                    kind,
                    for: question,
                    isOrigin: isOrigin,
                    conditions,
                    changeStops,
                    planner.city
                )
                guard !end.isEmpty else { continue }
                let rented = try journeys(
                    query,
                    question,
                    by: end,
                    during: span,
                    rules,
                    besides: found,
                    check
                )
                found += rented
            }
        }
    }

    /// The journeys with a shared vehicle at one end that keep to the limits of their question.
    ///
    /// What is known only of a whole journey is looked at when it has been found: its price, and
    /// whether all of its way is in the area of the vehicles. If that is against it, the search is
    /// repeated without its rental.
    private mutating func journeys(
        _ query: JourneyQuery,
        _ question: TripQuestion,
        by end: RentalEnd,
        during moments: ClosedRange<Instant>,
        _ rules: TripRules,
        besides found: [Found],
        _ check: Check
    ) throws(TripFailure) -> [Found] {
        let rates = costing.emissionRates(party: question.party)
        var query = query
        query.vehicleLimit = question.limits.modes.vehicleLimit(of: end.kind)
        query.longestSeconds = Self.mostSeconds(saving: TripChoice.rentalSeconds, question, found)
        guard query.longestSeconds ?? .max > 0 else { return [] }
        query.emissions = question.limits.grams.map {
            EmissionTerms(rates, limit: TripLimits.micrograms($0))
        }
        query.money = question.limits.minorUnits.flatMap { costing.terms(question, limit: $0) }
        var offer = end.offer(during: moments, costing, party: question.party)
        let last = moments.upperBound.adding(seconds: Self.longestTrip)
        offer.closures = rules.closures(for: end.kind, during: moments.lowerBound..<last)
        var paths = planner.rentalPaths(
            offer,
            at: end.isOrigin ? query.origin : query.destination,
            isOrigin: end.isOrigin
        )
        var kept: [Found] = []
        for _ in 0..<Self.rentalSearchLimit where !paths.isEmpty {
            try check()
            query.rentalAccess = end.isOrigin ? paths : nil
            query.rentalEgress = end.isOrigin ? nil : paths
            kept = []
            var isComplete = true
            for journey in rented(query, rules.withoutPrices) {
                var found = Found(kind: .transit, itinerary: journey, query: query, rentals: end)
                let option = costing.priced(option(found, question), for: question)
                guard let rental = journey.legs.compactMap(\.rental).first else { continue }
                if isAllowed(option, rental, by: end, question, rules) {
                    found.micrograms = planner.city.micrograms(of: journey, rates)
                    found.minorUnits = option.price.minorUnits
                    kept.append(found)
                } else {
                    paths.removeRide(of: rental.vehicle, to: rental.end)
                    isComplete = false
                }
            }
            if isComplete { break }
        }
        return kept
    }

    /// The journeys with a rental that keep to rules.
    private mutating func rented(_ query: JourneyQuery, _ rules: TripRules) -> [Itinerary] {
        var ruled = query
        ruled.avoided = rules.avoided(by: query, within: nil)
        return withPlanner { $0.journeys(ruled) }.filter { journey in
            journey.hasRental && rules.breaches(of: journey).isEmpty
        }
    }

    /// Whether a journey keeps to the rules of the vehicle's system, and to the limits of its
    /// question.
    private func isAllowed(
        _ option: TripOption,
        _ rental: RentalLeg,
        by end: RentalEnd,
        _ question: TripQuestion,
        _ rules: TripRules
    ) -> Bool {
        let limits = TripLimits(
            minorUnits: question.limits.minorUnits,
            currencyCode: question.limits.currencyCode,
            grams: question.limits.grams
        )
        guard let step = option.steps.first(where: { $0.rental != nil }) else { return false }
        return end.allows(rental, step) && rules.breaches(of: option).isEmpty
            && limits.allow(option)
    }
}

extension Itinerary {
    /// Whether it has a leg by a shared vehicle.
    var hasRental: Bool { legs.contains { $0.rental != nil } }
}

extension TripOption {
    /// Whether it changes between a shared vehicle and public transport.
    package var changesToRental: Bool {
        kind == .transit && steps.contains { $0.rental != nil }
    }
}

extension TripConditions {
    /// When a vehicle may be rented: as far back as the state of systems is believed, and an hour
    /// ahead.
    var rentalSpan: ClosedRange<Instant> {
        now.adding(seconds: -LiveSystem.freshSeconds)...rentalDepartures.upperBound
    }
}
