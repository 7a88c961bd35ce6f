import HTTPTypes
import Identity
import Localization
import Markup
import Notify
import TaxiPages
import WebCore

extension AccountPages {
    /// Logging in and out, and asking for the password again (R99).
    var logInRoutes: [Route] {
        [
            .get("/login") { reply(logInPage($0), to: $0) },
            .post("/login", logIn)
                .repeated(because: "it sets a cookie, which a kept answer would lack"),
            .post("/login/code", proveEmail)
                .repeated(because: "it sets a cookie, which a kept answer would lack"),
            .post("/login/resend", resendConfirmation),
            .post("/logout", logOut)
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

    /// Where a person goes on after logging in, with the new session's cookie.
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
                    label: LogInWords.name,
                    value: visit.form["name"] ?? "",
                    autocomplete: "username"
                ),
                Field(name: "password", label: FormField.password.label, kind: .currentPassword),
            ],
            button: LogInWords.button,
            busy: CommonTexts.busy
        )
        form.problem = failure?.words
        let resend: HTML = """
            <p><button class="plain" formaction="/login/resend">\
            \(visit.say(LogInWords.resend))</button></p>
            """
        form.extra = """
            <input type="hidden" name="next" value="\(next)">
            \(HTML.when(failure == .unconfirmed, resend))
            \(HTML.when(failure == .wrongCredentials, "<p>\(visit.say(LogInWords.linkFirst))</p>"))
            """
        var page = formPage(CommonTexts.signIn, lead: nil, form, visit)
        if let notice = LogInWords.notices[visit.query["notice"] ?? ""], failure == nil {
            page.body =
                "<div class=\"notice good\" role=\"status\"><p>\(visit.say(notice))</p></div>"
                + page.body
        }
        page.body += """
            <p><a href="/password/forgotten">\(visit.say(LogInWords.forgotten))</a></p>
            <p>\(visit.say(LogInWords.noAccount)) \
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
                Field(name: "code", label: LogInWords.code, autocomplete: "one-time-code")
            ],
            button: LogInWords.button,
            busy: CommonTexts.busy
        )
        form.problem = failure?.words
        form.extra = """
            <input type="hidden" name="challenge" value="\(challenge.text)">
            <input type="hidden" name="name" value="\(visit.form["name"] ?? "")">
            <input type="hidden" name="next" value="\(visit.form["next"] ?? "")">
            """
        return formPage(LogInWords.codeTitle, lead: LogInWords.codeLead, form, visit)
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
        // What pages left in the browser is not for whoever uses it next.
        reply.headers[.clearSiteData] = "\"cache\""
        return reply
    }

    private func againPage(_ visit: Visit, _ failure: AccountFailure? = nil) -> Page {
        var form = FormPage(
            action: Address("/login/again"),
            fields: [
                Field(name: "password", label: FormField.password.label, kind: .currentPassword)
            ],
            button: LogInWords.goOn,
            busy: CommonTexts.busy
        )
        form.problem = failure?.words
        let next = visit.form["next"] ?? visit.query["next"] ?? ""
        form.extra = "<input type=\"hidden\" name=\"next\" value=\"\(next)\">"
        return formPage(LogInWords.again, lead: LogInWords.againLead, form, visit)
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

enum LogInWords {
    static let name = Text("User name or e-mail", "Nome utente o e-mail")
    static let button = Text("Sign in", "Accedi")
    static let forgotten = Text("I forgot my password", "Ho dimenticato la password")
    static let noAccount = Text("No account yet?", "Non hai ancora un account?")
    static let linkFirst = Text(
        "If you have just registered, first open the link in our mail.",
        "Se ti sei appena registrato, prima apri il link nella nostra e-mail."
    )
    static let resend = Text("Send the mail again", "Invia di nuovo l'e-mail")
    static let out = LayoutTexts.signOut
    static let code = Text("Code from our mail", "Codice della nostra e-mail")
    static let codeTitle = Text("Is it really you?", "Sei davvero tu?")
    static let codeLead = Text(
        "There were many attempts to enter this account. If the password was right, we have sent a "
            + "code to its e-mail address.",
        "Ci sono stati molti tentativi di entrare in questo account. Se la password era giusta, "
            + "abbiamo inviato un codice al suo indirizzo e-mail."
    )
    static let again = Text("Your password, please", "Inserisci la password")
    static let againLead = Text(
        "What you want to do is protected: enter your password again.",
        "Quello che vuoi fare è protetto: inserisci di nuovo la password."
    )
    static let goOn = Text("Go on", "Continua")
    static let notices: [String: Text] = [
        "confirmed": Text(
            "Your account is confirmed. You can sign in now.",
            "Il tuo account è confermato. Ora puoi accedere."
        ),
        "needed": Text("Please sign in first.", "Prima devi accedere."),
        "changed": Text(
            "The change is confirmed. Please sign in.",
            "La modifica è confermata. Accedi."
        ),
    ]
}
