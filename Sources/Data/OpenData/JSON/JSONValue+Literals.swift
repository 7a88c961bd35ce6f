extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Creates a string.
    package init(stringLiteral text: String) { self = .text(text) }

    /// Creates `true` or `false`.
    package init(booleanLiteral value: Bool) { self = .bool(value) }

    /// Creates a whole number.
    package init(integerLiteral value: Int64) { self = .integer(value) }

    /// Creates an array.
    package init(arrayLiteral values: JSONValue...) { self = .list(values) }

    /// Creates an object with its members in this order.
    package init(dictionaryLiteral members: (String, JSONValue)...) {
        self = .object(JSONObject(members.map { JSONObject.Member($0.0, $0.1) }))
    }
}

extension JSONValue {
    /// An optional string; `null` if there is none.
    package init(_ text: String?) { self = text.map { .text($0) } ?? .null }

    /// An optional whole number; `null` if there is none.
    package init(_ number: (some BinaryInteger)?) {
        self = number.map { .integer(Int64(clamping: $0)) } ?? .null
    }

    /// An optional number; `null` if there is none.
    package init(_ number: Double?) { self = number.map { .number($0) } ?? .null }

    /// An optional truth value; `null` if it is unknown.
    package init(_ isTrue: Bool?) { self = isTrue.map { .bool($0) } ?? .null }

    /// The value of a member of an object; nil if there is none.
    package subscript(name: String) -> JSONValue? { object?[name] }
}
