import OpenData
import WebCore

extension InputField {
    /// The field as JSON Schema (draft 2020-12).
    var schema: JSONValue {
        kind.schema(meaning)
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
    /// The values as JSON Schema, with what the field means.
    fileprivate func schema(_ meaning: String) -> JSONValue {
        let members = members + [JSONObject.Member("description", .text(meaning))]
        return .object(JSONObject(members))
    }

    private var members: [JSONObject.Member] {
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
        }
    }
}
