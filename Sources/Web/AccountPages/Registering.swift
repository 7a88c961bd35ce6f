import Chronology
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
            .get("/register", as: "register.form", for: .everybody) { context in
                response(registrationPage(try await accountRules(), context), to: context)
            },
            .post("/register", as: "register", for: .everybody, register)
                .open(to: [.createAccounts])
                .taking(.registration),
            .get("/register/driver", as: "register.driver.form", for: .everybody) { context in
                let rules = try await accountRules()
                return response(
                    rules.driversRegister
                        ? driverRegistrationPage(rules, context)
                        : byTheCity(context),
                    to: context
                )
            }
            .failing(.conflict),
            .post("/register/driver", as: "register.driver", for: .everybody, registerDriver)
                .taking(.registration)
                .taking(.papers),
            .get("/confirm", as: "confirm.form", for: .everybody, showConfirmation)
                .taking([.token])
                .failing(.gone),
            .post("/confirm", as: "confirm", for: .everybody, confirm)
                .taking([.link])
                .failing(.gone),
            .post("/confirm/abort", as: "confirm.abort", for: .everybody, abortRegistration)
                .taking([.link])
                .failing(.gone),
            .get("/register/done/{what}", as: "register.done", for: .everybody) { context in
                guard let done = context.parameters["what"].flatMap(DoneByMail.init) else {
                    throw Failure.notFound
                }
                return response(page(of: done, context), to: context)
            }
            .taking([
                .path(
                    "what",
                    .choice(["confirmation", "driver", "password", "aborted"]),
                    "What was done by e-mail."
                )
            ]),
        ]
    }

    /// The fields shared by both registration forms.
    func registration(_ context: RequestContext) -> Registration {
        Registration(
            userName: context.form["user_name"] ?? "",
            email: context.form["email"] ?? "",
            password: context.form["password"] ?? "",
            passwordAgain: context.form["password_again"] ?? "",
            name: context.form["name"] ?? "",
            surname: context.form["surname"] ?? "",
            address: context.form["address"] ?? "",
            phone: context.form["phone"] ?? "",
            birthDate: context.form["birth_date"] ?? "",
            gender: context.form["gender"] ?? "",
            language: context.language,
            consent: context.form["consent"]
        )
    }

    private func register(_ context: RequestContext) async throws -> Response {
        let rules = try await accountRules()
        do {
            try await rules.accounts.register(
                registration(context),
                from: ClientAddress(context.address),
                at: context.now
            )
        } catch let failure as AccountFailure {
            return try refused(registrationPage(rules, context, failure), failure, context)
        }
        return sent(.confirmation, context)
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
    func sent(_ done: DoneByMail, _ context: RequestContext) -> Response {
        var response = response(page(of: done, context), to: context)
        response.repeated = Address("/register/done", done.rawValue)
        return response
    }

    private func page(of done: DoneByMail, _ context: RequestContext) -> Page {
        guard done != .aborted, var mailbox = mailboxButton else {
            return message(done.title, icon: done == .aborted ? .bin : .mail, done.lead, context)
        }
        mailbox.look = .primary
        let first = Button(LayoutTexts.first, .link(Address("/")))
        let dialog = Dialog(
            done.title,
            icon: .mail,
            text: "\(context.say(done.lead))",
            actions: mailbox.html(context) + first.html(context)
        )
        return Page(done.title, body: dialog.html(context))
    }

    private func registrationPage(
        _ rules: AccountRules,
        _ context: RequestContext,
        _ failure: AccountFailure? = nil
    ) -> Page {
        var form = FormPage(
            action: Address("/register"),
            fields: registrationFields(rules, context, failure)
                + statedFields(context, failure),
            button: CommonTexts.create,
            busy: CommonTexts.creating
        )
        form.problem = failure?.text
        // What may stay empty is folded, unless something is wrong with it.
        let further = form.fields.suffix(4).filter { !$0.isRequired }
        form.fields.removeAll { field in further.contains { $0.name == field.name } }
        form.extra = folded(further, context) + consent(context, failure)
        form.extraFields = further + [.account(.consent, context, failure)]
        form.moreButtons = providerButtons(context)
        let lead = RegistrationTexts.lead
        var page = formPage(CommonTexts.createAccount, icon: .person, lead: lead, form, context)
        let drivers: HTML = """
            <p><a href="/register/driver">\(context.say(CommonTexts.becomeDriver))</a></p>
            """
        page.body += """
            <div class="below"><p>\(context.say(RegistrationTexts.hasAccount)) \
            <a href="/login">\(context.say(CommonTexts.signIn))</a></p>\
            \(HTML.when(rules.driversRegister, drivers))</div>
            """
        return page
    }

    /// What people may state of themselves, and need not (V2).
    func statedFields(
        _ context: RequestContext,
        _ failure: AccountFailure?,
        _ profile: Profile? = nil
    ) -> [Field] {
        let genders =
            [(value: "", label: RegistrationTexts.notStated)]
            + Gender.allCases.map { (value: $0.rawValue, label: $0.label) }
        return [
            .account(
                .birthDate,
                context,
                failure,
                kind: .date,
                hint: RegistrationTexts.onlyYou,
                autocomplete: "bday",
                isRequired: false,
                value: profile?.birthDate?.day.iso8601
            ),
            .account(
                .gender,
                context,
                failure,
                kind: .choice(genders),
                hint: RegistrationTexts.onlyYou,
                autocomplete: "sex",
                isRequired: false,
                value: profile?.gender?.rawValue
            ),
        ]
    }

    private func folded(_ fields: [Field], _ context: RequestContext) -> HTML {
        guard !fields.isEmpty else { return .empty }
        let isOpen = fields.contains { $0.error != nil || !(context.form[$0.name] ?? "").isEmpty }
        let row = FoldedRow(
            .plus,
            RegistrationTexts.further,
            value: "",
            isOpen: isOpen,
            content: .joined(fields.map { $0.html(context) })
        )
        return FoldedRow.list([row], context)
    }

    /// The form fields shared by both registration forms.
    func registrationFields(
        _ rules: AccountRules,
        _ context: RequestContext,
        _ failure: AccountFailure?,
        needsPhone: Bool = false
    ) -> [Field] {
        let required = rules.accounts.settings.required
        return [
            .account(.name, context, failure, autocomplete: "given-name"),
            .account(.surname, context, failure, autocomplete: "family-name"),
            .account(.email, context, failure, kind: .email, hint: RegistrationTexts.emailHint),
            .account(
                .userName,
                context,
                failure,
                hint: RegistrationTexts.userNameHint,
                autocomplete: "username",
                isRequired: required.contains(.userName)
            ),
            .account(
                .password,
                context,
                failure,
                kind: .newPassword,
                hint: RegistrationTexts.passwordHint
            ),
            .account(.passwordAgain, context, failure, kind: .newPassword),
            .account(
                .phone,
                context,
                failure,
                kind: .telephone,
                isRequired: needsPhone || required.contains(.phone)
            ),
            .account(
                .address,
                context,
                failure,
                autocomplete: "address-line1",
                isRequired: needsPhone || required.contains(.address)
            ),
        ]
    }

    /// The checkbox that accepts the terms of use and consents to the storage of data; a
    /// registration requires it (R97, V4).
    func consent(_ context: RequestContext, _ failure: AccountFailure?) -> HTML {
        let error = failure?.problem(of: .consent)
        let version = accounts.settings.consentVersion
        return """
            <div class="\(error == nil ? "field" : "field wrong")">
            \(error.map { consentError($0, context) })
            <div class="choice"><input type="checkbox" id="field-consent" name="consent" \
            value="\(version)"\(HTML.when(context.form["consent"] == version, " checked"))\
            \(HTML.when(error != nil, Self.wrongConsent))>
            <label for="field-consent">\(context.say(RegistrationTexts.consent))</label></div>
            <p class="hint"><a href="/terms">\(context.say(LayoutTexts.terms))</a> · \
            <a href="/privacy">\(context.say(LayoutTexts.privacy))</a></p>
            </div>
            """
    }

    private static let wrongConsent: HTML = """
         aria-describedby="field-consent-error" aria-invalid="true"
        """

    private func consentError(_ error: Text, _ context: RequestContext) -> HTML {
        """
        <span class="error" id="field-consent-error">\
        <span class="hidden">\(context.say(FormTexts.error)): </span>\(context.say(error))</span>
        """
    }

    /// The page behind the link in the e-mail.
    ///
    /// It has a button to press, because mail programs open links automatically.
    private func showConfirmation(_ context: RequestContext) async throws -> Response {
        guard let token = context.mailedToken,
            try await accounts.isConfirmation(token, at: context.now)
        else { return badLink(context) }
        var form = FormPage(
            action: Address("/confirm"),
            fields: [],
            button: RegistrationTexts.confirm,
            busy: CommonTexts.creating
        )
        form.extra = """
            <input type="hidden" name="link" value="\(token.text)">
            <p><button class="plain" formaction="/confirm/abort">\
            \(context.say(RegistrationTexts.abort))</button></p>
            """
        let page = formPage(
            RegistrationTexts.confirmTitle,
            icon: .check,
            lead: RegistrationTexts.confirmLead,
            form,
            context
        )
        return response(page, to: context)
    }

    private func confirm(_ context: RequestContext) async throws -> Response {
        guard let token = context.form["link"].flatMap(SecretToken.init) else {
            return badLink(context)
        }
        let first: SecretToken?
        do {
            first = try await accounts.confirmRegistration(token, at: context.now)
        } catch AccountFailure.badToken, AccountFailure.invalid {
            return badLink(context)
        }
        if let first {
            return .redirect(to: Address("/password/new", query: ["token": first.text]))
        }
        return Response.redirect(to: Address("/login", query: ["notice": "confirmed"]))
    }

    private func abortRegistration(_ context: RequestContext) async throws -> Response {
        guard let token = context.form["link"].flatMap(SecretToken.init) else {
            return badLink(context)
        }
        do {
            try await accounts.abortRegistration(token, at: context.now)
        } catch AccountFailure.badToken {
            return badLink(context)
        }
        return sent(.aborted, context)
    }

    /// The answer to a link that is no longer valid.
    func badLink(_ context: RequestContext) -> Response {
        let lead = RegistrationTexts.badLinkLead
        var page = message(RegistrationTexts.badLink, icon: .link, lead, context)
        page.status = .gone
        return response(page, to: context)
    }
}

