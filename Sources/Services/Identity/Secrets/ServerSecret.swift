import Crypto
import Foundation

/// The secret of an installation, from which the keys for digests and for the key
/// store are derived.
///
/// It is stored and backed up apart from both databases: a copy of the databases alone allows
/// nobody to guess a user name or to open a key.
package struct ServerSecret: Sendable {
    /// The minimum length in bytes.
    package static let leastBytes = 32

    private let root: SymmetricKey
    private let lookUpKey: SymmetricKey
    /// The key that wraps the keys of people.
    let wrappingKey: SymmetricKey

    /// Creates a secret from at least ``leastBytes`` random bytes; nil for fewer.
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

    /// Derives a key for another module, which reveals nothing about the secret or other keys.
    ///
    /// - Parameter module: the name of the module; the same name always gives the same key.
    /// - Returns: 32 bytes.
    package func key(for module: StaticString) -> [UInt8] {
        // Keys depend on this wording: it never changes.
        unsafe Self.key("viavai room: \(module)", from: root)
            .withUnsafeBytes { unsafe Array($0) }
    }

    /// Generates a new secret.
    package static func randomBytes() -> [UInt8] {
        unsafe SymmetricKey(size: .bits256).withUnsafeBytes { unsafe Array($0) }
    }

    /// Computes the digest by which a value can be found in the database without being readable.
    ///
    /// - Parameters:
    ///   - value: the normalised value.
    ///   - domain: the kind of value; equal values of different kinds have different digests.
    /// - Returns: 32 bytes that reveal nothing without the secret.
    package func digest(_ value: String, of domain: Domain) -> [UInt8] {
        let text = Array(domain.rawValue.utf8) + [0] + Array(value.utf8)
        return Array(HMAC<SHA256>.authenticationCode(for: text, using: lookUpKey))
    }

    /// A kind of value that is looked up by its digest; other modules add their own.
    package struct Domain: RawRepresentable, Sendable {
        /// The text that enters the digest; it never changes.
        package let rawValue: String

        /// Creates a kind from the text that enters its digests.
        package init(rawValue: String) { self.rawValue = rawValue }

        static let userName = Self(rawValue: "user name")
        static let email = Self(rawValue: "email")
        /// The account name of a log-in attempt, existing or not.
        static let attempt = Self(rawValue: "attempt")
        /// A network address that somebody logged in from.
        static let address = Self(rawValue: "address")
        /// The code that proves an e-mail address at log-in, or a guest's contact.
        static let code = Self(rawValue: "code")
        static let guest = Self(rawValue: "guest")
    }
}
