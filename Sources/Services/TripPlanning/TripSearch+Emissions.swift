import Journeys
import Transit

/// Searches in which emissions count (V68, V74).
extension TripSearch {
    /// The journeys of a query with the limit on emissions of its question, and where it compares
    /// them, also the journeys that emit less.
    ///
    /// If no ride keeps to the limit, the best journeys without it are returned, from which
    /// ``TripLimits`` sees why there is none.
    ///
    /// - Parameters:
    ///   - query: the query.
    ///   - question: the question.
    ///   - rates: what means of travel emit for all travellers.
    ///   - find: finds the journeys of a query.
    /// - Returns: the journeys, each once.
    /// - Throws: what `find` throws.
    static func emitting(
        _ query: JourneyQuery,
        _ question: TripQuestion,
        _ rates: EmissionRates,
        _ find: (JourneyQuery) throws(TripFailure) -> [Itinerary]
    ) throws(TripFailure) -> [Itinerary] {
        guard question.limits.grams != nil || question.comparesEmissions else {
            return try find(query)
        }
        var counting = query
        var terms = EmissionTerms(rates)
        terms.limit = question.limits.grams.map(TripLimits.micrograms)
        counting.emissions = terms
        var found = try find(terms.limit == nil ? query : counting)
        if question.comparesEmissions {
            terms.isCompared = true
            counting.emissions = terms
            for journey in try find(counting) where !found.contains(journey) {
                found.append(journey)
            }
        }
        return found.contains(where: \.hasRide) ? found : try find(query)
    }

    /// What journeys emit in micrograms, for a question that limits or compares that; otherwise
    /// nil.
    func emissions(for question: TripQuestion) -> (Itinerary) -> Int64? {
        guard question.limits.grams != nil || question.comparesEmissions else {
            return { _ in nil }
        }
        let (city, rates) = (planner.city, costing.emissionRates(party: question.party))
        return { city.micrograms(of: $0, rates) }
    }

    /// A journey that may become an option.
    struct Found {
        var kind: TripKind
        var itinerary: Itinerary
        var query: JourneyQuery
        /// The vehicles of which it rents one; nil if it rents none.
        var rentals: RentalEnd?
        /// What it emits, if that counts and is known.
        var micrograms: Int64?
        /// What it costs in minor units, if that counts and is known.
        var minorUnits: Int64?

        /// The properties by which it is chosen.
        func candidate(for question: TripQuestion) -> TripChoice.Candidate {
            TripChoice.Candidate(
                kind: kind,
                departure: itinerary.departure,
                arrival: itinerary.arrival,
                transfers: itinerary.transfers,
                walkMetres: itinerary.walkMetres,
                bringsVehicle: kind == .transit
                    && [.bicycle, .car].contains(itinerary.legs.first?.means),
                changesToTaxi: kind == .transit && itinerary.hasTaxi,
                changesToRental: kind == .transit && itinerary.hasRental,
                micrograms: question.comparesEmissions ? micrograms : nil,
                minorUnits: question.comparesPrices ? minorUnits : nil
            )
        }
    }

    /// Adds the journeys that have a ride, each once.
    static func add(
        _ journeys: [Itinerary],
        _ query: JourneyQuery,
        _ amounts: Amounts,
        _ found: inout [Found]
    ) {
        for journey in journeys where journey.hasRide {
            guard !found.contains(where: { $0.itinerary == journey }) else { continue }
            found.append(
                Found(
                    kind: .transit,
                    itinerary: journey,
                    query: query,
                    micrograms: amounts.micrograms(journey),
                    minorUnits: amounts.minorUnits(journey)
                )
            )
        }
    }

    /// What the journeys of a question emit and cost, as far as that counts.
    struct Amounts {
        var micrograms: (Itinerary) -> Int64?
        var minorUnits: (Itinerary) -> Int64?

        /// Where neither counts.
        static var none: Amounts { Amounts(micrograms: { _ in nil }, minorUnits: { _ in nil }) }
    }

    /// What journeys emit and cost, as far as it counts for a question.
    func amounts(for question: TripQuestion) -> Amounts {
        Amounts(micrograms: emissions(for: question), minorUnits: prices(for: question))
    }

    /// Removes the journeys that exceed a limit of their question, if others do not.
    static func limit(_ found: inout [Found], _ question: TripQuestion) {
        let grams = question.limits.grams.map(TripLimits.micrograms)
        let money = question.limits.minorUnits
        func exceeds(_ one: Found) -> Bool {
            if let grams, one.micrograms.map({ $0 > grams }) ?? true { return true }
            if let money, one.minorUnits.map({ $0 > money }) ?? true { return true }
            return false
        }
        let journeys = found.filter { $0.kind == .transit }
        guard journeys.contains(where: { !exceeds($0) }) else { return }
        found.removeAll { $0.kind == .transit && exceeds($0) }
    }
}
