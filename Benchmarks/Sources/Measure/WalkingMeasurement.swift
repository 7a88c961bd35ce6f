import Journeys

/// How long journeys take to find where walking is a criterion as time and changes are, and where
/// it is not: the same questions, asked of planners of the same process.
enum WalkingMeasurement {
    /// Asks every question with two criteria and with three, as ``JourneyMeasurement`` asks them.
    ///
    /// - Returns: a line of JSON: the times with each, in microseconds, and how many answers there
    ///   were.
    /// - Throws: ``Failure`` where a file is not what it should be.
    static func run(city path: String, questions: String, rounds: Int) throws -> String {
        let city = try CityOpening.city(path)
        let two = try JourneyMeasurement.queries(questions, city)
        let three = two.map { query in
            var query = query
            query.comparesWalking = true
            return query
        }
        let fewer = json(two, city, rounds: rounds)
        return "{\"two\":\(fewer),\"three\":\(json(three, city, rounds: rounds))}"
    }

    private static func json(_ queries: [JourneyQuery], _ city: City, rounds: Int) -> String {
        let warmUp = JourneyMeasurement.warmUp(queries)
        var planner = Planner(CitySnapshot(city))
        var journeys = 0
        let times = Stopwatch.times(of: queries.count, rounds: rounds) {
            planner = Planner(CitySnapshot(city))
            for query in warmUp { _ = planner.journeys(query) }
        } task: { number in
            journeys += planner.journeys(queries[number]).count
        }
        return "{\"journeys\":\(journeys / rounds / 2),\(times.json)}"
    }
}
