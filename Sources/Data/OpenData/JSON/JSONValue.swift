/// A value of JSON (RFC 8259).
package enum JSONValue: Hashable, Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number written without fraction and exponent that fits.
    case integer(Int64)
    /// Any other number; always finite.
    case number(Double)
    /// A string.
    case text(String)
    /// An array.
    case list([JSONValue])
    /// An object.
    case object(JSONObject)

    /// The number, however it was written; nil where it is none.
    package var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    /// The string; nil where it is none.
    package var text: String? {
        if case .text(let value) = self { value } else { nil }
    }

    /// The array; nil where it is none.
    package var list: [JSONValue]? {
        if case .list(let value) = self { value } else { nil }
    }

    /// The object; nil where it is none.
    package var object: JSONObject? {
        if case .object(let value) = self { value } else { nil }
    }
}

/// The members of a JSON object, in the order in which they stand.
package struct JSONObject: Hashable, Sendable {
    /// One name with its value.
    package struct Member: Hashable, Sendable {
        /// The name.
        package let name: String
        /// The value.
        package let value: JSONValue

        /// A name with its value.
        package init(_ name: String, _ value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// The members; names may repeat, and the last one counts.
    package var members: [Member]

    /// An object from its members.
    package init(_ members: [Member] = []) {
        self.members = members
    }

    /// The value of a name; nil where there is none.
    ///
    /// - Complexity: O(n) for n members.
    package subscript(name: String) -> JSONValue? {
        members.last { $0.name == name }?.value
    }
}
