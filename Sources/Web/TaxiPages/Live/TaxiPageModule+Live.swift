import Identity
package import Localization
package import Markup
package import WebCore

extension TaxiPageModule {
    /// A screen reader announcement that changes with the visible content.
    ///
    /// The live region must stay on the page. A heading that the script replaces cannot be one
    /// itself (ui.md 4.1, 11).
    package func announced(_ words: Text, as id: String, _ context: RequestContext) -> HTML {
        """
        <div class="hidden" role="status" id="\(id)" data-live="ride">\
        \(context.say(words))</div>
        """
    }

    /// The notice on every page of a signed-in visitor that the service is suspended (R12).
    package func serviceNotice(_ context: RequestContext) -> HTML? {
        guard context.session?.person != nil else { return nil }
        let notice = taxiEvents.suspension.map { line -> HTML in
            let notice = SuspensionNotice(line: line)
            return """
                <div class="notice warn"><p><b>\(context.say(SuspensionNotice.title))</b><br>\
                \(context.say(SuspensionTexts.because)) \(notice.html(in: context.language))</p>\
                \(until(notice, context))</div>
                """
        }
        return """
            <div class="wide" id="service-state" role="status" data-live="service">\(notice)</div>
            """
    }
}
