import Chronology
import Crypto
import Encoding
import Foundation

/// A random secret of 256 bits that its owner keeps in a cookie or a link.
///
/// The database contains only its SHA-256, so that a reader of the database cannot
/// impersonate anybody.
package struct SecretToken: Hashable, Sendable {
    private static let byteCount = 32

    private let bytes: [UInt8]

    /// Generates a new secret.
    package static func random() -> SecretToken {
        SecretToken(
            bytes: unsafe SymmetricKey(size: .bits256).withUnsafeBytes { unsafe Array($0) }
        )
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// Parses a secret as its owner sends it; nil if the format is wrong.
    package init?(_ text: String) {
        guard text.utf8.count == Self.byteCount * 2, let bytes = [UInt8](hex: text) else {
            return nil
        }
        self.bytes = bytes
    }

    /// The secret as it is sent: 64 hexadecimal digits.
    package var text: String { bytes.hex }

    /// The facts of the e-mail that delivers it.
    func facts(until end: Moment) -> [String: String] {
        ["token": text, "until": "\(end.milliseconds)"]
    }

    /// The SHA-256 that the database contains.
    var hash: [UInt8] { Array(SHA256.hash(data: bytes)) }

    /// Creates an anti-forgery token for the forms of pages shown to the owner of this session.
    ///
    /// It is masked with random bytes and differs each time, so that compressed pages reveal
    /// nothing about it (BREACH).
    package func formToken() -> String {
        let mask = Self.random().bytes
        return (mask + zip(mask, formSecret).map { $0 ^ $1 }).hex
    }

    /// The verifier of the session's form tokens; callers that use it often should keep it.
    package var formProof: FormProof { FormProof(secret: formSecret) }

    private var formSecret: [UInt8] {
        let key = SymmetricKey(data: bytes)
        return Array(HMAC<SHA256>.authenticationCode(for: Array("form".utf8), using: key))
    }

    /// Verifies the form tokens of one session.
    package struct FormProof: Sendable {
        fileprivate let secret: [UInt8]

        /// Returns whether a form comes from a page that was shown to the owner of the session.
        package func accepts(formToken: String) -> Bool {
            guard formToken.utf8.count == byteCount * 4, let both = [UInt8](hex: formToken)
            else { return false }
            let sent = zip(both[..<byteCount], both[byteCount...]).map { $0 ^ $1 }
            // Compares in constant time by looking at all bytes.
            return zip(sent, secret).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
        }
    }
}
