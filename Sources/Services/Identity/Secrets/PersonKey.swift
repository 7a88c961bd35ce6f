import Crypto
import Foundation

/// The key that encrypts all data stored about one person, or one row of a ``SealedTable``.
///
/// ChaCha20-Poly1305 (RFC 8439) with a random nonce; the person's number and the field's name are
/// authenticated as additional data, so that no sealed value can be moved to
/// another field or person.
package struct PersonKey: Sendable {
    /// The owner of the key.
    package let person: PersonNumber
    private let key: SymmetricKey

    init(of person: PersonNumber, key: SymmetricKey) {
        self.person = person
        self.key = key
    }

    /// Generates a new key for a person.
    init(newFor person: PersonNumber) {
        self.init(of: person, key: SymmetricKey(size: .bits256))
    }

    /// Encrypts a text for one field of the person.
    ///
    /// - Parameters:
    ///   - text: the plain text.
    ///   - field: the name of the field; other modules use their own names.
    /// - Returns: the nonce, the ciphertext and the tag.
    /// - Throws: errors of the cipher, which do not occur for these lengths.
    package func seal(_ text: String, as field: String) throws -> [UInt8] {
        let box = try ChaChaPoly.seal(
            Array(text.utf8),
            using: key,
            authenticating: context(field)
        )
        return Array(box.combined)
    }

    /// Decrypts the sealed value of a field of this person.
    ///
    /// - Throws: `AccountFailure.sealBroken` for any other value.
    package func open(_ sealed: [UInt8], as field: String) throws(AccountFailure) -> String {
        do {
            let box = try ChaChaPoly.SealedBox(combined: sealed)
            let bytes = try ChaChaPoly.open(box, using: key, authenticating: context(field))
            return String(decoding: bytes, as: UTF8.self)
        } catch {
            throw .sealBroken
        }
    }

    /// The key encrypted under the installation's secret, as the key store holds it.
    func wrapped(in secret: ServerSecret) throws -> [UInt8] {
        let bytes = unsafe key.withUnsafeBytes { unsafe Array($0) }
        let box = try ChaChaPoly.seal(
            bytes,
            using: secret.wrappingKey,
            authenticating: context("key")
        )
        return Array(box.combined)
    }

    /// Decrypts a wrapped key of a person.
    init(
        of person: PersonNumber,
        wrapped: [UInt8],
        in secret: ServerSecret
    ) throws(AccountFailure) {
        self.init(of: person, key: SymmetricKey(size: .bits256))
        do {
            let box = try ChaChaPoly.SealedBox(combined: wrapped)
            let bytes = try ChaChaPoly.open(
                box,
                using: secret.wrappingKey,
                authenticating: context("key")
            )
            self.init(of: person, key: SymmetricKey(data: bytes))
        } catch {
            throw .sealBroken
        }
    }

    private func context(_ field: String) -> [UInt8] {
        Array("viavai/\(person.rawValue)/\(field)".utf8)
    }
}
