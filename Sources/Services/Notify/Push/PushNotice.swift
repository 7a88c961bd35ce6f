import Chronology
import Encoding
package import Localization

/// A notification as a browser displays it.
package struct PushNotice: Sendable, Equatable {
    /// The name of the kind of message; a notification replaces an earlier one of the same kind.
    package let tag: String
    /// Whether the push service shall wake a browser that saves power.
    package let isUrgent: Bool
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
        kind: any NotificationKind,
        language: Language,
        title: String,
        text: String,
        link: Link?,
        now: Moment,
        usefulUntil: Moment
    ) {
        tag = kind.rawValue
        isUrgent = kind.rules.isUrgent
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
            "tag": tag, "lang": language.rawValue,
        ]
        if let link { fields["url"] = link.text }
        return Array(JSONString.object(fields).utf8)
    }
}
