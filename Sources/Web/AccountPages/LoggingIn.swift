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
            .get("/login", for: .everybody) { reply(logInPage($0), to: $0) },
            .post("/login", for: .everybody, logIn)
                .repeated(because: "it sets a cookie, which a kept answer would lack"),
            .post("/login/code", for: .everybody, proveEmail)
                .repeated(because: "it sets a cookie, which a kept answer would lack"),
            .post("/login/resend", for: .everybody, resendConfirmation),
            .post("/logout", for: .everybody, logOut)
                .repeated(because: "it takes the cookie away, and a second time finds nobody"),
            .get("/login/again", for: .person) { reply(againPage($0), to: $0) },
            .post("/login/again", for: .person, logInAgain)
                .repeated(because: "what counts is that the password was given now"),
        ]
    }

    private func logInForm(_ visit: Visit) -> LogInForm {
        LogInForm(
            name: visit.form["name"] ?? "",
            password: visit.form["password"] ?? "",
            address: ClientAddress(visit.address),
            device: visit.device,
            session: visit.secret
        )
    }

    private func logIn(_ visit: Visit) async throws -> Reply {
        do {
            switch try await accounts.logIn(logInForm(visit), at: visit.now) {
            case .session(let grant): return try await begin(grant, visit)
            case .proof(let challenge): return reply(codePage(challenge, visit), to: visit)
            }
        } catch let failure as AccountFailure {
            return try refused(logInPage(visit, failure), failure, visit)
        }
    }

    /// Redirects to the next page after signing in, and sets the cookie of the new session.
    func begin(_ grant: SessionGrant, _ visit: Visit) async throws -> Reply {
        try await keepDevice(grant, visit)
        let next = visit.form["next"].flatMap(Address.init(withinServer:))
        let address =
            grant.session.mustChangePassword
            ? Address("/account/password") : next ?? Address("/dashboard")
        return Reply.redirect(to: address).setting(sessionCookie(grant.token))
    }

    private func logInPage(_ visit: Visit, _ failure: AccountFailure? = nil) -> Page {
        let next = visit.form["next"] ?? visit.query["next"] ?? ""
        var form = FormPage(
            action: Address("/login"),
            fields: [
                Field(
                    name: "name",
                    label: LogInTexts.name,
                    value: visit.form["name"] ?? "",
                    autocomplete: "username"
                ),
                Field(name: "password", label: FormField.password.label, kind: .currentPassword),
            ],
            button: LogInTexts.button,
            busy: CommonTexts.busy
        )
        form.problem = failure?.words
        let resend: HTML = """
            <p><button class="plain" formaction="/login/resend">\
            \(visit.say(LogInTexts.resend))</button></p>
            """
        form.extra = """
            <input type="hidden" name="next" value="\(next)">
            \(HTML.when(failure == .unconfirmed, resend))
            \(HTML.when(failure == .wrongCredentials, "<p>\(visit.say(LogInTexts.linkFirst))</p>"))
            """
        var page = formPage(CommonTexts.signIn, lead: nil, form, visit)
        if let notice = LogInTexts.notices[visit.query["notice"] ?? ""], failure == nil {
            page.body =
                "<div class=\"notice good\" role=\"status\"><p>\(visit.say(notice))</p></div>"
                + page.body
        }
        page.body += """
            <p><a href="/password/forgotten">\(visit.say(LogInTexts.forgotten))</a></p>
            <p>\(visit.say(LogInTexts.noAccount)) \
            <a href="/register">\(visit.say(CommonTexts.createAccount))</a></p>
            """
        return page
    }

    private func codePage(
        _ challenge: SecretToken,
        _ visit: Visit,
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
        form.problem = failure?.words
        form.extra = """
            <input type="hidden" name="challenge" value="\(challenge.text)">
            <input type="hidden" name="name" value="\(visit.form["name"] ?? "")">
            <input type="hidden" name="next" value="\(visit.form["next"] ?? "")">
            """
        return formPage(LogInTexts.codeTitle, lead: LogInTexts.codeLead, form, visit)
    }

    private func proveEmail(_ visit: Visit) async throws -> Reply {
        guard let challenge = visit.form["challenge"].flatMap(SecretToken.init) else {
            throw Failure.badRequest
        }
        do {
            let grant = try await accounts.proveEmail(
                visit.form["code"] ?? "",
                challenge: challenge,
                logInForm(visit),
                at: visit.now
            )
            return try await begin(grant, visit)
        } catch let failure as AccountFailure {
            return try refused(codePage(challenge, visit, failure), failure, visit)
        }
    }

    private func resendConfirmation(_ visit: Visit) async throws -> Reply {
        do {
            try await accounts.resendConfirmation(logInForm(visit), at: visit.now)
        } catch let failure as AccountFailure {
            return try refused(logInPage(visit, failure), failure, visit)
        }
        return sent(.confirmation, visit)
    }

    private func logOut(_ visit: Visit) async throws -> Reply {
        if let secret = visit.secret { try await accounts.endSession(secret) }
        if let session = visit.session, let person = session.person {
            try await devices.remove(ofSession: session.number, of: "\(person.rawValue)")
        }
        var reply = Reply.redirect(to: Address("/")).setting(sessionCookie(nil))
            .setting(orderCookie(nil, visit))
        // Clear cached pages, so that the next user of the browser cannot see them.
        reply.headers[.clearSiteData] = "\"cache\""
        return reply
    }

    private func againPage(_ visit: Visit, _ failure: AccountFailure? = nil) -> Page {
        var form = FormPage(
            action: Address("/login/again"),
            fields: [
                Field(name: "password", label: FormField.password.label, kind: .currentPassword)
            ],
            button: LogInTexts.goOn,
            busy: CommonTexts.busy
        )
        form.problem = failure?.words
        let next = visit.form["next"] ?? visit.query["next"] ?? ""
        form.extra = "<input type=\"hidden\" name=\"next\" value=\"\(next)\">"
        return formPage(LogInTexts.again, lead: LogInTexts.againLead, form, visit)
    }

    private func logInAgain(_ visit: Visit) async throws -> Reply {
        guard let secret = visit.secret else { throw Failure.notSignedIn }
        do {
            try await accounts.reauthenticate(
                secret,
                password: visit.form["password"] ?? "",
                from: ClientAddress(visit.address),
                at: visit.now
            )
        } catch let failure as AccountFailure {
            return try refused(againPage(visit, failure), failure, visit)
        }
        let next = visit.form["next"].flatMap(Address.init(withinServer:))
        return .redirect(to: next ?? Address("/dashboard"))
    }
}

extension LogInTexts {
    static let out = LayoutTexts.signOut
    static let notices: [String: Text] = [
        "confirmed": LogInTexts.yourAccountIsConfirmedYou,
        "needed": LogInTexts.pleaseSignInFirst,
        "changed": LogInTexts.theChangeIsConfirmedPlease,
    ]
}
