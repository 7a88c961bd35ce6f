import HTTPTypes
import Identity
import Localization
import Markup

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
        let isTakeover = page.layout == .takeover
        // A takeover of live content ends without loading the page: its frame is there, but hidden.
        let hasFrame = !isTakeover || page.isLive
        let tabs = hasFrame ? context.slots.tabs(context) : []
        return """
            <!DOCTYPE html>
            <html lang="\(context.language.rawValue)"\(page.appearance.attributes)>
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
            \(title(page, context))
            <meta name="theme-color" content="#ffffff" media="(prefers-color-scheme: light)">
            <meta name="theme-color" content="#18232e" media="(prefers-color-scheme: dark)">
            <link rel="preload" as="font" type="font/woff2" href=\(frame.font.address) crossorigin>
            <link rel="stylesheet" href=\(frame.style.address)>
            <link rel="icon" type="image/svg+xml" href=\(frame.icon.address)>
            <link rel="manifest" href="/manifest.webmanifest">
            <script src=\(frame.script.address) defer></script>
            \(context.slots.head(page, context))
            </head>
            <body\(style(page, tabs))>
            <a class="skip" href="#content">\(context.say(LayoutTexts.skip))</a>
            \(hasFrame ? above(page, tabs, context) : nil)
            \(context.slots.alert(context))
            \(isTakeover ? nil : context.slots.trail(context))
            \(context.slots.notice(context))
            \(main(page, hasFrame ? nil : languages(context)))
            \(hasFrame ? bottom(context) : nil)
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
        <body\(style(page, context.slots.tabs(context)))>
        \(context.slots.aboveHeader(context))
        \(context.slots.alert(context))
        \(context.slots.notice(context))
        \(main(page))
        </body>
        </html>

        """
    }

    private func main(_ page: Page, _ languages: HTML? = nil) -> HTML {
        let body: HTML =
            page.layout != .document
            ? "<div class=\"sheet\">\(page.body)\(languages)</div>"
            : page.isWide ? page.body : "<div class=\"wide\">\(page.body)</div>"
        return """
            <main id="content" tabindex="-1">\(body)\
            \(page.map.map { "<div class=\"map-area\">\($0)</div>" as HTML })\
            \(page.drawer.map { "<div class=\"drawer\">\($0)</div>" as HTML })</main>
            """
    }

    /// The classes that arrange the page, and say which navigation it has.
    private func style(_ page: Page, _ tabs: [Tab]) -> HTML {
        let navigation: HTML? =
            tabs.isEmpty || page.layout == .takeover
            ? nil : tabs.count > 4 ? "has-tabs has-rail" : "has-tabs"
        let styles = [page.layout.style, navigation].compactMap(\.self)
        guard let first = styles.first else { return .empty }
        return " class=\"\(first)\(styles.dropFirst().map { " \($0)" as HTML })\""
    }

    private func title(_ page: Page, _ context: RequestContext) -> HTML {
        "<title>\(context.say(page.title)) – \(settings.name)</title>"
    }

    /// The header, and what products show around it.
    private func above(_ page: Page, _ tabs: [Tab], _ context: RequestContext) -> HTML {
        """
        \(context.slots.aboveHeader(context))
        <header class="top"><div class="wide">
        <a class="name" href="/">\(settings.brand.html) <span>\(settings.name)</span></a>
        <nav aria-label="\(context.say(LayoutTexts.service))">
        \(HTML.when(!tabs.isEmpty, "<ul class=\"tabs\">\(tabs.map { $0.html(context) })</ul>"))
        <ul class="tools">
        \(context.slots.navigation(context))
        \(person(context))
        \(languageLinks(context))
        </ul></nav>
        </div></header>
        \(context.slots.banner(context))
        """
    }

    /// The sign-in link or, for a signed-in person, the button that signs out.
    private func person(_ context: RequestContext) -> HTML {
        guard context.session?.person != nil else {
            return """
                <li><a href="/login">\(Icon.person.html) \
                <span>\(context.say(LayoutTexts.signIn))</span></a></li>
                """
        }
        return """
            <li><form method="post" action="/logout">\(context.formToken)\
            <button class="plain">\(Icon.out.html) <span>\(context.say(LayoutTexts.signOut))</span>\
            </button></form></li>
            """
    }

    private func bottom(_ context: RequestContext) -> HTML {
        let menu: HTML = """
            <li><a href="/dashboard">\(context.say(LayoutTexts.dashboard))</a></li>

            """
        return """
            <footer class="bottom"><div class="wide"><ul>
            \(HTML.when(context.session?.person != nil, menu))\
            <li><a href="/terms">\(context.say(LayoutTexts.terms))</a></li>
            <li><a href="/privacy">\(context.say(LayoutTexts.privacy))</a></li>
            <li><a href="/accessibility">\(context.say(LayoutTexts.accessibility))</a></li>
            </ul></div></footer>
            """
    }
}
