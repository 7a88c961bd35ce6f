import Chronology
import Crypto
import Encoding

/// Identifies this server to push services (VAPID, RFC 8292).
///
/// Browsers subscribe with the public key, so the key must never change: keep the private key with
/// the secrets of the configuration.
package struct VoluntaryIdentification: Sendable {
    private let key: P256.Signing.PrivateKey
    private let contact: String

    /// How long a token is valid, in seconds; at most one day is allowed.
    private static let lifetime: Int64 = 12 * 3_600

    /// Creates an identity from an encoded key.
    ///
    /// - Parameters:
    ///   - key: the private key, 32 bytes, in URL-safe Base64 (RFC 4648, 5).
    ///   - contact: the address at which operators of push services reach this service.
    /// - Throws: `NotifyFailure.badKey`.
    package init(key: String, contact: MailAddress) throws(NotifyFailure) {
        guard let bytes = Base64.decoded(key) else { throw .badKey }
        try self.init(bytes: bytes, contact: contact)
    }

    /// Creates an identity from the bytes of a key.
    ///
    /// - Parameters:
    ///   - bytes: the private key: 32 bytes, nearly any.
    ///   - contact: the address at which operators of push services reach this service.
    /// - Throws: `NotifyFailure.badKey`.
    package init(bytes: [UInt8], contact: MailAddress) throws(NotifyFailure) {
        guard let key = try? P256.Signing.PrivateKey(rawRepresentation: bytes) else {
            throw .badKey
        }
        self.key = key
        self.contact = contact.text
    }

    /// Generates a private key in the format that `init` reads.
    package static func newKey() -> String {
        Base64.encodedForURL(Array(P256.Signing.PrivateKey().rawRepresentation))
    }

    /// The public key as pages pass it to browsers (`applicationServerKey`).
    package var publicKey: String {
        Base64.encodedForURL(Array(key.publicKey.x963Representation))
    }

    /// The `Authorization` header for a push service: a token (RFC 7515, ES256) and the public key.
    func authorization(for origin: String, at now: Moment) throws(NotifyFailure) -> String {
        let head = Base64.encodedForURL(Array("{\"typ\":\"JWT\",\"alg\":\"ES256\"}".utf8))
        let end = now.flooredSeconds + Self.lifetime
        let claims = "{\"aud\":\"\(origin)\",\"exp\":\(end),\"sub\":\"mailto:\(contact)\"}"
        let text = head + "." + Base64.encodedForURL(Array(claims.utf8))
        guard let signature = try? key.signature(for: Array(text.utf8)) else { throw .badKey }
        let token = text + "." + Base64.encodedForURL(Array(signature.rawRepresentation))
        return "vapid t=\(token), k=\(publicKey)"
    }
}
