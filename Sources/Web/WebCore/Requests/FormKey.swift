import Crypto
import Encoding
import HTTPTypes
import Identity

/// Identifies a submitted form or a program's request; each submission of it has the same key.
package struct FormKey: Sendable {
    /// The sender; senders do not share keys.
    package let caller: String
    /// The random text that the form or the header contains.
    let text: String
    /// A digest of the path and all fields, which reveals nothing without the sender's cookie.
    let digest: [UInt8]
    /// Whether a program sent it as a header, which uses a key for one request only.
    let isOfProgram: Bool
    /// The key that hides the form and its answer from anyone who can read the database.
    ///
    /// Forms contain passwords, and an answer may reveal what only its owner should see.
    let cipher: SymmetricKey

    /// Derives the key of a request; nil if it has none.
    init?(_ context: RequestContext) {
        let text = context.form["key"] ?? context.headers[.idempotencyKey] ?? ""
        guard text.wholeMatch(of: /[A-Za-z0-9_\-]{8,64}/) != nil, let secret = context.secret else {
            return nil
        }
        self.text = text
        caller = context.caller
        isOfProgram = context.form["key"] == nil
        cipher = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: Array(secret.text.utf8)),
            info: Array("viavai web: form".utf8),
            outputByteCount: 32
        )
        var digest = HMAC<SHA256>(key: cipher)
        digest.update(data: Array(context.path.utf8))
        // The token and the key differ each time the page is shown.
        for field in context.form.fields where field.name != "token" && field.name != "key" {
            for text in [field.name, field.value] { digest.update(data: [0] + Array(text.utf8)) }
        }
        for file in context.form.files {
            digest.update(data: [1] + Array(file.field.utf8) + [0])
            digest.update(data: file.bytes)
        }
        self.digest = Array(digest.finalize())
    }

    /// The form regardless of its fields, whose submissions are answered one after another.
    var form: String { caller + text }

    /// The form with its fields: after going back and changing a field, it is another one.
    package var submission: String {
        text + " " + Array(SHA256.hash(data: digest)).prefix(16).hex
    }
}