extension RequestContext {
    /// The token of the mailed link: from the address, or from the form where the page is shown in
    /// another language, because no address but the mailed one contains it.
    var mailedToken: SecretToken? {
        (query["token"] ?? form["link"]).flatMap(SecretToken.init)
    }
}

extension InputField {
    /// The password of the person.
    static let password = typed("password", .secret(1_024), "The password.")

    /// The page that follows.
    static let next = set("next", .text(6_000), "The page that follows, within this site.")

    /// The token in a link that was mailed.
    static let token = query("token", .secret(200), "The token of the link that was mailed.")

    /// The token of a link, in the form that confirms what it is for.
    static let link = set("link", .secret(200), "The token of the link that was mailed.").explained
}

extension [InputField] {
    /// The fields shared by both registration forms.
    static let registration: [InputField] =
        .person + [
            .email, .typed("user_name", .text(80), "The user name."),
            .password,
            .typed("password_again", .secret(1_024), "The password once more."),
            .typed("address", .text(300), "The postal address of the person."),
            .set("consent", .text(40), "The version of the terms that the person accepts.")
                .explained,
        ] + stated

    /// What people may state of themselves.
    static let stated: [InputField] = [
        .typed("birth_date", .text(40), "The date of birth, such as 1984-05-17."),
        .set("gender", .choice(of: Gender.self), "The gender; empty if it is not stated."),
    ]
}
