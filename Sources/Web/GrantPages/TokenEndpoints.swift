import Chronology
import Encoding
import HTTPTypes
import Identity
import OpenData
import TaxiPages
import WebCore

/// The endpoints of applications: tokens, their end, and what they permit.
extension GrantPages {
    static let reason: StaticString = "codes and refresh tokens work once by themselves"

    static let clientFields: [InputField] = [
        .typed("client_id", .text(40), "The number of the application."),
        .typed("client_secret", .secret(200), "Its key, unless it is sent in the header."),
    ]

    var tokenRoutes: [Route] {
        [
            .post("/oauth/token", as: "oauth.token", for: .client, token)
                .taking(Self.clientFields)
                .taking([
                    .typed("grant_type", .text(100), "What the client sends for the tokens."),
                    .typed("code", .secret(200), "The code that the person's browser brought."),
                    .typed("redirect_uri", .text(600), "The redirect address of the code."),
                    .typed("code_verifier", .secret(200), "The secret of the code's challenge."),
                    .typed("device_code", .secret(200), "The code of a device that waits."),
                    .typed("refresh_token", .secret(200), "The newest refresh token."),
                    .typed("scope", .text(1_000), "Fewer permissions than there are."),
                ])
                .answering(.json)
                .repeated(because: Self.reason),
            .post("/oauth/revoke", as: "oauth.revoke", for: .client, revoke)
                .taking(Self.clientFields)
                .taking(Self.tokenFields)
                .answering(.json)
                .repeated(because: "a token is taken back once"),
            .post("/oauth/introspect", as: "oauth.introspect", for: .client, introspect)
                .taking(Self.clientFields)
                .taking(Self.tokenFields)
                .answering(.json)
                .repeated(because: "it changes nothing"),
        ]
    }

    private static let tokenFields: [InputField] = [
        .typed("token", .secret(200), "An access token or a refresh token."),
        .typed("token_type_hint", .text(40), "Not needed: a token says what it is."),
    ]

    // MARK: Who asks

    /// An application that sends a request, and whether it proved its key.
    struct Client {
        let application: Application
        let isProven: Bool
    }

    static let noClient = ClientRefusal(
        "invalid_client",
        "The application is unknown or revoked, or its key is missing or wrong.",
        .unauthorized
    )

    /// Finds the application that sends a request (RFC 6749, 2.3).
    func client(_ context: RequestContext) async throws -> Client {
        let stated = context.form["client_id"]
        let typed = context.form["client_secret"]
        if let header = context.headers[.authorization] {
            guard typed == nil else {
                throw ClientRefusal.invalidRequest("Send the key in one place only.")
            }
            var refusal = Self.noClient
            refusal.usedHeader = true
            guard let (name, key) = Self.basic(header), stated == nil || stated == name,
                let found = try await application(name, key, context)
            else { throw refusal }
            return Client(application: found, isProven: true)
        }
        guard let stated else { throw Self.noClient }
        if let typed {
            guard let found = try await application(stated, typed, context) else {
                throw Self.noClient
            }
            return Client(application: found, isProven: true)
        }
        // An application on people's devices has nothing to prove itself with.
        guard let number = Int64(stated), let found = try await accounts.application(number),
            found.form.isNative, found.revoked == nil
        else { throw Self.noClient }
        return Client(application: found, isProven: false)
    }

    private func application(
        _ name: String,
        _ key: String,
        _ context: RequestContext
    ) async throws -> Application? {
        guard let key = SecretToken(key),
            let found = try await accounts.application(withKey: key, at: context.now)
        else { return nil }
        return "\(found.number)" == name ? found : nil
    }

    /// Name and password of the header `Authorization: Basic` (RFC 6749, 2.3.1).
    private static func basic(_ header: String) -> (String, String)? {
        let parts = header.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "basic",
            let bytes = Base64.decoded(parts[1].trimmingBlanks()),
            let text = String(validating: bytes, as: UTF8.self)
        else { return nil }
        let pair = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard pair.count == 2, let name = Form.decoded(pair[0]), let key = Form.decoded(pair[1])
        else { return nil }
        return (name, key)
    }

    // MARK: Tokens

    private func token(_ context: RequestContext) async throws -> Response {
        guard let kind = context.form["grant_type"] else {
            throw ClientRefusal.invalidRequest("The field grant_type is missing.")
        }
        let client = try await client(context)
        do {
            switch kind {
            case "authorization_code": return response(try await redeemed(context, client))
            case "refresh_token": return response(try await refreshed(context, client))
            case Self.deviceGrant: return response(try await redeemedDevice(context, client))
            case "client_credentials":
                guard client.isProven else { throw Self.noClient }
                let issued = try await accounts.issueOwn(
                    to: client.application,
                    try scopes(context),
                    at: context.now
                )
                return response(issued)
            default:
                let known =
                    "authorization_code, refresh_token, client_credentials, \(Self.deviceGrant)"
                throw ClientRefusal("unsupported_grant_type", "The kinds are: \(known).")
            }
        } catch let refusal as GrantRefusal {
            throw Self.refusal(refusal)
        }
    }

