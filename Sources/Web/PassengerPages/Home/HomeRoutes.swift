import HTTPTypes
import Identity
import Markup
import TaxiPages
import WebCore

extension PassengerPages {
    /// The home page and the information pages that every service must offer.
    var homeRoutes: [Route] {
        [
            .get("/", as: "home", for: .everybody) { response(try await firstPage($0), to: $0) },
            .get("/privacy", as: "privacy", for: .everybody) { response(privacy($0), to: $0) },
            .get("/accessibility", as: "accessibility", for: .everybody) {
                response(accessibility($0), to: $0)
            },
        ] + livingRoutes
    }

    private func firstPage(_ context: RequestContext) async throws -> Page {
        let points = HomeTexts.points.map { icon, title, text -> HTML in
            """
            <li>\(icon.html)<div><h3>\(context.say(title))</h3>\
            <p>\(context.say(text))</p></div></li>
            """
        }
        let introduction: HTML = """
            <div class="wide">
            <h2>\(context.say(HomeTexts.how))</h2>
            <ul class="points">\(points)</ul>
            \(everybody(context))
            </div>
            """
        // People who have an account know the service already.
        let rest = context.session?.person == nil ? introduction : .empty
        if let page = try await callingPage(context, rest: rest) { return page }
        let state = try await serviceState(context)
        var page = Page(
            HomeTexts.name,
            body: """
                <div class="hero"><div class="wide">
                <div>
                <h1>\(context.say(HomeTexts.title))</h1>
                <p class="lead">\(context.say(HomeTexts.lead))</p>
                \(state)
                \(firstActions(context))
                </div>
                \(await firstPicture(context))
                </div></div>
                \(rest)
                """
        )
        page.isWide = true
        return page
    }

    /// Links for other visitors: drivers, and people with accessibility needs.
    private func everybody(_ context: RequestContext) -> HTML {
        let items = HomeTexts.everybody.map { address, title, text -> HTML in
            """
            <li><h3><a href=\(address)>\(context.say(title))</a></h3><p>\(context.say(text))</p>\
            </li>
            """
        }
        return """
            <h2>\(context.say(HomeTexts.forEverybody))</h2>
            <ul class="points plain-points">\(items)</ul>
            """
    }

    /// The single primary action, the one that most visitors come for.
    private func firstActions(_ context: RequestContext) -> HTML {
        guard context.session?.person == nil else {
            return """
                <p class="actions"><a class="button primary" href="/dashboard">\
                \(context.say(CommonTexts.dashboard))</a></p>
                """
        }
        return """
            <p class="actions"><a class="button primary" href="/register">\
            \(context.say(CommonTexts.createAccount))</a>
            <a class="button" href="/login">\(context.say(CommonTexts.signIn))</a></p>
            """
    }

    private func privacy(_ context: RequestContext) -> Page {
        let rows = PrivacyTexts.cookies.map { name, purpose, time -> [HTML] in
            ["<code>\(name)</code>", "\(context.say(purpose))", "\(context.say(time))"]
        }
        let heads = [PrivacyTexts.cookie, PrivacyTexts.purpose, PrivacyTexts.kept]
        let table = DataTable(
            caption: PrivacyTexts.cookiesTitle,
            heads.map { DataTable.Column($0) },
            rows: rows,
            hidesCaption: true
        )
        return Page(
            PrivacyTexts.title,
            body: """
                <div class="narrow"><h1>\(context.say(PrivacyTexts.title))</h1>
                \(PrivacyTexts.paragraphs.map { "<p>\(context.say($0))</p>" as HTML })
                <h2>\(context.say(PrivacyTexts.cookiesTitle))</h2>
                <p>\(context.say(PrivacyTexts.cookiesLead))</p>
                \(table.html(context))</div>
                """
        )
    }

    private func accessibility(_ context: RequestContext) -> Page {
        Page(
            AccessibilityTexts.title,
            body: """
                <div class="narrow"><h1>\(context.say(AccessibilityTexts.title))</h1>
                \(AccessibilityTexts.paragraphs.map { "<p>\(context.say($0))</p>" as HTML })</div>
                """
        )
    }
}
