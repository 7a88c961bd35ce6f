import Identity
import Localization
import Markup
import OpenIDConnect
import TaxiPages
import WebCore

/// How people without a password prove who they are, and how they get one (R8, V7).
extension AccountPages {
    /// A button for each provider with which the person can prove who they are.
    func confirmingButtons(_ ways: WaysIn, _ next: String, _ context: RequestContext) -> HTML {
        let issuers = Set(ways.identities.map(\.issuer))
        let buttons = providers.map(\.registration).filter { issuers.contains($0.issuer) }
            .map { registration in
                let address = Address("/login/again", registration.name, query: ["next": next])
                return button(SignInTexts.with(registration.label), address, context)
            }
        return HTML.when(!buttons.isEmpty, "<div class=\"actions\">\(buttons)</div>")
    }

    /// The page that asks somebody without a password to prove who they are.
    func confirmingPage(_ buttons: HTML, _ context: RequestContext) -> Page {
        var dialog = Dialog(
            SignInTexts.againTitle,
            icon: .lock,
            text: "\(context.say(SignInTexts.againLead))"
        )
        dialog.content = buttons
        let password: HTML = """
            <div class="below"><p><a href="/account/password">\
            \(context.say(SignInTexts.setPassword))</a></p></div>
            """
        return Page(SignInTexts.againTitle, body: dialog.html(context) + password)
    }

    /// The page on which somebody without a password asks for the link to choose one; nil for
    /// everybody else.
    func firstPasswordPage(_ context: RequestContext) async throws -> Page? {
        guard let session = context.session, let person = session.person, !session.isFromReset,
            try await !accounts.waysIn(of: person).hasPassword
        else { return nil }
        let profile = try await accounts.profile(of: person)
        var form = FormPage(
            action: Address("/password/forgotten"),
            fields: [],
            button: PasswordTexts.send,
            busy: CommonTexts.busy
        )
        form.extra = "<input type=\"hidden\" name=\"name\" value=\"\(profile.email)\">"
        let lead = SignInTexts.setPasswordLead
        var page = formPage(SignInTexts.setPassword, icon: .key, lead: lead, form, context)
        page.body += backToAccount(context)
        return page
    }
}
