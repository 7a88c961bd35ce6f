import Dispatching
import HTTPTypes
import Identity
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore

/// Verifies that a guest owns a telephone number or an e-mail address (C2, G9).
extension PassengerPages {
    var guestRoutes: [Route] {
        [
            .get("/taxi/guest", for: .everybody, showGuest),
            .post("/taxi/guest", for: .everybody, sendCode),
            .get("/taxi/code", for: .everybody, showCode),
            .post("/taxi/code", for: .everybody, takeCode)
                .repeated(because: Self.setsCookie),
        ]
    }

    /// Returns a page that offers signing in when the city or the server does not support guests
    /// (C2).
    ///
    /// - Returns: nil if the visitor is signed in or guests may call.
    func guestsRefused(_ policy: Policy, _ visit: Visit) -> Reply? {
        guard let why = guestsRefusedWords(policy, visit) else { return nil }
        var page = Page(
            GuestTexts.needsAccount,
            body: """
                <h1>\(visit.say(GuestTexts.needsAccount))</h1>
                <p class="lead">\(visit.say(why))</p>
                \(signInActions(visit, next: "/taxi"))
                """
        )
        page.status = .forbidden
        return reply(page, to: visit)
    }

    /// Why a visitor without an account cannot call a taxi; nil if the visitor can, or is signed
    /// in.
    func guestsRefusedWords(_ policy: Policy, _ visit: Visit) -> Text? {
        guard visit.session?.person == nil else { return nil }
        return switch GuestWay(policy, settings) {
        case .denied: Refusal.guestsNotAllowed.words
        case .unreachable: GuestTexts.unreachable
        case .session, .contact: nil
        }
    }

    func signInActions(_ visit: Visit, next: String) -> HTML {
        """
        <p class="actions"><a class="button primary" \
        href=\(Address("/login", query: ["next": next]))>\(visit.say(CommonTexts.signIn))</a>
        <a class="button" href="/register">\(visit.say(CommonTexts.createAccount))</a></p>
        """
    }

    /// The ways in which a guest may verify a contact; nil if none is needed or none is available.
    private func ways(_ policy: Policy) -> Set<GuestProof>? {
        if case .contact(let ways) = GuestWay(policy, settings) { return ways }
        return nil
    }

    private func showGuest(_ visit: Visit) async throws -> Reply {
        let now = try await callingNow(visit)
        if let refused = guestsRefused(now.policy, visit) { return refused }
        guard visit.session?.person == nil, let ways = ways(now.policy) else {
            return .redirect(to: Address("/taxi"))
        }
        return reply(guestPage(ways, nil, visit), to: visit)
    }

    private func guestPage(
        _ ways: Set<GuestProof>,
        _ failure: AccountFailure?,
        _ visit: Visit
    ) -> Page {
        let isBoth = ways.count > 1
        var error: Text?
        if case .invalid = failure { error = GuestTexts.bad(ways) }
        var form = FormPage(
            action: Address("/taxi/guest"),
            fields: [
                Field(
                    name: "contact",
                    label: GuestTexts.label(ways),
                    kind: isBoth ? .text : ways.contains(.phone) ? .telephone : .email,
                    hint: GuestTexts.hint(ways),
                    value: visit.form["contact"] ?? "",
                    error: error,
                    autocomplete: "on"
                )
            ],
            button: GuestTexts.send,
            busy: OrderTexts.busy
        )
        if case .tooManyFromNetwork = failure { form.problem = GuestTexts.tooMany }
        let days = accounts.settings.guestKept / 86_400
        form.extra = "<p>\(visit.say(GuestTexts.kept(days: days)))</p>"
        var page = formPage(GuestTexts.title, lead: GuestTexts.lead, form, visit)
        page.body += """
            <p><a href="/login?next=%2Ftaxi%2Fcheck">\(visit.say(GuestTexts.account))</a></p>
            """
        if failure != nil { page.status = .unprocessableContent }
        return page
    }

    private func sendCode(_ visit: Visit) async throws -> Reply {
        let now = try await callingNow(visit)
        if let refused = guestsRefused(now.policy, visit) { return refused }
        guard visit.session?.person == nil, let ways = ways(now.policy),
            let secret = visit.secret
        else { return .redirect(to: Address("/taxi")) }
        let contact = visit.form["contact"] ?? ""
        let wanted: GuestProof = contact.contains("@") ? .email : .phone
        do {
            guard ways.contains(wanted) else {
                throw AccountFailure.invalid([FieldProblem(.phone, .badFormat)])
            }
            try await accounts.sendGuestCode(
                to: contact,
                by: wanted,
                for: secret,
                language: visit.language,
                from: ClientAddress(visit.address),
                at: visit.now
            )
        } catch let failure as AccountFailure {
            if let whole = failure.failure { throw whole }
            return reply(guestPage(ways, failure, visit), to: visit)
        }
        return .redirect(to: Address("/taxi/code"))
    }

    private func showCode(_ visit: Visit) async throws -> Reply {
        guard let secret = visit.secret,
            let proof = try await accounts.awaitedGuestCode(of: secret, at: visit.now)
        else { return .redirect(to: Address("/taxi/guest")) }
        return reply(codePage(proof, isWrong: false, visit), to: visit)
    }

    private func codePage(_ proof: GuestProof, isWrong: Bool, _ visit: Visit) -> Page {
        let form = FormPage(
            action: Address("/taxi/code"),
            fields: [
                Field(
                    name: "code",
                    label: GuestTexts.code,
                    hint: GuestTexts.codeHint,
                    error: isWrong ? GuestTexts.wrong : nil,
                    autocomplete: "one-time-code"
                )
            ],
            button: OrderTexts.goOn,
            busy: OrderTexts.busy
        )
        var page = formPage(GuestTexts.sent, lead: GuestTexts.sentLead(proof), form, visit)
        page.body += """
            <p><a href="/taxi/guest">\(visit.say(GuestTexts.again))</a></p>
            """
        if isWrong { page.status = .unprocessableContent }
        return page
    }

    private func takeCode(_ visit: Visit) async throws -> Reply {
        guard let secret = visit.secret else { throw Failure.forged }
        let renewed = SecretToken.random()
        do {
            let guest = try await accounts.proveGuest(
                visit.form["code"] ?? "",
                of: secret,
                renewing: renewed,
                at: visit.now
            )
            // The browser now has a new identity with a new secret.
            self.live.reopen(of: visit.caller)
            // Sends a guest who already has a live ride to that ride. The code is used up by now,
            // so an error here must not prevent the browser from receiving its new secret.
            let live = try? await taxi.now(for: guest.number.passenger).live
            let next = live.map { Self.ride($0) } ?? Address("/taxi/check")
            return Reply.redirect(to: next).setting(sessionCookie(renewed, isGuest: true))
        } catch AccountFailure.badToken {
            guard let proof = try await accounts.awaitedGuestCode(of: secret, at: visit.now) else {
                return .redirect(to: Address("/taxi/guest"))
            }
            return reply(codePage(proof, isWrong: true, visit), to: visit)
        }
    }
}
