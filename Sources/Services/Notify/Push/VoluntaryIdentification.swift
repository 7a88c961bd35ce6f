import Chronology
import Crypto

/// Tells push services who is sending (VAPID, RFC 8292).
///
/// Browsers are subscribed with the public key, so it must stay the same for ever: keep the
/// private one with the configuration's secrets.
package struct VoluntaryIdentification: Sendable {
    private let key: P256.Signing.PrivateKey
    private let contact: String

    /// For how many seconds a token counts; at most a day is allowed.
    private static let lifetime: Int64 = 12 * 3_600

    /// An identity.
    ///
    /// - Parameters:
    ///   - key: the private key, 32 bytes, as text for addresses (RFC 4648, 5).
    ///   - contact: whom a push service may write to.
    /// - Throws: `NotifyFailure.badKey`.
    package init(key: String, contact: MailAddress) throws(NotifyFailure) {
        guard let bytes = Base64.decoded(key) else { throw .badKey }
        try self.init(bytes: bytes, contact: contact)
    }

    /// An identity.
    ///
    /// - Parameters:
    ///   - bytes: the private key: 32 bytes, nearly any.
    ///   - contact: whom a push service may write to.
    /// - Throws: `NotifyFailure.badKey`.
    package init(bytes: [UInt8], contact: MailAddress) throws(NotifyFailure) {
        guard let key = try? P256.Signing.PrivateKey(rawRepresentation: bytes) else {
            throw .badKey
        }
        self.key = key
        self.contact = contact.text
    }

    /// A new private key, as `init` reads it.
    package static func newKey() -> String {
        Base64.encodedForURL(Array(P256.Signing.PrivateKey().rawRepresentation))
    }

    /// The public key, as pages give it to browsers (`applicationServerKey`).
    package var publicKey: String {
        Base64.encodedForURL(Array(key.publicKey.x963Representation))
    }

    /// The value of `Authorization` for a push service: a token (RFC 7515, ES256) and the key.
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
