import Chronology
import Columns
import Journeys
import Transit

/// How long journeys take to find, between stops or from door to door.
enum JourneyMeasurement {
    /// Asks every question in every round.
    ///
    /// - Parameters:
    ///   - path: a city file.
    ///   - questions: a batch file with places of the form `stop:ID` or `lat,lon`, and times to the
    ///     second.
    ///   - rounds: how often each question is asked.
    /// - Returns: a line of JSON: how long the first question took, with the day's layout,
    ///   whether each has an answer with a ride, and the median of each, in microseconds.
    /// - Throws: ``Failure`` where a file is not what it should be.
    static func run(city path: String, questions: String, rounds: Int) throws -> String {
        let city = try CityOpening.city(path)
        let queries = try queries(questions, city)
        var planner = Planner(city)
        let first = Stopwatch.microseconds { _ = planner.journeys(queries[0]) }
        var journeys = 0
        var rode = Array(repeating: false, count: queries.count)
        let times = Stopwatch.medians(of: queries.count, rounds: rounds) { number in
            let answers = planner.journeys(queries[number])
            journeys += answers.count
            rode[number] = answers.contains { $0.legs.contains { $0.ride != nil } }
        }
        return "{\"engine\":\"viavai\",\"journeys\":\(journeys / rounds),"
            + "\"first_us\":\(first),\"rode\":\(rode),\"query_us\":\(Stopwatch.json(times))}"
    }

    private static func queries(_ path: String, _ city: City) throws -> [JourneyQuery] {
        let timetable = city.timetable
        var stops: [String: StopIndex] = [:]
        for stop in 0..<timetable.stops.count {
            let id = timetable.texts[Int(timetable.stops.id[stop])]
            stops["stop:" + id] = StopIndex(rawValue: UInt32(stop))
        }
        func endpoint(_ text: String) -> Endpoint? {
            stops[text].map { .stop($0) } ?? CityOpening.coordinate(text).map { .place($0) }
        }
        let rows = try CityOpening.rows(path, fields: 6)
        return try rows.enumerated().map { number, row in
            guard let origin = endpoint(row[1]), let destination = endpoint(row[2]),
                let time = time(row[3], timetable), let transfers = Int(row[5])
            else { throw Failure.line(file: path, number: number + 2) }
            return JourneyQuery(
                from: origin,
                to: destination,
                time: time,
                isArriveBy: row[4] == "true",
                maxTransfers: transfers
            )
        }
    }

    /// A local time of the form 2019-05-13T14:00:00.
    private static func time(_ text: String, _ timetable: Timetable) -> Instant? {
        let numbers = text.split { "-T:".contains($0) }.compactMap { Int32($0) }
        guard numbers.count == 6,
            let date = CivilDate(year: numbers[0], month: numbers[1], day: numbers[2])
        else { return nil }
        let second = numbers[3] * 3_600 + numbers[4] * 60 + numbers[5]
        return timetable.zone.instant(date, second: second)
    }
}
