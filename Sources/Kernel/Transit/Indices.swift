public import Columns

/// A feed, by its row.
@frozen
public struct FeedIndex: RowIndex {
    /// The row of the `transit.feed` columns.
    public let rawValue: UInt32

    /// The index of a row.
    @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// An agency, by its row.
@frozen
public struct AgencyIndex: RowIndex {
    /// The row of the `transit.agency` columns.
    public let rawValue: UInt32

    /// The index of a row.
    @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// A place of the network: a stop, station, entrance or node of a feed.
@frozen
public struct StopIndex: RowIndex {
    /// The row of the `transit.stop` columns.
    public let rawValue: UInt32

    /// The index of a row.
    @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// A route of a feed, by its row.
@frozen
public struct RouteIndex: RowIndex {
    /// The row of the `transit.route` columns.
    public let rawValue: UInt32

    /// The index of a row.
    @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// A trip of a feed, by its row.
@frozen
public struct TripIndex: RowIndex {
    /// The row of the `transit.trip` columns.
    public let rawValue: UInt32

    /// The index of a row.
    @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// A set of days on which trips run.
@frozen
public struct ServiceIndex: RowIndex {
    /// The row of the `transit.service` columns.
    public let rawValue: UInt32

    /// The index of a row.
    @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// A stop as trips serve it; if rules for changing differ between routes or trips, one stop becomes
/// several platforms.
@frozen
public struct PlatformIndex: RowIndex {
    /// The row of the `transit.platform` columns.
    public let rawValue: UInt32

    /// The index of a row.
    @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// A walk from one platform to another.
@frozen
public struct FootpathIndex: RowIndex {
    /// The row of the `transit.footpath` columns.
    public let rawValue: UInt32

    /// The index of a row.
    @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// A sequence of platforms with the runs that serve it.
@frozen
public struct PatternIndex: RowIndex {
    /// The row of the `transit.pattern` columns.
    public let rawValue: UInt32

    /// The index of a row.
    @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// A position of a pattern: one of its platforms.
///
/// The positions of a pattern follow each other.
@frozen
public struct PositionIndex: RowIndex {
    /// The row of the `transit.position` columns.
    public let rawValue: UInt32

    /// The index of a row.
    @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// A run of one vehicle over one or more trips between which riders may stay seated.
@frozen
public struct RunIndex: RowIndex {
    /// The row of the `transit.run` columns.
    public let rawValue: UInt32

    /// The index of a row.
    @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// The part of a run that is one trip.
@frozen
public struct SegmentIndex: RowIndex {
    /// The row of the `transit.segment` columns.
    public let rawValue: UInt32

    /// The index of a row.
    @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// Where the times of a timing pattern begin.
@frozen
public struct TimingIndex: RowIndex {
    /// The row of the `transit.profile` columns.
    public let rawValue: UInt32

    /// The index of a row.
    @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// A stop of the path of a trip; the stops of a path follow each other.
@frozen
public struct TripPathIndex: RowIndex {
    /// The row of the `transit.course` columns.
    public let rawValue: UInt32

    /// The index of a row.
    @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// A point of a shape; the points of a shape follow each other.
@frozen
public struct ShapePointIndex: RowIndex {
    /// The row of the `transit.shape` columns.
    public let rawValue: UInt32

    /// The index of a row.
    @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// A RAPTOR route of a ``ServiceWindow``.
@frozen
public struct RaptorRouteIndex: RowIndex {
    /// The position in ``ServiceWindow/routes``.
    public let rawValue: UInt32

    /// The index of a position.
    @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }
}
