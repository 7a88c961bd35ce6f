import Crypto
import Encoding
import Identity

/// The secret that signs the messages to an endpoint, as Standard Webhooks define it.
package struct WebhookSecret: Hashable, Sendable {
    /// How many bytes a secret may have.
    package static let sizes = 24...64

    /// What the text of a secret begins with.
    private static let prefix = "whsec_"

    let bytes: [UInt8]

    /// Generates a new secret.
    package static func random() -> WebhookSecret {
        WebhookSecret(checked: ServerSecret.randomBytes())
    }

    /// Parses a secret: `whsec_` and Base64; nil for any other text.
    package init?(_ text: String) {
        guard text.hasPrefix(Self.prefix),
            let bytes = Base64.decoded(text.dropFirst(Self.prefix.count)),
            Self.sizes.contains(bytes.count)
        else { return nil }
        self.bytes = bytes
    }

    private init(checked bytes: [UInt8]) {
        precondition(Self.sizes.contains(bytes.count), "A secret of webhooks has a wrong length.")
        self.bytes = bytes
    }

    /// The secret as it is shown once.
    package var text: String { Self.prefix + Base64.encoded(bytes) }

    /// Signs a message: the value of `webhook-signature`.
    ///
    /// - Parameters:
    ///   - body: the body as it is sent.
    ///   - id: the value of `webhook-id`.
    ///   - seconds: the value of `webhook-timestamp`, in seconds since 1970 UTC.
    /// - Returns: the version and the HMAC-SHA256 in Base64.
    package func signature(of body: [UInt8], id: String, at seconds: Int64) -> String {
        var code = HMAC<SHA256>(key: SymmetricKey(data: bytes))
        code.update(data: Array("\(id).\(seconds).".utf8))
        code.update(data: body)
        return "v1," + Base64.encoded(Array(code.finalize()))
    }
}

extension WebhookSecret: CustomStringConvertible, CustomDebugStringConvertible {
    /// A text without the secret, for logs.
    package var description: String { "(secret)" }

    /// A text without the secret, for logs.
    package var debugDescription: String { description }
}
