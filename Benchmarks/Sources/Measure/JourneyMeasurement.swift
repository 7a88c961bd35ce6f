import Chronology
import Columns
import Journeys
import Transit

/// How long journeys take to find, between stops or from door to door.
enum JourneyMeasurement {
    /// How many questions a planner answers before it is measured.
    private static let warmUpCount = 100

    /// Asks every question in every round: a planner of a new snapshot answers other questions
    /// until it is warm, then each question once, in random order, then each again, in another.
    ///
    /// - Parameters:
    ///   - path: a city file.
    ///   - questions: a batch file with places of the form `stop:ID` or `lat,lon`, and times to the
    ///     second.
    ///   - rounds: how many planners are measured.
    /// - Returns: a line of JSON: how long the slowest of the first questions about a new snapshot
    ///   took, which is the one for which the day is laid out; the same of a prepared snapshot, as
    ///   ``PreparedMeasurement`` gives it; whether each question has an answer with a ride; and the
    ///   medians of the times that each took once and repeated, in microseconds.
    /// - Throws: ``Failure`` where a file is not what it should be.
    static func run(city path: String, questions: String, rounds: Int) throws -> String {
        let city = try CityOpening.city(path)
        let queries = try queries(questions, city)
        let warmUp = warmUp(queries)
        let prepared = queries.first.map {
            PreparedMeasurement.json(city, $0, others: warmUp) + ","
        }
        var planner = Planner(CitySnapshot(city))
        let first = warmUp.map { query in
            Stopwatch.microseconds { _ = planner.journeys(query) }
        }
        var journeys = 0
        var rode = Array(repeating: false, count: queries.count)
        let times = Stopwatch.times(of: queries.count, rounds: rounds) {
            planner = Planner(CitySnapshot(city))
            for query in warmUp { _ = planner.journeys(query) }
        } task: { number in
            let answers = planner.journeys(queries[number])
            journeys += answers.count
            rode[number] = answers.contains { $0.legs.contains { $0.ride != nil } }
        }
        return "{\"engine\":\"viavai\",\"journeys\":\(journeys / rounds / 2),"
            + "\"first_us\":\(first.max() ?? 0),\(prepared ?? "")\"rode\":\(rode),\(times.json)}"
    }

    /// Questions that are none of those measured: the first of them with their ends exchanged.
    static func warmUp(_ queries: [JourneyQuery]) -> [JourneyQuery] {
        queries.prefix(warmUpCount).map { query in
            var query = query
            swap(&query.origin, &query.destination)
            return query
        }
    }

    /// The questions of a batch file.
    static func queries(_ path: String, _ city: City) throws -> [JourneyQuery] {
        let timetable = city.timetable
        var stops: [String: StopIndex] = [:]
        for stop in timetable.stops.indices {
            let id = timetable.texts[Int(timetable.stops.id[stop])]
            stops["stop:" + id] = stop
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
