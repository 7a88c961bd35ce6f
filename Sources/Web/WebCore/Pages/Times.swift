package import Chronology
import Foundation
import Localization
package import Markup

extension PageModule {
    /// A date and time in the site's time zone, with a machine-readable value.
    package func time(_ moment: Moment, _ context: RequestContext) -> HTML {
        let style = Date.FormatStyle(
            date: .abbreviated,
            time: .shortened,
            locale: Locale(identifier: context.language.locale),
            timeZone: web.settings.timeZone
        )
        let when = Date(timeIntervalSince1970: Double(moment.milliseconds) / 1_000)
        return "<time datetime=\"\(moment.text)\">\(when.formatted(style))</time>"
    }

    /// A date in the visitor's language, such as 26 Nov 2026, or without the year.
    package func shortDay(
        _ date: CivilDate,
        hasYear: Bool = true,
        _ context: RequestContext
    ) -> String {
        let style = Date.FormatStyle(
            locale: Locale(identifier: context.language.locale),
            timeZone: .gmt
        )
        .day().month(.abbreviated)
        let noon = Date(timeIntervalSince1970: Double(date.daysSince1970) * 86_400 + 43_200)
        return noon.formatted(hasYear ? style.year() : style)
    }

    /// A time of day in the site's time zone, such as 08:46, with a machine-readable value.
    package func clock(_ moment: Moment, hasSeconds: Bool = false) -> HTML {
        """
        <time datetime="\(moment.text)">\(clockTime(moment, hasSeconds: hasSeconds))</time>
        """
    }

    /// The time of day as text, the same in every language: hours, minutes and optionally seconds.
    package func clockTime(_ moment: Moment, hasSeconds: Bool = false) -> String {
        let instant = Instant(seconds: moment.milliseconds / 1_000)
        return LocalTime(instant, in: web.settings.zoneTable).clockTime(hasSeconds: hasSeconds)
    }

    /// The time of day at an instant in the site's time zone, as text.
    ///
    /// - Parameters:
    ///   - instant: the instant.
    ///   - roundsUp: whether to round up to the next minute, as for arrivals.
    /// - Returns: hours and minutes.
    package func clockTime(_ instant: Instant, roundsUp: Bool = false) -> String {
        let shown = instant.adding(seconds: roundsUp ? 59 : 0)
        return LocalTime(shown, in: web.settings.zoneTable).clockTime()
    }
}
