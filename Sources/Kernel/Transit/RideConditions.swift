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

    /// Creates conditions; by default all vehicles and stops may be used.
    public init(modes: UInt32 = TransitMode.all, wheelchair: Bool = false) {
        self.modes = modes
        self.wheelchair = wheelchair
    }

    /// Whether every vehicle and stop may be used.
    var acceptEverything: Bool { modes & TransitMode.all == TransitMode.all && !wheelchair }
}
