import HTTPTypes
import Identity
import Localization
import Markup
import Notify
import TaxiPages
import WebCore

extension AccountPages {
    /// Signing in and out, and confirming the password again (R99).
    var logInRoutes: [Route] {
        [
            .get("/login", as: "login.form", for: .everybody) { response(logInPage($0), to: $0) }
                .taking([
                    .notice,
                    .query("next", .text(6_000), "The page that follows, within this site."),
                ]),
            .post("/login", as: "login", for: .everybody, logIn)
                .taking([
                    .typed("name", .text(254), "The user name or e-mail address."),
                    .password,
                    .next,
                ])
                .repeated(because: "it sets a cookie, which a kept answer would lack"),
            .post("/login/code", as: "login.code", for: .everybody, proveEmail)
                .taking([
                    .typed("name", .text(254), "The user name or e-mail address."),
                    .password,
                    .next,
                    .typed("code", .secret(40), "The code that was mailed."),
                    .set("challenge", .secret(200), "The sign-in that the code completes.")
                        .required,
                ])
                .repeated(because: "it sets a cookie, which a kept answer would lack"),
            .post("/login/resend", as: "login.resend", for: .everybody, resendConfirmation)
                .taking([
                    .typed("name", .text(254), "The user name or e-mail address."),
                    .password,
                    .next,
                ]),
            .post("/logout", as: "logout", for: .everybody, logOut)
                .answering(.redirect)
                .repeated(because: "it takes the cookie away, and a second time finds nobody"),
            .get("/login/again", as: "login.again.form", for: .person) {
                response(try await againPage($0), to: $0)
            }
            .taking([
                .query("next", .text(6_000), "The page that follows, within this site.")
            ]),
            .post("/login/again", as: "login.again", for: .person, logInAgain)
                .taking([.password, .next])
                .repeated(because: "what counts is that the password was given now"),
        ]
    }

    private func logInForm(_ context: RequestContext) -> LogInForm {
        LogInForm(
            name: context.form["name"] ?? "",
            password: context.form["password"] ?? "",
            address: ClientAddress(context.address),
            device: context.device,
            session: context.secret
        )
    }

    private func logIn(_ context: RequestContext) async throws -> Response {
        do {
            switch try await accounts.logIn(logInForm(context), at: context.now) {
            case .session(let grant): return try await begin(grant, context)
            case .proof(let challenge): return response(codePage(challenge, context), to: context)
            }
        } catch let failure as AccountFailure {
            return try refused(logInPage(context, failure), failure, context)
        }
    }

    /// Redirects to the next page after signing in, and sets the cookie of the new session.
    func begin(
        _ grant: SessionGrant,
        next: String? = nil,
        _ context: RequestContext
    ) async throws -> Response {
        try await keepDevice(grant, context)
        let next = (next ?? context.form["next"]).flatMap(Address.init(withinServer:))
        let address =
            grant.session.mustChangePassword
            ? Address("/account/password") : next ?? Address("/dashboard")
        return Response.redirect(to: address).setting(sessionCookie(grant.token))
    }

    private func logInPage(_ context: RequestContext, _ failure: AccountFailure? = nil) -> Page {
        let next = context.form["next"] ?? context.query["next"] ?? ""
        var form = FormPage(
            action: Address("/login"),
            fields: [
                Field(
                    name: "name",
                    label: LogInTexts.name,
                    value: context.form["name"] ?? "",
                    autocomplete: "username"
                ),
                Field(name: "password", label: FormField.password.label, kind: .currentPassword),
            ],
            button: LogInTexts.button,
            busy: CommonTexts.busy
        )
        form.problem = failure?.text
        let resend: HTML = """
            <p><button class="plain" formaction="/login/resend">\
            \(context.say(LogInTexts.resend))</button></p>
            """
        let linkFirst: HTML = "<p>\(context.say(LogInTexts.linkFirst))</p>"
        form.extra = """
            <input type="hidden" name="next" value="\(next)">
            \(HTML.when(failure == .unconfirmed, resend))
            \(HTML.when(failure == .wrongCredentials, linkFirst))
            """
        form.fields[0].icon = .person
        form.moreButtons = providerButtons(context)
        var page = formPage(CommonTexts.signIn, icon: .key, lead: nil, form, context)
        if let notice = LogInTexts.notices[context.query["notice"] ?? ""], failure == nil {
            let kind: Notice.Kind = notice == LogInTexts.pleaseSignInFirst ? .information : .success
            page.body =
                Notice(kind, isAnnounced: true, "\(context.say(notice))").html(context) + page.body
        }
        page.body += """
            <div class="below">
            <p><a href="/password/forgotten">\(context.say(LogInTexts.forgotten))</a></p>
            <p>\(context.say(LogInTexts.noAccount)) \
            <a href="/register">\(context.say(CommonTexts.createAccount))</a></p></div>
            """
        return page
    }

