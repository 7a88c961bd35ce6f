/// A position in the queue of a zone: the lowest rank is asked first.
///
/// Order comes from the log's sequence numbers alone, so there are no ties and no clock is
/// involved. Drivers whose turn was restored (`noshow.restore_position: head`) come before all
/// others, among themselves in the order in which they were restored.
public struct Rank: Hashable, Comparable, Sendable, BitwiseCopyable {
    /// Whether the turn was restored, which puts it before all ordinary positions.
    public var isRestored: Bool
    /// The sequence number of the event that gave the position.
    public var sequence: Int64

    /// Creates the position given by the event of that sequence number.
    public init(isRestored: Bool = false, sequence: Int64) {
        self.isRestored = isRestored
        self.sequence = sequence
    }

    /// Restored positions first, then by sequence number.
    public static func < (left: Rank, right: Rank) -> Bool {
        if left.isRestored != right.isRestored { return left.isRestored }
        return left.sequence < right.sequence
    }
}
