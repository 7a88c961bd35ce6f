/// Which vehicles and stops a search may use.
///
/// They are conditions of one search and not of a ``ServiceWindow``: a window holds all runs of its
/// days, and a search passes over those that it may not ride. The lower bounds of a window hold for
/// every condition, since fewer vehicles are never quicker.
public struct RideConditions: Hashable, Sendable {
    /// The modes of vehicles, as a set of ``TransitMode/bit``.
    public var modes: UInt32
    /// Whether only vehicles and stops count that are stated to take wheelchairs, and only ways
    /// without steps.
    public var wheelchair: Bool

    /// Conditions; all vehicles and stops by default.
    public init(modes: UInt32 = TransitMode.all, wheelchair: Bool = false) {
        self.modes = modes
        self.wheelchair = wheelchair
    }

    /// Whether every vehicle and stop may be used.
    var acceptEverything: Bool { modes & TransitMode.all == TransitMode.all && !wheelchair }
}