    private func codePage(
        _ challenge: SecretToken,
        _ context: RequestContext,
        _ failure: AccountFailure? = nil
    ) -> Page {
        var form = FormPage(
            action: Address("/login/code"),
            fields: [
                Field(name: "code", label: LogInTexts.code, autocomplete: "one-time-code")
            ],
            button: LogInTexts.button,
            busy: CommonTexts.busy
        )
        form.problem = failure?.text
        form.extra = """
            <input type="hidden" name="challenge" value="\(challenge.text)">
            <input type="hidden" name="name" value="\(context.form["name"] ?? "")">
            <input type="hidden" name="next" value="\(context.form["next"] ?? "")">
            """
        let lead = LogInTexts.codeLead
        var page = formPage(LogInTexts.codeTitle, icon: .mail, lead: lead, form, context)
        if let link = mailboxLink(context) { page.body += link }
        return page
    }

    private func proveEmail(_ context: RequestContext) async throws -> Response {
        guard let challenge = context.form["challenge"].flatMap(SecretToken.init) else {
            throw Failure.badRequest
        }
        do {
            let grant = try await accounts.proveEmail(
                context.form["code"] ?? "",
                challenge: challenge,
                logInForm(context),
                at: context.now
            )
            return try await begin(grant, context)
        } catch let failure as AccountFailure {
            return try refused(codePage(challenge, context, failure), failure, context)
        }
    }

    private func resendConfirmation(_ context: RequestContext) async throws -> Response {
        do {
            try await accounts.resendConfirmation(logInForm(context), at: context.now)
        } catch let failure as AccountFailure {
            return try refused(logInPage(context, failure), failure, context)
        }
        return sent(.confirmation, context)
    }

    private func logOut(_ context: RequestContext) async throws -> Response {
        if let secret = context.secret { try await accounts.endSession(secret) }
        if let session = context.session, let person = session.person {
            try await devices.remove(ofSession: session.number, of: "\(person.rawValue)")
        }
        var response = Response.redirect(to: Address("/")).setting(sessionCookie(nil))
            .setting(orderCookie(nil, context))
        // Clear cached pages, so that the next user of the browser cannot see them.
        response.headers[.clearSiteData] = "\"cache\""
        return response
    }

    private func againPage(
        _ context: RequestContext,
        _ failure: AccountFailure? = nil
    ) async throws -> Page {
        var form = FormPage(
            action: Address("/login/again"),
            fields: [
                Field(name: "password", label: FormField.password.label, kind: .currentPassword)
            ],
            button: LogInTexts.goOn,
            busy: CommonTexts.busy
        )
        form.problem = failure?.text
        let next = context.form["next"] ?? context.query["next"] ?? ""
        form.extra = "<input type=\"hidden\" name=\"next\" value=\"\(next)\">"
        if !providers.isEmpty, let person = context.session?.person {
            let ways = try await accounts.waysIn(of: person)
            let buttons = confirmingButtons(ways, next, context)
            if !ways.hasPassword { return confirmingPage(buttons, context) }
            form.moreButtons = buttons
        }
        return formPage(LogInTexts.again, icon: .lock, lead: LogInTexts.againLead, form, context)
    }

    private func logInAgain(_ context: RequestContext) async throws -> Response {
        guard let secret = context.secret else { throw Failure.notSignedIn }
        do {
            try await accounts.reauthenticate(
                secret,
                password: context.form["password"] ?? "",
                from: ClientAddress(context.address),
                at: context.now
            )
        } catch let failure as AccountFailure {
            return try refused(try await againPage(context, failure), failure, context)
        }
        let next = context.form["next"].flatMap(Address.init(withinServer:))
        return .redirect(to: next ?? Address("/dashboard"))
    }
}

extension LogInTexts {
    static let out = LayoutTexts.signOut
    static let notices: [String: Text] = [
        "confirmed": LogInTexts.accountConfirmed,
        "needed": LogInTexts.pleaseSignInFirst,
        "changed": LogInTexts.theChangeIsConfirmedPlease,
    ]
}
