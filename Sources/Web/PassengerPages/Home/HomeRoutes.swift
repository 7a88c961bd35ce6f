import HTTPTypes
import Identity
import Markup
import TaxiPages
import WebCore

extension PassengerPages {
    /// The home page and the information pages that every service must offer.
    var homeRoutes: [Route] {
        [
            .get("/", for: .everybody) { reply(try await firstPage($0), to: $0) },
            .get("/privacy", for: .everybody) { reply(privacy($0), to: $0) },
            .get("/accessibility", for: .everybody) { reply(accessibility($0), to: $0) },
        ] + livingRoutes
    }

    private func firstPage(_ visit: Visit) async throws -> Page {
        let points = HomeTexts.points.map { icon, title, text -> HTML in
            "<li>\(icon.html)<div><h3>\(visit.say(title))</h3><p>\(visit.say(text))</p></div></li>"
        }
        let rest: HTML = """
            <div class="wide">
            <h2>\(visit.say(HomeTexts.how))</h2>
            <ul class="points">\(points)</ul>
            \(everybody(visit))
            </div>
            """
        if let page = try await callingPage(visit, rest: rest) { return page }
        let state = try await serviceState(visit)
        var page = Page(
            HomeTexts.name,
            body: """
                <div class="hero"><div class="wide">
                <div>
                <h1>\(visit.say(HomeTexts.title))</h1>
                <p class="lead">\(visit.say(HomeTexts.lead))</p>
                \(state)
                \(firstActions(visit))
                </div>
                \(await firstPicture(visit))
                </div></div>
                \(rest)
                """
        )
        page.isWide = true
        return page
    }

    /// Links for other visitors: drivers, and people with accessibility needs.
    private func everybody(_ visit: Visit) -> HTML {
        let items = HomeTexts.everybody.map { address, title, text -> HTML in
            """
            <li><h3><a href=\(address)>\(visit.say(title))</a></h3><p>\(visit.say(text))</p></li>
            """
        }
        return """
            <h2>\(visit.say(HomeTexts.forEverybody))</h2>
            <ul class="points plain-points">\(items)</ul>
            """
    }

    /// The single primary action, the one that most visitors come for.
    private func firstActions(_ visit: Visit) -> HTML {
        guard visit.session?.person == nil else {
            return """
                <p class="actions"><a class="button primary" href="/dashboard">\
                \(visit.say(CommonTexts.dashboard))</a></p>
                """
        }
        return """
            <p class="actions"><a class="button primary" href="/register">\
            \(visit.say(CommonTexts.createAccount))</a>
            <a class="button" href="/login">\(visit.say(CommonTexts.signIn))</a></p>
            """
    }

    private func privacy(_ visit: Visit) -> Page {
        let rows = PrivacyTexts.cookies.map { name, purpose, time -> HTML in
            """
            <tr><th scope="row"><code>\(name)</code></th><td>\(visit.say(purpose))</td>\
            <td>\(visit.say(time))</td></tr>
            """
        }
        return Page(
            PrivacyTexts.title,
            body: """
                <h1>\(visit.say(PrivacyTexts.title))</h1>
                \(PrivacyTexts.paragraphs.map { "<p>\(visit.say($0))</p>" as HTML })
                <h2>\(visit.say(PrivacyTexts.cookiesTitle))</h2>
                <p>\(visit.say(PrivacyTexts.cookiesLead))</p>
                <div class="scroll"><table>
                <caption class="hidden">\(visit.say(PrivacyTexts.cookiesTitle))</caption>
                <thead><tr><th scope="col">\(visit.say(PrivacyTexts.cookie))</th>\
                <th scope="col">\(visit.say(PrivacyTexts.purpose))</th>\
                <th scope="col">\(visit.say(PrivacyTexts.kept))</th></tr></thead>
                <tbody>\(rows)</tbody></table></div>
                """
        )
    }

    private func accessibility(_ visit: Visit) -> Page {
        Page(
            AccessibilityTexts.title,
            body: """
                <h1>\(visit.say(AccessibilityTexts.title))</h1>
                \(AccessibilityTexts.paragraphs.map { "<p>\(visit.say($0))</p>" as HTML })
                """
        )
    }
}
