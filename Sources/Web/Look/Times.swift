import Chronology
import Foundation
import Markup
import Words

extension Site {
    /// A moment as people of the city read it, with the moment itself for machines.
    func time(_ moment: Moment, _ visit: Visit) -> HTML {
        let date = Date(timeIntervalSince1970: Double(moment.milliseconds) / 1_000)
        let style = Date.FormatStyle(
            date: .abbreviated,
            time: .shortened,
            locale: Locale(identifier: visit.language == .italian ? "it_IT" : "en_GB"),
            timeZone: settings.timeZone
        )
        return "<time datetime=\"\(moment.text)\">\(date.formatted(style))</time>"
    }
}
