/// The vehicles and stops that a search may use.
///
/// They belong to one search and not to a ``ServiceWindow``: a window holds all runs of its days,
/// and a search skips those that it must not ride. The lower bounds of a window are valid for all
/// conditions, since fewer vehicles are never quicker.
public struct RideConditions: Hashable, Sendable {
    /// The modes of vehicles, as a set of ``TransitMode/bit``.
    public var modes: UInt32
    /// Whether to use only vehicles and stops that are known to be accessible by wheelchair, and
    /// only ways without steps.
    public var wheelchair: Bool
    /// When vehicles of some modes are not ridden, the earliest first; spans may overlap.
    public let avoided: [AvoidedRides]

    /// Creates conditions; by default all vehicles and stops may be used.
    public init(
        modes: UInt32 = TransitMode.all,
        wheelchair: Bool = false,
        avoiding avoided: [AvoidedRides] = []
    ) {
        self.modes = modes
        self.wheelchair = wheelchair
        self.avoided = avoided.sorted { $0.first < $1.first }
    }

    /// Whether every vehicle and stop may be used at any time.
    var acceptEverything: Bool {
        modes & TransitMode.all == TransitMode.all && !wheelchair && avoided.isEmpty
    }

    /// The modes that are not ridden in some span.
    var avoidedModes: UInt32 { avoided.reduce(0) { $0 | $1.modes } }

    /// The same conditions in a mirrored window.
    var mirrored: RideConditions {
        guard !avoided.isEmpty else { return self }
        return RideConditions(
            modes: modes,
            wheelchair: wheelchair,
            avoiding: avoided.map {
                AvoidedRides(modes: $0.modes, first: 0 &- $0.end, end: 0 &- $0.first)
            }
        )
    }

    /// Visits the times in which vehicles of some modes may be ridden, the earliest first: those
    /// between the spans in which any of these modes is avoided.
    ///
    /// Among vehicles that do not overtake each other, the first one that is caught within such a
    /// time is the best one within it. A later vehicle may be better only in a later time.
    ///
    /// - Parameters:
    ///   - modes: the modes of the trips of a ride.
    ///   - start: when rides may begin.
    ///   - bound: before when rides must end.
    ///   - visit: receives the first second at which riders may board, and the last one at which
    ///     they may alight.
    func forEachTime(
        of modes: UInt32,
        since start: Int32,
        before bound: Int32,
        _ visit: (_ first: Int32, _ last: Int32) -> Void
    ) {
        var first = start
        for span in avoided where span.modes & modes != 0 {
            if span.first >= first { visit(first, span.first) }
            first = max(first, span.end)
            if first >= bound { return }
        }
        visit(first, Raptor.never)
    }
}

/// A span of time in which vehicles of some modes are not ridden.
///
/// A ride may end when the span begins, and begin when it ends. A rider who stays seated while a
/// vehicle changes its mode keeps to the spans of all modes of the ride, from boarding to
/// alighting.
public struct AvoidedRides: Hashable, Sendable {
    /// The modes, as a set of ``TransitMode/bit``.
    public var modes: UInt32
    /// When the span begins, in the window's seconds.
    public var first: Int32
    /// When the span ends.
    public var end: Int32

    /// A span for some modes.
    public init(modes: UInt32, first: Int32, end: Int32) {
        self.modes = modes
        self.first = first
        self.end = end
    }
}
