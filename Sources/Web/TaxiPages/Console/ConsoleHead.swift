package import Markup
package import WebCore

extension RequestContext {
    /// Whether the page belongs to the console, and the visitor may use it.
    package var isInConsole: Bool {
        isOfStaff && (path == "/console" || path.hasPrefix("/console/"))
    }
}

extension TaxiPageModule {
    /// The style sheet and script that only pages of the console load; nil for other pages.
    package func consoleHead(_ context: RequestContext) -> HTML? {
        guard context.isInConsole, !context.isRefresh else { return nil }
        return """
            <link rel="stylesheet" href=\(assets.consoleStyle.address)>
            <script src=\(assets.consoleScript.address) defer></script>
            """
    }

    /// The search of the console in the header: a field, and a link in its place on phones.
    package func consoleSearch(_ context: RequestContext) -> HTML {
        """
        <li class="find"><form role="search" action="/console/search">\
        <label class="hidden" for="console-find">\(context.say(StaffTexts.find))</label>\
        \(Icon.search.html)<input type="search" id="console-find" name="q" maxlength="100" \
        autocomplete="off" aria-keyshortcuts="/ Control+K" \
        placeholder="\(context.say(StaffTexts.find))"></form>\
        <a href="/console/search">\(Icon.search.html) <span>\(context.say(StaffTexts.find))</span>\
        </a></li>
        """
    }
}
