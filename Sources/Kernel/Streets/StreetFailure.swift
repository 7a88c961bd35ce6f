/// Why streets cannot be built or used.
public enum StreetFailure: Error, Equatable, Sendable {
    /// There are more elements than their numbers allow.
    case tooMany(Part)
    /// The draft's element with this number refers to something that does not exist, or lacks a
    /// part (two points, a time for each profile).
    case inconsistent(Part, number: Int)
    /// The hierarchy in the file is damaged, so other times cannot be applied.
    case damagedHierarchy

    /// The parts of a draft.
    public enum Part: Sendable {
        /// A junction or a copy of one.
        case vertex
        /// A stretch between two vertices.
        case edge
        /// A directed passage of an edge.
        case arc
        /// A rule for certain hours.
        case rule
    }
}
