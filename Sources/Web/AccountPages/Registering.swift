import Drivers
import HTTPTypes
import Identity
import Localization
import Markup
import TaxiPages
import WebCore

extension AccountPages {
    /// The registration pages, and the link that confirms a registration (R94, R96 to R98).
    var registrationRoutes: [Route] {
        [
            .get("/register", for: .everybody) { visit in
                reply(registrationPage(try await accountRules(), visit), to: visit)
            },
            .post("/register", for: .everybody, register),
            .get("/register/driver", for: .everybody) { visit in
                let rules = try await accountRules()
                return reply(
                    rules.driversRegister
                        ? driverRegistrationPage(rules, visit)
                        : byTheCity(visit),
                    to: visit
                )
            },
            .post("/register/driver", for: .everybody, registerDriver),
            .get("/confirm", for: .everybody, showConfirmation),
            .post("/confirm", for: .everybody, confirm),
            .post("/confirm/abort", for: .everybody, abortRegistration),
            .get("/register/done/{what}", for: .everybody) { visit in
                guard let done = visit.parameters["what"].flatMap(DoneByMail.init) else {
                    throw Failure.notFound
                }
                return reply(message(done.title, done.lead, visit), to: visit)
            },
        ]
    }

    /// The fields shared by both registration forms.
    func registration(_ visit: Visit) -> Registration {
        Registration(
            userName: visit.form["user_name"] ?? "",
            email: visit.form["email"] ?? "",
            password: visit.form["password"] ?? "",
            passwordAgain: visit.form["password_again"] ?? "",
            name: visit.form["name"] ?? "",
            surname: visit.form["surname"] ?? "",
            address: visit.form["address"] ?? "",
            phone: visit.form["phone"] ?? "",
            language: visit.language,
            consent: visit.form["consent"]
        )
    }

    private func register(_ visit: Visit) async throws -> Reply {
        let rules = try await accountRules()
        do {
            try await rules.accounts.register(
                registration(visit),
                from: ClientAddress(visit.address),
                at: visit.now
            )
        } catch let failure as AccountFailure {
            return try refused(registrationPage(rules, visit, failure), failure, visit)
        }
        return sent(.confirmation, visit)
    }

    /// The result of an action that involves an e-mail.
    ///
    /// A repeated form leads to the same page, which does not reveal whether an account exists.
    enum DoneByMail: String {
        case confirmation, driver, password, aborted

        var title: Text {
            self == .aborted ? RegistrationTexts.aborted : RegistrationTexts.lookAtMail
        }

        var lead: Text {
            switch self {
            case .confirmation: RegistrationTexts.lookAtMailLead
            case .driver: CommonTexts.applicationSent
            case .password: PasswordTexts.sent
            case .aborted: RegistrationTexts.abortedLead
            }
        }
    }

    /// Shows the result of the action.
    func sent(_ done: DoneByMail, _ visit: Visit) -> Reply {
        var reply = reply(message(done.title, done.lead, visit), to: visit)
        reply.repeated = Address("/register/done", done.rawValue)
        return reply
    }

    private func registrationPage(
        _ rules: AccountRules,
        _ visit: Visit,
        _ failure: AccountFailure? = nil
    ) -> Page {
        var form = FormPage(
            action: Address("/register"),
            fields: registrationFields(rules, visit, failure),
            button: CommonTexts.create,
            busy: CommonTexts.creating
        )
        form.problem = failure?.words
        form.extra = consent(visit, failure)
        form.extraFields = [.account(.consent, visit, failure)]
        var page = formPage(CommonTexts.createAccount, lead: RegistrationTexts.lead, form, visit)
        let drivers: HTML = """
            <p><a href="/register/driver">\(visit.say(CommonTexts.becomeDriver))</a></p>
            """
        page.body += HTML.when(rules.driversRegister, drivers)
        return page
    }

