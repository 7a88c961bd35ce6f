/// What a provider says about itself (OpenID Connect Discovery 1.0, 3; RFC 8414).
struct ProviderMetadata: Decodable, Sendable {
    let issuer: String
    let authorization: String
    let token: String
    let keys: String
    let userInfo: String?
    /// How the server may prove itself; nil means `client_secret_basic`.
    let proofs: [String]?
    /// Whether each answer names the issuer (RFC 9207).
    let namesIssuer: Bool?

    enum CodingKeys: String, CodingKey {
        case issuer
        case authorization = "authorization_endpoint"
        case token = "token_endpoint"
        case keys = "jwks_uri"
        case userInfo = "userinfo_endpoint"
        case proofs = "token_endpoint_auth_methods_supported"
        case namesIssuer = "authorization_response_iss_parameter_supported"
    }

    /// What makes the description unusable; nil if nothing does.
    func problem(for registration: ProviderRegistration) -> String? {
        if issuer != registration.issuer { return "its issuer is another than in the settings" }
        let endpoints = [authorization, token, keys, userInfo].compactMap(\.self)
        if !endpoints.allSatisfy(registration.allows) { return "an endpoint is not https" }
        if let proofs, Set(proofs).isDisjoint(with: ["client_secret_basic", "client_secret_post"]) {
            return "it accepts neither client_secret_basic nor client_secret_post"
        }
        return nil
    }

    /// Whether the secret is sent in the body of a request instead of its header.
    var sendsSecretInBody: Bool { proofs.map { !$0.contains("client_secret_basic") } ?? false }
}
