import HTTPTypes
import Identity
import Localization
import Markup
import TaxiPages
import WebCore

extension AccountPages {
    /// A person's own account: viewing, changing, exporting and deleting it (R101 to R103, R105).
    var accountRoutes: [Route] {
        [
            .get("/dashboard", as: "dashboard", for: .person, dashboard),
            .get("/account", as: "account.show", for: .person, showAccount)
                .open(to: [.readProfile])
                .taking([.notice]),
            .get("/account/edit", as: "account.edit.form", for: .person) {
                let rules = try await accountRules()
                return response(editPage(rules, $0, try await profile($0)), to: $0)
            }
            .taking([.query("part", Self.parts, "The one part of the profile that is changed.")]),
            .post("/account/edit", as: "account.edit", for: .person, edit)
                .open(to: [.changeProfile])
                .taking(.person)
                .taking([
                    .typed("address", .text(300), "The postal address of the person."),
                    .language,
                ])
                .taking(.stated)
                .taking([
                    .set("part", Self.parts, "The one part of the profile that the page asks.")
                ]),
            .get("/account/email", as: "account.email.form", for: .grave) {
                response(changePage(of: .email, $0), to: $0)
            },
            .post("/account/email", as: "account.email", for: .grave) {
                try await change(.email, $0)
            }
            .taking([.email]),
            .get("/account/user-name", as: "account.user-name.form", for: .grave) {
                response(changePage(of: .userName, $0), to: $0)
            },
            .post("/account/user-name", as: "account.user-name", for: .grave) {
                try await change(.userName, $0)
            }
            .taking([.typed("user_name", .text(80), "The new user name.")]),
            .post("/account/abort-change", as: "account.abort-change", for: .person, abortChange)
                .taking([
                    .set(
                        "field",
                        .choice(["email", "user_name"]),
                        "The field whose change is given up."
                    ).required
                ])
                .answering(.redirect),
            .get("/account/confirm", as: "account.confirm.form", for: .everybody, showChange)
                .taking([
                    .token,
                    .query("field", .choice(["email", "user_name"]), "The field that changes."),
                ])
                .failing(.gone),
            .post("/account/confirm", as: "account.confirm", for: .everybody, confirmChange)
                .taking([
                    .link,
                    .set("field", .choice(["email", "user_name"]), "The field that changes.")
                        .explained,
                ])
                .failing(.gone),
            .get("/account/sessions", as: "account.sessions.list", for: .person, showSessions),
            .post("/account/sessions/end", as: "account.sessions.end", for: .person, endSession)
                .taking([
                    .set(
                        "session",
                        .text(20),
                        "The number of a session, or others for all but this one."
                    ).required
                ])
                .answering(.redirect),
            .get("/account/export", as: "account.export", for: .grave, export)
                .answering(.file("application/json")),
        ]
    }

    /// The changes that await confirmation, each with a way to cancel it.
    func pending(_ profile: Profile, _ context: RequestContext) -> HTML {
        let waiting = [
            (ConfirmedField.email, profile.pendingEmail),
            (ConfirmedField.userName, profile.pendingUserName),
        ]
        return HTML.joined(
            waiting.compactMap { field, value -> HTML? in
                guard let value else { return nil }
                return """
                    <form class="notice warn" method="post" action="/account/abort-change">
                    \(context.formToken)
                    <p>\(context.say(AccountPageTexts.waits(value)))</p>
                    <p><button name="field" value="\(field.rawValue)">\
                    \(context.say(AccountPageTexts.giveUp))</button></p></form>
                    """
            }
        )
    }

    /// The parts of the profile that have a page each.
    private static let parts = InputField.Kind.choice([
        "name", "phone", "address", "birth_date", "gender", "language",
    ])

    /// The form of the profile, or of one part of it.
    private func editPage(
        _ rules: AccountRules,
        _ context: RequestContext,
        _ profile: Profile,
        _ failure: AccountFailure? = nil
    ) -> Page {
        let part = context.query["part"] ?? context.form["part"] ?? ""
        let all = profileFields(rules, context, profile, failure)
        let some = all.filter { $0.name == part || part == "name" && $0.name == "surname" }
        var form = FormPage(
            action: Address("/account/edit"),
            fields: some.isEmpty ? all : some,
            button: CommonTexts.save,
            busy: CommonTexts.busy
        )
        if !some.isEmpty {
            form.extra = "<input type=\"hidden\" name=\"part\" value=\"\(part)\">"
        }
        let title = some.count == 1 ? some[0].label : AccountPageTexts.edit
        let icon: Icon =
            switch part {
            case "phone": .phone
            case "address": .home
            case "language": .language
            case "birth_date": .calendar
            default: .person
            }
        var page = formPage(title, icon: icon, lead: nil, form, context)
        page.body += backToAccount(context)
        return page
    }

