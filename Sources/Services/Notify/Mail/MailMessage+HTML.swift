import Localization

/// The letter as HTML: the same words as its text, on a card in the colours of the pages.
///
/// Mail programs know little CSS, so styles are attributes; those that know the reader's choice of
/// dark colours take the style sheet. Nothing is loaded from outside.
extension MailMessage {
    private static let style = """
        @media (prefers-color-scheme: dark) {
        body, .card { background: #0e1720 !important; }
        .card { background: #18232e !important; color: #e8eef3 !important; }
        .muted { color: #a9b7c4 !important; }
        .button { background: #8fc3f5 !important; color: #0e1b2a !important; }
        a { color: #8fc3f5 !important; } .button { color: #0e1b2a !important; }
        }
        """

    /// The HTML part of the mail.
    var html: String {
        let paragraphs = ([greeting] + letter.paragraphs).map {
            "<p style=\"margin:0 0 16px\">\(Self.escaped($0))</p>\n"
        }
        return """
            <!DOCTYPE html>
            <html lang="\(language.rawValue)">
            <head><meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>\(Self.escaped(letter.subject))</title>
            <style>\(Self.style)</style></head>
            <body style="margin:0;padding:24px 12px;background:#f6f4ef">
            <div class="card" style="max-width:520px;margin:0 auto;padding:24px;\
            background:#ffffff;color:#0e1b2a;border-radius:16px;\
            font-family:Inter,system-ui,sans-serif;font-size:17px;line-height:1.5">
            <p style="margin:0 0 16px;font-size:14px"><b style="background:#ffb81c;color:#0e1b2a;\
            padding:4px 12px;border-radius:12px">\(Self.escaped(senderName))</b></p>
            <h1 style="margin:0 0 16px;font-size:24px;line-height:1.2">\
            \(Self.escaped(letter.subject))</h1>
            \(paragraphs.joined())\(table)\(button)\(footer)</div>
            </body>
            </html>

            """
    }

    /// The values, the last one large.
    private var table: String {
        guard !letter.facts.isEmpty else { return "" }
        let rows = letter.facts.enumerated().map { place, fact in
            let isLast = place == letter.facts.count - 1
            let size =
                isLast
                ? "padding:12px 0 4px;border-top:2px dashed #a9b7c4;font-size:24px"
                : "padding:4px 0"
            return """
                <tr><th style="text-align:left;font-weight:normal;\(size)">\
                <span style="font-size:17px">\(Self.escaped(fact.label))</span></th>\
                <td style="text-align:right;font-weight:bold;\(size)">\
                \(Self.escaped(fact.value))</td></tr>

                """
        }
        return """
            <table style="width:100%;border-collapse:collapse;margin:0 0 24px">
            \(rows.joined())</table>

            """
    }

    private var button: String {
        guard let action = letter.action else { return "" }
        let link = Self.escaped(action.link.text)
        return """
            <p style="margin:24px 0"><a class="button" href="\(link)" style="display:block;\
            padding:16px 24px;background:#0b3a66;color:#ffffff;border-radius:12px;\
            font-weight:bold;text-align:center;text-decoration:none">\
            \(Self.escaped(action.label))</a></p>
            <p class="muted" style="margin:0 0 16px;font-size:14px;color:#4f5d6b;\
            overflow-wrap:anywhere">\(link)</p>

            """
    }

    private var footer: String {
        guard let settings else { return "" }
        return """
            <p class="muted" style="margin:24px 0 0;padding-top:16px;border-top:1px solid #a9b7c4;\
            font-size:14px;color:#4f5d6b"><a href="\(Self.escaped(settings.text))">\
            \(settingsLabel)</a></p>

            """
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
            // HTML permits no other control characters.
            case _ where scalar.properties.generalCategory == .control: result += " "
            default: result.unicodeScalars.append(scalar)
            }
        }
    }
}
