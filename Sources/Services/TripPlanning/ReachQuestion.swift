package import Chronology
package import CityData
import Geo
import Transit

/// A question: how far one gets from a place within a time, on foot and by public transport.
package struct ReachQuestion: Sendable, Equatable {
    /// How many minutes there may be.
    package static let minuteLimits: ClosedRange<Int32> = 1...60

    /// Where one leaves.
    package var from: ResolvedPlace
    /// When.
    package var time: Instant
    /// How long one travels at the most; within ``minuteLimits``.
    package var minutes: Int32
    /// The vehicles of public transport, as a set of `TransitMode.bit`; 0 to walk only.
    package var transit: UInt32
    /// Whether one uses a wheelchair.
    package var wheelchair: Bool
    /// The language for names of stops (BCP 47).
    package var language: String

    /// Creates a question; minutes beyond the limits are moved to them.
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

    /// How long the answer will take on a city of usual size, roughly: with the area, in proportion
    /// to the square of the time. The goal for half an hour in Milan is 50 ms.
    var expected: Duration { .microseconds(Int64(minutes) * Int64(minutes) * 55) }
}
