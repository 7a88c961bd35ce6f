import Crypto
import Foundation

/// The secret of the installation, from which the keys of look-ups and of the key store come.
///
/// It is kept apart from both databases, and backed up apart from them: who has a copy of the
/// databases, but not this, can neither guess a user name nor open a key.
package struct ServerSecret: Sendable {
    /// How many bytes it must have at least.
    package static let leastBytes = 32

    private let root: SymmetricKey
    private let lookUpKey: SymmetricKey
    /// The key that the keys of people are wrapped in.
    let wrappingKey: SymmetricKey

    /// A secret of at least ``leastBytes`` random bytes; nil for less.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.leastBytes else { return nil }
        let root = SymmetricKey(data: bytes)
        self.root = root
        lookUpKey = Self.key("viavai accounts: look-up", from: root)
        wrappingKey = Self.key("viavai accounts: wrapping", from: root)
    }

    private static func key(_ purpose: String, from root: SymmetricKey) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: root,
            info: Array(purpose.utf8),
            outputByteCount: 32
        )
    }

    /// A key for another room's use, from which nothing is learnt of the secret or other keys.
    ///
    /// - Parameter room: whose key it is; always the same name gives the same key.
    /// - Returns: 32 bytes.
    package func key(for room: StaticString) -> [UInt8] {
        unsafe Self.key("viavai room: \(room)", from: root)
            .withUnsafeBytes { unsafe Array($0) }
    }

    /// A new secret.
    package static func randomBytes() -> [UInt8] {
        unsafe SymmetricKey(size: .bits256).withUnsafeBytes { unsafe Array($0) }
    }

    /// What stands in the database for a value that must be found but not read.
    ///
    /// - Parameters:
    ///   - value: the value, normalised.
    ///   - domain: what kind of value it is; equal values of two kinds have different digests.
    /// - Returns: 32 bytes that say nothing to who does not have the secret.
    func digest(_ value: String, of domain: Domain) -> [UInt8] {
        let text = Array(domain.rawValue.utf8) + [0] + Array(value.utf8)
        return Array(HMAC<SHA256>.authenticationCode(for: text, using: lookUpKey))
    }

    /// The kinds of values that are looked up by their digest.
    enum Domain: String {
        case userName = "user name"
        case email
        case mobile
        case taxiLicence = "taxi licence"
        case drivingLicence = "driving licence"
        case taxiCode = "taxi code"
        case plate
        /// The account of a log-in attempt, known or not.
        case attempt
        /// A network address that somebody logged in from.
        case address
        /// The code that proves an e-mail address at log-in, or a guest's contact.
        case code
        /// The contact of a guest.
        case guest
    }
}
