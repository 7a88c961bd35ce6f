import Foundation
import Identity
import Localization
package import Markup
package import WebCore

extension LiveUpdates {
    /// The head elements of a page that follows live events.
    ///
    /// - Parameters:
    ///   - page: the page.
    ///   - context: the visitor's request.
    /// - Returns: nil for a page that follows no events.
    package func head(_ page: Page, _ context: RequestContext) -> HTML? {
        let seconds = page.refresh ?? (page.isLive ? 20 : nil)
        guard context.session?.person != nil || seconds != nil else { return nil }
        // Without scripts the whole page refreshes, but not merely for the notices that all pages
        // have.
        let refresh: HTML? = seconds.map {
            "<noscript><meta http-equiv=\"refresh\" content=\"\($0)\"></noscript>"
        }
        let every: HTML? = page.isPolled ? seconds.map { " data-every=\"\($0)\"" } : nil
        return """
            <script src=\(script.address) defer id="live-script"\(every) \
            data-session="\(context.sessionText)" data-after="\(context.newestEvent)" \
            data-names="\(refreshNames.joined(separator: " "))" \
            data-zone="\(web.settings.timeZone.identifier)" \
            data-lost="\(context.say(LiveTexts.lost))" \
            data-stays="\(context.say(LiveTexts.stays))"></script>
            \(refresh)
            """
    }
}
