import Chronology
import Localization
package import Markup
import OpenData
import TaxiPages
package import TripPlanning
package import WebCore

/// Strikes and other disruptions in words, for trips and days.
extension PageModule {
    /// What a disruption is and when, with a link to more about it.
    package func notice(of disruption: Disruption, _ context: RequestContext) -> HTML {
        let (text, page): (HTML, String) =
            switch disruption.kind {
            case .strike(let company) where disruption.isRevoked:
                ("\(context.say(DisruptionTexts.revoked(company)))", "")
            case .strike(let company):
                (
                    "\(context.say(DisruptionTexts.strike(company))) \(hours(disruption, context))",
                    ""
                )
            case .alert(let header, let url, _):
                (
                    disruption.isClosing
                        ? """
                        \(context.say(DisruptionTexts.closed(words(header, context)))) \
                        \(hours(disruption, context))
                        """ : "\(words(header, context))",
                    words(url, context)
                )
            }
        // Only addresses of pages are linked, whatever a feed calls one.
        let isPage = ["https://", "http://"].contains { page.lowercased().hasPrefix($0) }
        let link: HTML? =
            isPage
            ? """
             <a href="\(page)" rel="noreferrer">\(context.say(DisruptionTexts.more))</a>
            """ : nil
        let isBad = disruption.isClosing && !disruption.isRevoked
        return Notice(isBad ? .warning : .information, "\(text)\(link)").html(context)
    }

    /// A disruption in a line, beside a journey.
    package func line(of disruption: Disruption, _ context: RequestContext) -> String {
        switch disruption.kind {
        case .strike(let company): context.say(DisruptionTexts.strikeLeg(company))
        case .alert(let header, _, _):
            disruption.isClosing
                ? context.say(DisruptionTexts.closedLeg(words(header, context)))
                : words(header, context)
        }
    }

    private func words(_ text: LocalizedText, _ context: RequestContext) -> String {
        text.text(in: context.language.rawValue)
    }

    /// The spans that are still to come, day by day.
    private func hours(_ disruption: Disruption, _ context: RequestContext) -> String {
        let zone = web.settings.zoneTable
        let now = Instant(context.now)
        var day: CivilDate?
        return disruption.spans.filter { $0.upperBound > now }.prefix(Self.spansShown).map { span in
            let start = LocalTime(span.lowerBound, in: zone)
            let end = LocalTime(span.upperBound, in: zone)
            let date = start.date == day ? "" : "\(shortDay(start.date, hasYear: false, context)) "
            day = start.date
            let isMidnight = end.second == 0 && end.date == start.date.adding(days: 1)
            let isSameDay = end.date == start.date
            let last =
                isMidnight
                ? "24:00"
                : (isSameDay ? "" : "\(shortDay(end.date, hasYear: false, context)) ")
                    + end.clockTime()
            return "\(date)\(start.clockTime())–\(last)"
        }.joined(separator: ", ")
    }

    /// How many spans of a disruption are written at most.
    private static var spansShown: Int { 8 }
}
