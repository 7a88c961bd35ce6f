package import Chronology
package import OpenData

/// What the live feeds say now: a value that all readers share.
package struct LiveWorld: Sendable {
    /// Grows by one with each change, so that results can be kept until the next.
    package internal(set) var epoch: UInt64 = 0
    /// The systems of shared vehicles, in the order of the configuration.
    package internal(set) var systems: [LiveSystem] = []
    /// The forecasts, in the order of the configuration: the first usable one counts.
    package internal(set) var forecasts: [Forecast] = []
    /// The strikes of today and ahead, the first one first.
    package var strikes: [TrackedStrike] = []
    /// The disruptions of public transport, by the name of their feed.
    package var alerts: [(feed: String, alerts: [ServiceAlert])] = []

    /// How fast cars drive on streets, in the order of the configuration.
    package var traffic: [TrafficLine] = []

    /// A world of which nothing is known.
    package init() {}

    /// A world of which systems of shared vehicles and forecasts are known.
    package init(systems: [LiveSystem], forecasts: [Forecast]) {
        self.systems = systems
        self.forecasts = forecasts
    }

    /// The rain that is expected at a moment; nil if no forecast knows.
    package func rain(at moment: Instant, asOf now: Instant) -> Forecast.Interval? {
        for forecast in forecasts {
            if let interval = forecast.interval(at: moment, asOf: now) { return interval }
        }
        return nil
    }
}

/// A system of shared vehicles with the age of what is known.
package struct LiveSystem: Sendable {
    /// The name of the feed.
    package let feed: String
    /// What the files of the feed say about the system.
    package let system: SharingSystem
    /// Since when nothing newer is known about its vehicles and docks; nil if nothing is.
    package let knownSince: Instant?

    /// How many seconds the positions of vehicles may be used for renting: twice what the standard
    /// allows a system to be late.
    package static let freshSeconds: Int64 = 600

    /// Whether what is known is new enough to send somebody there to rent.
    package func isFresh(_ now: Instant) -> Bool {
        knownSince.map { now.seconds - $0.seconds <= Self.freshSeconds } ?? false
    }

    /// Creates a system with its age.
    package init(feed: String, system: SharingSystem, knownSince: Instant?) {
        self.feed = feed
        self.system = system
        self.knownSince = knownSince
    }
}
