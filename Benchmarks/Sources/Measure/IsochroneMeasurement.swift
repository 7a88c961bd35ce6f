import Geo
import Journeys

/// How long the area that one reaches takes to find, by streets and public transport.
enum IsochroneMeasurement {
    /// How long the journeys take at the most.
    private static let withinSeconds: Int32 = 30 * 60
    /// The departures: one an hour, from this one on.
    private static let firstHour: Int32 = 6
    private static let hours = 16

    /// Asks for the area around each place.
    ///
    /// - Parameters:
    ///   - places: the places and the day.
    ///   - rounds: how many planners are measured.
    /// - Returns: a line of JSON: how many square kilometres the areas have on average, and the
    ///   medians of the times that each took once and repeated, in microseconds.
    static func run(_ places: NamedPlaces, rounds: Int) -> String {
        var planner = Planner(places.prepared())
        var squareMetres = 0.0
        func ask(_ place: Endpoint, _ number: Int) {
            let time = places.moment(hour: firstHour + Int32(number % hours))
            let query = JourneyQuery(from: place, to: place, time: time)
            squareMetres += planner.isochrone(query, within: withinSeconds).areaSquareMetres
        }
        let times = Stopwatch.times(of: places.measured.count, rounds: rounds) {
            planner = Planner(places.prepared())
            for (number, place) in places.others.enumerated() { ask(place, number) }
            squareMetres = 0
        } task: { number in
            ask(places.measured[number], number)
        }
        // The areas of the last round, once and repeated.
        let mean = squareMetres / 2 / Double(places.measured.count) / 1e6
        return "{\"engine\":\"viavai\",\"square_km\":\(mean),\(times.json)}"
    }
}
