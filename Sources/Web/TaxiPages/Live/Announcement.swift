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
}
