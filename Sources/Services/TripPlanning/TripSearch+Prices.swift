import Fares
import Journeys
import Tickets

/// Searches in which prices count (V68, V74).
extension TripSearch {
    /// How many searches are made at most for cheaper journeys: one for each price.
    private static let priceLimit = 8

    /// The journeys of a query with the limit on money of its question, and where it compares
    /// prices, also the journeys that cost less.
    ///
    /// Each cheaper journey is found by a search with a limit just below the dearest one of the
    /// search before. If no ride keeps to the limit, the best journeys without it are returned,
    /// from which ``TripLimits`` sees why there is none.
    ///
    /// - Parameters:
    ///   - query: the query.
    ///   - question: the question.
    ///   - costing: what journeys cost.
    ///   - find: finds the journeys of a query.
    /// - Returns: the journeys, each once.
    /// - Throws: what `find` throws.
    static func pricing(
        _ query: JourneyQuery,
        _ question: TripQuestion,
        _ costing: TripCosting,
        _ find: (JourneyQuery) throws(TripFailure) -> [Itinerary]
    ) throws(TripFailure) -> [Itinerary] {
        guard question.limits.minorUnits != nil || question.comparesPrices else {
            return try find(query)
        }
        var limited = query
        limited.money = question.limits.minorUnits.flatMap { costing.terms(question, limit: $0) }
        var found = try find(limited)
        if question.comparesPrices {
            var latest = found
            for _ in 0..<priceLimit {
                let prices = latest.compactMap { costing.minorUnits($0, question) }
                guard let dearest = prices.max(), dearest > 0 else { break }
                limited.money = costing.terms(question, limit: dearest - 1)
                guard limited.money != nil else { break }
                latest = try find(limited).filter(\.hasRide)
                for journey in latest where !found.contains(journey) { found.append(journey) }
            }
        }
        return found.contains(where: \.hasRide) ? found : try find(query)
    }

    /// What journeys cost in minor units, for a question that limits or compares that; otherwise
    /// nil.
    func prices(for question: TripQuestion) -> (Itinerary) -> Int64? {
        guard question.limits.minorUnits != nil || question.comparesPrices else {
            return { _ in nil }
        }
        let costing = costing
        return { costing.minorUnits($0, question) }
    }
}

extension Itinerary {
    /// Whether it uses public transport.
    var hasRide: Bool { legs.contains { $0.ride != nil } }
}
