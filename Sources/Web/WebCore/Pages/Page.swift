package import HTTPTypes
package import Localization
package import Markup

/// The content of a page; the layout around it is the same for all pages.
package struct Page: Sendable {
    /// The title, shown in browser tabs and announced first by screen readers.
    package var title: Text
    /// The main content, which includes the page's only `h1`.
    package var body: HTML
    /// The HTTP status of the response.
    package var status = HTTPResponse.Status.ok
    /// Whether the page contains a form; if so, it sets the cookie that forms require.
    package var hasForm = false
    /// Whether the page contains `data-live` elements, which are refreshed on events.
    ///
    /// Without scripts, the whole page reloads every 20 s.
    package var isLive = false
    /// The reload interval without scripts in seconds, if not the usual 20 s.
    package var refresh: Int?
    /// Whether scripts also refresh the page at this interval, for visitors who receive no events.
    package var isPolled = false
    /// Whether the browser may store the page for offline reading (ui.md 4.1, 7).
    package var isKept = false
    /// Whether the body sets its own width.
    package var isWide = false
    /// How the content is arranged on the screen.
    package var layout = Layout.document
    /// The map of the page: a `figure`, after the text in the source and above it on phones.
    package var map: HTML?
    /// What is shown about the selected row of a console page.
    package var drawer: HTML?
    /// The appearance that `/design` shows; otherwise the device decides.
    package var appearance = Appearance()

    /// Creates a page from its title and body.
    package init(_ title: Text, body: HTML) {
        self.title = title
        self.body = body
    }
}

extension Page {
    /// How the content of a page is arranged.
    package enum Layout: Sendable {
        /// Text in one column.
        case document
        /// A map with a sheet: below the map on phones, to its left on larger screens.
        case mapSheet
        /// A list, a map and a drawer, for large screens.
        case console
        /// A question that fills the screen: without header, tabs and footer.
        case takeover

        var style: HTML? {
            switch self {
            case .document: nil
            case .mapSheet: "map-sheet"
            case .console: "console"
            case .takeover: "takeover"
            }
        }
    }

    /// Colours and size of the text, where a page does not leave them to the device.
    package struct Appearance: Sendable {
        /// Light or dark colours.
        package enum Theme: String, Sendable, CaseIterable {
            case light
            case dark
        }

        package var theme: Theme?
        package var hasHighContrast = false
        package var hasLargeText = false

        /// Creates an appearance that leaves everything to the device.
        package init() {}

        /// The attributes of the document's root.
        var attributes: HTML {
            """
            \(theme.map { " data-theme=\"\($0.rawValue)\"" as HTML })\
            \(HTML.when(hasHighContrast, " data-contrast=\"more\""))\
            \(HTML.when(hasLargeText, " data-text=\"200\""))
            """
        }
    }
}
