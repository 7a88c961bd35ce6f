import OpenData
import WebCore

extension InputField {
    /// The field as JSON Schema (draft 2020-12).
    var schema: JSONValue {
        var schema = kind.members
        // An empty value says that a field is not filled in.
        if isRequired, let name = kind.leastName { schema.append(.init(name, 1)) }
        schema.append(.init("description", .text(meaning)))
        return .object(JSONObject(schema))
    }

    /// A value that the field may have, for examples.
    var example: JSONValue {
        switch name {
        case "from": "45.4641,9.1919"
        case "to": "45.4840,9.2040"
        case "contact": "+39 333 1234567"
        case "latitude": .number(45.4641)
        case "longitude": .number(9.1919)
        case "date", "first", "last": "2026-05-31"
        case "text": "Via Padova"
        default: kind.example
        }
    }
}

extension InputField.Kind {
    /// The term of JSON Schema for the least length of a value that is not empty; nil for kinds
    /// that include no empty value.
    fileprivate var leastName: String? {
        switch self {
        case .text, .opaque, .secret: "minLength"
        case .several: "minItems"
        default: nil
        }
    }

    /// An object with these members, and no others.
    static func members(of fields: [InputField]) -> [JSONObject.Member] {
        let required = fields.filter(\.isRequired).map { JSONValue.text($0.name) }
        var members: [JSONObject.Member] = [.init("type", "object")]
        if !required.isEmpty { members.append(.init("required", .list(required))) }
        let properties = fields.map { JSONObject.Member($0.name, $0.schema) }
        members.append(.init("properties", .object(JSONObject(properties))))
        members.append(.init("additionalProperties", false))
        return members
    }

    fileprivate var members: [JSONObject.Member] {
        func member(_ name: String, _ value: JSONValue) -> JSONObject.Member { .init(name, value) }
        func type(_ name: String) -> JSONObject.Member { member("type", .text(name)) }
        switch self {
        case .text(let limit): return [type("string"), member("maxLength", JSONValue(limit))]
        case .number(let range):
            return [
                type("integer"), member("minimum", .integer(range.lowerBound)),
                member("maximum", .integer(range.upperBound)),
            ]
        case .decimal(let range):
            return [
                type("number"), member("minimum", .number(range.lowerBound)),
                member("maximum", .number(range.upperBound)),
            ]
        case .choice(let values) where values == ["true", "false"]: return [type("boolean")]
        case .choice(let values):
            return [type("string"), member("enum", .list(values.map { .text($0) }))]
        case .flag(let value): return [type("string"), member("const", .text(value))]
        case .date: return [type("string"), member("format", "date")]
        case .time:
            return [type("string"), member("pattern", "^([01][0-9]|2[0-3]):[0-5][0-9]$")]
        case .opaque(let limit), .secret(let limit):
            return [type("string"), member("maxLength", JSONValue(limit))]
        case .file: return [type("string"), member("contentMediaType", "application/octet-stream")]
        case .several(let kind, let most):
            return [
                type("array"), member("maxItems", JSONValue(most)),
                member("items", .object(JSONObject(kind.members))),
            ]
        case .record(let fields): return Self.members(of: fields)
        }
    }

    fileprivate var example: JSONValue {
        switch self {
        case .text, .opaque, .secret, .file: "text"
        case .number(let range): .integer(max(range.lowerBound, min(range.upperBound, 1)))
        case .decimal(let range): .number(range.lowerBound)
        case .choice(let values) where values == ["true", "false"]: true
        case .choice(let values): .text(values.first ?? "")
        case .flag(let value): .text(value)
        case .date: "2026-05-31"
        case .time: "17:05"
        case .several(let kind, _): .list([kind.example])
        case .record(let fields):
            .object(
                JSONObject(fields.filter(\.isRequired).map { .init($0.name, $0.example) })
            )
        }
    }
}
