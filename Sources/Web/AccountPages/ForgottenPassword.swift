import HTTPTypes
import Identity
import Markup
import TaxiPages
import WebCore

extension AccountPages {
    /// The pages to request a password reset link and to choose a new password
    /// (R100, R102, SB4, SB13).
    var passwordRoutes: [Route] {
        [
            .get("/password/forgotten", as: "password.forgotten.form", for: .everybody) {
                response(forgottenPage($0), to: $0)
            },
            .post("/password/forgotten", as: "password.forgotten", for: .everybody, sendLink)
                .taking([.typed("name", .text(254), "The user name or e-mail address.")]),
            .get("/password/new", as: "password.new.form", for: .everybody, showReset)
                .taking([.token])
                .failing(.gone),
            .post("/password/new", as: "password.new", for: .everybody, beginReset)
                .taking([.link, .next])
                .failing(.gone)
                .repeated(because: "it sets a cookie, which a kept answer would lack"),
            .get("/account/password", as: "account.password.form", for: .changingPassword) {
                response(try await passwordPage($0), to: $0)
            },
            .post(
                "/account/password",
                as: "account.password",
                for: .changingPassword,
                changePassword
            )
            .taking([
                .typed("old_password", .secret(1_024), "The password so far."),
                .password,
                .typed("password_again", .secret(1_024), "The new password once more."),
            ])
            .repeated(because: "it sets a cookie, which a kept answer would lack"),
        ]
    }

    private func forgottenPage(_ context: RequestContext, _ failure: AccountFailure? = nil) -> Page
    {
        var form = FormPage(
            action: Address("/password/forgotten"),
            fields: [
                Field(
                    name: "name",
                    label: LogInTexts.name,
                    value: context.form["name"] ?? "",
                    autocomplete: "username"
                )
            ],
            button: PasswordTexts.send,
            busy: CommonTexts.busy
        )
        form.problem = failure?.text
        form.fields[0].icon = .person
        let lead = PasswordTexts.forgottenLead
        var page = formPage(LogInTexts.forgotten, icon: .mail, lead: lead, form, context)
        page.body += """
            <div class="below"><p><a href="/login">\(context.say(CommonTexts.signIn))</a></p></div>
            """
        return page
    }

    private func sendLink(_ context: RequestContext) async throws -> Response {
        do {
            try await accounts.forgotPassword(
                of: context.form["name"] ?? "",
                from: ClientAddress(context.address),
                at: context.now
            )
        } catch let failure as AccountFailure {
            return try refused(forgottenPage(context, failure), failure, context)
        }
        return sent(.password, context)
    }

    private func showReset(_ context: RequestContext) throws -> Response {
        guard let token = context.mailedToken else {
            return badLink(context)
        }
        var form = FormPage(
            action: Address("/password/new"),
            fields: [],
            button: PasswordTexts.choose,
            busy: CommonTexts.busy
        )
        form.extra = "<input type=\"hidden\" name=\"link\" value=\"\(token.text)\">"
        return response(
            formPage(
                PasswordTexts.choose,
                icon: .key,
                lead: PasswordTexts.chooseLead,
                form,
                context
            ),
            to: context
        )
    }

    private func beginReset(_ context: RequestContext) async throws -> Response {
        guard let token = context.form["link"].flatMap(SecretToken.init) else {
            return badLink(context)
        }
        do {
            let grant = try await accounts.beginReset(
                token,
                device: context.device,
                replacing: context.secret,
                at: context.now
            )
            try await keepOnlyDevice(grant, context)
            return try await begin(grant, context)
        } catch AccountFailure.badToken {
            return badLink(context)
        }
    }

    private func passwordPage(
        _ context: RequestContext,
        _ failure: AccountFailure? = nil
    ) async throws -> Page {
        if let page = try await firstPasswordPage(context) { return page }
        var fields: [Field] = [
            .account(
                .password,
                context,
                failure,
                kind: .newPassword,
                hint: RegistrationTexts.passwordHint
            ),
            .account(.passwordAgain, context, failure, kind: .newPassword),
        ]
        fields[0].label = PasswordTexts.new
        if context.session?.isFromReset != true {
            fields.insert(
                .account(.oldPassword, context, failure, kind: .currentPassword),
                at: 0
            )
        }
        var form = FormPage(
            action: Address("/account/password"),
            fields: fields,
            button: PasswordTexts.change,
            busy: CommonTexts.busy
        )
        form.problem = failure?.text
        let lead = PasswordTexts.changeLead
        var page = formPage(PasswordTexts.changeTitle, icon: .key, lead: lead, form, context)
        if context.session?.mustChangePassword != true { page.body += backToAccount(context) }
        return page
    }

    private func changePassword(_ context: RequestContext) async throws -> Response {
        guard let secret = context.secret else { throw Failure.notSignedIn }
        do {
            let grant = try await accounts.changePassword(
                secret,
                old: context.form["old_password"] ?? "",
                new: context.form["password"] ?? "",
                again: context.form["password_again"] ?? "",
                from: ClientAddress(context.address),
                at: context.now
            )
            try await keepDevice(grant, context)
            try await keepOnlyDevice(grant, context)
            return Response.redirect(to: Address("/account", query: ["notice": "password"]))
                .setting(sessionCookie(grant.token))
        } catch let failure as AccountFailure {
            return try refused(try await passwordPage(context, failure), failure, context)
        }
    }
}
