import Chronology
import CityData
import Columns
import Geo
package import Journeys
import LiveFeeds
import Streets
import Transit

/// Answers questions about trips one at a time: queries the planner for each means of travel, and
/// chooses what to show.
///
/// It is the workspace of one thread, like the planner in it.
package struct TripSearch {
    /// Called between searches; throws if the answer is no longer wanted.
    package typealias Check = () throws(TripFailure) -> Void

    /// The number of languages whose names are kept.
    private static let languageLimit = 4
    /// The greatest number of searches for the journeys that arrive within a period.
    private static let arrivalLimit = 60
    /// Beyond this distance, no way takes less than a day on foot; in metres.
    static let farMetres = 100_000.0

    private(set) var planner: Planner
    private var taxiSearch: TaxiSearch?
    /// The metric that prefers shelter; computed when it first rains.
    private var shelterMetric: StreetMetric?
    private var names: [(language: String?, names: TransitNames)] = []
    /// This reads all trips if none is accessible, so it is computed once and only if needed.
    private lazy var knowsWheelchairs = planner.city.timetable.knowsWheelchairs
    /// This reads all patterns, so it is computed once and only for shared vehicles.
    lazy var changeStops = ChangeStops(planner.city.timetable)
    let costing: TripCosting
    private let reliability: TripReliability?

    /// Creates a search in a snapshot of a city.
    ///
    /// - Parameters:
    ///   - snapshot: the city at a moment.
    ///   - costs: what travel costs and emits apart from tickets.
    ///   - reliability: how probable it is to be on time; nil if no delays are known.
    package init(
        _ snapshot: CitySnapshot,
        costs: TripCosts = .standard,
        reliability: TripReliability? = nil
    ) {
        planner = Planner(snapshot)
        costing = TripCosting(snapshot.city, costs)
        self.reliability = reliability
    }

    /// Lets others search in the same snapshot, with the same workspace.
    package mutating func withPlanner<Value, Failure: Error>(
        _ body: (inout Planner) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try body(&planner)
    }

    /// Answers a question by trips that keep to all of its limits but those that ``TripLimits``
    /// checks.
    ///
    /// - Throws: ``TripFailure`` if there is none, and what `check` throws.
    mutating func strictAnswer(
        _ question: TripQuestion,
        _ taxi: TaxiEstimate?,
        _ conditions: TripConditions,
        _ check: Check
    ) throws(TripFailure) -> TripAnswer {
        guard let from = question.from.endpoint else { throw .outside(question.from.name) }
        guard let to = question.to.endpoint else { throw .outside(question.to.name) }
        func query(_ change: (inout TravelModes) -> Void) -> JourneyQuery {
            var modes = TravelModes(walk: false, transit: 0)
            change(&modes)
            return question.query(from: from, to: to, modes)
        }
        let modes = question.modes
        let rules = TripRules(question, conditions, planner.city.timetable.zone)
        var found: [Found] = []
        var findings = Findings()
        let ride = modes.taxi ? taxiOption(question, taxi) : nil
        for kind in [TripKind.walk, .bicycle, .car] where modes.kinds.contains(kind) {
            let way = query {
                $0.walk = kind == .walk
                $0.bicycle = kind == .bicycle
                $0.car = kind == .car
            }
            direct(way, kind, rules, &found, &findings)
        }
        if modes.transit != 0 {
            try check()
            let walking = query { ($0.walk, $0.transit) = (modes.walk, modes.transit) }
            let amounts = amounts(for: question)
            let ruled = try self.ruled(walking, question, rules, question.windowSeconds, check)
            findings.note(ruled.breaches)
            Self.add(ruled.kept, walking, amounts, &found)
            let vehicles = [(modes.bicycle, \TravelModes.bicycle), (modes.car, \.car)]
            for (isWanted, vehicle) in vehicles where isWanted {
                try check()
                var riding = query {
                    $0[keyPath: vehicle] = true
                    $0.transit = modes.transit
                }
                let kind: TripKind = riding.modes.car ? .car : .bicycle
                riding.vehicleLimit = question.limits.modes.vehicleLimit(of: kind)
                // Nobody rides farther to a stop than all the way.
                if let whole = found.first(where: { $0.kind == kind })?.itinerary {
                    riding.vehicleLimit.keep(within: whole)
                }
                let journeys = try self.ruled(riding, question, rules, nil, check).kept.filter {
                    [.bicycle, .car].contains($0.legs.first?.means)
                }
                Self.add(journeys, riding, amounts, &found)
            }
            for changing in Self.taxiQueries(walking, question, taxi, ride) {
                try addTaxis(changing, question, rules, amounts, &found, check)
            }
            try addRentals(walking, question, conditions, rules, &found, check)
        }
        Self.limit(&found, question)
        try check()
        var rides: [TripOption] = []
        if let ride {
            let breaches = rules.breaches(of: ride)
            if breaches.isEmpty { rides.append(ride) } else { findings.note(breaches) }
        }
        rides += try sharedOptions(question, conditions, rules, &findings, check)
        guard !found.isEmpty || !rides.isEmpty else {
            throw failure(question, conditions, findings)
        }
        return try Self.limited(answer(question, conditions, found, rides, findings))
    }

    /// Finds the area that can be reached within a time.
    ///
    /// - Parameters:
    ///   - question: the question.
    ///   - guide: the stops of the same city.
    ///   - check: called after the area was found.
    /// - Returns: the area and what lies in it.
    /// - Throws: `TripFailure.outside` if nothing can be reached, and what `check` throws.
    package mutating func reach(
        _ question: ReachQuestion,
        _ guide: TransitGuide,
        check: Check = {}
    ) throws(TripFailure) -> ReachAnswer {
        guard let from = question.from.endpoint else { throw .outside(question.from.name) }
        let query = JourneyQuery(
            from: from,
            to: from,
            time: question.time,
            modes: TravelModes(walk: true, transit: question.transit),
            wheelchair: question.wheelchair
        )
        let area = planner.isochrone(query, within: question.minutes * 60)
        guard let bounds = area.bounds else { throw .outside(question.from.name) }
        try check()
        let centre = question.from.coordinate ?? bounds.centre
        let stops = guide.stops(in: area, around: centre, language: question.language)
        return ReachAnswer(
            question: question,
            area: area,
            stopCount: stops.count,
            farthest: stops.farthest,
            districts: AddressBook(planner.city.file).localities(in: area, around: centre),
            noTransit: question.transit == 0 ? nil : outside(question.time)
        )
    }

    /// Chooses from the journeys found, and adds what is shown of them.
    private mutating func answer(
        _ question: TripQuestion,
        _ conditions: TripConditions,
        _ found: [Found],
        _ rides: [TripOption],
        _ findings: Findings
    ) -> TripAnswer {
        let names = names(question.language)
        let candidates =
            found.map { $0.candidate(for: question) }
            + rides.map(\.candidate)
        let chosen = TripChoice.chosen(
            from: candidates,
            isArriveBy: question.isArriveBy,
            isTimetable: question.windowSeconds != nil
        )
        let rain = TripRain(conditions)
        let isOnFoot = found.contains { $0.itinerary.walkMetres > 0 }
        let shelter = isOnFoot && rain.isExpected(around: question.time) ? shelter(rain) : nil
        var options = chosen.map { index -> TripOption in
            guard index < found.count else {
                return costing.priced(rides[index - found.count], for: question)
            }
            var option = option(found[index], question)
            if let shelter {
                option = shelter.sheltered(option, found[index].itinerary, found[index].query)
            }
            option.onTime = reliability?.onTime(
                found[index].itinerary,
                by: question.isArriveBy ? question.time : nil
            )
            return costing.priced(option, for: question)
        }
        for index in options.indices {
            options[index].wetMinutes = TripWetness.minutes(options[index], rain)
        }
        var remarks: [TripRemark] = []
        if question.language != nil, !names.isTranslated {
            remarks.append(.notTranslated(languages: names.languages))
        }
        if question.modes.transit != 0 {
            if question.wheelchair, !knowsWheelchairs {
                remarks.append(.noWheelchairData)
            }
            if !found.contains(where: { $0.kind == .transit }), let outside = outside(question.time)
            {
                remarks.append(.noTransit(outside))
            }
        }
        let disruptions = Self.disruptions(question, options, conditions)
        remarks += disruptions.map { .disrupted($0) }
        var findings = findings
        findings.isDisrupted = disruptions.contains { $0.isClosing }
        let missing = Self.missing(
            question,
            options,
            candidates,
            findings,
            outside: outside(question.time)
        )
        return TripAnswer(question: question, options: options, remarks: remarks, missing: missing)
    }

    // MARK: Searches

    /// The way without public transport, if it keeps to the rules.
    private mutating func direct(
        _ query: JourneyQuery,
        _ kind: TripKind,
        _ rules: TripRules,
        _ found: inout [Found],
        _ findings: inout Findings
    ) {
        let ways = planner.journeys(query)
        for itinerary in ways {
            let breaches = rules.breaches(of: itinerary)
            findings.note(breaches)
            guard breaches.isEmpty else { continue }
            found.append(Found(kind: kind, itinerary: itinerary, query: query))
        }
        guard ways.isEmpty, kind == .walk, query.maxWalkMetres != nil else { return }
        var unlimited = query
        unlimited.maxWalkMetres = nil
        findings.longWalk = planner.journeys(unlimited).first?.walkMetres
    }

    /// The best trips by shared vehicles, one of each kind.
    private mutating func sharedOptions(
        _ question: TripQuestion,
        _ conditions: TripConditions,
        _ rules: TripRules,
        _ findings: inout Findings,
        _ check: Check
    ) throws(TripFailure) -> [TripOption] {
        var options: [TripOption] = []
        for kind in question.modes.shared {
            try check()
            let search = SharedSearch(
                kind: kind,
                question: question,
                conditions: conditions,
                names: names(question.language)
            )
            switch search.result(&planner) {
            case .found(let option):
                let breaches = rules.breaches(of: option)
                if breaches.isEmpty { options.append(option) } else { findings.note(breaches) }
            case .nothing(let reason): findings.sharing[kind] = reason
            }
        }
        return options
    }

    /// The journeys of a query that keep to the rules and the limit on emissions of its question.
    mutating func ruled(
        _ query: JourneyQuery,
        _ question: TripQuestion,
        _ rules: TripRules,
        _ window: Int32?,
        _ check: Check
    ) throws(TripFailure) -> RuledJourneys {
        let (rates, costing) = (costing.emissionRates(party: question.party), costing)
        return try RuledJourneys(query, keeping: rules, within: window) {
            query throws(TripFailure) in
            try Self.emitting(query, question, rates) { query throws(TripFailure) in
                try Self.pricing(query, question, costing) { query throws(TripFailure) in
                    try journeys(query, window, check)
                }
            }
        }
    }

    /// The journeys at a moment or within some seconds of it; if there are none within them, those
    /// at the moment, which may leave later.
    private mutating func journeys(
        _ query: JourneyQuery,
        _ window: Int32?,
        _ check: Check
    ) throws(TripFailure) -> [Itinerary] {
        guard let window else { return planner.journeys(query) }
        let all =
            query.isArriveBy
            ? try arrivals(query, window, check) : planner.journeys(query, window: window)
        return all.contains(where: \.hasRide) ? all : planner.journeys(query)
    }

    /// The journeys that arrive within some seconds before a moment.
    ///
    /// The search is repeated for an arrival just before the latest one found, until that is too
    /// early.
    private mutating func arrivals(
        _ query: JourneyQuery,
        _ window: Int32,
        _ check: Check
    ) throws(TripFailure) -> [Itinerary] {
        var query = query
        let end = query.time.adding(seconds: -Int64(window))
        var found: [Itinerary] = []
        for _ in 0..<Self.arrivalLimit where query.time >= end {
            try check()
            let journeys = planner.journeys(query).filter { journey in
                journey.arrival >= end && journey.hasRide
            }
            guard let latest = journeys.map(\.arrival).max() else { break }
            for journey in journeys where !found.contains(journey) { found.append(journey) }
            query.time = latest.adding(seconds: -1)
        }
        return found
    }

    /// A journey as an option, with everything that is shown of it but its price.
    mutating func option(_ found: Found, _ question: TripQuestion) -> TripOption {
        TripBuilder(
            planner: planner,
            query: found.query,
            question: question,
            names: names(question.language),
            rentals: found.rentals
        ).option(found.itinerary, found.kind)
    }

    /// The option of taking a taxi.
    private mutating func taxiOption(
        _ question: TripQuestion,
        _ estimate: TaxiEstimate?
    ) -> TripOption? {
        let search = taxiSearch ?? TaxiSearch(planner.snapshot)
        taxiSearch = search
        return search.option(question, estimate ?? TaxiEstimate())
    }

    /// What leads walks under roofs; nil where the streets cannot be changed.
    private mutating func shelter(_ rain: TripRain) -> TripShelter? {
        let foot = planner.snapshot.metric(.foot)
        let metric = shelterMetric ?? (try? planner.city.streets.preferringShelter(foot))
        shelterMetric = metric
        return metric.map { TripShelter(planner: planner, metric: $0, rain: rain) }
    }

    /// The names of stops and lines in a language.
    private mutating func names(_ language: String?) -> TransitNames {
        if let known = names.first(where: { $0.language == language }) { return known.names }
        let new = TransitNames(planner.city.timetable, language: language)
        if names.count >= Self.languageLimit { names.removeFirst() }
        names.append((language, new))
        return new
    }
}

extension Timetable {
    /// Whether any trip is known to be wheelchair-accessible.
    fileprivate var knowsWheelchairs: Bool {
        trips.wheelchair.indices.contains { trips.wheelchair[$0] == 1 }
    }
}
