import Chronology
package import Localization

/// What a browser shows.
package struct PushNotice: Sendable, Equatable {
    /// What kind of message it is; one replaces the other of the same kind.
    package let kind: Kind
    /// In which language it is.
    package let language: Language
    /// Its first line.
    package let title: String
    /// What it says.
    package let text: String
    /// The page that opens when it is tapped.
    package let link: Link?
    /// For how many seconds the push service keeps it while the browser is away.
    package let lifetime: Int64

    /// A notice that is of use until a moment.
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

    /// Push services keep nothing for longer than about four weeks.
    private static let lifetimeLimit: Int64 = 28 * 86_400
    /// A text longer than this is cut, so that the record fits into every push service's 4 KB.
    private static let textLimit = 500

    /// The notice as JSON for the service worker: `title`, `body`, `tag`, `lang`, `url`.
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

/// Objects of JSON whose values are texts.
enum JSONText {
    /// The object, its names in order.
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
