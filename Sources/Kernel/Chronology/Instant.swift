/// A point in time, in whole seconds since 1970-01-01T00:00:00Z (without leap seconds).
public struct Instant: Hashable, Comparable, Sendable, BitwiseCopyable {
    /// Seconds since 1970-01-01T00:00:00Z.
    public var seconds: Int64

    /// The instant that many seconds after 1970-01-01T00:00:00Z.
    @inlinable
    public init(seconds: Int64) {
        self.seconds = seconds
    }

    /// The instant `seconds` later, or earlier where negative.
    @inlinable
    public func adding(seconds: Int64) -> Instant {
        Instant(seconds: self.seconds &+ seconds)
    }

    /// Orders instants by time.
    @inlinable
    public static func < (left: Instant, right: Instant) -> Bool {
        left.seconds < right.seconds
    }
}
