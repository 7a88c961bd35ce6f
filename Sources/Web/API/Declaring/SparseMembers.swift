import Encoding
import OpenData
import WebCore

/// The members of an answer among which a program chooses: those of the answer, or of the items of
/// a list, whose cursor stays.
struct SparseMembers: Sendable {
    /// The type of a part of an answer, which has another form than the whole.
    static let mediaType = "application/vnd.viavai.part+json"

    /// The field that names the wanted members.
    static let field = InputField.query(
        "fields",
        .several(.text(400), 40),
        "The members of the answer, or of a list's items, that are wanted: a,b. All by default."
    )

    /// The names of the members, in the order of the answer; none of an answer that has no parts.
    let names: [String]
    /// Whether they are members of the items of a list.
    let areOfItems: Bool

    private init(_ names: [String], areOfItems: Bool) {
        self.names = names
        self.areOfItems = areOfItems
    }

    /// All members of an answer.
    init(of schema: Schema) {
        let members = schema.members
        // A collection of GeoJSON is none without its features.
        guard !members.contains(where: { $0.name == "features" }) else {
            self.init([], areOfItems: false)
            return
        }
        if case .list(let item)? = members.first(where: { $0.name == "items" })?.schema {
            self.init(item.members.map(\.name), areOfItems: true)
        } else {
            self.init(members.map(\.name), areOfItems: false)
        }
    }

    /// The members that a request names.
    ///
    /// - Parameter text: the names with commas between them.
    /// - Returns: the members.
    /// - Throws: ``ProgramRefusal`` that names those that the answer does not have.
    func chosen(_ text: String) throws(ProgramRefusal) -> SparseMembers {
        let wanted = text.split(separator: ",").map { $0.trimmingBlanks() }
        let unknown = wanted.filter { !names.contains($0) }
        guard unknown.isEmpty, !wanted.isEmpty else {
            let wrong =
                wanted.isEmpty
                ? "It names no member." : "The answer has no \(unknown.joined(separator: ", "))."
            let detail = "\(wrong) It has \(names.joined(separator: ", "))."
            throw .field(Self.field.name, "unknown", detail)
        }
        return SparseMembers(wanted, areOfItems: areOfItems)
    }

    /// The part of an answer that these members are.
    func part(of answer: JSONValue) -> JSONValue {
        guard areOfItems else { return chosen(from: answer) }
        guard var object = answer.object else { return answer }
        object.members = object.members.map { member in
            guard member.name == "items", let items = member.value.list else { return member }
            return .init(member.name, .list(items.map(chosen)))
        }
        return .object(object)
    }

    private func chosen(from value: JSONValue) -> JSONValue {
        guard var object = value.object else { return value }
        object.members.removeAll { !names.contains($0.name) }
        return .object(object)
    }
}

extension Schema {
    /// The members of an object; none of anything else.
    fileprivate var members: [Member] {
        switch self {
        case .object(let members), .named(_, let members): members
        default: []
        }
    }
}
