/// The number of a junction, or of a copy of one; it is also its rank in the hierarchy.
@frozen
public struct VertexIndex: RawRepresentable, Hashable, Sendable, BitwiseCopyable {
    /// The number of the vertex, from 0.
    public let rawValue: UInt32
    /// A junction by its number.
    @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// The number of a stretch of street, as in the draft.
@frozen
public struct EdgeIndex: RawRepresentable, Hashable, Sendable, BitwiseCopyable {
    /// The number of the edge, from 0.
    public let rawValue: UInt32
    /// A stretch by its number.
    @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// The number of a directed passage; not that of the draft, passages are sorted
/// by where they begin.
@frozen
public struct ArcIndex: RawRepresentable, Hashable, Sendable, BitwiseCopyable {
    /// The number of the arc, from 0.
    public let rawValue: UInt32
    /// A passage by its number.
    @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }
}
