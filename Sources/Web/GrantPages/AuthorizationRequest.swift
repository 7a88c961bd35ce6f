import Encoding
import Identity
import WebCore

/// What an application asks for when it sends a person here (RFC 6749, 4.1.1; RFC 7636, 4.3).
struct AuthorizationRequest: Sendable {
    /// The application, which exists and may send people to ``redirect``.
    let application: Application
    /// The address to which the person returns.
    let redirect: String
    /// The text that the application recognises; nil if it sent none.
    let state: String?
    /// What is wrong with the rest; nil if the person can be asked.
    let problem: Problem?
    /// What the person is asked, unless there is a problem.
    let scopes: Set<Scope>
    /// The SHA-256 of the secret that redeems the code.
    let challenge: [UInt8]

    /// A mistake that the application is told (RFC 6749, 4.1.2.1).
    struct Problem: Hashable, Sendable {
        let code: String
        let detail: String
    }

    /// The longest state, in bytes.
    static let stateLimit = 1_000

    /// The fields of the address.
    ///
    /// Two of each are let through, so that a field that comes twice is noticed.
    static let fields: [InputField] = [
        field("response_type", 40, "`code`, the only kind of answer."),
        field("client_id", 40, "The number of the application."),
        field("redirect_uri", 600, "Where the person returns, exactly as registered."),
        field("scope", 1_000, "The permissions, separated by blanks."),
        field("state", stateLimit, "A text that comes back unchanged."),
        field("code_challenge", 128, "The SHA-256 of the verifier, in Base64 for addresses."),
        field("code_challenge_method", 40, "`S256`, the only method."),
    ]

    private static func field(_ name: String, _ limit: Int, _ meaning: String) -> InputField {
        .query(name, .several(.text(limit), 2), meaning).explained
    }

    /// Why a request is not worth sending anybody back: the person is told instead.
    enum Refusal: Error {
        case unknownClient
        case wrongRedirect(Application)
    }

    /// Reads the request in an address.
    ///
    /// - Parameters:
    ///   - query: the fields of the address.
    ///   - find: returns an application by its number.
    /// - Throws: ``Refusal``, or an error of the database.
    init(
        _ query: Form,
        find: (Int64) async throws -> Application?
    ) async throws {
        let clients = query.all("client_id")
        guard clients.count == 1, let number = Int64(clients[0]), "\(number)" == clients[0],
            let application = try await find(number), application.revoked == nil
        else { throw Refusal.unknownClient }
        let redirects = query.all("redirect_uri")
        guard redirects.count == 1, application.mayRedirect(to: redirects[0]) else {
            throw Refusal.wrongRedirect(application)
        }
        self.application = application
        redirect = redirects[0]
        let states = query.all("state")
        let isState = states.count <= 1 && states.allSatisfy(Self.isPlain)
        state = isState ? states.first : nil
        let scopes = Scope.all(in: query["scope"] ?? "")
        self.scopes = scopes ?? []
        let digest = Self.digest(query["code_challenge"] ?? "")
        challenge = digest ?? []
        let twice = Self.fields.first { query.all($0.name).count > 1 }
        if let twice {
            problem = Problem(code: "invalid_request", detail: "\(twice.name) is sent twice.")
        } else if !isState {
            let detail = "state has at most \(Self.stateLimit) printable characters of ASCII."
            problem = Problem(code: "invalid_request", detail: detail)
        } else if query["response_type"] != "code" {
            let isMissing = query["response_type"] == nil
            let code = isMissing ? "invalid_request" : "unsupported_response_type"
            problem = Problem(code: code, detail: "response_type must be code.")
        } else if query["code_challenge_method"] != "S256" || digest == nil {
            let detail = "code_challenge with code_challenge_method=S256 is required (RFC 7636)."
            problem = Problem(code: "invalid_request", detail: detail)
        } else if let scopes, !scopes.isEmpty, scopes.isSubset(of: application.askable) {
            problem = nil
        } else {
            let names = Scope.text(of: application.askable)
            let detail = "scope must name some of these permissions: \(names)."
            problem = Problem(code: "invalid_scope", detail: detail)
        }
    }

    /// The SHA-256 in a challenge: 43 letters of Base64 for addresses (RFC 7636, 4.2).
    private static func digest(_ text: String) -> [UInt8]? {
        guard let bytes = Base64.decoded(text), bytes.count == 32,
            Base64.encodedForURL(bytes) == text
        else { return nil }
        return bytes
    }

    private static func isPlain(_ text: String) -> Bool {
        text.utf8.count <= stateLimit && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    }

    /// The address of the answer.
    ///
    /// - Parameters:
    ///   - fields: what the application is told.
    ///   - issuer: the name of this server, by which applications of several servers tell their
    ///     answers apart (RFC 9207).
    /// - Returns: the address.
    func answer(_ fields: [(String, String)], from issuer: String) -> String {
        var all = fields
        if let state { all.append(("state", state)) }
        all.append(("iss", issuer))
        let query = all.map { "\($0)=\(PercentEncoding.encoded($1))" }.joined(separator: "&")
        return redirect + (redirect.contains("?") ? "&" : "?") + query
    }

    /// The source for a content security policy to which the answer of the form may lead.
    var source: String {
        // A policy cannot name an address of IPv6.
        if redirect.hasPrefix("http://[") { return "http:" }
        return origin
    }

    /// Scheme, host and port of the redirect address.
    private var origin: String {
        let parts = redirect.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        let host = parts[2].prefix { !"/?".contains($0) }
        return "\(parts[0])//\(host)"
    }

    /// The host as people read it; nil for the person's own device.
    var host: String? {
        Loopback.covers(redirect)
            ? nil : origin.split(separator: "/").last.map { String($0) }
    }
}
