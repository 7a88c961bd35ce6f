import HTTPTypes
import Identity
import Markup
import TaxiPages
import WebCore

extension PassengerPages {
    /// The home page and the information pages that every service must offer.
    var homeRoutes: [Route] {
        [
            .get("/", as: "home", for: .everybody) { response(try await homePage($0), to: $0) },
            .get("/privacy", as: "privacy", for: .everybody) { response(privacy($0), to: $0) },
            .get("/terms", as: "terms", for: .everybody) { response(terms($0), to: $0) },
            .get("/accessibility", as: "accessibility", for: .everybody) {
                response(accessibility($0), to: $0)
            },
        ] + livingRoutes
    }

    private func privacy(_ context: RequestContext) -> Page {
        let elsewhere = settings.hasProviders
        let cookies = PrivacyTexts.cookies + (elsewhere ? [PrivacyTexts.cookieOfProviders] : [])
        let paragraphs = PrivacyTexts.paragraphs + (elsewhere ? [PrivacyTexts.providersLearn] : [])
        let rows = cookies.map { name, purpose, time -> [HTML] in
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
                \(paragraphs.map { "<p>\(context.say($0))</p>" as HTML })
                <h2>\(context.say(PrivacyTexts.cookiesTitle))</h2>
                <p>\(context.say(PrivacyTexts.cookiesLead))</p>
                \(table.html(context))</div>
                """
        )
    }

    /// The terms of use (V4), which also say what the service is not fit for (V97).
    private func terms(_ context: RequestContext) -> Page {
        let sections = TermsTexts.sections.map { title, text -> HTML in
            "<h2>\(context.say(title))</h2><p>\(context.say(text))</p>"
        }
        return Page(
            TermsTexts.title,
            body: """
                <div class="narrow"><h1>\(context.say(TermsTexts.title))</h1>
                <p class="lead">\(context.say(TermsTexts.lead))</p>
                \(sections)</div>
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
