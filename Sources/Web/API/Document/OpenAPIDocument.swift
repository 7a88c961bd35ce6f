import HTTPTypes
import Identity
import OpenData
import WebCore

/// The OpenAPI 3.1 document of the operations.
///
/// Every part follows from a declaration. Schemas that several answers contain are components, and
/// so are the failures.
struct OpenAPIDocument {
    /// The version of the interface: the first number changes only with a change that a careful
    /// client could notice (docs/api.md).
    static let version = "1.0.0"

    private let operations: [Operation]
    private let server: String
    private let title: String

    /// Creates the document of some operations.
    ///
    /// - Parameters:
    ///   - operations: the operations.
    ///   - title: the name of the city's service.
    ///   - server: the address of the site, without a slash at its end.
    init(_ operations: [Operation], title: String, server: String) {
        self.operations = operations
        self.title = title
        self.server = server
    }

    /// The whole document as OpenAPI 3.1.
    var json: JSONValue {
        [
            "openapi": "3.1.0",
            "info": [
                "title": .text(title), "version": .text(Self.version),
                "summary": "Taxis, zones, trips and public transport of a city.",
                "description": .text(Self.introduction),
                "contact": ["name": .text(title), "url": .text(server + "/developers")],
                "license": ["name": "Apache 2.0", "identifier": "Apache-2.0"],
            ],
            "servers": [["url": .text(server), "description": "This city"]],
            "tags": .list(tags),
            "security": [["key": []]],
            "paths": .object(JSONObject(paths)),
            "components": [
                "schemas": .object(JSONObject(schemas)),
                "parameters": .object(JSONObject(Self.parameters)),
                "responses": .object(JSONObject(Self.responses)),
                "securitySchemes": [
                    "key": [
                        "type": "http", "scheme": "bearer",
                        "description": "A key that the city's office gave to your application.",
                    ],
                    "person": .object(JSONObject(consent)),
                ],
            ],
        ]
    }

    /// How an application gets a token of a person (decision 0047).
    private var consent: [JSONObject.Member] {
        let scopes = Scope.personal.sorted().map { scope -> JSONObject.Member in
            .init(scope.rawValue, "A permission that a person gives.")
        }
        return [
            .init("type", "oauth2"),
            .init("description", "A token of a person who lets your application act. PKCE (S256)."),
            .init(
                "flows",
                [
                    "authorizationCode": [
                        "authorizationUrl": .text(server + "/oauth/authorize"),
                        "tokenUrl": .text(server + "/oauth/token"),
                        "refreshUrl": .text(server + "/oauth/token"),
                        "scopes": .object(JSONObject(scopes)),
                    ]
                ]
            ),
        ]
    }

    /// The ways in which an application may be known to an operation.
    private static func security(of route: Route) -> JSONValue {
        let key: [JSONValue] = route.actors.contains(.application) ? [["key": []]] : []
        guard route.actors.contains(.person) else { return .list(key) }
        let scopes = route.scopes.intersection(Scope.personal).sorted()
        return .list(key + scopes.map { ["person": [.text($0.rawValue)]] })
    }

    private static let introduction = """
        Send the key of your application as `Authorization: Bearer KEY`. Bodies are JSON objects. \
        Errors are problems (RFC 9457) that name the fields. A POST with an `Idempotency-Key` is \
        done once, however often it is sent. Answers to GET have an `ETag`: send it as \
        `If-None-Match`. `docs/api.md` of the program explains more.
        """

    private var tags: [JSONValue] {
        (Operation.Group.allCases.map(\.rawValue) + ["Service"]).map { name in
            ["name": .text(name), "description": .text("Operations: \(name.lowercased()).")]
        }
    }

    // MARK: Paths

    private var paths: [JSONObject.Member] {
        var paths: [String: [JSONObject.Member]] = [:]
        var order: [String] = []
        func add(_ path: String, _ method: String, _ value: JSONValue) {
            if paths[path] == nil { order.append(path) }
            paths[path, default: []].append(.init(method, value))
        }
        add("/api/status", "get", Self.open("status", "Read the state of the service", .status))
        for operation in operations {
            let method = operation.route.method == .get ? "get" : "post"
            add(operation.route.path, method, Self.json(operation))
        }
        return order.map { .init($0, .object(JSONObject(paths[$0] ?? []))) }
    }

