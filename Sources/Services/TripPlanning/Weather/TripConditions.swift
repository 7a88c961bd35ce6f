package import Chronology
package import Journeys
package import LiveFeeds

/// What is known of the world besides the timetables when a question is answered.
package struct TripConditions: Sendable {
    /// What live feeds say.
    package let world: LiveWorld
    /// The present, from which the age of what feeds say counts.
    package let now: Instant
    /// What of it disrupts the public transport of the city; the snapshot of the city in which one
    /// searches has its closures.
    package var disruptions: Disruptions

    /// Nothing is known, at any time.
    package static let unknown = TripConditions(LiveWorld(), now: Instant(seconds: 0))

    /// Conditions at a moment.
    package init(
        _ world: LiveWorld,
        now: Instant,
        disruptions: Disruptions = Disruptions()
    ) {
        self.world = world
        self.now = now
        self.disruptions = disruptions
    }
}

extension TripConditions {
    /// The minutes of a journey outdoors while it rains; nil if the forecast does not say.
    package func wetMinutes(of journey: Itinerary) -> Int64? {
        TripWetness.minutes(
            journey.legs.map {
                .init(kind: $0.tripKind, departure: $0.departure, arrival: $0.arrival)
            },
            TripRain(self)
        )
    }
}

/// Tells the conditions of the moment; planning does not fetch them itself.
package typealias TripConditionsProvider = @Sendable () -> TripConditions
