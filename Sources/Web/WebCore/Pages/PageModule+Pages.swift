package import HTTPTypes
package import Identity
package import Localization
package import Markup

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

    /// An address of this site in full, as people pass it on.
    package func full(_ address: Address, _ context: RequestContext) -> String {
        let settings = web.settings
        let scheme = settings.hasTLS ? "https" : "http"
        let origin = settings.publicAddress ?? "\(scheme)://\(context.host)"
        return (origin.hasSuffix("/") ? String(origin.dropLast()) : origin) + address.text
    }

    /// The cookie that carries a session or protects a guest's forms; nil deletes the cookie.
    package func sessionCookie(_ token: SecretToken?, isGuest: Bool = false) -> Cookie {
        web.sessionCookie(token, isGuest: isGuest)
    }

    /// A page with a title, a lead sentence and a form; with an icon, they are a card of its own.
    package func formPage(
        _ title: Text,
        icon: Icon? = nil,
        lead: Text?,
        _ form: FormPage,
        _ context: RequestContext
    ) -> Page {
        let lead: HTML = lead.map { "\(context.say($0))" } ?? .empty
        var dialog = Dialog(title, icon: icon, text: lead)
        dialog.content = form.html(context)
        dialog.isBad = form.isDestructive
        let document: HTML = """
            <h1>\(context.say(title))</h1>
            \(HTML.when(lead != .empty, "<p class=\"lead\">\(lead)</p>"))
            \(dialog.content)
            """
        var page = Page(title, body: icon == nil ? document : dialog.html(context))
        page.hasForm = true
        return page
    }

    /// A page with a single message and a button: the action, or the way to the home page.
    package func message(
        _ title: Text,
        icon: Icon = .information,
        _ lead: Text,
        action: Button? = nil,
        _ context: RequestContext
    ) -> Page {
        let first = action ?? Button(LayoutTexts.first, .link(Address("/")), look: .primary)
        return Page(
            title,
            body: Dialog(
                title,
                icon: icon,
                text: "\(context.say(lead))",
                actions: first.html(context)
            ).html(context)
        )
    }
}
