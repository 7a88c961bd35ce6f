package import Chronology
import Crypto
import CryptoExtras
import Encoding
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Synchronization

/// A provider of identities on loopback, written from the specifications (OpenID Connect Core 1.0),
/// which tells the truth or one lie.
package final class LyingProvider: Sendable {
    /// What is wrong with its answers.
    package enum Lie: String, CaseIterable, Sendable {
        case none
        case wrongNonce, noNonce, wrongAudience, furtherAudience, wrongParty, wrongIssuer
        case expired, tooEarly, tooOld, nobody, malformedTime
        case noAlgorithm, sharedSecret, otherKey, unknownKey, critical, notSigned
        case otherIssuerInAnswer, noIssuerInAnswer
        case otherIssuerInMetadata, plainEndpoint, noKnownProof
        case hugeMetadata, hugeKeys, hugeToken, noJSON, broken, refusing, slow, otherProfile
    }

    /// What it says about a person.
    package struct Person: Sendable {
        package var subject: String
        package var email: String?
        package var isVerified = true
        package var name = "Rosa"
        package var surname = "Gialli"
        /// Whether the person proves who they are each time, and the provider says so.
        package var isAsked = true

        package init(_ subject: String, email: String? = nil) {
            self.subject = subject
            self.email = email
        }
    }

    private struct Code: Sendable {
        var nonce: String
        var challenge: String
        var redirect: String
        var person: Person
    }

    private struct State: Sendable {
        var lie = Lie.none
        var usesCurve = false
        var key = "one"
        var profileOnly = false
        var codes: [String: Code] = [:]
        var served: [String: Int] = [:]
        var profiles: [String: Person] = [:]
        var now: @Sendable () -> Moment = { Moment(milliseconds: 1_800_000_000_000) }
    }

    private let state = Mutex(State())
    /// The name of this provider for itself.
    package let issuer: String
    package static let client = "viavai at \"test\""
    package static let secret = "s3cret&more"

    private static let rsa = Result { try _RSA.Signing.PrivateKey(keySize: .bits2048) }
    private static let otherRSA = Result { try _RSA.Signing.PrivateKey(keySize: .bits2048) }
    private static let curve = P256.Signing.PrivateKey()

    private init(port: Int) { issuer = "http://127.0.0.1:\(port)" }

    /// Runs a provider while the body runs.
    package static func with(
        _ body: @Sendable (LyingProvider) async throws -> Void
    ) async throws {
        let found = Mutex<LyingProvider?>(nil)
        let (ports, port) = AsyncStream<Int>.makeStream()
        let responder = CallbackResponder { (request: Request, _: BasicRequestContext) in
            guard let provider = found.withLock({ $0 }) else {
                return Response(status: .badGateway)
            }
            return try await provider.answer(request)
        }
        var logger = Logger(label: "provider")
        logger.logLevel = .critical
        let application = Application(
            responder: responder,
            configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { port.yield($0.localAddress?.port ?? 0) },
            logger: logger
        )
        let serving = Task { try await application.run() }
        var failure: (any Error)?
        for await number in ports {
            let provider = LyingProvider(port: number)
            found.withLock { $0 = provider }
            do { try await body(provider) } catch { failure = error }
            break
        }
        serving.cancel()
        _ = await serving.result
        if let failure { throw failure }
    }

    /// The settings of a site that knows the provider by a name.
    package func settings(_ name: String = "test", label: String = "Example") -> [String: String] {
        [
            "sign_in.\(name).issuer": issuer, "sign_in.\(name).client_id": Self.client,
            "sign_in.\(name).secret": Self.secret, "sign_in.\(name).label": label,
        ]
    }

    /// Lets the provider tell a lie from now on.
    package func tell(_ lie: Lie) { state.withLock { $0.lie = lie } }

    /// Lets the provider read a clock.
    package func follow(_ clock: @escaping @Sendable () -> Moment) {
        state.withLock { $0.now = clock }
    }

    /// Lets the provider sign with another key, of another kind if wanted.
    package func change(key: String, usesCurve: Bool = false) {
        state.withLock { state in
            state.key = key
            state.usesCurve = usesCurve
        }
    }

    /// Lets the provider describe people in their profile only.
    package func keepProfiles() { state.withLock { $0.profileOnly = true } }

    /// How often a path was asked for.
    package func count(_ path: String) -> Int { state.withLock { $0.served[path] ?? 0 } }

    /// What a person's browser does at the provider: signs in, and is sent back.
    ///
    /// - Returns: the address to which it is sent.
    package func signIn(_ person: Person, at address: String) throws -> String {
        let items = URLComponents(string: address)?.queryItems ?? []
        let fields = Dictionary(items.map { ($0.name, $0.value ?? "") }) { $1 }
        let text = "\(UInt64.random(in: .min ... .max))"
        let code = Code(
            nonce: fields["nonce"] ?? "",
            challenge: fields["code_challenge"] ?? "",
            redirect: fields["redirect_uri"] ?? "",
            person: person
        )
        let lie = state.withLock { state in
            state.codes[text] = code
            return state.lie
        }
        var issuer: String? = self.issuer
        if lie == .otherIssuerInAnswer { issuer = "https://evil.example" }
        if lie == .noIssuerInAnswer { issuer = nil }
        let answer =
            [("code", text), ("state", fields["state"] ?? "")]
            + [issuer.map { ("iss", $0) }].compactMap(\.self)
        return code.redirect + "?"
            + answer.map { "\($0)=\(PercentEncoding.encoded($1))" }.joined(separator: "&")
    }

    // MARK: Endpoints

    private func answer(_ request: Request) async throws -> Response {
        let path = request.uri.path
        let current = state.withLock { state in
            state.served[path, default: 0] += 1
            return state
        }
        switch current.lie {
        case .broken: return Response(status: .internalServerError)
        case .noJSON: return Self.json("<html>")
        case .slow:
            // Nothing comes until the test is over.
            await Self.never()
        default: break
        }
        switch path {
        case "/.well-known/openid-configuration": return metadata(current.lie)
        case "/keys": return try keys(current)
        case "/profile":
            let token = request.headers[.authorization] ?? ""
            return profile(current, String(token.dropFirst("Bearer ".count)))
        case "/token":
            let body = try await request.body.collect(upTo: 1 << 16)
            let items = URLComponents(string: "?" + String(buffer: body))?.queryItems ?? []
            let fields = Dictionary(items.map { ($0.name, $0.value ?? "") }) { $1 }
            return try token(fields, request.headers[.authorization] ?? "")
        default: return Response(status: .notFound)
        }
    }

    /// Waits until the task is cancelled.
    private static func never() async {
        let (never, end) = AsyncStream<Void>.makeStream()
        for await _ in never {}
        end.finish()
    }

    private func metadata(_ lie: Lie) -> Response {
        let named = lie == .otherIssuerInMetadata ? issuer + "/other" : issuer
        let token = lie == .plainEndpoint ? "http://example.org/token" : issuer + "/token"
        let proof = lie == .noKnownProof ? "private_key_jwt" : "client_secret_basic"
        let padding = lie == .hugeMetadata ? String(repeating: "x", count: 1 << 20) : ""
        return Self.json(
            """
            {"issuer":"\(named)","authorization_endpoint":"\(issuer)/authorize",
            "token_endpoint":"\(token)","jwks_uri":"\(issuer)/keys",
            "userinfo_endpoint":"\(issuer)/profile","x":"\(padding)",
            "token_endpoint_auth_methods_supported":["\(proof)"],
            "authorization_response_iss_parameter_supported":true}
            """
        )
    }

    private func keys(_ state: State) throws -> Response {
        let rsa = try Self.rsa.get().publicKey.getKeyPrimitives()
        let point = Array(Self.curve.publicKey.rawRepresentation)
        func text(_ bytes: some Sequence<UInt8>) -> String { Base64.encodedForURL(Array(bytes)) }
        let key =
            state.usesCurve
            ? """
            {"kty":"EC","crv":"P-256","use":"sig","kid":"\(state.key)",
            "x":"\(text(point.prefix(32)))","y":"\(text(point.suffix(32)))"}
            """
            : """
            {"kty":"RSA","use":"sig","alg":"RS256","kid":"\(state.key)",
            "n":"\(text(rsa.modulus))","e":"\(text(rsa.publicExponent))"}
            """
        let padding = state.lie == .hugeKeys ? String(repeating: " ", count: 1 << 20) : ""
        // Other keys of a set must not disturb.
        return Self.json("{\"keys\":[{\"kty\":\"oct\",\"k\":\"AA\"},7,\(key)]}\(padding)")
    }

    private func profile(_ state: State, _ token: String) -> Response {
        guard let person = state.profiles[token] else { return Response(status: .unauthorized) }
        let subject = state.lie == .otherProfile ? "somebody-else" : person.subject
        return Self.json("{\"sub\":\"\(subject)\"\(Self.description(of: person))}")
    }

    private func token(_ fields: [String: String], _ proof: String) throws -> Response {
        let pair =
            PercentEncoding.encoded(Self.client) + ":" + PercentEncoding.encoded(Self.secret)
        guard proof == "Basic " + Base64.encoded(Array(pair.utf8)) else {
            return Self.json("{\"error\":\"invalid_client\"}", .unauthorized)
        }
        let verifier = Array(SHA256.hash(data: Array((fields["code_verifier"] ?? "").utf8)))
        let (code, state) = self.state.withLock { state in
            (state.codes.removeValue(forKey: fields["code"] ?? ""), state)
        }
        guard let code, state.lie != .refusing, code.redirect == fields["redirect_uri"],
            code.challenge == Base64.encodedForURL(verifier)
        else { return Self.json("{\"error\":\"invalid_grant\"}", .badRequest) }
        let access = "\(UInt64.random(in: .min ... .max))"
        self.state.withLock { $0.profiles[access] = code.person }
        let token = try LyingToken(state.lie, issuer: issuer, nonce: code.nonce, now: state.now())
            .text(
                of: code.person,
                description: state.profileOnly ? "" : Self.description(of: code.person),
                key: state.key,
                sign: { try Self.signature(of: $0, state) }
            )
        return Self.json("{\"access_token\":\"\(access)\",\"id_token\":\"\(token)\"}")
    }

    private static func description(of person: Person) -> String {
        let email = person.email.map {
            ",\"email\":\"\($0)\",\"email_verified\":\(person.isVerified)"
        }
        return ",\"given_name\":\"\(person.name)\",\"family_name\":\"\(person.surname)\""
            + (email ?? "")
    }

    private static func signature(
        of text: String,
        _ state: State
    ) throws -> (algorithm: String, bytes: [UInt8]) {
        let bytes = Array(text.utf8)
        switch state.lie {
        case .noAlgorithm: return ("none", [])
        case .notSigned: return ("RS256", [])
        case .sharedSecret:
            // A server that takes the algorithm from the token uses the public key as the secret.
            let known = Array(try rsa.get().publicKey.pemRepresentation.utf8)
            let key = SymmetricKey(data: known)
            return ("HS256", Array(HMAC<SHA256>.authenticationCode(for: bytes, using: key)))
        case _ where state.usesCurve:
            return ("ES256", Array(try curve.signature(for: bytes).rawRepresentation))
        default:
            let key = state.lie == .otherKey ? otherRSA : rsa
            let signature = try key.get().signature(
                for: SHA256.hash(data: bytes),
                padding: .insecurePKCS1v1_5
            )
            return ("RS256", Array(signature.rawRepresentation))
        }
    }

    private static func json(
        _ text: String,
        _ status: HTTPTypes.HTTPResponse.Status = .ok
    ) -> Response {
        Response(
            status: status,
            headers: [.contentType: "application/json"],
            body: .init(byteBuffer: ByteBuffer(string: text))
        )
    }
}
