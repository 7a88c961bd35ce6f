import Chronology
import Crypto
import Foundation

/// A random secret of 256 bits that its owner carries, in a cookie or a link.
///
/// The database holds its SHA-256 only: who reads the database cannot become anybody.
package struct SecretToken: Hashable, Sendable {
    private static let byteCount = 32

    private let bytes: [UInt8]

    /// A new secret.
    package static func random() -> SecretToken {
        SecretToken(
            bytes: unsafe SymmetricKey(size: .bits256).withUnsafeBytes { unsafe Array($0) }
        )
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// A secret as its owner sends it back; nil where it cannot be one.
    package init?(_ text: String) {
        guard text.utf8.count == Self.byteCount * 2, let bytes = [UInt8](hex: text) else {
            return nil
        }
        self.bytes = bytes
    }

    /// The secret as it is sent: 64 hexadecimal digits.
    package var text: String { bytes.hex }

    /// The facts of a mail that brings it.
    func facts(until end: Moment) -> [String: String] {
        ["token": text, "until": "\(end.milliseconds)"]
    }

    /// What the database holds.
    var hash: [UInt8] { Array(SHA256.hash(data: bytes)) }

    /// A token for the forms of pages that are shown to the owner of this session.
    ///
    /// It differs each time, so that compressed pages tell nothing about it (BREACH): a random
    /// mask, and the masked value that belongs to the session.
    package func formToken() -> String {
        let mask = Self.random().bytes
        return (mask + zip(mask, formSecret).map { $0 ^ $1 }).hex
    }

    /// What knows the forms that were shown to the owner of this session; whoever asks it often
    /// keeps it.
    package var formProof: FormProof { FormProof(secret: formSecret) }

    private var formSecret: [UInt8] {
        let key = SymmetricKey(data: bytes)
        return Array(HMAC<SHA256>.authenticationCode(for: Array("form".utf8), using: key))
    }

    /// What belongs to a session and is in each of its forms, masked.
    package struct FormProof: Sendable {
        fileprivate let secret: [UInt8]

        /// Whether a form came from a page that was shown to the owner of the session.
        package func accepts(formToken: String) -> Bool {
            guard formToken.utf8.count == byteCount * 4, let both = [UInt8](hex: formToken)
            else { return false }
            let sent = zip(both[..<byteCount], both[byteCount...]).map { $0 ^ $1 }
            // Constant time: all bytes are looked at.
            return zip(sent, secret).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
        }
    }
}
