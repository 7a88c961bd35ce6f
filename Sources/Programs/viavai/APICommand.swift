import ArgumentParser
import Encoding
import Foundation
import HTTPClient
import OpenData

/// `viavai api`: calls an operation of a server's interface for programs.
struct APICommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "api",
        abstract: "Call an operation of a server, as another program does.",
        discussion: """
            The operations and their fields are those of the server's /api/openapi.json; the page \
            /developers lists them. The answer is printed as JSON. Exit codes: 0 done, 1 refused \
            by the server, 2 wrong usage, 3 no answer.
            """
    )

    @Argument(help: "The name of the operation, such as rides.call.")
    var operation: String

    @Argument(help: ArgumentHelp("The fields, as seats=2.", valueName: "field=value"))
    var fields: [String] = []

    @Option(help: ArgumentHelp("The address of the server.", valueName: "url"))
    var server: String

    @Option(help: "The key of the application; VIAVAI_KEY in the environment otherwise.")
    var key: String?

    @Option(
        help: ArgumentHelp(
            "The key of the request: the same to repeat one. A new one by default.",
            valueName: "text"
        )
    )
    var idempotencyKey: String?

    /// How long an answer may take: longer than a request waits for news of a ride.
    private static let limit = Duration.seconds(60)
    /// The size of the longest answer in bytes.
    private static let longest = 64 << 20

    func run() async throws {
        let base = server.hasSuffix("/") ? String(server.dropLast()) : server
        guard base.hasPrefix("http://") || base.hasPrefix("https://") else {
            throw CommandFailure.badInput("--server \(server): write http://… or https://…")
        }
        let client = HTTPClient("viavai.api", scope: .anywhere, threadLimit: 1)
        let document = try await send(.get(base + "/api/openapi.json"), by: client)
        guard document.status == 200, let json = try? JSONValue(parsing: document.body),
            let declared = DeclaredOperation.all(in: json)
        else {
            throw CommandFailure(
                code: .environment,
                text: "\(base)/api/openapi.json: this is no server of Viavai with an interface"
            )
        }
        guard let found = declared.first(where: { $0.name == operation }) else {
            throw CommandFailure.badInput(Self.unknown(operation, of: declared))
        }
        let request = try found.request(
            to: base,
            fields,
            headers: headers(of: found),
            limit: Self.limit,
            bodyLimit: Self.longest
        )
        let answer = try await send(request, by: client)
        Console.answer(answer.body)
        if answer.body.last != UInt8(ascii: "\n") { Console.answer("\n") }
        guard (200..<300).contains(answer.status) else {
            let problem = try? JSONValue(parsing: answer.body)
            let words = [problem?["title"]?.text, problem?["detail"]?.text].compactMap(\.self)
            throw CommandFailure.noAnswer(
                "\(operation): status \(answer.status). \(words.joined(separator: ". "))"
            )
        }
    }

    private func headers(of operation: DeclaredOperation) -> [(name: String, value: String)] {
        var headers = [(name: "Accept", value: "application/json")]
        if let key = key ?? ProcessInfo.processInfo.environment["VIAVAI_KEY"] {
            headers.append(("Authorization", "Bearer \(key)"))
        }
        if operation.isPost {
            let random = UUID().uuidString.filter { $0 != "-" }
            headers.append(("Idempotency-Key", idempotencyKey ?? random))
            headers.append(("Content-Type", "application/json"))
        }
        return headers
    }

    private func send(
        _ request: HTTPClient.Request,
        by client: HTTPClient
    ) async throws -> HTTPClient.Response {
        do {
            return try await client.send(request)
        } catch {
            throw CommandFailure(code: .environment, text: "\(request.url): \(error.text)")
        }
    }

    private static func unknown(_ name: String, of declared: [DeclaredOperation]) -> String {
        let group = name.prefix { $0 != "." }
        let near = declared.map(\.name).filter { $0.hasPrefix(group + ".") }
        let names = near.isEmpty ? declared.map(\.name) : near
        return "\(name): the server has no such operation, but \(names.joined(separator: ", "))"
    }
}

/// An operation as the document of a server declares it.
struct DeclaredOperation {
    /// Where a field is sent.
    enum Place {
        case path
        case query
        case body
    }

