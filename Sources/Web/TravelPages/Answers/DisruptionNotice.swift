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
        let link = WebPage.address(page).map { page -> HTML in
            """
             <a href="\(page)" rel="noreferrer">\(context.say(DisruptionTexts.more))</a>
            """
        }
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
        let now = Instant(context.now)
        let ahead = disruption.spans.filter { $0.upperBound > now }.prefix(Self.spansShown)
        return Disruption.words(ahead, in: web.settings.zoneTable, until: "–") { day in
            shortDay(day, hasYear: false, context)
        }
    }

    /// How many spans of a disruption are written at most.
    private static var spansShown: Int { 8 }
}
