package import HTTPTypes
package import Identity
import Localization
package import OpenData

/// Why a program's request is refused, as a problem (RFC 9457) that names the fields.
package struct ProgramRefusal: Error, Hashable, Sendable {
    /// What is wrong with a field.
    package struct Field: Hashable, Sendable {
        /// The name of the field.
        package let name: String
        /// What is wrong, for programs.
        package let problem: String
        /// What is wrong, for developers.
        package let detail: String

        /// Creates a problem of a field.
        package init(_ name: String, _ problem: String, _ detail: String) {
            self.name = name
            self.problem = problem
            self.detail = detail
        }
    }

    /// The identifier for programs: the last part of the problem's type.
    package let name: String
    /// The HTTP status of the response.
    package let status: HTTPResponse.Status
    /// What is wrong, in one sentence for developers.
    package let title: String
    /// What to do about it.
    package let detail: String
    /// The fields that are wrong.
    package let fields: [Field]
    /// The value of the header `WWW-Authenticate`; nil if a key does not help.
    let challenge: String?

    /// Creates a refusal.
    package init(
        _ name: String,
        _ status: HTTPResponse.Status,
        _ title: String,
        _ detail: String,
        fields: [Field] = []
    ) {
        self.init(name, status, title, detail, fields: fields, challenge: nil)
    }

    private init(
        _ name: String,
        _ status: HTTPResponse.Status,
        _ title: String,
        _ detail: String,
        fields: [Field] = [],
        challenge: String?
    ) {
        self.name = name
        self.status = status
        self.title = title
        self.detail = detail
        self.fields = fields
        self.challenge = challenge
    }
}

extension ProgramRefusal {
    /// The request has no key.
    static let noKey = ProgramRefusal(
        "key-missing",
        .unauthorized,
        "The request has no key",
        "Send the application's key in the header: Authorization: Bearer KEY.",
        challenge: "Bearer realm=\"viavai\""
    )

    /// The key was never issued, was replaced, or is revoked.
    static let wrongKey = ProgramRefusal(
        "key-invalid",
        .unauthorized,
        "The key is not valid",
        "It was never issued, was replaced, or is revoked. Ask the city's office for a new one.",
        challenge: "Bearer realm=\"viavai\", error=\"invalid_token\""
    )

    /// The key is none of the sandbox as it is open now.
    package static let wrongSandboxKey = ProgramRefusal(
        "key-invalid",
        .unauthorized,
        "The sandbox does not know the key",
        "It was never issued, or its sandbox has ended. Get a new one on the page /developers.",
        challenge: "Bearer realm=\"viavai\", error=\"invalid_token\""
    )

    /// The token was never issued, has expired or was taken back.
    static let wrongToken = ProgramRefusal(
        "token-invalid",
        .unauthorized,
        "The token is not valid",
        "It was never issued, has expired, or the person took it back. Get a new one.",
        challenge: "Bearer realm=\"viavai\", error=\"invalid_token\""
    )

    /// An application on its own asks for what belongs to a person.
    static let noPerson = ProgramRefusal(
        "person-missing",
        .forbidden,
        "This belongs to a person",
        "Send a token of the person who lets your application do it."
    )

    /// An application asks on behalf of a person for what is the application's own.
    static let notForPeople = ProgramRefusal(
        "not-for-people",
        .forbidden,
        "People cannot let an application do this",
        "Send the application's key, or a token of its own."
    )

    /// The application lacks the permissions of the operation, of which it needs one.
    package static func noScope(of scopes: Set<Scope>) -> ProgramRefusal {
        let names = scopes.sorted().map(\.rawValue)
        return ProgramRefusal(
            "scope-missing",
            .forbidden,
            "The application may not do this",
            "It needs the permission \(names.joined(separator: " or ")), which the city's office "
                + "gives and, for what belongs to a person, the person.",
            challenge: "Bearer realm=\"viavai\", error=\"insufficient_scope\", "
                + "scope=\"\(names.joined(separator: " "))\""
        )
    }

    /// The body is neither a form nor a JSON object of simple values.
    static let noObject = ProgramRefusal(
        "body-malformed",
        .badRequest,
        "The body cannot be read",
        "Send a JSON object whose members are texts, numbers, truth values or lists of these."
    )

    /// The idempotency key was used for another request.
    static let otherRequest = ProgramRefusal(
        "idempotency-key-used",
        .conflict,
        "The idempotency key belongs to another request",
        "Use a new key for each request, and the same key only to repeat one.",
        fields: [Field("Idempotency-Key", "used", "The key was sent with other fields before.")]
    )

    /// What the request would change is no longer what the program read (RFC 9110, 13.1.1).
    package static let preconditionFailed = ProgramRefusal(
        "precondition-failed",
        .preconditionFailed,
        "It has changed since you read it",
        "Read it again, and send the new ETag as If-Match.",
        fields: [Field("If-Match", "changed", "The content has another tag now.")]
    )

    /// The refusal that says what a failure says, in English.
    package init(_ failure: Failure) {
        self.init(
            failure.name,
            failure.status,
            failure.title.in(.english),
            failure.advice.in(.english)
        )
    }

    /// Fields are missing, unknown or have values outside the declaration.
    package static func fields(_ fields: [Field]) -> ProgramRefusal {
        ProgramRefusal(
            "fields-invalid",
            .unprocessableContent,
            "A field is missing or wrong",
            fields.map { "\($0.name): \($0.detail)" }.joined(separator: " "),
            fields: fields
        )
    }

    /// The fields as a JSON member of the problem; empty if there are none.
    var members: String {
        fields.isEmpty ? "" : ",\"errors\":" + JSONValue.list(fields.map(\.json)).json
    }

    /// The problem within an answer that has several (RFC 9457).
    package var problem: JSONValue {
        var members: [JSONObject.Member] = [
            .init("type", .text("/problems/\(name)")), .init("title", .text(title)),
            .init("status", .integer(Int64(status.code))), .init("detail", .text(detail)),
        ]
        if !fields.isEmpty { members.append(.init("errors", .list(fields.map(\.json)))) }
        return .object(JSONObject(members))
    }
}

extension ProgramRefusal.Field {
    /// The field as a JSON object.
    fileprivate var json: JSONValue {
        ["field": .text(name), "problem": .text(problem), "detail": .text(detail)]
    }
}

extension InputField {
    /// The problem of a value as developers read it.
    func refusal(_ problem: Problem) -> ProgramRefusal.Field {
        switch problem {
        case .missing: .init(name, "missing", "It is required. \(meaning)")
        case .tooLong: .init(name, "too-long", "It is too long. \(meaning)")
        case .malformed: .init(name, "malformed", "It has another format. \(meaning)")
        case .outOfRange: .init(name, "out-of-range", "It is outside the range. \(meaning)")
        case .notOffered: .init(name, "not-offered", "It is none of the values. \(meaning)")
        }
    }
}
