import Geo

/// A place from which many people want to be driven at once, and most of them the same way.
///
/// Two stations, from 6 to 23 a train each hour at a minute of its own; an airport at the border
/// of the city with eight flights; a stadium that empties at a quarter to eleven. Each has three
/// places where 70% of those who come out there want to go. The seed fixes them all.
struct Gathering: Sendable {
    /// Many people coming out.
    struct Arrival: Sendable {
        /// When the first of them calls, in hours from midnight; the last calls
        /// ``Gathering/lastsHours`` later.
        var hour: Double
        /// How many they are, compared with a train.
        var weight: Double
    }

    /// Where they come out.
    var place: Coordinate
    /// Where most of them want to go.
    var goals: [Coordinate]
    /// When, every day.
    var arrivals: [Arrival]

    /// The share of a day's calls that comes from gatherings.
    static let share = 0.15
    /// How many of them go to one of ``goals``.
    static let together = 0.7
    /// How many of them would share their ride: more than elsewhere, since they see each other.
    static let sharing = 0.16
    /// For how long people call, most of them in the middle of it: six minutes.
    static let lastsHours = 0.1
    /// How far apart they stand, in metres to each side of ``place``.
    static let widthMetres = 150.0
    /// How far their destinations lie around a goal, in metres to each side.
    static let goalMetres = 300.0
    /// How many drivers who look for a place to wait go to a gathering.
    static let waiting = 0.15

    /// The hours of trains.
    static let trains = 6..<23
    /// A flight's people, compared with a train's.
    static let flight = Arrival(hour: 0, weight: 1.5)
    /// How many flights there are.
    static let flights = 8
    /// The end of a match.
    static let match = Arrival(hour: 22.75, weight: 4)
}
