/// A place in the queue of a zone: the lower one is asked first.
///
/// Order comes from the log's sequence numbers alone, so it has no ties and no clock in it.
/// Drivers whose turn was given back (`noshow.restore_position: head`) stand before all others,
/// among themselves in the order in which they got it back.
public struct Rank: Hashable, Comparable, Sendable, BitwiseCopyable {
    /// Whether the turn was given back, which comes before all ordinary places.
    public var isRestored: Bool
    /// The sequence number of the event that gave the place.
    public var sequence: Int64

    /// A place given by the event of that sequence number.
    public init(isRestored: Bool = false, sequence: Int64) {
        self.isRestored = isRestored
        self.sequence = sequence
    }

    /// Given back before ordinary, then by sequence number.
    public static func < (left: Rank, right: Rank) -> Bool {
        if left.isRestored != right.isRestored { return left.isRestored }
        return left.sequence < right.sequence
    }
}
