import Journeys

/// What walking as a third criterion costs: the same questions with a limit on walking and without.
enum WalkingMeasurement {
    /// Asks every question in every round, first all without the limit, then all with it.
    ///
    /// - Parameters:
    ///   - path: a city file.
    ///   - questions: a batch file.
    ///   - rounds: how many planners are measured for each.
    ///   - metres: the limit.
    /// - Returns: a line of JSON: for both the medians of the times that each question took once
    ///   and repeated, in microseconds.
    /// - Throws: ``Failure`` where a file is not what it should be.
    static func run(
        city path: String,
        questions: String,
        rounds: Int,
        metres: UInt32
    ) throws -> String {
        let city = try CityOpening.city(path)
        let queries = try JourneyMeasurement.queries(questions, city)
        func times(_ limit: UInt32?) -> Stopwatch.Times {
            let queries = queries.map { query in
                var query = query
                query.maxWalkMetres = limit
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
        let (two, three) = (times(nil), times(metres))
        return "{\"engine\":\"viavai\",\"metres\":\(metres),"
            + "\"two\":{\(two.json)},\"three\":{\(three.json)}}"
    }
}