    private func profileFields(
        _ rules: AccountRules,
        _ context: RequestContext,
        _ profile: Profile,
        _ failure: AccountFailure?
    ) -> [Field] {
        let languages = Language.allCases.map {
            (value: $0.rawValue, label: Text(same: $0.ownName))
        }
        let required = rules.accounts.settings.required
        return [
            .account(
                .name,
                context,
                failure,
                autocomplete: "given-name",
                value: profile.name
            ),
            .account(
                .surname,
                context,
                failure,
                autocomplete: "family-name",
                value: profile.surname
            ),
            .account(
                .phone,
                context,
                failure,
                kind: .telephone,
                isRequired: required.contains(.phone),
                value: profile.phone
            ),
            .account(
                .address,
                context,
                failure,
                autocomplete: "address-line1",
                isRequired: required.contains(.address),
                value: profile.address
            ),
        ] + statedFields(context, failure, profile) + [
            .account(
                .language,
                context,
                failure,
                kind: .choice(languages),
                value: profile.language.rawValue
            )
        ]
    }

    private func edit(_ context: RequestContext) async throws -> Response {
        let profile = try await profile(context)
        let rules = try await accountRules()
        var change = ProfileChange()
        change.name = context.form["name"]
        change.surname = context.form["surname"]
        change.phone = context.form["phone"]
        change.address = context.form["address"]
        change.birthDate = context.form["birth_date"]
        change.gender = context.form["gender"]
        change.language = context.form["language"].flatMap(Language.init(rawValue:))
        do {
            try await rules.accounts.change(change, of: profile.number, at: context.now)
        } catch let failure as AccountFailure {
            return try refused(editPage(rules, context, profile, failure), failure, context)
        }
        return .redirect(to: Address("/account", query: ["notice": "saved"]))
    }

    /// The form to change an e-mail address or user name; the change takes effect once the link in
    /// the e-mail is opened.
    private func changePage(
        of field: ConfirmedField,
        _ context: RequestContext,
        _ failure: AccountFailure? = nil
    ) -> Page {
        let isEmail = field == .email
        var form = FormPage(
            action: isEmail ? Address("/account/email") : Address("/account/user-name"),
            fields: [
                isEmail
                    ? .account(.email, context, failure, kind: .email)
                    : .account(
                        .userName,
                        context,
                        failure,
                        hint: RegistrationTexts.userNameHint,
                        autocomplete: "username"
                    )
            ],
            button: AccountPageTexts.sendLink,
            busy: CommonTexts.busy
        )
        form.problem = failure?.text
        var page = formPage(
            isEmail ? AccountPageTexts.newEmail : AccountPageTexts.newUserName,
            icon: isEmail ? .mail : .person,
            lead: isEmail ? AccountPageTexts.newEmailLead : AccountPageTexts.newUserNameLead,
            form,
            context
        )
        page.body += backToAccount(context)
        return page
    }

    /// Starts a change of the e-mail address or user name.
    private func change(_ field: ConfirmedField, _ context: RequestContext) async throws -> Response
    {
        guard let session = context.session else { throw Failure.notSignedIn }
        do {
            switch field {
            case .email:
                let text = context.form["email"] ?? ""
                try await accounts.changeEmail(
                    to: text,
                    by: session,
                    from: ClientAddress(context.address),
                    at: context.now
                )
            case .userName:
                let text = context.form["user_name"] ?? ""
                try await accounts.changeUserName(
                    to: text,
                    by: session,
                    from: ClientAddress(context.address),
                    at: context.now
                )
            }
        } catch let failure as AccountFailure {
            return try refused(changePage(of: field, context, failure), failure, context)
        }
        return .redirect(to: Address("/account", query: ["notice": "mail"]))
    }

    private func abortChange(
        _ context: RequestContext,
        _ signedIn: SignedIn
    ) async throws -> Response {
        guard let field = context.form["field"].flatMap(ConfirmedField.init(rawValue:)) else {
            throw Failure.badRequest
        }
        try await accounts.abortChange(field, of: signedIn.person)
        return .redirect(to: Address("/account", query: ["notice": "aborted"]))
    }

    private func showChange(_ context: RequestContext) throws -> Response {
        guard let token = context.mailedToken,
            let field = (context.query["field"] ?? context.form["field"])
                .flatMap(ConfirmedField.init(rawValue:))
        else { return badLink(context) }
        var form = FormPage(
            action: Address("/account/confirm"),
            fields: [],
            button: RegistrationTexts.confirm,
            busy: CommonTexts.busy
        )
        form.extra = """
            <input type="hidden" name="link" value="\(token.text)">
            <input type="hidden" name="field" value="\(field.rawValue)">
            """
        return response(
            formPage(AccountPageTexts.confirmChange, icon: .check, lead: nil, form, context),
            to: context
        )
    }

    private func confirmChange(_ context: RequestContext) async throws -> Response {
        guard let token = context.form["link"].flatMap(SecretToken.init),
            let field = context.form["field"].flatMap(ConfirmedField.init(rawValue:))
        else { return badLink(context) }
        do {
            _ = try await accounts.confirmChange(field, token, at: context.now)
        } catch AccountFailure.badToken, AccountFailure.invalid {
            return badLink(context)
        }
        let isIn = context.session?.person != nil
        return .redirect(
            to: isIn
                ? Address("/account", query: ["notice": "saved"])
                : Address("/login", query: ["notice": "changed"])
        )
    }

    /// Downloads all stored data about the person (R105).
    private func export(_ context: RequestContext, _ signedIn: SignedIn) async throws -> Response {
        let text = try await exportText(of: signedIn.person, at: context.now)
        return .download(
            Array(text.utf8),
            type: "application/json",
            name: "viavai-account.json"
        )
    }
}
