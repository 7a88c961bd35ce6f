/// A point in time, in whole milliseconds since 1970-01-01T00:00:00Z (without leap seconds).
///
/// Dispatch, its log and all tables count milliseconds; timetables and journeys count
/// seconds (``Instant``).
public struct Moment: Hashable, Comparable, Sendable, BitwiseCopyable {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    public var milliseconds: Int64

    /// The moment that many milliseconds after 1970-01-01T00:00:00Z.
    @inlinable
    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// A moment that never comes.
    public static let never = Moment(milliseconds: .max)

    /// The moment `seconds` later, or earlier where negative; ``never`` stays what it is.
    @inlinable
    public func adding(seconds: Int64) -> Moment {
        adding(milliseconds: seconds.multipliedReportingOverflow(by: 1_000).partialValue)
    }

    /// The moment `milliseconds` later, or earlier where negative; ``never`` stays what it is.
    @inlinable
    public func adding(milliseconds: Int64) -> Moment {
        self == .never ? self : Moment(milliseconds: self.milliseconds &+ milliseconds)
    }

    /// Orders moments by time.
    @inlinable
    public static func < (left: Moment, right: Moment) -> Bool {
        left.milliseconds < right.milliseconds
    }
}
