import Dispatching
import HTTPTypes
import Identity
import LiveUpdates
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore

/// Verifies that a guest owns a telephone number or an e-mail address (C2, G9).
extension PassengerPages {
    var guestRoutes: [Route] {
        [
            .get("/taxi/guest", as: "taxi.guest.form", for: .everybody, showGuest)
                .answering(.page, .redirect),
            .post("/taxi/guest", as: "taxi.guest", for: .everybody, sendCode)
                .taking([.contact]),
            .get("/taxi/code", as: "taxi.code.form", for: .everybody, showCode)
                .answering(.page, .redirect),
            .post("/taxi/code", as: "taxi.code", for: .everybody, takeCode)
                .taking([.typed("code", .secret(40), "The code that was sent.")])
                .repeated(because: Self.setsCookie),
        ]
    }

    /// Returns a page that offers signing in when the city or the server does not support guests
    /// (C2).
    ///
    /// - Returns: nil if the visitor is signed in or guests may call.
    func guestsRefused(_ policy: Policy, _ context: RequestContext) -> Response? {
        guard let why = guestsRefusedWords(policy, context) else { return nil }
        var page = Page(
            GuestTexts.needsAccount,
            body: """
                <h1>\(context.say(GuestTexts.needsAccount))</h1>
                <p class="lead">\(context.say(why))</p>
                \(signInActions(context, next: "/taxi"))
                """
        )
        page.status = .forbidden
        return response(page, to: context)
    }

    /// Why a visitor without an account cannot call a taxi; nil if the visitor can, or is signed
    /// in.
    func guestsRefusedWords(_ policy: Policy, _ context: RequestContext) -> Text? {
        guard context.session?.person == nil else { return nil }
        return switch GuestWay(policy, settings) {
        case .denied: Refusal.guestsNotAllowed.text
        case .unreachable: GuestTexts.unreachable
        case .session, .contact: nil
        }
    }

    func signInActions(_ context: RequestContext, next: String) -> HTML {
        """
        <p class="actions"><a class="button primary" \
        href=\(Address("/login", query: ["next": next]))>\(context.say(CommonTexts.signIn))</a>
        <a class="button" href="/register">\(context.say(CommonTexts.createAccount))</a></p>
        """
    }

    /// The ways in which a guest may verify a contact; nil if none is needed or none is available.
    private func ways(_ policy: Policy) -> Set<GuestProof>? {
        if case .contact(let ways) = GuestWay(policy, settings) { return ways }
        return nil
    }

    private func showGuest(_ context: RequestContext) async throws -> Response {
        let now = try await callingNow(context)
        if let refused = guestsRefused(now.policy, context) { return refused }
        guard context.session?.person == nil, let ways = ways(now.policy) else {
            return .redirect(to: Address("/taxi"))
        }
        return response(guestPage(ways, nil, context), to: context)
    }

    private func guestPage(
        _ ways: Set<GuestProof>,
        _ failure: AccountFailure?,
        _ context: RequestContext
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
                    value: context.form["contact"] ?? "",
                    error: error,
                    autocomplete: "on"
                )
            ],
            button: GuestTexts.send,
            busy: OrderTexts.busy
        )
        if case .tooManyFromNetwork = failure { form.problem = GuestTexts.tooMany }
        let days = accounts.settings.guestKept / 86_400
        form.extra = "<p class=\"hint\">\(context.say(GuestTexts.kept(days: days)))</p>"
        var page = formPage(
            GuestTexts.title,
            icon: .mobile,
            lead: GuestTexts.lead,
            form,
            context
        )
        page.body += """
            <p class="below"><a href="/login?next=%2Ftaxi%2Fcheck">\
            \(context.say(GuestTexts.account))</a></p>
            """
        if failure != nil { page.status = .unprocessableContent }
        return page
    }

    private func sendCode(_ context: RequestContext) async throws -> Response {
        let now = try await callingNow(context)
        if let refused = guestsRefused(now.policy, context) { return refused }
        guard context.session?.person == nil, let ways = ways(now.policy),
            let secret = context.secret
        else { return .redirect(to: Address("/taxi")) }
        let contact = context.form["contact"] ?? ""
        let wanted: GuestProof = contact.contains("@") ? .email : .phone
        do {
            guard ways.contains(wanted) else {
                throw AccountFailure.invalid([FieldProblem(.phone, .badFormat)])
            }
            try await accounts.sendGuestCode(
                to: contact,
                by: wanted,
                for: secret,
                language: context.language,
                from: ClientAddress(context.address),
                at: context.now
            )
        } catch let failure as AccountFailure {
            if let whole = failure.failure { throw whole }
            return response(guestPage(ways, failure, context), to: context)
        }
        return .redirect(to: Address("/taxi/code"))
    }

    private func showCode(_ context: RequestContext) async throws -> Response {
        guard let secret = context.secret,
            let proof = try await accounts.awaitedGuestCode(of: secret, at: context.now)
        else { return .redirect(to: Address("/taxi/guest")) }
        return response(codePage(proof, isWrong: false, context), to: context)
    }

    private func codePage(_ proof: GuestProof, isWrong: Bool, _ context: RequestContext) -> Page {
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
        var page = formPage(
            GuestTexts.sent,
            icon: proof == .email ? .mail : .mobile,
            lead: GuestTexts.sentLead(proof),
            form,
            context
        )
        page.body += """
            \(mailboxLink(context))
            <p class="below"><a href="/taxi/guest">\(context.say(GuestTexts.again))</a></p>
            """
        if isWrong { page.status = .unprocessableContent }
        return page
    }

    private func takeCode(_ context: RequestContext) async throws -> Response {
        guard let secret = context.secret else { throw Failure.forged }
        let renewed = SecretToken.random()
        do {
            let guest = try await accounts.proveGuest(
                context.form["code"] ?? "",
                of: secret,
                renewing: renewed,
                at: context.now
            )
            // The browser now has a new identity with a new secret.
            self.live.reopen(of: context.caller)
            // Sends a guest who already has a live ride to that ride. The code is used up by now,
            // so an error here must not prevent the browser from receiving its new secret.
            let live = try? await taxi.now(for: guest.number.passenger).live
            let next = live.map { Self.ride($0) } ?? Address("/taxi/check")
            return Response.redirect(to: next).setting(sessionCookie(renewed, isGuest: true))
        } catch AccountFailure.badToken {
            guard let proof = try await accounts.awaitedGuestCode(of: secret, at: context.now)
            else {
                return .redirect(to: Address("/taxi/guest"))
            }
            return response(codePage(proof, isWrong: true, context), to: context)
        }
    }
}
