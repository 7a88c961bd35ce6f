/// A place of the network: a stop, station, entrance or node of a feed.
public struct StopIndex: RawRepresentable, Hashable, Sendable {
    /// The row of the `transit.stop` columns.
    public let rawValue: UInt32

    /// Creates the index of a stop.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// A stop as trips serve it; where rules for changing differ between routes or trips, one stop
/// is several platforms.
public struct PlatformIndex: RawRepresentable, Hashable, Sendable {
    /// The row of the `transit.platform` columns.
    public let rawValue: UInt32

    /// The platform of that row.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// A route of a feed, by its row.
public struct RouteIndex: RawRepresentable, Hashable, Sendable {
    /// The row of the `transit.route` columns.
    public let rawValue: UInt32

    /// Creates the index of a route.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// A trip of a feed, by its row.
public struct TripIndex: RawRepresentable, Hashable, Sendable {
    /// The row of the `transit.trip` columns.
    public let rawValue: UInt32

    /// Creates the index of a trip.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// A run of one vehicle over one or more trips between which riders may stay seated.
public struct RunIndex: RawRepresentable, Hashable, Sendable {
    /// The row of the `transit.run` columns.
    public let rawValue: UInt32

    /// Creates the index of a run.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
}