    /// The name, `operationId`.
    let name: String
    /// The path with its parameters in braces.
    let path: String
    /// Whether it changes something.
    let isPost: Bool
    /// Each field with its place and its JSON Schema.
    let fields: [(name: String, place: Place, schema: JSONValue)]

    /// All operations of a document; nil if it is no OpenAPI document.
    static func all(in document: JSONValue) -> [DeclaredOperation]? {
        guard let paths = document["paths"]?.object else { return nil }
        return paths.members.flatMap { path in
            ["get", "post"].compactMap { method -> DeclaredOperation? in
                path.value[method].flatMap {
                    DeclaredOperation($0, path.name, isPost: method == "post")
                }
            }
        }
    }

    private init?(_ value: JSONValue, _ path: String, isPost: Bool) {
        guard let name = value["operationId"]?.text else { return nil }
        self.name = name
        self.path = path
        self.isPost = isPost
        let parameters = value["parameters"]?.list ?? []
        let sent = parameters.compactMap { field -> (String, Place, JSONValue)? in
            guard let name = field["name"]?.text, let schema = field["schema"] else { return nil }
            switch field["in"]?.text {
            case "path": return (name, .path, schema)
            case "query": return (name, .query, schema)
            default: return nil
            }
        }
        let content = value["requestBody"]?["content"]?["application/json"]
        let members = content?["schema"]?["properties"]?.object?.members ?? []
        fields = sent + members.map { ($0.name, Place.body, $0.value) }
    }

    /// The request with these fields.
    ///
    /// - Parameters:
    ///   - base: the address of the server.
    ///   - typed: the fields as typed, `NAME=VALUE`.
    ///   - headers: the headers to send.
    ///   - limit: how long the answer may take.
    ///   - bodyLimit: how long it may be, in bytes.
    /// - Returns: the request.
    /// - Throws: ``CommandFailure`` for a field that the operation does not have.
    func request(
        to base: String,
        _ typed: [String],
        headers: [(name: String, value: String)],
        limit: Duration,
        bodyLimit: Int
    ) throws -> HTTPClient.Request {
        var path = path
        var query: [String] = []
        var body: [JSONObject.Member] = []
        for text in typed {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let field = fields.first(where: { $0.name == parts[0] }) else {
                let names = fields.map(\.name).joined(separator: ", ")
                throw CommandFailure.badInput(
                    "\(text): \(name) has the fields \(names.isEmpty ? "(none)" : names)"
                )
            }
            let value = PercentEncoding.encoded(parts[1])
            switch field.place {
            case .path:
                path = path.replacingOccurrences(of: "{\(field.name)}", with: value)
            case .query: query.append("\(field.name)=\(value)")
            case .body:
                body.append(.init(field.name, Self.value(String(parts[1]), field.schema)))
            }
        }
        guard !path.contains("{") else {
            let missing = path.drop { $0 != "{" }.dropFirst().prefix { $0 != "}" }
            throw CommandFailure.badInput("\(name): write \(missing)=VALUE")
        }
        let url = base + path + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
        guard isPost else {
            return .get(url, headers: headers, limit: limit, bodyLimit: bodyLimit)
        }
        return .post(
            url,
            headers: headers,
            body: Array(JSONValue.object(JSONObject(body)).json.utf8),
            limit: limit,
            bodyLimit: bodyLimit
        )
    }

    /// A typed value in the type that the schema names, a list of objects as JSON; text that does
    /// not fit is sent as it is, and the server says what is wrong with it.
    private static func value(_ text: String, _ schema: JSONValue) -> JSONValue {
        switch schema["type"]?.text {
        case "integer": Int64(text).map { .integer($0) } ?? .text(text)
        case "number": Double(text).map { .number($0) } ?? .text(text)
        case "boolean": Bool(text).map { .bool($0) } ?? .text(text)
        case "array" where schema["items"]?["type"]?.text == "object":
            (try? JSONValue(parsing: Array(text.utf8))) ?? .text(text)
        case "array":
            .list(
                text.split(separator: ",").map { value(String($0), schema["items"] ?? .null) }
            )
        default: .text(text)
        }
    }
}
