/// The number of a row in a table of columns.
///
/// Each table has an index type of its own, so that a row of one table cannot be looked up in
/// another.
public protocol RowIndex: RawRepresentable, Hashable, Strideable, ColumnElement
where RawValue == UInt32, Stride == Int {
    /// The index of a row.
    init(rawValue: UInt32)
}

extension RowIndex {
    /// The first row: what a damaged index reads as.
    @inlinable public static var zero: Self { Self(rawValue: 0) }

    /// The index of a row that is known to exist.
    @inlinable @inline(__always)
    public init(row: Int) { self.init(rawValue: UInt32(truncatingIfNeeded: row)) }

    /// The row as an offset into memory; never negative, also where `Int` has 32 bits and the file
    /// is damaged.
    @inlinable @inline(__always)
    public var row: Int { Int(clamping: rawValue) }

    /// How many rows the other index is further on.
    @inlinable
    public func distance(to other: Self) -> Int { other.row &- row }

    /// The index a number of rows further on, at most the greatest one.
    @inlinable
    public func advanced(by distance: Int) -> Self {
        Self(rawValue: UInt32(clamping: row &+ distance))
    }

    /// Whether one row comes before another.
    @inlinable
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// A column that is read by the index of its table.
@frozen
public struct IndexedColumn<Index: RowIndex, Element: ColumnElement>: Sendable {
    @usableFromInline let column: Column<Element>

    /// The same column, read by an index.
    @inlinable
    public init(_ column: Column<Element>) { self.column = column }

    /// The element in a row, or zero outside the column.
    @inlinable @inline(__always)
    public subscript(index: Index) -> Element { column[index.row] }

    /// How many rows there are.
    @inlinable public var count: Int { column.count }

    /// The indices of all rows.
    @inlinable public var indices: Range<Index> { Index(row: 0)..<Index(row: count) }
}

extension IndexedColumn where Element: RowIndex {
    /// The element as a row that exists: a damaged value reads as the first row.
    ///
    /// - Parameters:
    ///   - index: where in the column to read.
    ///   - bound: how many rows the element's table has; at least 1.
    /// - Returns: a row below `bound`.
    @inlinable @inline(__always)
    public func index(_ index: Index, below bound: Int) -> Element {
        let element = self[index]
        return element.row < bound ? element : .zero
    }
}

/// For each row of one table the rows of another that belong to it.
@frozen
public struct RowRanges<Owner: RowIndex, Member: RowIndex>: Sendable {
    @usableFromInline let offsets: Column<UInt32>
    @usableFromInline let memberCount: Int

    /// The ranges between neighbouring offsets.
    ///
    /// - Parameters:
    ///   - offsets: where the members of each owner begin; one more than owners.
    ///   - memberCount: how many members there are; ranges are cut to it.
    @inlinable
    public init(_ offsets: Column<UInt32>, memberCount: Int) {
        self.offsets = offsets
        self.memberCount = memberCount
    }

    /// The members of an owner; none if the offsets are out of order.
    @inlinable @inline(__always)
    public subscript(owner: Owner) -> Range<Member> {
        let range = offsets.range(owner.row, limit: memberCount)
        return Member(row: range.lowerBound)..<Member(row: range.upperBound)
    }

    /// Whether the file has the offsets, even if for no owners.
    @inlinable public var hasOffsets: Bool { offsets.count > 0 }

    /// How many owners there are.
    @inlinable public var count: Int { max(0, offsets.count - 1) }

    /// The indices of all owners.
    @inlinable public var indices: Range<Owner> { Owner(row: 0)..<Owner(row: count) }
}

extension SectionFile {
    /// The column stored under a name, read by an index; empty if there is none or its elements
    /// are of another width.
    public func column<Index: RowIndex, Element: ColumnElement>(
        _ name: String
    ) -> IndexedColumn<Index, Element> {
        IndexedColumn(column(name, of: Element.self))
    }
}
