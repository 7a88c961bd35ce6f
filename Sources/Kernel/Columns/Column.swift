/// A fixed-width number that a column can hold; all bits zero is its zero.
public protocol ColumnElement: BitwiseCopyable, Sendable {
    /// The value that an index out of range reads as.
    static var zero: Self { get }
}

extension UInt8: ColumnElement {}
extension UInt16: ColumnElement {}
extension Int16: ColumnElement {}
extension UInt32: ColumnElement {}
extension Int32: ColumnElement {}
extension UInt64: ColumnElement {}
extension Int64: ColumnElement {}

/// A read-only column of numbers inside a ``ByteStorage``.
///
/// Reading out of range gives zero instead of trapping: see the target's README for why. Code
/// that uses a value as an index into memory of its own must still bound it (``index(_:below:)``).
@frozen @safe
public struct Column<Element: ColumnElement>: @unchecked Sendable {
    // Unchecked, but proved: it points into immutable bytes (see ByteStorage) and has no state.
    @usableFromInline let base: UnsafePointer<Element>?
    /// How many elements the column has.
    public let count: Int

    /// Creates an empty column.
    @inlinable
    public init() {
        unsafe base = nil
        count = 0
    }

    /// A column over `count` elements at `base`, which must outlive it and be aligned.
    @inlinable
    public init(base: UnsafePointer<Element>, count: Int) {
        unsafe self.base = unsafe base
        self.count = count
    }

    /// The element at an index, or zero outside the column.
    @inlinable @inline(__always)
    public subscript(index: Int) -> Element {
        guard index >= 0, index < count, let base = unsafe base else { return Element.zero }
        return unsafe base[index]
    }

    /// The indices of the column.
    @inlinable
    public var indices: Range<Int> { 0..<count }

    /// A copy of the elements, for tests and importers.
    public var array: [Element] {
        indices.map { self[$0] }
    }
}

extension Column where Element == UInt32 {
    /// The element as an index that is safe to use below `bound`: a damaged value reads as 0.
    ///
    /// - Parameters:
    ///   - position: where in the column to read.
    ///   - bound: the number of things the index chooses from; at least 1.
    /// - Returns: an index in `0..<bound`.
    @inlinable @inline(__always)
    public func index(_ position: Int, below bound: Int) -> Int {
        let value = self[position]
        return value < UInt32(truncatingIfNeeded: bound) ? Int(truncatingIfNeeded: value) : 0
    }

    /// The half-open range from this column's element at `position` to the next one, cut to
    /// `0..<limit`; empty if the two are out of order.
    ///
    /// For columns of offsets, which have one element more than there are ranges.
    @inlinable @inline(__always)
    public func range(_ position: Int, limit: Int) -> Range<Int> {
        let ceiling = UInt32(truncatingIfNeeded: limit)
        let lower = min(self[position], ceiling)
        let upper = min(self[position &+ 1], ceiling)
        guard lower < upper else { return 0..<0 }
        return unsafe Range(
            uncheckedBounds: (Int(truncatingIfNeeded: lower), Int(truncatingIfNeeded: upper))
        )
    }
}
