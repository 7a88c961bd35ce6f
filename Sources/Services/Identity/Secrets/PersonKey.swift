import Crypto
import Foundation

/// The key under which all that is stored about one person or taxi is sealed.
///
/// ChaCha20-Poly1305 (RFC 8439) with a random nonce; the person's number and the field's name are
/// authenticated along, so that no sealed value can be moved to another field or person.
package struct PersonKey: Sendable {
    /// Whose key it is.
    package let person: PersonNumber
    private let key: SymmetricKey

    init(of person: PersonNumber, key: SymmetricKey) {
        self.person = person
        self.key = key
    }

    /// A new key for a person.
    init(newFor person: PersonNumber) {
        self.init(of: person, key: SymmetricKey(size: .bits256))
    }

    /// Seals a text.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - field: what it is; other rooms give their own names.
    /// - Returns: nonce, sealed text and tag.
    /// - Throws: what the cipher throws, which for these lengths is nothing.
    package func seal(_ text: String, as field: String) throws -> [UInt8] {
        let box = try ChaChaPoly.seal(
            Array(text.utf8),
            using: key,
            authenticating: context(field)
        )
        return Array(box.combined)
    }

    /// Opens what was sealed for that field of that person.
    ///
    /// - Throws: `AccountFailure.sealBroken` for anything else.
    package func open(_ sealed: [UInt8], as field: String) throws(AccountFailure) -> String {
        do {
            let box = try ChaChaPoly.SealedBox(combined: sealed)
            let bytes = try ChaChaPoly.open(box, using: key, authenticating: context(field))
            return String(decoding: bytes, as: UTF8.self)
        } catch {
            throw .sealBroken
        }
    }

    /// The key itself under the installation's key, as the key store holds it.
    func wrapped(in secret: ServerSecret) throws -> [UInt8] {
        let bytes = unsafe key.withUnsafeBytes { unsafe Array($0) }
        let box = try ChaChaPoly.seal(
            bytes,
            using: secret.wrappingKey,
            authenticating: context("key")
        )
        return Array(box.combined)
    }

    /// The key that was wrapped for that person.
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
