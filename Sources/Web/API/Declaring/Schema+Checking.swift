package import OpenData

extension Schema {
    /// What is wrong with a value; nil if it has this shape.
    ///
    /// Debug builds check each answer, and tests call every operation.
    package func problem(in value: JSONValue, at path: String = "") -> String? {
        func wrong(_ wanted: String) -> String { "\(path): \(wanted) is wanted" }
        switch self {
        case .optional(let schema):
            return value == .null ? nil : schema.problem(in: value, at: path)
        case .text: return value.text == nil ? wrong("a text") : nil
        case .integer:
            if case .integer = value { return nil }
            return wrong("a whole number")
        case .number: return value.double == nil ? wrong("a number") : nil
        case .boolean:
            if case .bool = value { return nil }
            return wrong("true or false")
        case .moment:
            let form = /[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(Z|[+\-][0-9:]{5})/
            return value.text?.wholeMatch(of: form) == nil ? wrong("a moment") : nil
        case .day:
            return value.text?.wholeMatch(of: /[0-9]{4}-[0-9]{2}-[0-9]{2}/) == nil
                ? wrong("a day") : nil
        case .choice(let choices):
            return choices.contains(value.text ?? "") ? nil : wrong("one of \(choices)")
        case .anything: return value.object == nil ? wrong("an object") : nil
        case .list(let schema):
            guard let list = value.list else { return wrong("a list") }
            for (number, item) in list.enumerated() {
                if let problem = schema.problem(in: item, at: "\(path)[\(number)]") {
                    return problem
                }
            }
            return nil
        case .object(let members), .named(_, let members):
            guard let object = value.object else { return wrong("an object") }
            for member in members {
                let place = "\(path).\(member.name)"
                guard let found = object[member.name] else {
                    if member.mayLack { continue }
                    return "\(place) is missing"
                }
                if let problem = member.schema.problem(in: found, at: place) { return problem }
            }
            let known = Set(members.map(\.name))
            return object.members.first { !known.contains($0.name) }
                .map { "\(path).\($0.name) is not declared" }
        }
    }
}
