import Chronology
import HTTPTypes
import Identity
import Localization
import Logging
import Markup
import OpenIDConnect
import TaxiPages
import WebCore

/// The way to a provider (V7).
extension AccountPages {
    /// Signing in with a provider, and registering with what it says.
    var providerRoutes: [Route] {
        [
            .get("/login/with/{provider}", as: "login.provider", for: .everybody) { context in
                try await leave(.entering, context)
            }
            .taking([
                .provider,
                .query("next", .text(6_000), "The page that follows, within this site."),
            ])
            .answering(.redirect),
            .get("/login/again/{provider}", as: "login.again.provider", for: .person) {
                context,
                signedIn in
                try await leave(.confirming(session: signedIn.session.number), context)
            }
            .taking([
                .provider,
                .query("next", .text(6_000), "The page that follows, within this site."),
            ])
            .answering(.redirect),
            .get("/login/from/{provider}", as: "login.provider.back", for: .everybody, arrive)
                .taking([
                    .provider,
                    .query("state", .secret(100), "What the answer belongs to."),
                    .query("code", .secret(4_000), "What the server exchanges for an ID token."),
                    .query("iss", .text(1_000), "Who answers (RFC 9207)."),
                    .query("error", .text(100), "Why nobody signed in."),
                ])
                .answering(.page, .redirect)
                .failing(.gone, .conflict),
        ] + registerProvidedRoutes + connectedRoutes
    }

    /// The provider in the path.
    func provider(_ context: RequestContext) throws(Failure) -> IdentityProvider {
        guard let name = context.parameters["provider"], let found = providers[named: name] else {
            throw .notFound
        }
        return found
    }

    /// The address to which a provider sends people back; each has one of its own, so that no
    /// answer can be taken for another provider's.
    func redirect(_ provider: IdentityProvider, _ context: RequestContext) -> String {
        full(Address("/login/from", provider.registration.name), context)
    }

    /// Sends the person to the provider.
    private func leave(
        _ purpose: SignInAttempt.Purpose,
        _ context: RequestContext
    ) async throws -> Response {
        let provider = try provider(context)
        do throws(ProviderFailure) {
            let (attempt, address) = try await attempt(provider, purpose, context)
            return Response(
                .seeOther,
                headers: [
                    .location: address, .referrerPolicy: "no-referrer", .cacheControl: "no-store",
                ]
            )
            .setting(progressCookie(.away(attempt), context))
        } catch {
            return response(error, of: provider, context)
        }
    }

    /// Begins an attempt.
    ///
    /// - Returns: what the browser keeps, and the address at the provider.
    func attempt(
        _ provider: IdentityProvider,
        _ purpose: SignInAttempt.Purpose,
        _ context: RequestContext
    ) async throws(ProviderFailure) -> (SignInAttempt, address: String) {
        let next = context.query["next"] ?? ""
        let attempt = SignInAttempt(
            provider: provider.registration.name,
            purpose: purpose,
            next: next.utf8.count <= SignInSeal.nextLimit ? next : "",
            began: context.now.milliseconds
        )
        var isRepeated = false
        if case .confirming = purpose { isRepeated = true }
        let address = try await provider.authorization(
            for: attempt.secrets,
            back: redirect(provider, context),
            isRepeated: isRepeated,
            language: context.language.rawValue,
            at: context.now
        )
        return (attempt, address)
    }

    /// A button for each provider; nothing if the city has none.
    func providerButtons(_ context: RequestContext) -> HTML {
        let next = context.form["next"] ?? context.query["next"] ?? ""
        let buttons = providers.map { provider -> HTML in
            let name = provider.registration.name
            let address =
                next.isEmpty
                ? Address("/login/with", name) : Address("/login/with", name, query: ["next": next])
            return button(SignInTexts.with(provider.registration.label), address, context)
        }
        return HTML.when(!buttons.isEmpty, "<p class=\"actions\">\(buttons)</p>")
    }

    /// A button that leads to a provider.
    func button(_ label: Text, _ address: Address, _ context: RequestContext) -> HTML {
        var button = Button(label, .link(address), icon: .key)
        button.isWide = true
        return button.html(context)
    }

    /// The answer if a provider cannot sign anybody in; the log says why.
    func response(
        _ failure: ProviderFailure,
        of provider: IdentityProvider,
        _ context: RequestContext
    ) -> Response {
        let name = provider.registration.label
        context.logger.warning(
            "a provider could not sign anybody in",
            metadata: [
                "provider": "\(provider.registration.name)", "reason": "\(failure.text)",
            ]
        )
        var isDown = false
        switch failure {
        case .down, .misconfigured: isDown = true
        case .codeRefused, .doubted: break
        }
        return end(
            isDown ? SignInTexts.downTitle(name) : SignInTexts.wrongTitle(name),
            isDown ? SignInTexts.down : SignInTexts.wrong,
            isDown ? .serviceUnavailable : .badRequest,
            context
        )
    }

    /// A page that says how an attempt ended, with the way back; the attempt is over.
    func end(
        _ title: Text,
        _ text: Text,
        _ status: HTTPResponse.Status,
        action: Button? = nil,
        _ context: RequestContext
    ) -> Response {
        let isIn = context.session?.person != nil
        let back =
            isIn
            ? Button(SignInTexts.list, .link(Address("/account/sign-ins")), look: .primary)
            : Button(SignInTexts.backToSignIn, .link(Address("/login")), look: .primary)
        var page = message(title, icon: .key, text, action: action ?? back, context)
        page.status = status
        return response(page, to: context).setting(progressCookie(nil, context))
    }
}

extension InputField {
    /// The provider in the path.
    static let provider = path("provider", .text(30), "The name of a provider in the settings.")
}
