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
            .get("/accessibility", as: "accessibility", for: .everybody) {
                response(accessibility($0), to: $0)
            },
        ] + livingRoutes
    }

    private func privacy(_ context: RequestContext) -> Page {
        let rows = PrivacyTexts.cookies.map { name, purpose, time -> HTML in
            """
            <tr><th scope="row"><code>\(name)</code></th><td>\(context.say(purpose))</td>\
            <td>\(context.say(time))</td></tr>
            """
        }
        return Page(
            PrivacyTexts.title,
            body: """
                <h1>\(context.say(PrivacyTexts.title))</h1>
                \(PrivacyTexts.paragraphs.map { "<p>\(context.say($0))</p>" as HTML })
                <h2>\(context.say(PrivacyTexts.cookiesTitle))</h2>
                <p>\(context.say(PrivacyTexts.cookiesLead))</p>
                <div class="scroll"><table>
                <caption class="hidden">\(context.say(PrivacyTexts.cookiesTitle))</caption>
                <thead><tr><th scope="col">\(context.say(PrivacyTexts.cookie))</th>\
                <th scope="col">\(context.say(PrivacyTexts.purpose))</th>\
                <th scope="col">\(context.say(PrivacyTexts.kept))</th></tr></thead>
                <tbody>\(rows)</tbody></table></div>
                """
        )
    }

    private func accessibility(_ context: RequestContext) -> Page {
        Page(
            AccessibilityTexts.title,
            body: """
                <h1>\(context.say(AccessibilityTexts.title))</h1>
                \(AccessibilityTexts.paragraphs.map { "<p>\(context.say($0))</p>" as HTML })
                """
        )
    }
}
