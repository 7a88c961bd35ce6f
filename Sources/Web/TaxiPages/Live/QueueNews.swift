import Localization
package import Notify
import WebCore

/// A driver's new place in his queue, for the page that he has open.
///
/// The only event that says what has changed: in a large fleet places change far more often than
/// all else, and whole pages would be made and sent for a sentence. It concerns one person, who may
/// see it; it knows of which entry it is, so that a page never goes back to an older place.
package struct QueueNews: Sendable {
    /// The event's name; ``LiveEvent`` has those that let a page be fetched anew.
    package static let name = "place"

    /// After how many events of the log it was so.
    package let sequence: Int64
    /// The place in words.
    package let standing: DriveStanding

    /// The event: in each language the heading and what is read out.
    package var event: Event? {
        let words = Language.allCases.map { language in
            let texts = [standing.title, standing.said].map { "\(JSONText($0.in(language)))" }
            return ",\"\(language.rawValue)\":[\(texts.joined(separator: ","))]"
        }
        return Event(Self.name, data: "{\"at\":\(sequence)\(words.joined())}")
    }
}
