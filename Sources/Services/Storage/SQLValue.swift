/// A value in a column or bound to a statement.
///
/// There are no fractions: times are in milliseconds, money in minor units,
/// coordinates in 1e-7 degrees.
package enum SQLValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case text(String)
    case bytes([UInt8])

    /// The name of the value's type, for error messages.
    var kind: String {
        switch self {
        case .null: "null"
        case .integer: "integer"
        case .text: "text"
        case .bytes: "bytes"
        }
    }
}

/// A type that can be bound to a statement and read from a row.
package protocol SQLConvertible: Sendable {
    /// The stored form of the value.
    var sqlValue: SQLValue { get }

    /// Decodes a stored value; nil if it has another type or is out of range.
    init?(sqlValue: SQLValue)
}

extension SQLValue: SQLConvertible {
    /// The value itself, unconverted.
    package var sqlValue: SQLValue { self }

    /// Accepts a value of any type.
    package init?(sqlValue: SQLValue) { self = sqlValue }
}

extension Int64: SQLConvertible {
    /// The number as an SQL integer.
    package var sqlValue: SQLValue { .integer(self) }

    /// Decodes an SQL integer.
    package init?(sqlValue: SQLValue) {
        guard case .integer(let number) = sqlValue else { return nil }
        self = number
    }
}

extension Int: SQLConvertible {
    /// The number as an SQL integer.
    package var sqlValue: SQLValue { .integer(Int64(self)) }

    /// Decodes an SQL integer within the range of the type.
    package init?(sqlValue: SQLValue) {
        guard case .integer(let number) = sqlValue else { return nil }
        self.init(exactly: number)
    }
}

extension Int32: SQLConvertible {
    /// The number as an SQL integer.
    package var sqlValue: SQLValue { .integer(Int64(self)) }

    /// Decodes an SQL integer within the range of the type.
    package init?(sqlValue: SQLValue) {
        guard case .integer(let number) = sqlValue else { return nil }
        self.init(exactly: number)
    }
}

extension Bool: SQLConvertible {
    /// The integer 1 for true, 0 for false.
    package var sqlValue: SQLValue { .integer(self ? 1 : 0) }

    /// Decodes the integers 1 and 0.
    package init?(sqlValue: SQLValue) {
        switch sqlValue {
        case .integer(0): self = false
        case .integer(1): self = true
        default: return nil
        }
    }
}

extension String: SQLConvertible {
    /// The string as an SQL text.
    package var sqlValue: SQLValue { .text(self) }

    /// Decodes an SQL text.
    package init?(sqlValue: SQLValue) {
        guard case .text(let text) = sqlValue else { return nil }
        self = text
    }
}

extension [UInt8]: SQLConvertible {
    /// The bytes as an SQL byte string.
    package var sqlValue: SQLValue { .bytes(self) }

    /// Decodes an SQL byte string.
    package init?(sqlValue: SQLValue) {
        guard case .bytes(let bytes) = sqlValue else { return nil }
        self = bytes
    }
}

extension Optional: SQLConvertible where Wrapped: SQLConvertible {
    /// The stored form of the value, or null for nil.
    package var sqlValue: SQLValue { self?.sqlValue ?? .null }

    /// Decodes null as nil.
    package init?(sqlValue: SQLValue) {
        if case .null = sqlValue {
            self = Self.none
        } else {
            guard let wrapped = Wrapped(sqlValue: sqlValue) else { return nil }
            self = wrapped
        }
    }
}
