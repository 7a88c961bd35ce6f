/// An input field of an operation: where it is sent, which values it may have and what it means.
///
/// The responder hands on declared fields only: a handler that reads another one gets nothing, and
/// traps in debug builds.
package struct InputField: Hashable, Sendable {
    /// The part of the request that contains the field.
    package enum Place: Hashable, Sendable {
        case path
        case query
        case form
        /// The whole body, as JSON.
        case body
    }

    /// What happens to a value outside the declaration.
    package enum Refusal: Hashable, Sendable {
        /// The responder refuses the request, and nothing is done.
        ///
        /// For values that the page fills in: hidden fields, choices and links.
        case refused
        /// The responder leaves the value out, as if it had not been sent.
        case ignored
        /// The handler explains what is wrong, beside the field of the form.
        ///
        /// The responder only refuses a value that is far too long.
        case explained
    }

    /// The name of the field; a final `*` stands for any ending.
    package let name: String
    /// The part of the request that contains the field.
    package private(set) var place: Place
    /// The values that the field may have.
    package let kind: Kind
    /// What the field means, in one sentence for developers.
    package let meaning: String
    /// Whether the responder refuses a request without the field.
    package private(set) var isRequired = false
    /// What happens to a value outside the declaration.
    package private(set) var refusal: Refusal

    private init(
        _ name: String,
        _ place: Place,
        _ kind: Kind,
        _ meaning: String,
        _ refusal: Refusal
    ) {
        precondition(!name.isEmpty && !meaning.isEmpty, "a field has a name and a meaning")
        self.name = name
        self.place = place
        self.kind = kind
        self.meaning = meaning
        self.refusal = refusal
    }

    /// A segment of the path; for another value, the page does not exist.
    package static func path(_ name: String, _ kind: Kind, _ meaning: String) -> InputField {
        InputField(name, .path, kind, meaning, .refused).required
    }

    /// A parameter of the address; another value counts as none.
    package static func query(_ name: String, _ kind: Kind, _ meaning: String) -> InputField {
        InputField(name, .query, kind, meaning, .ignored)
    }

    /// A field in which a person types; the handler explains what is wrong with it.
    package static func typed(_ name: String, _ kind: Kind, _ meaning: String) -> InputField {
        InputField(name, .form, kind, meaning, .explained)
    }

    /// A field that the page fills in or offers as a choice; another value is refused.
    package static func set(_ name: String, _ kind: Kind, _ meaning: String) -> InputField {
        InputField(name, .form, kind, meaning, .refused)
    }

    /// A body of JSON with a maximum size in bytes, which the handler reads.
    package static func body(_ limit: Int, _ meaning: String) -> InputField {
        InputField("body", .body, .opaque(limit), meaning, .explained)
    }

    /// The name of the notice that a page shows after an action.
    package static let notice = query("notice", .text(40), "The action whose result is shown.")

    /// A copy of the field without which the responder refuses the request.
    package var required: InputField {
        var field = self
        field.isRequired = true
        return field
    }

    /// A copy of the field whose handler explains values outside the declaration.
    package var explained: InputField {
        var field = self
        field.refusal = .explained
        return field
    }

    /// A copy of the field that the responder leaves out if its value is outside the declaration.
    package var ignored: InputField {
        var field = self
        field.refusal = .ignored
        return field
    }

    /// A copy of the field that is sent as a parameter of the address.
    package var inQuery: InputField {
        var field = self
        field.place = .query
        return field
    }

    /// Whether the declaration is about a field of this name.
    package func covers(_ name: String) -> Bool {
        self.name.hasSuffix("*") ? name.hasPrefix(self.name.dropLast()) : name == self.name
    }

    /// What is wrong with a submitted value; nil if it is one of those declared.
    ///
    /// An empty value of an optional field says that the field is not filled in.
    package func problem(in value: String) -> Problem? {
        value.isEmpty && !isRequired ? nil : kind.problem(in: value)
    }

    /// Whether a value is too long even for an explanation.
    func isFarTooLong(_ value: String) -> Bool {
        value.utf8.count > max(8 * kind.longestBytes, 16_384)
    }
}
