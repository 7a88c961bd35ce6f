import Journeys

/// How long all journeys of a day between places take to find, one to many.
enum ProfileMeasurement {
    /// When the first journeys leave, and for how long others do: from 06 to 24 h.
    private static let firstHour: Int32 = 6
    private static let windowSeconds: Int32 = 18 * 3_600

    /// Asks for the profiles from each place to all others, on one thread.
    ///
    /// - Parameters:
    ///   - places: the places and the day.
    ///   - rounds: how many planners are measured.
    /// - Returns: a line of JSON: how many journeys there are, and the medians of the times that
    ///   all profiles of each place took once and repeated, in microseconds.
    static func run(_ places: NamedPlaces, rounds: Int) -> String {
        var planner = Planner(places.prepared())
        var journeys = 0
        func ask(_ place: Endpoint, _ others: [Endpoint]) {
            let profiles = planner.profiles(
                ProfileQuery(
                    place,
                    others.filter { $0 != place },
                    time: places.moment(hour: firstHour),
                    windowSeconds: windowSeconds
                )
            )
            journeys += profiles.reduce(0) { $0 + $1.journeys.count }
        }
        let times = Stopwatch.times(of: places.measured.count, rounds: rounds) {
            planner = Planner(places.prepared())
            for place in places.others { ask(place, places.others) }
        } task: { number in
            ask(places.measured[number], places.measured)
        }
        journeys = 0
        for place in places.measured { ask(place, places.measured) }
        return "{\"engine\":\"viavai\",\"places\":\(places.measured.count),"
            + "\"journeys\":\(journeys),\(times.json)}"
    }
}
