package import Chronology
import Foundation
import Localization
package import Markup

extension PageModule {
    /// A moment as people of the city read it, with the moment itself for machines.
    package func time(_ moment: Moment, _ visit: Visit) -> HTML {
        let style = Date.FormatStyle(
            date: .abbreviated,
            time: .shortened,
            locale: Locale(identifier: visit.language.locale),
            timeZone: web.settings.timeZone
        )
        let when = Date(timeIntervalSince1970: Double(moment.milliseconds) / 1_000)
        return "<time datetime=\"\(moment.text)\">\(when.formatted(style))</time>"
    }

    /// A time of day on the city's clocks, such as 08:46, with the moment itself for machines.
    package func clock(_ moment: Moment, hasSeconds: Bool = false) -> HTML {
        """
        <time datetime="\(moment.text)">\(clockTime(moment, hasSeconds: hasSeconds))</time>
        """
    }

    /// The same as text, in every language: hours and minutes, and seconds where they matter.
    package func clockTime(_ moment: Moment, hasSeconds: Bool = false) -> String {
        let instant = Instant(seconds: moment.milliseconds / 1_000)
        let second = web.settings.zoneTable.local(instant).second
        let parts = [second / 3_600, second / 60 % 60] + (hasSeconds ? [second % 60] : [])
        return parts.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }
}
