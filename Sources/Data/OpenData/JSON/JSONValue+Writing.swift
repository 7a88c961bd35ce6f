import Encoding

extension JSONValue {
    /// The value as JSON on one line: the same value always gives the same text.
    ///
    /// Infinite numbers and NaN, which JSON cannot represent, are written as `null`.
    package var json: String {
        var text = ""
        write(to: &text)
        return text
    }

    private func write(to text: inout String) {
        switch self {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .integer(let value): text += String(value)
        case .number(let value): text += value.isFinite ? String(value) : "null"
        case .text(let value): text += JSONString.quoted(value)
        case .list(let values):
            text += "["
            for (index, value) in values.enumerated() {
                if index > 0 { text += "," }
                value.write(to: &text)
            }
            text += "]"
        case .object(let object):
            text += "{"
            for (index, member) in object.members.enumerated() {
                if index > 0 { text += "," }
                text += JSONString.quoted(member.name)
                text += ":"
                member.value.write(to: &text)
            }
            text += "}"
        }
    }
}
