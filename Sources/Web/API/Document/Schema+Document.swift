import OpenData

extension Schema {
    /// A failure (RFC 9457).
    static let problem = Schema.named(
        "Problem",
        [
            Member("type", .text, "Identifies the kind of failure: `/problems/NAME`."),
            Member("title", .text, "What happened."),
            Member("status", .integer, "The HTTP status."),
            Member("detail", .text, "What to do about it."),
            Member(
                "errors",
                .list(
                    .object([
                        Member("field", .text, "The name of the field."),
                        Member("problem", .text, "What is wrong, for programs."),
                        Member("detail", .text, "What is wrong, for developers."),
                    ])
                ),
                "The fields that are wrong.",
                mayLack: true
            ),
        ]
    )

    /// The schema, or the reference to it among the components.
    var reference: JSONValue {
        if case .named(let name, _) = self {
            return ["$ref": .text("#/components/schemas/\(name)")]
        }
        return definition
    }

    /// The schema in the terms of JSON Schema (draft 2020-12).
    var definition: JSONValue {
        switch self {
        case .text: ["type": "string"]
        case .integer: ["type": "integer"]
        case .number: ["type": "number"]
        case .boolean: ["type": "boolean"]
        case .moment: ["type": "string", "format": "date-time"]
        case .day: ["type": "string", "format": "date"]
        case .choice(let values):
            ["type": "string", "enum": .list(values.map { .text($0) })]
        case .list(let schema): ["type": "array", "items": schema.reference]
        case .anything(let meaning): ["type": "object", "description": .text(meaning)]
        case .optional(let schema): ["anyOf": [schema.reference, ["type": "null"]]]
        case .object(let members), .named(_, let members): Self.object(members)
        }
    }

    private static func object(_ members: [Member]) -> JSONValue {
        let properties = members.map { member -> JSONObject.Member in
            var schema = member.schema.reference
            // Not every tool reads what stands beside a reference.
            if schema.object?["$ref"] != nil { schema = ["allOf": [schema]] }
            return .init(member.name, schema.described(member.meaning))
        }
        return [
            "type": "object",
            "required": .list(members.filter { !$0.mayLack }.map { .text($0.name) }),
            "properties": .object(JSONObject(properties)), "additionalProperties": false,
        ]
    }

    /// Collects the schemas that have names, by name.
    func collect(into found: inout [String: Schema]) {
        switch self {
        case .text, .integer, .number, .boolean, .moment, .day, .choice, .anything: break
        case .list(let schema), .optional(let schema): schema.collect(into: &found)
        case .object(let members): for member in members { member.schema.collect(into: &found) }
        case .named(let name, let members):
            precondition(found[name] == nil || found[name] == self, "two schemas are \(name)")
            guard found[name] == nil else { return }
            found[name] = self
            for member in members { member.schema.collect(into: &found) }
        }
    }
}

extension JSONValue {
    /// A schema with what it means; anything but an object stays as it is.
    func described(_ meaning: String) -> JSONValue {
        guard var object else { return self }
        object.members.removeAll { $0.name == "description" }
        object.members.append(.init("description", .text(meaning)))
        return .object(object)
    }
}
