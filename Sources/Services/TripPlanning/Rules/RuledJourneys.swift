package import Journeys
import Transit

/// The journeys that keep to rules, and what others had against them.
struct RuledJourneys {
    /// The journeys.
    private(set) var kept: [Itinerary] = []
    /// What journeys had against the rules that would be found without them, each once.
    private(set) var breaches: [TripRules.Breach] = []

    /// Finds journeys that keep to rules.
    ///
    /// The search itself keeps to hours, to rain and to the limits of vehicles in its query.
    /// Without them it is made once more, to say why a mode is missing.
    ///
    /// - Parameters:
    ///   - query: the query.
    ///   - rules: the rules.
    ///   - window: how many seconds journeys may leave after the time of the query, or arrive
    ///     before it; nil for only the best ones at that time.
    ///   - find: finds the journeys of a query.
    /// - Throws: what `find` throws.
    init(
        _ query: JourneyQuery,
        keeping rules: TripRules,
        within window: Int32? = nil,
        _ find: (JourneyQuery) throws(TripFailure) -> [Itinerary]
    ) throws(TripFailure) {
        var ruled = query
        ruled.avoided = rules.avoided(by: query, within: window)
        for journey in try find(ruled) {
            let found = rules.breaches(of: journey)
            if found.isEmpty { kept.append(journey) }
            note(found)
        }
        guard !ruled.avoided.isEmpty else { return }
        for journey in try find(query) { note(rules.breaches(of: journey)) }
    }

    private mutating func note(_ found: [TripRules.Breach]) {
        for breach in found where !breaches.contains(breach) { breaches.append(breach) }
    }
}

extension Planner {
    /// The journeys of a query that keep to the hours of modes and to the rain of its question.
    package mutating func journeys(
        _ query: JourneyQuery,
        for question: TripQuestion,
        _ conditions: TripConditions
    ) -> [Itinerary] {
        let rules = TripRules(question, conditions, city.timetable.zone)
        let ruled = try? RuledJourneys(query, keeping: rules) { query throws(TripFailure) in
            journeys(query)
        }
        return ruled?.kept ?? []
    }
}
