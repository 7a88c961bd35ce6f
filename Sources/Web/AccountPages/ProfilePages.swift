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
            .get("/dashboard", for: .person, dashboard),
            .get("/account", for: .person, showAccount),
            .get("/account/edit", for: .person) {
                let rules = try await accountRules()
                return reply(editPage(rules, $0, try await profile($0)), to: $0)
            },
            .post("/account/edit", for: .person, edit),
            .get("/account/email", for: .grave) { reply(changePage(of: .email, $0), to: $0) },
            .post("/account/email", for: .grave) { try await change(.email, $0) },
            .get("/account/user-name", for: .grave) {
                reply(changePage(of: .userName, $0), to: $0)
            },
            .post("/account/user-name", for: .grave) { try await change(.userName, $0) },
            .post("/account/abort-change", for: .person, abortChange),
            .get("/account/confirm", for: .everybody, showChange),
            .post("/account/confirm", for: .everybody, confirmChange),
            .get("/account/sessions", for: .person, showSessions),
            .post("/account/sessions/end", for: .person, endSession),
            .get("/account/export", for: .grave, export),
        ]
    }

    private func dashboard(_ visit: Visit) async throws -> Reply {
        let profile = try await profile(visit)
        let tiles = dashboardTiles(visit).map { tile -> HTML in
            """
            <li><a href=\(tile.address)>\(tile.icon.html)<b>\(visit.say(tile.title))</b>\
            <span>\(visit.say(tile.text))</span></a></li>
            """
        }
        let state = try await slots.notice(visit)
        let page = Page(
            CommonTexts.dashboard,
            body: """
                <h1>\(visit.say(DashboardTexts.welcome(profile.name)))</h1>
                \(state)
                <ul class="tiles">\(tiles)</ul>
                """
        )
        return reply(page, to: visit)
    }

    /// The dashboard tiles for everything this person may do.
    private func dashboardTiles(_ visit: Visit) -> [AccountSlots.Tile] {
        let own: [AccountSlots.Tile] = [
            AccountSlots.Tile(
                .person,
                Address("/account"),
                AccountPageTexts.title,
                DashboardTexts.account
            ),
            AccountSlots.Tile(
                .lock,
                Address("/account/sessions"),
                AccountPageTexts.sessions,
                DashboardTexts.sessions
            ),
        ]
        return slots.firstTiles(visit) + own + slots.lastTiles(visit)
    }

    private func showAccount(_ visit: Visit) async throws -> Reply {
        let profile = try await profile(visit)
        let edit = Address("/account/edit")
        let rows: [HTML] = [
            row(FormField.name.label, profile.name + " " + profile.surname, edit, visit),
            row(FormField.email.label, profile.email, Address("/account/email"), visit),
            row(
                FormField.userName.label,
                profile.userName ?? "",
                Address("/account/user-name"),
                visit
            ),
            row(FormField.password.label, "••••••••", Address("/account/password"), visit),
            row(FormField.phone.label, profile.phone, edit, visit),
            row(FormField.address.label, profile.address, edit, visit),
            row(FormField.language.label, profile.language.ownName, edit, visit),
        ]
        let links = slots.links(profile).map { address, title -> HTML in
            "<li><a href=\(address)>\(visit.say(title))</a></li>"
        }
        var page = Page(
            AccountPageTexts.title,
            body: """
                \(notice(visit))
                <h1>\(visit.say(AccountPageTexts.title))</h1>
                \(pending(profile, visit))
                <dl class="summary">\(rows)</dl>
                <ul>
                \(links)
                <li><a href="/account/preferences">\(visit.say(PreferenceTexts.title))</a></li>
                <li><a href="/account/consent">\(visit.say(ConsentTexts.title))</a></li>
                <li><a href="/account/sessions">\(visit.say(AccountPageTexts.sessions))</a></li>
                <li><a href="/account/export">\(visit.say(AccountPageTexts.export))</a></li>
                <li><a href="/account/delete">\(visit.say(DeletionTexts.title))</a></li>
                </ul>
                """
        )
        page.hasForm = true
        return reply(page, to: visit)
    }

    private func notice(_ visit: Visit) -> HTML? {
        AccountPageTexts.notices[visit.query["notice"] ?? ""].map {
            "<div class=\"notice good\" role=\"status\"><p>\(visit.say($0))</p></div>"
        }
    }

    /// One row of the summary, with a link to change the value.
    private func row(_ label: Text, _ value: String, _ address: Address, _ visit: Visit) -> HTML {
        let shown: HTML =
            value.isEmpty
            ? "<span class=\"hint\">\(visit.say(CommonTexts.notGiven))</span>" : "\(value)"
        return """
            <div><dt>\(visit.say(label))</dt><dd>\(shown)</dd>\
            <dd><a href=\(address)>\(visit.say(AccountPageTexts.change))\
            <span class="hidden"> \(visit.say(label))</span></a></dd></div>
            """
    }

    /// The changes that await confirmation, each with a way to cancel it.
    private func pending(_ profile: Profile, _ visit: Visit) -> HTML {
        let waiting = [
            (ConfirmedField.email, profile.pendingEmail),
            (ConfirmedField.userName, profile.pendingUserName),
        ]
        return HTML.joined(
            waiting.compactMap { field, value -> HTML? in
                guard let value else { return nil }
                return """
                    <form class="notice warn" method="post" action="/account/abort-change">
                    \(visit.formToken)
                    <p>\(visit.say(AccountPageTexts.waits(value)))</p>
                    <p><button name="field" value="\(field.rawValue)">\
                    \(visit.say(AccountPageTexts.giveUp))</button></p></form>
                    """
            }
        )
    }

    private func editPage(
        _ rules: AccountRules,
        _ visit: Visit,
        _ profile: Profile,
        _ failure: AccountFailure? = nil
    ) -> Page {
        let languages = Language.allCases.map {
            (value: $0.rawValue, label: Text(same: $0.ownName))
        }
        let required = rules.accounts.settings.required
        let form = FormPage(
            action: Address("/account/edit"),
            fields: [
                .account(
                    .name,
                    visit,
                    failure,
                    autocomplete: "given-name",
                    value: profile.name
                ),
                .account(
                    .surname,
                    visit,
                    failure,
                    autocomplete: "family-name",
                    value: profile.surname
                ),
                .account(
                    .phone,
                    visit,
                    failure,
                    kind: .telephone,
                    isRequired: required.contains(.phone),
                    value: profile.phone
                ),
                .account(
                    .address,
                    visit,
                    failure,
                    autocomplete: "address-line1",
                    isRequired: required.contains(.address),
                    value: profile.address
                ),
                .account(
                    .language,
                    visit,
                    failure,
                    kind: .choice(languages),
                    value: profile.language.rawValue
                ),
            ],
            button: CommonTexts.save,
            busy: CommonTexts.busy
        )
        var page = formPage(AccountPageTexts.edit, lead: nil, form, visit)
        page.body += backToAccount(visit)
        return page
    }

    private func edit(_ visit: Visit) async throws -> Reply {
        let profile = try await profile(visit)
        let rules = try await accountRules()
        var change = ProfileChange()
        change.name = visit.form["name"]
        change.surname = visit.form["surname"]
        change.phone = visit.form["phone"]
        change.address = visit.form["address"]
        change.language = visit.form["language"].flatMap(Language.init(rawValue:))
        do {
            try await rules.accounts.change(change, of: profile.number)
        } catch let failure as AccountFailure {
            return try refused(editPage(rules, visit, profile, failure), failure, visit)
        }
        return .redirect(to: Address("/account", query: ["notice": "saved"]))
    }

    /// The form to change an e-mail address or user name; the change takes effect once the link in
    /// the e-mail is opened.
    private func changePage(
        of field: ConfirmedField,
        _ visit: Visit,
        _ failure: AccountFailure? = nil
    ) -> Page {
        let isEmail = field == .email
        var form = FormPage(
            action: isEmail ? Address("/account/email") : Address("/account/user-name"),
            fields: [
                isEmail
                    ? .account(.email, visit, failure, kind: .email)
                    : .account(
                        .userName,
                        visit,
                        failure,
                        hint: RegistrationTexts.userNameHint,
                        autocomplete: "username"
                    )
            ],
            button: AccountPageTexts.sendLink,
            busy: CommonTexts.busy
        )
        form.problem = failure?.words
        var page = formPage(
            isEmail ? AccountPageTexts.newEmail : AccountPageTexts.newUserName,
            lead: isEmail ? AccountPageTexts.newEmailLead : AccountPageTexts.newUserNameLead,
            form,
            visit
        )
        page.body += backToAccount(visit)
        return page
    }

    /// Starts a change of the e-mail address or user name.
    private func change(_ field: ConfirmedField, _ visit: Visit) async throws -> Reply {
        guard let session = visit.session else { throw Failure.notSignedIn }
        do {
            switch field {
            case .email:
                let text = visit.form["email"] ?? ""
                try await accounts.changeEmail(
                    to: text,
                    by: session,
                    from: ClientAddress(visit.address),
                    at: visit.now
                )
            case .userName:
                let text = visit.form["user_name"] ?? ""
                try await accounts.changeUserName(
                    to: text,
                    by: session,
                    from: ClientAddress(visit.address),
                    at: visit.now
                )
            }
        } catch let failure as AccountFailure {
            return try refused(changePage(of: field, visit, failure), failure, visit)
        }
        return .redirect(to: Address("/account", query: ["notice": "mail"]))
    }

    private func abortChange(_ visit: Visit, _ signedIn: SignedIn) async throws -> Reply {
        guard let field = visit.form["field"].flatMap(ConfirmedField.init(rawValue:)) else {
            throw Failure.badRequest
        }
        try await accounts.abortChange(field, of: signedIn.person)
        return .redirect(to: Address("/account", query: ["notice": "aborted"]))
    }

    private func showChange(_ visit: Visit) throws -> Reply {
        guard let token = visit.query["token"].flatMap(SecretToken.init),
            let field = visit.query["field"].flatMap(ConfirmedField.init(rawValue:))
        else { return badLink(visit) }
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
        return reply(formPage(AccountPageTexts.confirmChange, lead: nil, form, visit), to: visit)
    }

    private func confirmChange(_ visit: Visit) async throws -> Reply {
        guard let token = visit.form["link"].flatMap(SecretToken.init),
            let field = visit.form["field"].flatMap(ConfirmedField.init(rawValue:))
        else { return badLink(visit) }
        do {
            _ = try await accounts.confirmChange(field, token, at: visit.now)
        } catch AccountFailure.badToken, AccountFailure.invalid {
            return badLink(visit)
        }
        let isIn = visit.session?.person != nil
        return .redirect(
            to: isIn
                ? Address("/account", query: ["notice": "saved"])
                : Address("/login", query: ["notice": "changed"])
        )
    }

    /// Downloads all stored data about the person (R105).
    private func export(_ visit: Visit, _ signedIn: SignedIn) async throws -> Reply {
        let text = try await exportText(of: signedIn.person, at: visit.now)
        return .download(
            Array(text.utf8),
            type: "application/json",
            name: "viavai-account.json"
        )
    }
}
