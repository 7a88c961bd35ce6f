import Chronology
package import Localization

/// A notification as a browser displays it.
package struct PushNotice: Sendable, Equatable {
    /// The kind of message; a notification replaces an earlier one of the same kind.
    package let kind: Kind
    package let language: Language
    package let title: String
    /// The text below the title.
    package let text: String
    /// The page that opens when the notification is tapped.
    package let link: Link?
    /// How long the push service keeps it while the browser is offline, in seconds.
    package let lifetime: Int64

    /// Creates a notification that expires at an instant.
    init(
        kind: Kind,
        language: Language,
        title: String,
        text: String,
        link: Link?,
        now: Moment,
        usefulUntil: Moment
    ) {
        self.kind = kind
        self.language = language
        self.title = title
        self.text = text
        self.link = link
        let seconds = (usefulUntil.milliseconds - now.milliseconds) / 1_000
        lifetime = min(max(seconds, 0), Self.lifetimeLimit)
    }

    /// The longest retention that push services offer, about four weeks.
    private static let lifetimeLimit: Int64 = 28 * 86_400
    /// Longer texts are truncated, so that the record fits the 4 KB limit of push services.
    private static let textLimit = 500

    /// The notification as JSON for the service worker: `title`, `body`, `tag`, `lang`, `url`.
    var payload: [UInt8] {
        var fields = [
            "title": String(title.prefix(Self.textLimit)),
            "body": String(text.prefix(Self.textLimit)),
            "tag": kind.rawValue, "lang": language.rawValue,
        ]
        if let link { fields["url"] = link.text }
        return JSONText.object(fields)
    }
}

/// Encodes JSON objects whose values are strings.
enum JSONText {
    /// Encodes an object with its keys in order.
    static func object(_ fields: [String: String]) -> [UInt8] {
        let members = fields.sorted { $0.key < $1.key }
            .map { "\(quoted($0.key)):\(quoted($0.value))" }
        return Array("{\(members.joined(separator: ","))}".utf8)
    }

    private static func quoted(_ text: String) -> String {
        let body = text.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return "\"\(body)\""
    }
}
