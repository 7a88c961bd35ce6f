import Encoding
import HTTPTypes
import Localization
import Markup
import OpenData
import TaxiPages
import WebCore

/// The form of an operation, made from its declaration: one field for each that it reads.
struct TryForm {
    /// What the names of its fields begin with, so that none is one of the form's own.
    static let prefix = "f."
    /// The longest value of a field, in characters.
    static let longestValue = 4_000

    /// The operation that the form calls.
    let operation: Operation
    /// The values that were sent, in the order of the fields; those of an empty form are none.
    let values: [(field: InputField, value: String)]

    /// Values with which the form begins, by the names of fields.
    private let examples: [String: String]

    /// The form as it is shown first.
    init(_ operation: Operation, examples: [String: String]) {
        self.operation = operation
        self.examples = examples
        values = []
    }

    /// The form as it was sent.
    init(_ operation: Operation, _ form: Form) {
        self.operation = operation
        examples = [:]
        values = operation.route.input.flatMap { field in
            form.all(Self.prefix + field.name).filter { !$0.isEmpty }
                .prefix(field.kind.mostValues).map { (field, $0) }
        }
    }

    private func values(in place: InputField.Place) -> [(field: InputField, value: String)] {
        values.filter { $0.field.place == place }
    }

    // MARK: The request

    /// The values of the path's parameters.
    var parameters: [String: String] {
        Dictionary(values(in: .path).map { ($0.field.name, $0.value) }) { first, _ in first }
    }

    /// What is wrong with the parameters of the path, which are part of the address.
    var pathProblem: InputField? {
        operation.route.fields(in: .path).first { field in
            field.problem(in: parameters[field.name] ?? "") != nil
        }
    }

    /// The path with its parameters.
    var path: String {
        operation.route.path.split(separator: "/").map { part -> String in
            guard part.hasPrefix("{") else { return "/\(part)" }
            let name = String(part.dropFirst().dropLast())
            return "/" + PercentEncoding.encoded(parameters[name] ?? "")
        }.joined()
    }

    /// The query, as it stands in the address.
    var query: String {
        values(in: .query).map { "\($0.field.name)=\(PercentEncoding.encoded($0.value))" }
            .joined(separator: "&")
    }

    /// The body of a POST.
    var body: JSONValue {
        let members = operation.route.fields(in: .form).compactMap { field in
            let own = values.filter { $0.field.name == field.name }.map {
                field.kind.json($0.value)
            }
            if case .several = field.kind {
                return own.isEmpty ? nil : JSONObject.Member(field.name, .list(own))
            }
            return own.first.map { JSONObject.Member(field.name, $0) }
        }
        return .object(JSONObject(members))
    }

    /// The request as one types it on a command line.
    func curl(_ server: String, key: String) -> String {
        var address = server + path.dropFirst()
        if !query.isEmpty { address += "?" + query }
        var lines = [
            "curl \(Self.quoted(address))", "-H \(Self.quoted("Authorization: Bearer \(key)"))",
        ]
        if operation.route.method == .post {
            lines += [
                "-H 'Content-Type: application/json'", "-d \(Self.quoted(body.json))",
            ]
        }
        return lines.joined(separator: " \\\n  ")
    }

    /// A text as one word of a shell's command line.
    private static func quoted(_ text: String) -> String {
        "'" + text.replacing("'", with: "'\\''") + "'"
    }

    // MARK: The page

    /// The fields; what each means is English, as in the document.
    func html(_ context: RequestContext) -> HTML {
        var english = context
        english.language = .english
        let fields = operation.route.input.map { field($0).html(english) }
        return "<div lang=\"en\">\(fields)</div>"
    }

    /// The fields as those of a form, for the summary of what is wrong.
    var fields: [Field] { operation.route.input.map { field($0) } }

    private func field(_ input: InputField) -> Field {
        let own = values.filter { $0.field.name == input.name }.map(\.value)
        var field = Field(
            name: Self.prefix + input.name,
            label: Text(same: input.name),
            kind: input.kind.fieldKind(isRequired: input.isRequired),
            hint: Text(same: input.meaning),
            value: own.joined(separator: ","),
            isRequired: input.isRequired
        )
        if values.isEmpty, input.isRequired || operation.usualFields.contains(input.name) {
            let example = input.example.list?.first ?? input.example
            field.value = examples[input.name] ?? example.plain
        }
        return field
    }
}

extension InputField.Kind {
    /// The field with which a person gives such a value.
    fileprivate func fieldKind(isRequired: Bool) -> Field.Kind {
        switch self {
        case .choice(let values):
            let none = isRequired || values.contains("") ? [] : [("", Text(same: "–"))]
            return .choice(none + values.map { ($0, Text(same: $0)) })
        case .several(.choice(let values), _):
            return .several(values.map { ($0, Text(same: $0)) })
        case .date: return .date
        case .time: return .time
        case .number: return .number
        case .text(let limit) where limit > 500: return .longText
        case .several(.record, _), .record: return .longText
        case .text, .decimal, .flag, .opaque, .secret, .file, .several: return .text
        }
    }

    /// A value of the kind in a JSON object; one that is not of the kind stays a text, which the
    /// operation refuses.
    fileprivate func json(_ value: String) -> JSONValue {
        switch self {
        case .number: Int64(value).map { .integer($0) } ?? .text(value)
        case .decimal: Double(value).flatMap { $0.isFinite ? .number($0) : nil } ?? .text(value)
        case .choice(["true", "false"]):
            value == "true" ? true : value == "false" ? false : .text(value)
        case .several(let kind, _): kind.json(value)
        case .record: (try? JSONValue(parsing: Array(value.utf8))) ?? .text(value)
        case .text, .choice, .flag, .date, .time, .opaque, .secret, .file: .text(value)
        }
    }
}

extension JSONValue {
    /// The value as a person types it.
    var plain: String { text ?? json }

    /// The value as JSON on several lines, indented by two blanks.
    func indented(by depth: Int = 0) -> String {
        let inner = String(repeating: " ", count: 2 * depth + 2)
        let end = "\n" + String(repeating: " ", count: 2 * depth)
        switch self {
        case .list(let values) where !values.isEmpty:
            let lines = values.map { inner + $0.indented(by: depth + 1) }
            return "[\n" + lines.joined(separator: ",\n") + end + "]"
        case .object(let object) where !object.members.isEmpty:
            let lines = object.members.map { member in
                inner + JSONValue.text(member.name).json + ": "
                    + member.value.indented(by: depth + 1)
            }
            return "{\n" + lines.joined(separator: ",\n") + end + "}"
        default: return json
        }
    }
}
