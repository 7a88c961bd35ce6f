package import Chronology
package import Fares
package import Geo

/// What a taxi service knows of a ride before it begins; nil where it does not know.
package struct TaxiEstimate: Sendable, Equatable {
    /// How long one waits for the taxi, in seconds.
    package var waitSeconds: Int32?
    /// The expected fare.
    package var fare: Money?
    /// How long the ride takes at that time, in seconds; nil for the map's time without traffic.
    package var rideSeconds: Int32?

    /// Creates an estimate; nothing is known by default.
    package init(waitSeconds: Int32? = nil, fare: Money? = nil, rideSeconds: Int32? = nil) {
        self.waitSeconds = waitSeconds
        self.fare = fare
        self.rideSeconds = rideSeconds
    }
}

/// A ride that a taxi service is asked about.
package struct TaxiRide: Sendable, Equatable {
    /// The pickup point.
    package var from: Coordinate
    /// The place where the ride ends.
    package var to: Coordinate
    /// When the taxi is wanted, or by when the ride must end.
    package var time: Instant
    /// Whether ``time`` is when it must end.
    package var isArriveBy: Bool
}

/// Asks the taxi service about a ride; planning does not know the service itself.
package typealias TaxiEstimator = @Sendable (TaxiRide) async -> TaxiEstimate
