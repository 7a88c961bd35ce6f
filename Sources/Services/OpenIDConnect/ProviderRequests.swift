import Encoding
import Foundation
import HTTPClient

/// The requests to a provider, each with a limit of time and size.
struct ProviderRequests: Sendable {
    /// The size limit of a response, in bytes; the largest providers answer with some thousand.
    private static let bodyLimit = 1 << 18

    let registration: ProviderRegistration
    let client: HTTPClient
    /// The time limit of a request.
    let limit: Duration

    /// What the token endpoint answers.
    struct Tokens: Decodable {
        let identity: String
        let access: String?

        enum CodingKeys: String, CodingKey {
            case identity = "id_token"
            case access = "access_token"
        }
    }

    private struct Refusal: Decodable {
        let error: String?
    }

    /// Fields in the format of addresses and forms.
    static func form(_ fields: [(String, String)]) -> String {
        fields.map { "\(PercentEncoding.encoded($0))=\(PercentEncoding.encoded($1))" }
            .joined(separator: "&")
    }

    /// Fetches what the provider says about itself (OpenID Connect Discovery 1.0, 4).
    func metadata() async -> Result<ProviderMetadata, ProviderFailure> {
        var base = registration.issuer
        if base.hasSuffix("/") { base.removeLast() }
        do throws(ProviderFailure) {
            let found: ProviderMetadata = try await document(
                at: base + "/.well-known/openid-configuration",
                "its description"
            )
            if let problem = found.problem(for: registration) { throw .misconfigured(problem) }
            return .success(found)
        } catch {
            return .failure(error)
        }
    }

    /// Fetches the keys with which the provider signs.
    func keys(at url: String) async -> Result<SigningKeys, ProviderFailure> {
        do throws(ProviderFailure) {
            return .success(try await document(at: url, "its keys"))
        } catch {
            return .failure(error)
        }
    }

    /// Fetches what the provider says about a person (OpenID Connect Core 1.0, 5.3).
    func profile(
        at url: String,
        _ token: String
    ) async throws(ProviderFailure) -> Claims.Description {
        try await document(at: url, "the profile", headers: [("Authorization", "Bearer \(token)")])
    }

    /// Exchanges a code for an ID token (OpenID Connect Core 1.0, 3.1.3).
    func tokens(
        for code: String,
        verifier: String,
        back redirect: String,
        _ metadata: ProviderMetadata
    ) async throws(ProviderFailure) -> Tokens {
        var fields = [
            ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", redirect),
            ("code_verifier", verifier),
        ]
        var headers = [
            (name: "Content-Type", value: "application/x-www-form-urlencoded"),
            (name: "Accept", value: "application/json"),
        ]
        let (name, secret) = (registration.client, registration.secret)
        if metadata.sendsSecretInBody {
            fields += [("client_id", name), ("client_secret", secret)]
        } else {
            let pair = PercentEncoding.encoded(name) + ":" + PercentEncoding.encoded(secret)
            headers.append(("Authorization", "Basic \(Base64.encoded(Array(pair.utf8)))"))
        }
        let request = HTTPClient.Request.post(
            metadata.token,
            headers: headers,
            body: Array(Self.form(fields).utf8),
            limit: limit,
            bodyLimit: Self.bodyLimit
        )
        let response = try await send(request, "the exchange of a code")
        guard response.status == 200 else {
            let refusal = try? JSONDecoder().decode(Refusal.self, from: Data(response.body))
            switch refusal?.error {
            case "invalid_grant": throw .codeRefused
            case "invalid_client", "unauthorized_client":
                throw .misconfigured("it does not know the client id, or the secret is wrong")
            default: throw .down("the exchange of a code: status \(response.status)")
            }
        }
        return try Self.decoded(response, "the exchange of a code")
    }

    private func document<Value: Decodable>(
        at url: String,
        _ what: String,
        headers: [(name: String, value: String)] = []
    ) async throws(ProviderFailure) -> Value {
        let request = HTTPClient.Request.get(
            url,
            headers: headers + [("Accept", "application/json")],
            limit: limit,
            bodyLimit: Self.bodyLimit
        )
        let response = try await send(request, what)
        guard response.status == 200 else { throw .down("\(what): status \(response.status)") }
        return try Self.decoded(response, what)
    }

    private func send(
        _ request: HTTPClient.Request,
        _ what: String
    ) async throws(ProviderFailure) -> HTTPClient.Response {
        do throws(HTTPClient.Failure) {
            return try await client.send(request)
        } catch {
            throw .down("\(what): \(error.text)")
        }
    }

    private static func decoded<Value: Decodable>(
        _ response: HTTPClient.Response,
        _ what: String
    ) throws(ProviderFailure) -> Value {
        do {
            return try JSONDecoder().decode(Value.self, from: Data(response.body))
        } catch {
            throw .down("\(what): the answer is not as the standard says")
        }
    }
}
