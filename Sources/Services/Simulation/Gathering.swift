import Geo

/// A place from which many people request taxis at once, mostly in the same direction.
///
/// There are two stations with a train each hour from 6 to 23 at a fixed minute, an airport at the
/// border of the city with eight flights, and a stadium that empties at 22:45. Each has three
/// destinations that attract 70% of the people. The seed determines all of them.
struct Gathering: Sendable {
    /// An arrival of many people.
    struct Arrival: Sendable {
        /// The time of the first request in hours from midnight; the last one comes
        /// ``Gathering/lastsHours`` later.
        var hour: Double
        /// The number of people relative to a train.
        var weight: Double
    }

    /// The place of the pickup points.
    var place: Coordinate
    /// The destinations of most people.
    var goals: [Coordinate]
    /// The arrivals of each day.
    var arrivals: [Arrival]

    /// The share of a day's requests that come from gatherings.
    static let share = 0.15
    /// The share of those that go to one of ``goals``.
    static let together = 0.7
    /// The share of those that would share a ride, higher than elsewhere because people meet.
    static let sharing = 0.16
    /// The period of the requests in hours, with most in its middle: six minutes.
    static let lastsHours = 0.1
    /// The spread of pickup points in metres to each side of ``place``.
    static let widthMetres = 150.0
    /// The spread of destinations in metres to each side of a goal.
    static let goalMetres = 300.0
    /// The share of drivers looking for a waiting place who choose a gathering.
    static let waiting = 0.15

    /// The hours in which trains arrive.
    static let trains = 6..<23
    /// A flight, whose number of people is relative to a train.
    static let flight = Arrival(hour: 0, weight: 1.5)
    /// The number of flights per day.
    static let flights = 8
    /// The end of a match.
    static let match = Arrival(hour: 22.75, weight: 4)
}
