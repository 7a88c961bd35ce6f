public import Chronology
public import Streets
public import Transit

/// Data on top of a city file that changes while the program runs: a version of it, immutable.
///
/// Street speeds and closures of the timetable are contents of it.
public struct Overlay<Content: Sendable>: Sendable {
    /// Who states it, such as the name of a feed.
    public let source: String
    /// When the source stated it.
    public let time: Instant
    /// The number of the version: greater than that of every earlier version of the same overlay.
    public let epoch: UInt64
    /// What the source states.
    public let content: Content

    /// A version of an overlay.
    public init(source: String, time: Instant, epoch: UInt64, _ content: Content) {
        self.source = source
        self.time = time
        self.epoch = epoch
        self.content = content
    }

    /// How old it is, in seconds; 0 if its time is still to come.
    public func ageSeconds(at now: Instant) -> Int64 {
        max(0, now.seconds &- time.seconds)
    }
}

/// All overlays of a snapshot; nil if there is none of a kind.
public struct CityOverlays: Sendable {
    /// The times of passages that differ from those of the city file.
    public var streetSpeeds: Overlay<StreetSpeeds>?
    /// What of the timetable does not run.
    public var closures: Overlay<TimetableClosures>?

    /// Overlays; none by default.
    public init(
        streetSpeeds: Overlay<StreetSpeeds>? = nil,
        closures: Overlay<TimetableClosures>? = nil
    ) {
        self.streetSpeeds = streetSpeeds
        self.closures = closures
    }
}

/// The times of passages that differ from those of the city file, such as in a traffic jam.
public struct StreetSpeeds: Sendable {
    /// The passages that differ, by profile.
    public var changes: [Profile: [ArcTime]]
    /// The passages with usual traffic by the hours of the week, by profile.
    public var traffic: [Profile: [ArcTraffic]]

    /// Other times for some passages.
    public init(_ changes: [Profile: [ArcTime]], traffic: [Profile: [ArcTraffic]] = [:]) {
        self.changes = changes
        self.traffic = traffic
    }
}
