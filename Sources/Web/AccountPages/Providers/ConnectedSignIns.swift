import HTTPTypes
import Identity
import Localization
import Markup
import OpenIDConnect
import TaxiPages
import WebCore

/// The providers with which a person can sign in, and how one is connected and disconnected (V7).
extension AccountPages {
    var connectedRoutes: [Route] {
        [
            .get("/account/sign-ins", as: "account.sign-ins", for: .person, listSignIns)
                .taking([.notice]),
            .post("/account/sign-in/end", as: "account.sign-in.end", for: .grave, disconnect)
                .taking([
                    .set("identity", .identifier, "The number of the connected sign-in.").required
                ])
                .answering(.redirect),
            .get("/account/sign-ins/{provider}", as: "account.sign-ins.connect", for: .grave) {
                context,
                signedIn in
                try await askToConnect(context, signedIn)
            }
            .taking([.provider]),
        ]
    }

    /// The row on the account page.
    func signInsRow(_ ways: WaysIn, _ context: RequestContext) -> Row {
        let found = ways.identities
        let names = found.map { label(of: $0) }
        return Row(
            .plug,
            "\(context.say(SignInTexts.list))",
            detail: names.isEmpty
                ? "\(context.say(SignInTexts.none))" : "\(names.joined(separator: ", "))",
            address: Address("/account/sign-ins")
        )
    }

    /// What people know the provider of an identity by.
    private func label(of identity: ConnectedIdentity) -> String {
        providers.first { $0.registration.issuer == identity.issuer }?.registration.label
            ?? identity.issuer
    }

    private func listSignIns(
        _ context: RequestContext,
        _ signedIn: SignedIn
    ) async throws -> Response {
        let found = try await accounts.waysIn(of: signedIn.person).identities
        let lead = found.isEmpty ? SignInTexts.noneLead : SignInTexts.lead
        let buttons = providers.map { provider in
            let registration = provider.registration
            let address = Address("/account/sign-ins", registration.name)
            return button(SignInTexts.connect(registration.label), address, context)
        }
        let actions: HTML = "<p class=\"actions\">\(buttons)</p>"
        var page = Page(
            SignInTexts.list,
            body: """
                \(notice(context))
                <div class="narrow"><h1>\(context.say(SignInTexts.list))</h1>
                <p class="lead">\(context.say(lead))</p>
                \(HTML.when(!found.isEmpty, Rows(found.map { row($0, context) }).html))
                \(HTML.when(!buttons.isEmpty, actions))</div>
                \(backToAccount(context))
                """
        )
        page.hasForm = true
        return response(page, to: context)
    }

    private func notice(_ context: RequestContext) -> HTML? {
        let notices: [String: (Notice.Kind, Text)] = [
            "connected": (.success, SignInTexts.isConnected),
            "disconnected": (.success, SignInTexts.isDisconnected),
            "last": (.error, SignInTexts.lastWay),
        ]
        guard let (kind, text) = notices[context.query["notice"] ?? ""] else { return nil }
        return Notice(kind, isAnnounced: true, "\(context.say(text))").html(context)
    }

    private func row(_ identity: ConnectedIdentity, _ context: RequestContext) -> Row {
        let name = label(of: identity)
        let used: HTML =
            identity.used.map { "\(context.say(SignInTexts.lastUse)) \(time($0, context))" }
            ?? "\(context.say(SignInTexts.neverUsed))"
        let shown: HTML = identity.shown.isEmpty ? .empty : "\(identity.shown)<br>"
        let end: HTML = """
            <form method="post" action="/account/sign-in/end">\(context.formToken)\
            <button name="identity" value="\(identity.number)">\
            \(context.say(SignInTexts.disconnect))<span class="hidden"> \(name)</span></button>\
            </form>
            """
        return Row(
            .key,
            "\(name)",
            detail: """
                \(shown)\(context.say(SignInTexts.since)) \(time(identity.made, context))<br>\(used)
                """,
            value: end
        )
    }

    private func disconnect(
        _ context: RequestContext,
        _ signedIn: SignedIn
    ) async throws -> Response {
        guard let number = context.form["identity"].flatMap({ Int64($0) }) else {
            throw Failure.badRequest
        }
        var notice = "disconnected"
        do {
            try await accounts.disconnectIdentity(
                number,
                issuers: Set(providers.map(\.registration.issuer)),
                by: signedIn.session,
                at: context.now
            )
        } catch IdentityRefusal.lastWay {
            notice = "last"
        }
        return .redirect(to: Address("/account/sign-ins", query: ["notice": notice]))
    }

    /// The page from which the person goes to the provider: a link on another site cannot connect
    /// anything by itself.
    private func askToConnect(
        _ context: RequestContext,
        _ signedIn: SignedIn
    ) async throws -> Response {
        let provider = try provider(context)
        let name = provider.registration.label
        do throws(ProviderFailure) {
            let purpose = SignInAttempt.Purpose.connecting(session: signedIn.session.number)
            let (attempt, address) = try await attempt(provider, purpose, context)
            let host = address.split(separator: "/").dropFirst().first.map(String.init) ?? ""
            var dialog = Dialog(
                SignInTexts.connect(name),
                icon: .plug,
                text: "\(context.say(SignInTexts.connectLead(name)))"
            )
            dialog.content = """
                <p>\(context.say(SignInTexts.goesTo(name, host)))</p>
                """
            dialog.actions = """
                <a class="button primary block" href="\(address)" rel="noreferrer">\
                <span>\(context.say(SignInTexts.with(name)))</span></a>
                """
            let page = Page(
                SignInTexts.connect(name),
                body: dialog.html(context) + backToAccount(context)
            )
            var answer = response(page, to: context)
                .setting(progressCookie(.away(attempt), context))
            answer.headers[.cacheControl] = "no-store"
            return answer
        } catch {
            return response(error, of: provider, context)
        }
    }
}
