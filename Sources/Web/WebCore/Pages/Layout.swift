package import HTTPTypes
import Identity
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

    /// Creates a page from its title and body.
    package init(_ title: Text, body: HTML) {
        self.title = title
        self.body = body
    }
}

extension WebEnvironment {
    /// The response for a page within its layout.
    package func response(_ page: Page, to context: RequestContext) -> Response {
        var context = context
        context.hasLanguageButton = context.hasLanguageButton(on: page)
        var response = Response(
            page.status,
            type: "text/html; charset=utf-8",
            bytes: Array((context.isRefresh ? fresh : document)(page, context).text.utf8)
        )
        response.headers[.contentLanguage] = context.language.rawValue
        // Keep personal content out of shared caches, and make Back show the full, current page.
        response.headers[.cacheControl] = context.isRefresh ? "no-store" : "private, no-cache"
        if page.isKept { response.headers[.pageKeep] = "1" }
        let hasForm = page.hasForm || page.isLive || context.slots.mayHoldForms
        if hasForm, context.isNewSecret, let secret = context.secret {
            response = response.setting(sessionCookie(secret, isGuest: true))
        }
        return response
    }

    private func document(_ page: Page, _ context: RequestContext) -> HTML {
        """
        <!DOCTYPE html>
        <html lang="\(context.language.rawValue)">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        \(title(page, context))
        <meta name="theme-color" content="#0b4f8a">
        <link rel="stylesheet" href=\(frame.style.address)>
        <link rel="icon" type="image/svg+xml" href=\(frame.icon.address)>
        <link rel="manifest" href="/manifest.webmanifest">
        <script src=\(frame.script.address) defer></script>
        \(context.slots.head(page, context))
        </head>
        <body>
        <a class="skip" href="#content">\(context.say(LayoutTexts.skip))</a>
        \(context.slots.aboveHeader(context))
        \(top(context))
        \(context.slots.banner(context))
        \(context.slots.alert(context))
        \(context.slots.trail(context))
        \(context.slots.notice(context))
        \(main(page))
        \(bottom(context))
        </body>
        </html>

        """
    }

    /// The fragment of an open page that a refresh needs (`live.js`).
    ///
    /// The layout is already in the browser and costs more to render than the rest.
    private func fresh(_ page: Page, _ context: RequestContext) -> HTML {
        """
        <!DOCTYPE html>
        <html lang="\(context.language.rawValue)">
        <head>
        <meta charset="utf-8">
        \(title(page, context))
        \(context.slots.head(page, context))
        </head>
        <body>
        \(context.slots.aboveHeader(context))
        \(context.slots.alert(context))
        \(context.slots.notice(context))
        \(main(page))
        </body>
        </html>

        """
    }

    private func main(_ page: Page) -> HTML {
        let body: HTML = page.isWide ? page.body : "<div class=\"wide\">\(page.body)</div>"
        return "<main id=\"content\" tabindex=\"-1\">\(body)</main>"
    }

    private func title(_ page: Page, _ context: RequestContext) -> HTML {
        "<title>\(context.say(page.title)) – \(settings.name)</title>"
    }

    private func top(_ context: RequestContext) -> HTML {
        """
        <header class="top"><div class="wide">
        <a class="name" href="/">\(settings.brand.html) <span>\(settings.name)</span></a>
        <nav aria-label="\(context.say(LayoutTexts.service))"><ul>
        \(context.slots.navigation(context))
        \(person(context))
        \(languageLinks(context))
        </ul></nav>
        </div></header>
        """
    }

    /// The sign-in link or, for a signed-in person, the links to the menu and sign-out.
    private func person(_ context: RequestContext) -> HTML {
        guard context.session?.person != nil else {
            return """
                <li><a href="/login">\(Icon.person.html) \
                <span>\(context.say(LayoutTexts.signIn))</span></a></li>
                """
        }
        return """
            <li><a href="/dashboard">\(Icon.list.html) \
            <span>\(context.say(LayoutTexts.dashboard))</span></a></li>
            <li><form method="post" action="/logout">\(context.formToken)\
            <button class="plain">\(Icon.out.html) <span>\(context.say(LayoutTexts.signOut))</span>\
            </button></form></li>
            """
    }

    private func bottom(_ context: RequestContext) -> HTML {
        """
        <footer class="bottom"><div class="wide"><ul>
        <li><a href="/privacy">\(context.say(LayoutTexts.privacy))</a></li>
        <li><a href="/accessibility">\(context.say(LayoutTexts.accessibility))</a></li>
        </ul></div></footer>
        """
    }
}
