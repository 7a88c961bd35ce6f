package import Chronology
package import Localization

/// An e-mail before it is encoded for transport.
package struct MailMessage: Sendable, Equatable {
    /// The identifier of the message, the same for each delivery attempt.
    package let id: String
    package let sender: MailAddress
    /// The display name of the sender.
    package let senderName: String
    package let recipient: MailAddress
    /// The display name of the recipient; empty if unknown.
    package let recipientName: String
    package let language: Language
    /// The content of the message.
    package let letter: Letter
    /// The page where the recipient can unsubscribe; nil for mandatory mail.
    package let settings: Link?
    /// The value of the `Date` header.
    package let date: Moment

    /// Encodes the mail according to RFC 5322 and RFC 2045, with lines of at most 76 characters.
    ///
    /// Names and subjects contain user input, so anything but harmless ASCII is encoded and
    /// cannot end a header.
    package func encoded() -> [UInt8] {
        // "=_" cannot occur in quoted-printable text, so no part can contain the boundary.
        let boundary = "=_viavai_\(id)"
        var fields = [
            HeaderField("Date", date.internetDate + " +0000"),
            HeaderField("From", EncodedWord.mailbox(sender, name: senderName)),
            HeaderField("To", EncodedWord.mailbox(recipient, name: recipientName)),
            HeaderField("Subject", EncodedWord.text(letter.subject)),
            HeaderField("Message-ID", "<\(id)@\(sender.domain)>"),
            HeaderField("Auto-Submitted", "auto-generated"),
            HeaderField("Content-Language", language.rawValue),
        ]
        if let settings {
            fields.append(HeaderField("List-Unsubscribe", "<\(settings.text)>"))
        }
        fields.append(HeaderField("MIME-Version", "1.0"))
        fields.append(
            HeaderField("Content-Type", "multipart/alternative; boundary=\"\(boundary)\"")
        )
        var text = fields.map(\.folded).joined() + "\r\n"
        for (type, body) in [("plain", plainText), ("html", html)] {
            text += "--\(boundary)\r\n"
            text += "Content-Type: text/\(type); charset=utf-8\r\n"
            text += "Content-Transfer-Encoding: quoted-printable\r\n\r\n"
            text += QuotedPrintable.encoded(body) + "\r\n"
        }
        text += "--\(boundary)--\r\n"
        return Array(text.utf8)
    }

    var greeting: String {
        let hello = MailTexts.greeting.in(language)
        return recipientName.isEmpty ? "\(hello)," : "\(hello) \(recipientName),"
    }

    private var plainText: String {
        var paragraphs = [greeting] + letter.paragraphs
        if !letter.facts.isEmpty {
            let facts = letter.facts.map { "\($0.label): \($0.value)" }
            paragraphs.append(facts.joined(separator: "\n"))
        }
        if let action = letter.action { paragraphs.append("\(action.label):\n\(action.link.text)") }
        if let settings { paragraphs.append("-- \n\(settingsLabel): \(settings.text)") }
        return paragraphs.joined(separator: "\n\n") + "\n"
    }

    var settingsLabel: String {
        MailTexts.settings.in(language)
    }
}

/// A header field whose value is already printable ASCII.
struct HeaderField {
    let name: String
    let value: String
    /// The recommended maximum length of a line (RFC 5322, 2.1.1).
    private static let columns = 76

    init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    /// The field folded at its spaces into as many lines as necessary.
    var folded: String {
        var text = "\(name):"
        var column = text.utf8.count
        for word in value.split(separator: " ") {
            if column + 1 + word.utf8.count > Self.columns, column > name.utf8.count + 1 {
                text += "\r\n"
                column = 0
            }
            text += " \(word)"
            column += 1 + word.utf8.count
        }
        return text + "\r\n"
    }
}
