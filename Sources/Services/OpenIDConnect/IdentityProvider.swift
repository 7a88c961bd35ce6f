package import Chronology
import Encoding
import Foundation
package import HTTPClient

/// A provider with which people sign in (OpenID Connect Core 1.0, the authorization code flow).
package struct IdentityProvider: Sendable {
    /// What the settings say about it.
    package let registration: ProviderRegistration
    private let requests: ProviderRequests
    private let metadata: CachedDocument<ProviderMetadata>
    private let keys: CachedDocument<SigningKeys>

    /// Creates a provider that has not been asked anything yet.
    ///
    /// - Parameters:
    ///   - registration: what the settings say about it.
    ///   - client: sends the requests; the operator chose the provider, so it may be anywhere.
    ///   - limit: the time limit of a request, because the person is waiting.
    package init(
        _ registration: ProviderRegistration,
        over client: HTTPClient,
        limit: Duration = .seconds(8)
    ) {
        self.registration = registration
        let requests = ProviderRequests(registration: registration, client: client, limit: limit)
        let metadata = CachedDocument<ProviderMetadata> { _ in await requests.metadata() }
        self.requests = requests
        self.metadata = metadata
        keys = CachedDocument { now in
            do throws(ProviderFailure) {
                return await requests.keys(at: try await metadata.current(at: now).keys)
            } catch {
                return .failure(error)
            }
        }
    }

    /// The address to which the person goes to sign in.
    ///
    /// - Parameters:
    ///   - secrets: what must come back.
    ///   - redirect: the address at this server to which the person returns.
    ///   - isRepeated: whether the person must prove again who they are.
    ///   - language: the language that the person reads, as the provider should.
    ///   - now: the current time.
    /// - Returns: the address, with all fields.
    /// - Throws: ``ProviderFailure`` if the provider's description is not known.
    package func authorization(
        for secrets: SignInSecrets,
        back redirect: String,
        isRepeated: Bool = false,
        language: String,
        at now: Moment
    ) async throws(ProviderFailure) -> String {
        let endpoint = try await metadata.current(at: now).authorization
        var fields = [
            ("response_type", "code"), ("client_id", registration.client),
            ("redirect_uri", redirect), ("scope", "openid profile email"),
            ("state", secrets.state), ("nonce", secrets.nonce),
            ("code_challenge", secrets.challenge), ("code_challenge_method", "S256"),
            ("ui_locales", language),
        ]
        // `max_age` makes the provider say when that was (OpenID Connect Core, 3.1.2.1).
        if isRepeated { fields += [("prompt", "login"), ("max_age", "0")] }
        return endpoint + (endpoint.contains("?") ? "&" : "?") + ProviderRequests.form(fields)
    }

    /// Redeems the code that a person's browser brought, and checks who they are.
    ///
    /// - Parameters:
    ///   - code: the code.
    ///   - issuer: the issuer that the answer names (RFC 9207); nil if it names none.
    ///   - secrets: the secrets of the attempt.
    ///   - redirect: the same address as in the request.
    ///   - now: the current time.
    /// - Returns: who signed in.
    /// - Throws: ``ProviderFailure``.
    package func identity(
        for code: String,
        from issuer: String?,
        _ secrets: SignInSecrets,
        back redirect: String,
        at now: Moment
    ) async throws(ProviderFailure) -> ProvidedIdentity {
        let metadata = try await metadata.current(at: now)
        // Before the code is sent anywhere: it may be another provider's (mix-up, RFC 9207).
        guard issuer.map({ $0 == registration.issuer }) ?? (metadata.namesIssuer != true) else {
            throw .doubted(.issuer)
        }
        let tokens = try await requests.tokens(
            for: code,
            verifier: secrets.verifier,
            back: redirect,
            metadata
        )
        let token = try IDToken(tokens.identity)
        let key = try await key(of: token, at: now)
        try token.check(by: key, of: registration, nonce: secrets.nonce, at: now)
        var person = token.claims.person
        if person.email == nil, let address = metadata.userInfo, let access = tokens.access {
            person = try await requests.profile(at: address, access)
            // A profile may be of somebody else (OpenID Connect Core, 5.3.2).
            guard person.subject == token.claims.subject else { throw .doubted(.userInfo) }
        }
        return ProvidedIdentity(token.claims, person)
    }

    private func key(of token: IDToken, at now: Moment) async throws(ProviderFailure) -> SigningKey
    {
        let known = try await keys.current(at: now)
        if let key = known.key(named: token.key, for: token.algorithm) { return key }
        // The provider may have begun to use a new key.
        let renewed = try await keys.renewed(at: now)
        guard let key = renewed?.key(named: token.key, for: token.algorithm) else {
            throw .doubted(.unknownKey)
        }
        return key
    }
}

extension [IdentityProvider] {
    /// The provider of a name; nil if the city has none of that name.
    package subscript(named name: String) -> IdentityProvider? {
        first { $0.registration.name == name }
    }
}
