package import HTTPTypes
import Identity
package import Localization
package import Markup

/// What a page consists of; the frame around it is everywhere the same.
package struct Page: Sendable {
    /// What the visitor's list of tabs says, and readers first.
    package var title: Text
    /// What stands between top and bottom; it has the page's only `h1`.
    package var body: HTML
    /// The status.
    package var status = HTTPResponse.Status.ok
    /// Whether there is a form on it: then the visitor gets a cookie, without which none counts.
    package var hasForm = false
    /// Whether it has elements with `data-live`, which are fetched anew when something happens;
    /// without scripts the whole page comes again every 20 s.
    package var isLive = false
    /// After how many seconds it comes again without scripts, where that is not every 20 s.
    package var refresh: Int?
    /// Whether scripts too fetch it anew after so many seconds: for who hears of no events.
    package var isPolled = false
    /// Whether the browser may keep it, to be read without a connection (ui.md 4.1, 7).
    package var isKept = false
    /// Whether the body brings its own width.
    package var isWide = false

    /// A page.
    package init(_ title: Text, body: HTML) {
        self.title = title
        self.body = body
    }
}

extension WebEnvironment {
    /// A page in its frame.
    package func reply(_ page: Page, to visit: Visit) -> Reply {
        var reply = Reply(
            page.status,
            type: "text/html; charset=utf-8",
            bytes: Array((visit.isRefresh ? fresh : document)(page, visit).text.utf8)
        )
        reply.headers[.contentLanguage] = visit.language.rawValue
        // What is personal stays with the person, and Back shows it as it is now, and whole.
        reply.headers[.cacheControl] = visit.isRefresh ? "no-store" : "private, no-cache"
        if page.isKept { reply.headers[.pageKeep] = "1" }
        let hasForm = page.hasForm || page.isLive || visit.slots.mayHoldForms
        if hasForm, visit.isNewSecret, let secret = visit.secret {
            reply = reply.setting(sessionCookie(secret, isGuest: true))
        }
        return reply
    }

    private func document(_ page: Page, _ visit: Visit) -> HTML {
        """
        <!DOCTYPE html>
        <html lang="\(visit.language.rawValue)">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        \(title(page, visit))
        <meta name="theme-color" content="#0b4f8a">
        <link rel="stylesheet" href=\(frame.style.address)>
        <link rel="icon" type="image/svg+xml" href=\(frame.icon.address)>
        <link rel="manifest" href="/manifest.webmanifest">
        <script src=\(frame.script.address) defer></script>
        \(visit.slots.head(page, visit))
        </head>
        <body>
        <a class="skip" href="#content">\(visit.say(LayoutTexts.skip))</a>
        \(visit.slots.aboveHeader(visit))
        \(top(visit))
        \(visit.slots.banner(visit))
        \(visit.slots.alert(visit))
        \(visit.slots.trail(visit))
        \(visit.slots.notice(visit))
        \(main(page))
        \(bottom(visit))
        </body>
        </html>

        """
    }

    /// What an open page takes from itself when it looks again (`live.js`): the frame around it is
    /// there already, and costs more than the rest.
    private func fresh(_ page: Page, _ visit: Visit) -> HTML {
        """
        <!DOCTYPE html>
        <html lang="\(visit.language.rawValue)">
        <head>
        <meta charset="utf-8">
        \(title(page, visit))
        \(visit.slots.head(page, visit))
        </head>
        <body>
        \(visit.slots.alert(visit))
        \(visit.slots.notice(visit))
        \(main(page))
        </body>
        </html>

        """
    }

    private func main(_ page: Page) -> HTML {
        let body: HTML = page.isWide ? page.body : "<div class=\"wide\">\(page.body)</div>"
        return "<main id=\"content\" tabindex=\"-1\">\(body)</main>"
    }

    private func title(_ page: Page, _ visit: Visit) -> HTML {
        "<title>\(visit.say(page.title)) – \(settings.name)</title>"
    }

    private func top(_ visit: Visit) -> HTML {
        """
        <header class="top"><div class="wide">
        <a class="name" href="/">\(settings.brand.html) <span>\(settings.name)</span></a>
        <nav aria-label="\(visit.say(LayoutTexts.service))"><ul>
        \(visit.slots.navigation(visit))
        \(person(visit))
        \(languages(visit))
        </ul></nav>
        </div></header>
        """
    }

    /// The way in, or to all that one may do and out.
    private func person(_ visit: Visit) -> HTML {
        guard visit.session?.person != nil else {
            return """
                <li><a href="/login">\(Icon.person.html) \
                <span>\(visit.say(LayoutTexts.signIn))</span></a></li>
                """
        }
        return """
            <li><a href="/dashboard">\(Icon.list.html) \
            <span>\(visit.say(LayoutTexts.dashboard))</span></a></li>
            <li><form method="post" action="/logout">\(visit.formToken)\
            <button class="plain">\(Icon.out.html) <span>\(visit.say(LayoutTexts.signOut))</span>\
            </button></form></li>
            """
    }

    /// One link for each other language, in that language.
    private func languages(_ visit: Visit) -> HTML {
        let back = visit.method == .get ? visit.path : "/"
        return HTML.joined(
            Language.allCases.filter { $0 != visit.language }.map { language in
                let address = Address(
                    "/language",
                    query: ["to": language.rawValue, "back": back]
                )
                return """
                    <li><a href=\(address) lang="\(language.rawValue)" \
                    hreflang="\(language.rawValue)">\(Icon.language.html) \
                    <span>\(language.ownName)</span></a></li>
                    """
            }
        )
    }

    private func bottom(_ visit: Visit) -> HTML {
        """
        <footer class="bottom"><div class="wide"><ul>
        <li><a href="/privacy">\(visit.say(LayoutTexts.privacy))</a></li>
        <li><a href="/accessibility">\(visit.say(LayoutTexts.accessibility))</a></li>
        </ul></div></footer>
        """
    }
}
