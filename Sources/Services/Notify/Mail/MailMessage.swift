package import Chronology
package import Localization

/// A mail, before it takes its form on the wire.
package struct MailMessage: Sendable, Equatable {
    /// The message's own name, the same at each attempt.
    package let id: String
    /// The address that it comes from.
    package let sender: MailAddress
    /// How the sender is called.
    package let senderName: String
    /// The address that it goes to.
    package let recipient: MailAddress
    /// How the recipient is called; empty where no name is known.
    package let recipientName: String
    /// In which language it is.
    package let language: Language
    /// What it says.
    package let letter: Letter
    /// The page where such mail can be refused; nil for mail that cannot.
    package let settings: Link?
    /// When it is sent.
    package let date: Moment

    /// The mail as RFC 5322 and RFC 2045 want it, with lines of at most 76 characters.
    ///
    /// Names and subjects are made of what people write, so they are encoded wherever they hold
    /// anything but harmless ASCII: none can end its header.
    package func encoded() -> [UInt8] {
        // "=_" cannot stand in quoted-printable text, so no part can hold the boundary.
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

    private var greeting: String {
        let hello = language.pick("Hello", "Ciao")
        return recipientName.isEmpty ? "\(hello)," : "\(hello) \(recipientName),"
    }

    private var plainText: String {
        var paragraphs = [greeting] + letter.paragraphs
        if let action = letter.action { paragraphs.append("\(action.label):\n\(action.link.text)") }
        if let settings { paragraphs.append("-- \n\(settingsLabel): \(settings.text)") }
        return paragraphs.joined(separator: "\n\n") + "\n"
    }

    private var html: String {
        var body = ([greeting] + letter.paragraphs).map { "<p>\(Self.escaped($0))</p>\n" }.joined()
        if let action = letter.action {
            body += """
                <p><a href="\(Self.escaped(action.link.text))" style="display:inline-block;\
                padding:12px 20px;background:#0b4f8a;color:#ffffff;border-radius:8px;\
                text-decoration:none">\(Self.escaped(action.label))</a></p>
                <p>\(Self.escaped(action.link.text))</p>

                """
        }
        if let settings {
            body += """
                <hr>
                <p><a href="\(Self.escaped(settings.text))">\(settingsLabel)</a></p>

                """
        }
        return """
            <!DOCTYPE html>
            <html lang="\(language.rawValue)">
            <head><meta charset="utf-8"><title>\(Self.escaped(letter.subject))</title></head>
            <body style="font-family:sans-serif;font-size:18px;line-height:1.5;color:#10202f;\
            max-width:36em">
            \(body)</body>
            </html>

            """
    }

    private var settingsLabel: String {
        language.pick("Choose what we write to you", "Scegli che cosa ti scriviamo")
    }

    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            case "\t", "\n": result.unicodeScalars.append(scalar)
            // HTML knows no other control characters.
            case _ where scalar.properties.generalCategory == .control: result += " "
            default: result.unicodeScalars.append(scalar)
            }
        }
    }
}

/// A header field, whose value is printable ASCII already.
struct HeaderField {
    let name: String
    let value: String
    /// Lines should not be longer (RFC 5322, 2.1.1).
    private static let columns = 76

    init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    /// The field on as many lines as it needs, broken at its spaces.
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
