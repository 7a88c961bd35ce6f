import HTTPTypes
import Identity
import Markup
import TaxiPages
import WebCore

extension PassengerPages {
    /// The first page, and what every service owes its visitors.
    var homeRoutes: [Route] {
        [
            .get("/") { reply(try await firstPage($0), to: $0) },
            .get("/privacy") { reply(privacy($0), to: $0) },
            .get("/accessibility") { reply(accessibility($0), to: $0) },
        ] + livingRoutes
    }

    private func firstPage(_ visit: Visit) async throws -> Page {
        let points = HomeWords.points.map { icon, title, text -> HTML in
            "<li>\(icon.html)<div><h3>\(visit.say(title))</h3><p>\(visit.say(text))</p></div></li>"
        }
        let rest: HTML = """
            <div class="wide">
            <h2>\(visit.say(HomeWords.how))</h2>
            <ul class="points">\(points)</ul>
            \(everybody(visit))
            </div>
            """
        if let page = try await callingPage(visit, rest: rest) { return page }
        let state = try await serviceState(visit)
        var page = Page(
            HomeWords.name,
            body: """
                <div class="hero"><div class="wide">
                <div>
                <h1>\(visit.say(HomeWords.title))</h1>
                <p class="lead">\(visit.say(HomeWords.lead))</p>
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

    /// Who else finds something here: drivers, and who needs the pages to be otherwise.
    private func everybody(_ visit: Visit) -> HTML {
        let items = HomeWords.everybody.map { address, title, text -> HTML in
            """
            <li><h3><a href=\(address)>\(visit.say(title))</a></h3><p>\(visit.say(text))</p></li>
            """
        }
        return """
            <h2>\(visit.say(HomeWords.forEverybody))</h2>
            <ul class="points plain-points">\(items)</ul>
            """
    }

    /// One primary action: what most people come for.
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
        let rows = PrivacyWords.cookies.map { name, purpose, time -> HTML in
            """
            <tr><th scope="row"><code>\(name)</code></th><td>\(visit.say(purpose))</td>\
            <td>\(visit.say(time))</td></tr>
            """
        }
        return Page(
            PrivacyWords.title,
            body: """
                <h1>\(visit.say(PrivacyWords.title))</h1>
                \(PrivacyWords.paragraphs.map { "<p>\(visit.say($0))</p>" as HTML })
                <h2>\(visit.say(PrivacyWords.cookiesTitle))</h2>
                <p>\(visit.say(PrivacyWords.cookiesLead))</p>
                <div class="scroll"><table>
                <caption class="hidden">\(visit.say(PrivacyWords.cookiesTitle))</caption>
                <thead><tr><th scope="col">\(visit.say(PrivacyWords.cookie))</th>\
                <th scope="col">\(visit.say(PrivacyWords.purpose))</th>\
                <th scope="col">\(visit.say(PrivacyWords.kept))</th></tr></thead>
                <tbody>\(rows)</tbody></table></div>
                """
        )
    }

    private func accessibility(_ visit: Visit) -> Page {
        Page(
            AccessibilityWords.title,
            body: """
                <h1>\(visit.say(AccessibilityWords.title))</h1>
                \(AccessibilityWords.paragraphs.map { "<p>\(visit.say($0))</p>" as HTML })
                """
        )
    }
}
