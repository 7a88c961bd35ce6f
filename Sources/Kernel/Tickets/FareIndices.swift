public import Columns

/// A fare of version 1, or a fare product of version 2, by its row.
@frozen
public struct FareProductIndex: RowIndex {
    /// The row of the `fares.product` columns.
    public let rawValue: UInt32

    /// The index of a row.
    @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// A currency of a city's fares, by its row.
@frozen
public struct FareCurrencyIndex: RowIndex {
    /// The row of the `fares.currency` columns.
    public let rawValue: UInt32

    /// The index of a row.
    @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// A rider category of a feed, such as children, by its row.
@frozen
public struct RiderCategoryIndex: RowIndex {
    /// The row of the `fares.category` columns.
    public let rawValue: UInt32

    /// The index of a row.
    @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }
}
