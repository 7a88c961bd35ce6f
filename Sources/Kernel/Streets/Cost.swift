/// The cost of a path: its time, and its length to break ties.
///
/// Both are packed into one 64-bit word, time in the upper half, so that the quickest path (and
/// among equally quick ones the shortest) is found by comparing and adding plain integers, and
/// every query also yields the length of its quickest path.
@frozen
public struct Cost: Comparable, Sendable, BitwiseCopyable {
    /// Milliseconds times 2^32, plus decimetres.
    @usableFromInline let packed: UInt64

    /// The time from which a path counts as closed: 12 days, more than any path in a city takes;
    /// twice this much still fits into 31 bits.
    @usableFromInline static let limitMilliseconds: UInt32 = 0x3FFF_FFFF
    @usableFromInline static let packedNever = UInt64(limitMilliseconds) << 32

    /// There is no way; this exceeds the cost of any way.
    public static let never = Cost(packed: packedNever)
    /// The cost of a path of length 0.
    public static let zero = Cost(packed: 0)

    @inlinable @inline(__always)
    init(packed: UInt64) {
        self.packed = packed
    }

    /// A cost from its two parts; ``never`` from 12 days on.
    @inlinable @inline(__always)
    public init(milliseconds: UInt32, decimetres: UInt32) {
        packed =
            milliseconds < Self.limitMilliseconds
            ? UInt64(milliseconds) << 32 | UInt64(decimetres) : Self.packedNever
    }

    /// The time in milliseconds.
    @inlinable public var milliseconds: UInt32 { UInt32(truncatingIfNeeded: packed >> 32) }
    /// The length in decimetres.
    @inlinable public var decimetres: UInt32 { UInt32(truncatingIfNeeded: packed) }
    /// The length of the path in metres.
    @inlinable public var metres: Double { Double(decimetres) / 10 }
    /// Whether there is a way at all.
    @inlinable public var isPossible: Bool { packed < Self.packedNever }

    /// Orders costs by time, then by length.
    @inlinable
    public static func < (first: Cost, second: Cost) -> Bool {
        first.packed < second.packed
    }

    /// The cost of one way followed by the other.
    @inlinable @inline(__always)
    public static func + (first: Cost, second: Cost) -> Cost {
        Cost(packed: min(first.packed &+ second.packed, packedNever))
    }
}
