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
            .get("/password/forgotten", for: .everybody) { reply(forgottenPage($0), to: $0) },
            .post("/password/forgotten", for: .everybody, sendLink),
            .get("/password/new", for: .everybody, showReset),
            .post("/password/new", for: .everybody, beginReset)
                .repeated(because: "it sets a cookie, which a kept answer would lack"),
            .get("/account/password", for: .changingPassword) { reply(passwordPage($0), to: $0) },
            .post("/account/password", for: .changingPassword, changePassword)
                .repeated(because: "it sets a cookie, which a kept answer would lack"),
        ]
    }

    private func forgottenPage(_ visit: Visit, _ failure: AccountFailure? = nil) -> Page {
        var form = FormPage(
            action: Address("/password/forgotten"),
            fields: [
                Field(
                    name: "name",
                    label: LogInTexts.name,
                    value: visit.form["name"] ?? "",
                    autocomplete: "username"
                )
            ],
            button: PasswordTexts.send,
            busy: CommonTexts.busy
        )
        form.problem = failure?.words
        return formPage(LogInTexts.forgotten, lead: PasswordTexts.forgottenLead, form, visit)
    }

    private func sendLink(_ visit: Visit) async throws -> Reply {
        do {
            try await accounts.forgotPassword(
                of: visit.form["name"] ?? "",
                from: ClientAddress(visit.address),
                at: visit.now
            )
        } catch let failure as AccountFailure {
            return try refused(forgottenPage(visit, failure), failure, visit)
        }
        return sent(.password, visit)
    }

    private func showReset(_ visit: Visit) throws -> Reply {
        guard let token = visit.query["token"].flatMap(SecretToken.init) else {
            return badLink(visit)
        }
        var form = FormPage(
            action: Address("/password/new"),
            fields: [],
            button: PasswordTexts.choose,
            busy: CommonTexts.busy
        )
        form.extra = "<input type=\"hidden\" name=\"link\" value=\"\(token.text)\">"
        return reply(
            formPage(PasswordTexts.choose, lead: PasswordTexts.chooseLead, form, visit),
            to: visit
        )
    }

    private func beginReset(_ visit: Visit) async throws -> Reply {
        guard let token = visit.form["link"].flatMap(SecretToken.init) else {
            return badLink(visit)
        }
        do {
            let grant = try await accounts.beginReset(
                token,
                device: visit.device,
                replacing: visit.secret,
                at: visit.now
            )
            try await keepOnlyDevice(grant, visit)
            return try await begin(grant, visit)
        } catch AccountFailure.badToken {
            return badLink(visit)
        }
    }

    private func passwordPage(_ visit: Visit, _ failure: AccountFailure? = nil) -> Page {
        var fields: [Field] = [
            .account(
                .password,
                visit,
                failure,
                kind: .newPassword,
                hint: RegistrationTexts.passwordHint
            ),
            .account(.passwordAgain, visit, failure, kind: .newPassword),
        ]
        fields[0].label = PasswordTexts.new
        if visit.session?.isFromReset != true {
            fields.insert(
                .account(.oldPassword, visit, failure, kind: .currentPassword),
                at: 0
            )
        }
        var form = FormPage(
            action: Address("/account/password"),
            fields: fields,
            button: PasswordTexts.change,
            busy: CommonTexts.busy
        )
        form.problem = failure?.words
        return formPage(PasswordTexts.changeTitle, lead: PasswordTexts.changeLead, form, visit)
    }

    private func changePassword(_ visit: Visit) async throws -> Reply {
        guard let secret = visit.secret else { throw Failure.notSignedIn }
        do {
            let grant = try await accounts.changePassword(
                secret,
                old: visit.form["old_password"] ?? "",
                new: visit.form["password"] ?? "",
                again: visit.form["password_again"] ?? "",
                from: ClientAddress(visit.address),
                at: visit.now
            )
            try await keepDevice(grant, visit)
            try await keepOnlyDevice(grant, visit)
            return Reply.redirect(to: Address("/account", query: ["notice": "password"]))
                .setting(sessionCookie(grant.token))
        } catch let failure as AccountFailure {
            return try refused(passwordPage(visit, failure), failure, visit)
        }
    }
}
