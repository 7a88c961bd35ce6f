import Encoding
import Localization
package import Notify
import WebCore

/// A driver's new queue position, for the driver's open page.
///
/// It is the only event that contains the change itself. In a large fleet queue positions change
/// far more often than anything else, and reloading whole pages for one sentence would be wasteful.
/// The event concerns only the driver who receives it. Its log position prevents a page from
/// returning to an older state.
package struct QueueNews: Sendable {
    /// The event's name.
    ///
    /// The events that make a page reload are in ``LiveEvent``.
    package static let name = "place"

    /// The number of log events up to this state.
    package let sequence: Int64
    /// The queue position in words.
    package let standing: DriveStanding

    /// The event with the heading and the screen reader announcement in each language.
    package var event: Event? {
        let words = Language.allCases.map { language in
            let texts = [standing.title, standing.said].map {
                "\(JSONString.quoted($0.in(language)))"
            }
            return ",\"\(language.rawValue)\":[\(texts.joined(separator: ","))]"
        }
        return Event(Self.name, data: "{\"at\":\(sequence)\(words.joined())}")
    }
}
