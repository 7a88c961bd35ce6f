public import Chronology
public import Transit

/// A question: how to get from one place to another.
public struct JourneyQuery: Sendable {
    /// The most transfers that are looked for where nothing else is said.
    public static let defaultMaxTransfers = 7

    /// Where the journey begins.
    public var origin: Endpoint
    /// Where it ends.
    public var destination: Endpoint
    /// When it may begin, or by when it must end.
    public var time: Instant
    /// Whether `time` is when it must end.
    public var isArriveBy: Bool
    /// How many times riders may change at the most.
    public var maxTransfers: Int
    /// How many metres they walk at the most; nil without a limit.
    public var maxWalkMetres: UInt32?
    /// By which vehicles they ride.
    public var filter: ServiceWindow.Filter

    /// A question with the usual answers to what is left out.
    public init(
        from origin: Endpoint,
        to destination: Endpoint,
        time: Instant,
        isArriveBy: Bool = false,
        maxTransfers: Int = Self.defaultMaxTransfers,
        maxWalkMetres: UInt32? = nil,
        filter: ServiceWindow.Filter = ServiceWindow.Filter()
    ) {
        self.origin = origin
        self.destination = destination
        self.time = time
        self.isArriveBy = isArriveBy
        self.maxTransfers = maxTransfers
        self.maxWalkMetres = maxWalkMetres
        self.filter = filter
    }
}

/// A place where a journey begins or ends.
public enum Endpoint: Sendable, Hashable {
    /// A stop, or a station with all its stops.
    case stop(StopIndex)
}
