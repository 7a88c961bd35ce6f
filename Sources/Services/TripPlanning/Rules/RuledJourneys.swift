import Chronology
package import Journeys
import Transit

/// The journeys that keep to rules, and what others had against them.
struct RuledJourneys {
    /// The journeys, each once.
    var kept: [Itinerary] = []
    /// What journeys that were found had against the rules, each once.
    var breaches: [TripRules.Breach] = []

    /// How many searches are made for a question at most: one for each set of modes to leave out.
    private static let searchLimit = 16
    /// How long after the asked moment (or before it) the end of forbidden hours is waited for, in
    /// seconds.
    private static let patienceSeconds: Int64 = 7_200

    /// A search that is to be made.
    private struct Search: Hashable {
        var modes: TravelModes
        var time: Instant
    }

    /// Finds journeys that keep to rules.
    ///
    /// The search itself knows no rules. So it is made with all modes, and again without each mode
    /// that a journey uses against the rules: the best of the journeys without it are found that
    /// way. If the hours of public transport end soon, it is made for that moment as well.
    ///
    /// - Parameters:
    ///   - query: the query.
    ///   - rules: the rules.
    ///   - amounts: what journeys emit and cost, where that counts.
    ///   - find: finds the journeys of a query.
    /// - Throws: what `find` throws.
    init(
        _ query: JourneyQuery,
        keeping rules: TripRules,
        _ amounts: TripSearch.Amounts = .none,
        _ find: (JourneyQuery) throws(TripFailure) -> [Itinerary]
    ) throws(TripFailure) {
        guard !rules.isEmpty else {
            kept = try find(query)
            return
        }
        var open = [Search(modes: query.modes, time: query.time)]
        var seen = Set(open)
        while let next = open.first {
            open.removeFirst()
            var asked = query
            (asked.modes, asked.time) = (next.modes, next.time)
            for journey in try find(asked) {
                let breaches = rules.breaches(of: journey)
                if breaches.isEmpty, !kept.contains(journey) { kept.append(journey) }
                for breach in breaches {
                    if !self.breaches.contains(breach) { self.breaches.append(breach) }
                    for search in Self.searches(next, after: breach, query)
                    where seen.count < Self.searchLimit && seen.insert(search).inserted {
                        open.append(search)
                    }
                }
            }
        }
        let emitted = kept.map { amounts.micrograms($0) ?? .max }
        let costs = kept.map { amounts.minorUnits($0) ?? .max }
        kept = kept.indices.filter { one in
            !kept.indices.contains { other in
                emitted[other] <= emitted[one] && costs[other] <= costs[one]
                    && kept[other].isBetter(than: kept[one])
            }
        }.map { kept[$0] }
    }

    /// The searches that may find what a search against the rules did not.
    private static func searches(
        _ search: Search,
        after breach: TripRules.Breach,
        _ query: JourneyQuery
    ) -> [Search] {
        var searches = [Search(modes: search.modes.without(breach.mode), time: search.time)]
        guard breach.mode.isTransit, let hours = breach.hours else { return searches }
        let time = query.isArriveBy ? hours.lowerBound : hours.upperBound
        let wait = time.seconds - query.time.seconds
        if (query.isArriveBy ? -patienceSeconds...(-1) : 1...patienceSeconds).contains(wait) {
            searches.append(Search(modes: search.modes, time: time))
        }
        return searches
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

extension TripMode {
    /// Whether it is public transport.
    fileprivate var isTransit: Bool {
        switch self {
        case .kind(let kind): kind == .transit
        case .vehicle: true
        }
    }
}

extension TravelModes {
    /// The modes without one of them.
    fileprivate func without(_ mode: TripMode) -> TravelModes {
        var modes = self
        switch mode {
        case .kind(.walk): modes.walk = false
        case .kind(.bicycle): modes.bicycle = false
        case .kind(.car): modes.car = false
        case .kind(.transit): modes.transit = 0
        case .vehicle(let vehicle): modes.transit &= ~vehicle.bit
        case .kind(.taxi), .kind(.bikeshare), .kind(.scooter), .kind(.carshare): break
        }
        return modes
    }
}

extension Itinerary {
    /// Whether nobody would take another journey if this one is there: it is no worse in time, in
    /// changes and on foot, and better in one of them.
    fileprivate func isBetter(than other: Itinerary) -> Bool {
        guard departure >= other.departure, arrival <= other.arrival,
            transfers <= other.transfers, walkMetres <= other.walkMetres
        else { return false }
        return departure > other.departure || arrival < other.arrival
            || transfers < other.transfers || walkMetres < other.walkMetres
    }
}
