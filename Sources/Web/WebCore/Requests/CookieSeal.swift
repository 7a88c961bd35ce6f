package import Chronology
import Crypto
import Encoding
import Foundation

/// Encrypts and authenticates a value, which the browser stores in a cookie or a form.
///
/// Nobody else can read or change the value, and the server stores nothing about people who do not
/// go on.
package struct CookieSeal<Value: Codable & Sendable>: Sendable {
    /// The maximum size of a sealed value in bytes; browsers limit cookies to 4,096.
    package static var limit: Int { 3_800 }

    /// How long a sealed value is valid, in seconds.
    package let lasting: Int64
    private let key: SymmetricKey

    private struct Envelope: Codable {
        var value: Value
        var until: Int64

        /// Orders that earlier versions sealed have their value under this name.
        enum CodingKeys: String, CodingKey {
            case value = "draft"
            case until
        }
    }

    /// Creates a seal.
    ///
    /// - Parameters:
    ///   - key: the key, of 32 bytes.
    ///   - lasting: how long a sealed value is valid, in seconds.
    package init(key: [UInt8], lasting: Int64) {
        self.key = SymmetricKey(data: key)
        self.lasting = lasting
    }

    /// Seals a value as letters, digits, `-` and `_`; nil if that is too long for a cookie.
    package func seal(_ value: Value, at now: Moment) -> String? {
        let until = now.adding(seconds: lasting).milliseconds
        guard let bytes = try? JSONEncoder().encode(Envelope(value: value, until: until)),
            let box = try? ChaChaPoly.seal(bytes, using: key)
        else { return nil }
        let text = Base64.encodedForURL(Array(box.combined))
        return text.utf8.count <= Self.limit ? text : nil
    }

    /// Opens a sealed value; nil if the text is invalid or too old.
    package func open(_ text: String, at now: Moment) -> Value? {
        guard text.utf8.count <= Self.limit, let data = Base64.decoded(text),
            let box = try? ChaChaPoly.SealedBox(combined: data),
            let bytes = try? ChaChaPoly.open(box, using: key),
            let envelope = try? JSONDecoder().decode(Envelope.self, from: bytes),
            now.milliseconds < envelope.until
        else { return nil }
        return envelope.value
    }
}