    private func redeemed(_ context: RequestContext, _ client: Client) async throws -> IssuedTokens
    {
        try checkProof(client)
        guard let text = context.form["code"] else {
            throw ClientRefusal.invalidRequest("The field code is missing.")
        }
        guard let verifier = context.form["code_verifier"], Self.isVerifier(verifier) else {
            let detail = "code_verifier needs 43 to 128 letters, digits, -, ., _ or ~ (RFC 7636)."
            throw ClientRefusal.invalidRequest(detail)
        }
        guard let code = GrantSecret(text) else { throw GrantRefusal.invalidGrant }
        return try await accounts.redeem(
            code,
            for: client.application,
            redirect: context.form["redirect_uri"],
            verifier: verifier,
            at: context.now
        )
    }

    private func refreshed(_ context: RequestContext, _ client: Client) async throws -> IssuedTokens
    {
        try checkProof(client)
        guard let text = context.form["refresh_token"] else {
            throw ClientRefusal.invalidRequest("The field refresh_token is missing.")
        }
        guard let token = GrantSecret(text) else { throw GrantRefusal.invalidGrant }
        return try await accounts.refresh(
            token,
            for: client.application,
            try scopes(context),
            at: context.now
        )
    }

    /// An application on a server always proves its key.
    func checkProof(_ client: Client) throws(ClientRefusal) {
        guard client.isProven || client.application.form.isNative else { throw Self.noClient }
    }

    private static func isVerifier(_ text: String) -> Bool {
        text.wholeMatch(of: /[A-Za-z0-9\-._~]{43,128}/) != nil
    }

    func scopes(_ context: RequestContext) throws(GrantRefusal) -> Set<Scope>? {
        guard let text = context.form["scope"], !text.isEmpty else { return nil }
        guard let scopes = Scope.all(in: text), !scopes.isEmpty else { throw .invalidScope }
        return scopes
    }

    private static func refusal(_ refusal: GrantRefusal) -> ClientRefusal {
        switch refusal {
        case .invalidGrant:
            ClientRefusal(
                "invalid_grant",
                "It was never issued to this application, was used before, has expired, or was "
                    + "taken back. Ask the person again."
            )
        case .invalidScope:
            ClientRefusal("invalid_scope", "A permission is unknown, or was not given.")
        case .unknownClient: noClient
        }
    }

    func response(_ issued: IssuedTokens) -> Response {
        var members: [JSONObject.Member] = [
            .init("access_token", .text(issued.access.text)), .init("token_type", "Bearer"),
            .init("expires_in", .integer(issued.seconds)),
            .init("scope", .text(Scope.text(of: issued.scopes))),
        ]
        if let refresh = issued.refresh {
            members.append(.init("refresh_token", .text(refresh.text)))
        }
        return Self.json(.object(JSONObject(members)))
    }

    /// A response for the client alone.
    static func json(_ value: JSONValue) -> Response {
        Response(
            type: "application/json",
            bytes: Array(value.json.utf8),
            headers: [.cacheControl: "no-store"]
        )
    }

    // MARK: What a token permits, and its end

    private func revoke(_ context: RequestContext) async throws -> Response {
        let client = try await client(context)
        guard let text = context.form["token"] else {
            throw ClientRefusal.invalidRequest("The field token is missing.")
        }
        // Another text is no token any more, which is what the client wants (RFC 7009, 2.2).
        if let token = GrantSecret(text) {
            try await accounts.revoke(token, for: client.application)
        }
        return Self.json([:])
    }

    private func introspect(_ context: RequestContext) async throws -> Response {
        let client = try await client(context)
        guard client.isProven else { throw Self.noClient }
        guard let text = context.form["token"] else {
            throw ClientRefusal.invalidRequest("The field token is missing.")
        }
        guard let token = GrantSecret(text),
            let access = try await accounts.introspect(
                token,
                for: client.application,
                at: context.now
            )
        else { return Self.json(["active": false]) }
        let number = client.application.number
        var members: [JSONObject.Member] = [
            .init("active", true),
            .init("scope", .text(Scope.text(of: access.application.form.scopes))),
            .init("client_id", .text("\(number)")), .init("token_type", "Bearer"),
            .init("iat", .integer(access.made.milliseconds / 1_000)),
            .init("exp", .integer(access.expires.milliseconds / 1_000)),
            .init("iss", .text(issuer(context))),
        ]
        if let person = access.person {
            members.append(.init("sub", .text(accounts.subject(of: person, for: number))))
        }
        return Self.json(.object(JSONObject(members)))
    }
}
