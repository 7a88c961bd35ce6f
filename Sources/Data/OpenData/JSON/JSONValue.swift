/// A value of JSON (RFC 8259).
package enum JSONValue: Hashable, Sendable {
    /// The JSON literal `null`.
    case null
    /// The JSON `true` or `false`.
    case bool(Bool)
    /// A number written without fraction and exponent that fits.
    case integer(Int64)
    /// Any other number; always finite.
    case number(Double)
    /// A JSON string, unescaped.
    case text(String)
    /// A JSON array of values.
    case list([JSONValue])
    /// A JSON object with its members.
    case object(JSONObject)

    /// The numeric value; nil if the value is not a number.
    package var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    /// The string; nil if the value is not one.
    package var text: String? {
        if case .text(let value) = self { value } else { nil }
    }

    /// The array; nil if the value is not one.
    package var list: [JSONValue]? {
        if case .list(let value) = self { value } else { nil }
    }

    /// The object; nil if the value is not one.
    package var object: JSONObject? {
        if case .object(let value) = self { value } else { nil }
    }
}

/// The members of a JSON object, in document order.
package struct JSONObject: Hashable, Sendable {
    /// One name with its value.
    package struct Member: Hashable, Sendable {
        /// The name of the member.
        package let name: String
        /// The value of the member.
        package let value: JSONValue

        /// Creates a member of an object.
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

    /// The value of a member; nil if there is none of that name.
    ///
    /// - Complexity: O(n) for n members.
    package subscript(name: String) -> JSONValue? {
        members.last { $0.name == name }?.value
    }
}
