/// A moment, in whole seconds since 1970-01-01T00:00:00Z (without leap seconds).
public struct Instant: Hashable, Comparable, Sendable, BitwiseCopyable {
    /// Seconds since 1970-01-01T00:00:00Z.
    public var seconds: Int64

    /// The moment that many seconds after 1970-01-01T00:00:00Z.
    @inlinable
    public init(seconds: Int64) {
        self.seconds = seconds
    }

    /// The moment `seconds` later, or earlier where negative.
    @inlinable
    public func adding(seconds: Int64) -> Instant {
        Instant(seconds: self.seconds &+ seconds)
    }

    /// The earlier of two moments is the smaller.
    @inlinable
    public static func < (left: Instant, right: Instant) -> Bool {
        left.seconds < right.seconds
    }
}
