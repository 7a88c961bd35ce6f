import Journeys
import Transit

/// What emissions as a criterion cost: the same questions without them, with a limit, and compared.
enum EmissionMeasurement {
    /// Micrograms per metre of every mode; the times hardly depend on it.
    private static let rate: Int64 = 50_000

    /// Asks every question in every round, first all without emissions, then with them.
    ///
    /// - Parameters:
    ///   - path: a city file.
    ///   - questions: a batch file.
    ///   - rounds: how many planners are measured for each.
    ///   - grams: the limit.
    /// - Returns: a line of JSON: for each the medians of the times that each question took once
    ///   and repeated, in microseconds.
    /// - Throws: ``Failure`` where a file is not what it should be.
    static func run(
        city path: String,
        questions: String,
        rounds: Int,
        grams: Int64
    ) throws -> String {
        let city = try CityOpening.city(path)
        let queries = try JourneyMeasurement.queries(questions, city)
        let rates = EmissionRates(
            transit: Dictionary(uniqueKeysWithValues: TransitMode.allCases.map { ($0, rate) })
        )
        func times(_ terms: EmissionTerms?) -> Stopwatch.Times {
            let queries = queries.map { query in
                var query = query
                query.emissions = terms
                return query
            }
            let warmUp = JourneyMeasurement.warmUp(queries)
            var planner = Planner(CitySnapshot(city))
            return Stopwatch.times(of: queries.count, rounds: rounds) {
                planner = Planner(CitySnapshot(city))
                for query in warmUp { _ = planner.journeys(query) }
            } task: { number in
                _ = planner.journeys(queries[number])
            }
        }
        let without = times(nil)
        let limited = times(EmissionTerms(rates, limit: grams * 1_000_000))
        let compared = times(EmissionTerms(rates, isCompared: true))
        return "{\"engine\":\"viavai\",\"grams\":\(grams),\"without\":{\(without.json)},"
            + "\"limited\":{\(limited.json)},\"compared\":{\(compared.json)}}"
    }
}
