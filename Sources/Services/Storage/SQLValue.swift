/// A value in a column or bound to a statement.
///
/// There are no fractions: times are milliseconds, money minor units, places 1e-7 degrees.
package enum SQLValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case text(String)
    case bytes([UInt8])

    /// What kind of value it is, for messages.
    var kind: String {
        switch self {
        case .null: "null"
        case .integer: "integer"
        case .text: "text"
        case .bytes: "bytes"
        }
    }
}

/// What can be bound to a statement and read from a row.
package protocol SQLConvertible: Sendable {
    /// The value that is stored.
    var sqlValue: SQLValue { get }

    /// Reads a stored value; nil where it is of another kind or too large.
    init?(sqlValue: SQLValue)
}

extension SQLValue: SQLConvertible {
    /// Itself.
    package var sqlValue: SQLValue { self }

    /// Any value.
    package init?(sqlValue: SQLValue) { self = sqlValue }
}

extension Int64: SQLConvertible {
    /// An integer.
    package var sqlValue: SQLValue { .integer(self) }

    /// An integer.
    package init?(sqlValue: SQLValue) {
        guard case .integer(let number) = sqlValue else { return nil }
        self = number
    }
}

extension Int: SQLConvertible {
    /// An integer.
    package var sqlValue: SQLValue { .integer(Int64(self)) }

    /// An integer that fits.
    package init?(sqlValue: SQLValue) {
        guard case .integer(let number) = sqlValue else { return nil }
        self.init(exactly: number)
    }
}

extension Int32: SQLConvertible {
    /// An integer.
    package var sqlValue: SQLValue { .integer(Int64(self)) }

    /// An integer that fits.
    package init?(sqlValue: SQLValue) {
        guard case .integer(let number) = sqlValue else { return nil }
        self.init(exactly: number)
    }
}

extension Bool: SQLConvertible {
    /// One for true, zero for false.
    package var sqlValue: SQLValue { .integer(self ? 1 : 0) }

    /// One or zero.
    package init?(sqlValue: SQLValue) {
        switch sqlValue {
        case .integer(0): self = false
        case .integer(1): self = true
        default: return nil
        }
    }
}

extension String: SQLConvertible {
    /// A text.
    package var sqlValue: SQLValue { .text(self) }

    /// A text.
    package init?(sqlValue: SQLValue) {
        guard case .text(let text) = sqlValue else { return nil }
        self = text
    }
}

extension [UInt8]: SQLConvertible {
    /// A byte string.
    package var sqlValue: SQLValue { .bytes(self) }

    /// A byte string.
    package init?(sqlValue: SQLValue) {
        guard case .bytes(let bytes) = sqlValue else { return nil }
        self = bytes
    }
}

extension Optional: SQLConvertible where Wrapped: SQLConvertible {
    /// Null for nil.
    package var sqlValue: SQLValue { self?.sqlValue ?? .null }

    /// Nil for null.
    package init?(sqlValue: SQLValue) {
        if case .null = sqlValue {
            self = Self.none
        } else {
            guard let wrapped = Wrapped(sqlValue: sqlValue) else { return nil }
            self = wrapped
        }
    }
}