    /// The form fields shared by both registration forms.
    func registrationFields(
        _ rules: AccountRules,
        _ visit: Visit,
        _ failure: AccountFailure?,
        needsPhone: Bool = false
    ) -> [Field] {
        let required = rules.accounts.settings.required
        return [
            .account(.name, visit, failure, autocomplete: "given-name"),
            .account(.surname, visit, failure, autocomplete: "family-name"),
            .account(.email, visit, failure, kind: .email, hint: RegistrationTexts.emailHint),
            .account(
                .userName,
                visit,
                failure,
                hint: RegistrationTexts.userNameHint,
                autocomplete: "username",
                isRequired: required.contains(.userName)
            ),
            .account(
                .password,
                visit,
                failure,
                kind: .newPassword,
                hint: RegistrationTexts.passwordHint
            ),
            .account(.passwordAgain, visit, failure, kind: .newPassword),
            .account(
                .phone,
                visit,
                failure,
                kind: .telephone,
                isRequired: needsPhone || required.contains(.phone)
            ),
            .account(
                .address,
                visit,
                failure,
                autocomplete: "address-line1",
                isRequired: needsPhone || required.contains(.address)
            ),
        ]
    }

    /// The consent checkbox, which is required for registration (R97).
    func consent(_ visit: Visit, _ failure: AccountFailure?) -> HTML {
        let error = failure?.problem(of: .consent)
        let version = accounts.settings.consentVersion
        return """
            <div class="\(error == nil ? "field" : "field wrong")">
            \(error.map { consentError($0, visit) })
            <div class="choice"><input type="checkbox" id="field-consent" name="consent" \
            value="\(version)"\(HTML.when(visit.form["consent"] == version, " checked"))\
            \(HTML.when(error != nil, Self.wrongConsent))>
            <label for="field-consent">\(visit.say(RegistrationTexts.consent)) \
            <a href="/privacy">\(visit.say(LayoutTexts.privacy))</a></label></div>
            </div>
            """
    }

    private static let wrongConsent: HTML = """
         aria-describedby="field-consent-error" aria-invalid="true"
        """

    private func consentError(_ error: Text, _ visit: Visit) -> HTML {
        """
        <span class="error" id="field-consent-error">\
        <span class="hidden">\(visit.say(FormTexts.error)): </span>\(visit.say(error))</span>
        """
    }

    /// The page behind the link in the e-mail.
    ///
    /// It has a button to press, because mail programs open links automatically.
    private func showConfirmation(_ visit: Visit) async throws -> Reply {
        guard let token = visit.query["token"].flatMap(SecretToken.init),
            try await accounts.isConfirmation(token, at: visit.now)
        else { return badLink(visit) }
        var form = FormPage(
            action: Address("/confirm"),
            fields: [],
            button: RegistrationTexts.confirm,
            busy: CommonTexts.creating
        )
        form.extra = """
            <input type="hidden" name="link" value="\(token.text)">
            <p><button class="plain" formaction="/confirm/abort">\
            \(visit.say(RegistrationTexts.abort))</button></p>
            """
        let page = formPage(
            RegistrationTexts.confirmTitle,
            lead: RegistrationTexts.confirmLead,
            form,
            visit
        )
        return reply(page, to: visit)
    }

    private func confirm(_ visit: Visit) async throws -> Reply {
        guard let token = visit.form["link"].flatMap(SecretToken.init) else {
            return badLink(visit)
        }
        do {
            try await accounts.confirmRegistration(token, at: visit.now)
        } catch AccountFailure.badToken, AccountFailure.invalid {
            return badLink(visit)
        }
        return Reply.redirect(to: Address("/login", query: ["notice": "confirmed"]))
    }

    private func abortRegistration(_ visit: Visit) async throws -> Reply {
        guard let token = visit.form["link"].flatMap(SecretToken.init) else {
            return badLink(visit)
        }
        do {
            try await accounts.abortRegistration(token, at: visit.now)
        } catch AccountFailure.badToken {
            return badLink(visit)
        }
        return sent(.aborted, visit)
    }

    /// The answer to a link that is no longer valid.
    func badLink(_ visit: Visit) -> Reply {
        var page = message(RegistrationTexts.badLink, RegistrationTexts.badLinkLead, visit)
        page.status = .gone
        return reply(page, to: visit)
    }
}
