import Crypto
import Encoding

/// What a server must recognise in the answer of a provider: it belongs to one browser and to one
/// attempt.
package struct SignInSecrets: Codable, Hashable, Sendable {
    /// Comes back in the address of the answer, which proves that this browser began it.
    package let state: String
    /// Comes back in the ID token, which proves that it was issued for this attempt.
    package let nonce: String
    /// Redeems the code (PKCE, RFC 7636); the provider has seen its digest only.
    let verifier: String

    /// Generates secrets of 256 random bits each.
    package init() {
        state = Self.random()
        nonce = Self.random()
        verifier = Self.random()
    }

    /// The digest of the verifier, as the provider receives it (RFC 7636, 4.2).
    var challenge: String {
        Base64.encodedForURL(Array(SHA256.hash(data: Array(verifier.utf8))))
    }

    private static func random() -> String {
        var generator = SystemRandomNumberGenerator()
        return Base64.encodedForURL(
            (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        )
    }
}