    /// An operation that needs no key.
    private static func open(_ name: String, _ summary: String, _ output: Schema) -> JSONValue {
        [
            "operationId": .text(name), "summary": .text(summary),
            "description": "It needs no key.", "tags": ["Service"], "security": [],
            "responses": [
                "200": success(output), "429": reference("TooManyRequests"),
                "503": reference("ServiceUnavailable"),
            ],
        ]
    }

    private static func json(_ operation: Operation) -> JSONValue {
        let route = operation.route
        var members: [JSONObject.Member] = [
            .init("operationId", .text(operation.name)),
            .init("summary", .text(operation.summary)),
            .init("description", .text(description(of: operation))),
            .init("tags", [.text(operation.group.rawValue)]),
        ]
        var parameters = (route.fields(in: .path) + route.fields(in: .query)).map { field in
            field == SparseMembers.field
                ? fieldsParameter(SparseMembers(of: operation.output)) : parameter(field)
        }
        if route.method == .post, !route.idempotency.isRepeatedAlways {
            parameters.append(idempotencyKey)
        }
        if operation.conditionName != nil { parameters.append(reference("IfMatch", "parameters")) }
        if !parameters.isEmpty { members.append(.init("parameters", .list(parameters))) }
        let fields = route.fields(in: .form)
        if !fields.isEmpty { members.append(.init("requestBody", body(fields, of: operation))) }
        members.append(.init("responses", .object(JSONObject(responses(of: operation)))))
        members.append(.init("security", security(of: route)))
        members.append(
            .init("x-scopes", .list(route.scopes.sorted().map { .text($0.rawValue) }))
        )
        return .object(JSONObject(members))
    }

    private static func description(of operation: Operation) -> String {
        let scopes = operation.route.scopes.sorted().map { "`\($0.rawValue)`" }
        let permission =
            operation.route.scopes.count == Scope.allCases.count
            ? "Any permission is enough."
            : "Needs the permission \(scopes.joined(separator: " or "))."
        let cost = operation.route.cost
        let price = cost > 1 ? " Counts as \(cost) requests." : ""
        let details = operation.details.isEmpty ? "" : operation.details + " "
        return details + permission + price
    }

    private static func parameter(_ field: InputField) -> JSONValue {
        let place = field.place == .path ? "path" : "query"
        return [
            "name": .text(field.name), "in": .text(place), "required": .bool(field.isRequired),
            "description": .text(field.meaning), "schema": field.schema,
        ]
    }

    /// The names of the members that a program may choose, with commas between them.
    private static func fieldsParameter(_ members: SparseMembers) -> JSONValue {
        let field = SparseMembers.field
        return [
            "name": .text(field.name), "in": "query", "required": false, "style": "form",
            "explode": false, "description": .text(field.meaning),
            "schema": [
                "type": "array",
                "items": ["type": "string", "enum": .list(members.names.map { .text($0) })],
            ],
        ]
    }

    private static let parameters: [JSONObject.Member] = [
        .init(
            "IfMatch",
            [
                "name": "If-Match", "in": "header", "required": false,
                "description": "The `ETag` of what is changed, as it was read; 412 if it differs.",
                "schema": ["type": "string"],
            ]
        )
    ]

    private static let idempotencyKey: JSONValue = [
        "name": "Idempotency-Key", "in": "header", "required": false,
        "description": "A random text, new for each request; the same to repeat one.",
        "schema": ["type": "string", "pattern": "^[A-Za-z0-9_\\-]{8,64}$"],
    ]

    private static func body(_ fields: [InputField], of operation: Operation) -> JSONValue {
        let schema = JSONValue.object(JSONObject(InputField.Kind.members(of: fields)))
        return [
            "description": .text("The fields of \(operation.name)."),
            "required": .bool(fields.contains(where: \.isRequired)),
            "content": ["application/json": ["schema": schema]],
        ]
    }

    // MARK: Answers

