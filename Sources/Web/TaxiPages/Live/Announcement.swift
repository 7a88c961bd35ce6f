package import Localization
package import Markup
package import WebCore

extension TaxiPageModule {
    /// What readers say when it changes, beside what is seen: the element itself stays on the page,
    /// as what is fetched anew around a heading does not (ui.md 4.1, 11).
    package func announced(_ words: Text, as id: String, _ visit: Visit) -> HTML {
        """
        <div class="hidden" role="status" id="\(id)" data-live="ride">\
        \(visit.say(words))</div>
        """
    }
}
