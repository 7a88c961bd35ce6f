package import Chronology
package import CityData
import Geo
import Transit

/// A question: which area can be reached from a place within a time, on foot and by public
/// transport.
package struct ReachQuestion: Sendable, Equatable {
    /// The permitted lengths of time in minutes.
    package static let minuteLimits: ClosedRange<Int32> = 1...60

    /// The place of departure.
    package var from: ResolvedPlace
    /// The time of departure.
    package var time: Instant
    /// The greatest travel time in minutes; within ``minuteLimits``.
    package var minutes: Int32
    /// The vehicles of public transport, as a set of `TransitMode.bit`; 0 for walking only.
    package var transit: UInt32
    /// Whether the traveller uses a wheelchair.
    package var wheelchair: Bool
    /// The language for names of stops (BCP 47).
    package var language: String

    /// Creates a question; minutes are clamped to the limits.
    package init(
        from: ResolvedPlace,
        time: Instant,
        minutes: Int32 = 30,
        transit: UInt32 = TransitMode.all,
        wheelchair: Bool = false,
        language: String = ""
    ) {
        self.from = from
        self.time = time
        self.minutes = min(
            max(minutes, Self.minuteLimits.lowerBound),
            Self.minuteLimits.upperBound
        )
        self.transit = transit
        self.wheelchair = wheelchair
        self.language = language
    }

    /// The approximate time that the answer takes in a city of usual size.
    ///
    /// It grows with the area, and so with the square of the minutes. The goal for half an hour in
    /// Milan is 50 ms.
    var expected: Duration { .microseconds(Int64(minutes) * Int64(minutes) * 55) }
}
