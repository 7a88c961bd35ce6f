package import Chronology
package import Fares
package import Geo

/// What a taxi service knows about a ride before it begins; nil stands for unknown.
package struct TaxiEstimate: Sendable, Equatable {
    /// The wait for the taxi in seconds.
    package var waitSeconds: Int32?
    /// The expected fare.
    package var fare: Money?
    /// The duration of the ride in seconds; nil for the map's duration without traffic.
    package var rideSeconds: Int32?
    /// The wait in seconds for a taxi that is ordered where the ride ends.
    package var waitThereSeconds: Int32?

    /// Creates an estimate; nothing is known by default.
    package init(waitSeconds: Int32? = nil, fare: Money? = nil, rideSeconds: Int32? = nil) {
        self.waitSeconds = waitSeconds
        self.fare = fare
        self.rideSeconds = rideSeconds
    }
}

/// A ride for which a taxi service is asked for an estimate.
package struct TaxiRide: Sendable, Equatable {
    /// The pickup point.
    package var from: Coordinate
    /// The place where the ride ends.
    package var to: Coordinate
    /// The requested pickup time, or the latest arrival.
    package var time: Instant
    /// Whether ``time`` is the latest arrival.
    package var isArriveBy: Bool
}

/// Asks the taxi service about a ride; planning does not know the service itself.
package typealias TaxiEstimator = @Sendable (TaxiRide) async -> TaxiEstimate