    private static func responses(of operation: Operation) -> [JSONObject.Member] {
        let route = operation.route
        let isCreation = route.failures.contains(.created)
        var members: [JSONObject.Member] = [
            .init(
                isCreation ? "201" : "200",
                operation.isStream
                    ? Self.stream : success(operation.output, isSparse: isSparse(route))
            )
        ]
        if route.method == .get, !operation.isStream {
            members.append(.init("304", reference("NotModified")))
        }
        var statuses: Set<HTTPResponse.Status> = [
            .badRequest, .unauthorized, .forbidden, .unprocessableContent, .tooManyRequests,
            .internalServerError, .serviceUnavailable,
        ]
        if !route.fields(in: .path).isEmpty { statuses.insert(.notFound) }
        if route.method == .post {
            statuses.formUnion([.conflict, .contentTooLarge, .requestTimeout])
        }
        statuses.formUnion(route.failures.subtracting([.created]))
        for status in statuses.sorted(by: { $0.code < $1.code }) {
            members.append(.init("\(status.code)", reference(name(of: status))))
        }
        return members
    }

    /// Whether a program may choose among the members of the answer.
    private static func isSparse(_ route: Route) -> Bool {
        route.input.contains(SparseMembers.field)
    }

    private static func success(_ output: Schema, isSparse: Bool = false) -> JSONValue {
        var content: [JSONObject.Member] = [
            .init("application/json", ["schema": output.reference])
        ]
        if isSparse {
            content.append(
                .init(SparseMembers.mediaType, ["schema": reference("Part", "schemas")])
            )
        }
        return ["description": "Done.", "content": .object(JSONObject(content))]
    }

    private static let stream: JSONValue = [
        "description": "Server-sent events.",
        "content": ["text/event-stream": ["schema": ["type": "string"]]],
    ]

    private static func reference(_ name: String, _ part: String = "responses") -> JSONValue {
        ["$ref": .text("#/components/\(part)/\(name)")]
    }

    /// The name of a failure among the components.
    private static func name(of status: HTTPResponse.Status) -> String {
        status.reasonPhrase.split(separator: " ").map { $0.prefix(1).uppercased() + $0.dropFirst() }
            .joined()
    }

    private static let failures: [(HTTPResponse.Status, String)] = [
        (.badRequest, "The request is malformed."),
        (.unauthorized, "There is no key, or it is not valid."),
        (.forbidden, "A permission lacks, or the city's rules forbid it."),
        (.notFound, "There is no such thing, or it is not your application's."),
        (.requestTimeout, "The body took too long to arrive."),
        (.conflict, "It cannot be done now; the problem says why."),
        (.preconditionFailed, "It has changed since it had the tag in `If-Match`."),
        (.contentTooLarge, "The body is too large."),
        (.unprocessableContent, "A field is missing or wrong; the problem names it."),
        (.tooManyRequests, "Too many requests; Retry-After says how many seconds to wait."),
        (.internalServerError, "The server failed; its log knows why."),
        (.serviceUnavailable, "The service is closed, suspended or starting."),
    ]

    private static let responses: [JSONObject.Member] =
        [.init("NotModified", ["description": "You have the current answer already."])]
        + failures.map { status, description in
            .init(
                name(of: status),
                [
                    "description": .text(description),
                    "content": [
                        "application/problem+json": [
                            "schema": ["$ref": "#/components/schemas/Problem"]
                        ]
                    ],
                ]
            )
        }

    private var schemas: [JSONObject.Member] {
        var found: [String: Schema] = [:]
        var users: [String: [String]] = [:]
        func collect(_ schema: Schema, of user: String) {
            var used: [String: Schema] = [:]
            schema.collect(into: &used)
            for name in used.keys { users[name, default: []].append(user) }
            schema.collect(into: &found)
        }
        for operation in operations { collect(operation.output, of: operation.name) }
        collect(.status, of: "status")
        collect(.problem, of: "every refusal")
        let part: JSONValue = [
            "type": "object",
            "description": "The members of the answer, or of its items, that `fields` names.",
        ]
        let named = found.map { name, schema -> JSONObject.Member in
            let users = users[name] ?? []
            let further = users.count > 3 ? ", and others" : ""
            let meaning = "Part of \(users.prefix(3).joined(separator: ", "))\(further)."
            return .init(name, schema.definition.described(meaning))
        }
        return (named + [.init("Part", part)]).sorted { $0.name < $1.name }
    }
}

extension Route.Idempotency {
    /// Whether each request is carried out, whatever key it has.
    fileprivate var isRepeatedAlways: Bool {
        if case .repeated = self { true } else { false }
    }
}
