package import HTTPTypes
package import Identity
package import Localization
import Markup

extension PageModule {
    /// The response for a page within its layout.
    package func response(_ page: Page, to context: RequestContext) -> Response {
        web.response(page, to: context)
    }

    /// A problem response (RFC 9457) with additional JSON members.
    package func problem(
        _ name: String,
        _ status: HTTPResponse.Status,
        _ title: String,
        _ detail: String,
        further: String = ""
    ) -> Response {
        web.problem(name, status, title, detail, further: further)
    }

    /// The cookie that carries a session or protects a guest's forms; nil deletes the cookie.
    package func sessionCookie(_ token: SecretToken?, isGuest: Bool = false) -> Cookie {
        web.sessionCookie(token, isGuest: isGuest)
    }

    /// A page with a title, a lead sentence and a form.
    package func formPage(
        _ title: Text,
        lead: Text?,
        _ form: FormPage,
        _ context: RequestContext
    ) -> Page {
        var page = Page(
            title,
            body: """
                <h1>\(context.say(title))</h1>
                \(lead.map { "<p class=\"lead\">\(context.say($0))</p>" as HTML })
                \(form.html(context))
                """
        )
        page.hasForm = true
        return page
    }

    /// A page with a single message.
    package func message(_ title: Text, _ lead: Text, _ context: RequestContext) -> Page {
        Page(
            title,
            body: """
                <h1>\(context.say(title))</h1>
                <p class="lead">\(context.say(lead))</p>
                <p class="actions"><a class="button" href="/">\
                \(context.say(LayoutTexts.first))</a></p>
                """
        )
    }
}
