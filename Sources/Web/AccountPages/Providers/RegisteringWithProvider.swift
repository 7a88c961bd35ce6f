import Chronology
import HTTPTypes
import Identity
import Localization
import Markup
import OpenIDConnect
import TaxiPages
import WebCore

/// The account of somebody who came from a provider (V7): they check what it says, and consent.
extension AccountPages {
    var registerProvidedRoutes: [Route] {
        [
            .get("/register/with", as: "register.provider.form", for: .everybody) { context in
                guard let (person, provider) = arrived(context) else { return stale(context) }
                let rules = try await accountRules()
                return response(page(person, provider, rules, context), to: context)
            }
            .failing(.gone),
            .post("/register/with", as: "register.provider", for: .everybody, registerProvided)
                .taking(
                    .person + [
                        .email, .typed("user_name", .text(80), "The user name."),
                        .typed("address", .text(300), "The postal address of the person."),
                        .set("consent", .text(40), "The version of the terms that are accepted.")
                            .explained,
                    ]
                )
                .failing(.gone, .conflict)
                .repeated(because: "it sets a cookie, which a kept answer would lack"),
        ]
    }

    /// The person whom a provider has proved in this browser.
    private func arrived(_ context: RequestContext) -> (NewPerson, IdentityProvider)? {
        guard case .arrived(let person)? = progress(context),
            let provider = providers[named: person.provider],
            provider.registration.issuer == person.issuer
        else { return nil }
        return (person, provider)
    }

    private func page(
        _ person: NewPerson,
        _ provider: IdentityProvider,
        _ rules: AccountRules,
        _ context: RequestContext,
        _ failure: AccountFailure? = nil
    ) -> Page {
        let required = rules.accounts.settings.required
        var fields: [Field] = [
            .account(
                .name,
                context,
                failure,
                autocomplete: "given-name",
                value: person.name
            ),
            .account(
                .surname,
                context,
                failure,
                autocomplete: "family-name",
                value: person.surname
            ),
        ]
        if !person.isEmailVerified {
            fields.append(
                .account(
                    .email,
                    context,
                    failure,
                    kind: .email,
                    hint: RegistrationTexts.emailHint,
                    value: person.email
                )
            )
        }
        if required.contains(.userName) {
            let hint = RegistrationTexts.userNameHint
            fields.append(
                .account(.userName, context, failure, hint: hint, autocomplete: "username")
            )
        }
        if required.contains(.phone) {
            fields.append(.account(.phone, context, failure, kind: .telephone))
        }
        if required.contains(.address) {
            fields.append(.account(.address, context, failure, autocomplete: "address-line1"))
        }
        var form = FormPage(
            action: Address("/register/with"),
            fields: fields,
            button: CommonTexts.create,
            busy: CommonTexts.creating
        )
        form.problem = failure?.text
        let email: HTML = "<p>\(context.say(SignInTexts.verifiedEmail(person.email)))</p>"
        form.extra = HTML.when(person.isEmailVerified, email) + consent(context, failure)
        form.extraFields = [.account(.consent, context, failure)]
        let lead = SignInTexts.newLead(provider.registration.label)
        return formPage(SignInTexts.newTitle, icon: .person, lead: lead, form, context)
    }

    private func registerProvided(_ context: RequestContext) async throws -> Response {
        guard let (person, provider) = arrived(context) else { return stale(context) }
        let rules = try await accountRules()
        var form = registration(context)
        form.isWithoutPassword = true
        if person.isEmailVerified { form.email = person.email }
        let origin = origin(provider, context)
        do {
            guard person.isEmailVerified else {
                try await rules.accounts.registerUnverified(
                    form,
                    as: person.identity,
                    origin,
                    at: context.now
                )
                return sent(.confirmation, context).setting(progressCookie(nil, context))
            }
            let grant = try await rules.accounts.registerVerified(
                form,
                as: person.identity,
                proved: person.proved.map { Moment(milliseconds: $0) },
                origin,
                at: context.now
            )
            return try await begin(grant, next: person.next, context)
                .setting(progressCookie(nil, context))
        } catch let refusal as IdentityRefusal {
            // The same form came twice, or somebody else was faster.
            if refusal == .emailTaken { return known(person.email, provider, context) }
            return Response.redirect(to: Address("/login/with", person.provider))
                .setting(progressCookie(nil, context))
        } catch let failure as AccountFailure {
            return try refused(page(person, provider, rules, context, failure), failure, context)
        }
    }
}
