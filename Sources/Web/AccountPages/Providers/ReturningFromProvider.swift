import Chronology
import HTTPTypes
import Identity
import Localization
import Markup
import OpenIDConnect
import TaxiPages
import WebCore

/// The way back from a provider (V7).
extension AccountPages {
    /// Handles the answer that the person's browser brings.
    ///
    /// It counts once, in the browser that began, for the provider to whose address it came.
    func arrive(_ context: RequestContext) async throws -> Response {
        let provider = try provider(context)
        let origin = origin(provider, context)
        guard case .away(let attempt)? = progress(context),
            attempt.provider == provider.registration.name,
            context.query["state"] == attempt.secrets.state
        else { return stale(context) }
        do {
            try await accounts.spendAnswer(
                attempt.secrets.state,
                until: attempt.end,
                from: origin,
                at: context.now
            )
        } catch AccountFailure.badToken {
            return stale(context)
        } catch let failure as AccountFailure {
            let page = message(
                SignInTexts.notAllowedTitle,
                icon: .key,
                SignInTexts.notAllowed,
                context
            )
            return try refused(page, failure, context).setting(progressCookie(nil, context))
        }
        guard context.query["error"] == nil else {
            let name = provider.registration.label
            let text = SignInTexts.cancelled(name)
            return end(SignInTexts.cancelledTitle, text, .ok, context)
        }
        do {
            let identity = try await provider.identity(
                for: context.query["code"] ?? "",
                from: context.query["iss"],
                attempt.secrets,
                back: redirect(provider, context),
                at: context.now
            )
            return try await finish(attempt, identity, provider, context)
        } catch let failure as ProviderFailure {
            switch failure {
            case .codeRefused, .doubted:
                try await accounts.noteBadAnswer(from: origin, at: context.now)
            case .down, .misconfigured: break
            }
            return response(failure, of: provider, context)
        }
    }

    /// Where a request comes from.
    func origin(_ provider: IdentityProvider, _ context: RequestContext) -> ProviderLogIn {
        ProviderLogIn(
            provider: provider.registration.name,
            address: ClientAddress(context.address),
            device: context.device,
            session: context.secret
        )
    }

    /// Says that the browser has not begun to sign in, or too long ago.
    func stale(_ context: RequestContext) -> Response {
        end(SignInTexts.staleTitle, SignInTexts.stale, .gone, context)
    }

    private func finish(
        _ attempt: SignInAttempt,
        _ found: ProvidedIdentity,
        _ provider: IdentityProvider,
        _ context: RequestContext
    ) async throws -> Response {
        let identity = OutsideIdentity(
            issuer: found.issuer,
            subject: found.subject,
            shown: found.email
                ?? [found.givenName, found.familyName].compactMap(\.self)
                .joined(separator: " ")
        )
        switch attempt.purpose {
        case .entering:
            return try await enter(attempt, found, identity, provider, context)
        case .connecting(let number):
            guard let session = context.session, session.number == number else {
                return stale(context)
            }
            return try await connect(identity, provider, by: session, context)
        case .confirming(let number):
            guard let session = context.session, session.number == number else {
                return stale(context)
            }
            return try await confirm(attempt, found, identity, provider, context)
        }
    }

    // MARK: Signing in

    private func enter(
        _ attempt: SignInAttempt,
        _ found: ProvidedIdentity,
        _ identity: OutsideIdentity,
        _ provider: IdentityProvider,
        _ context: RequestContext
    ) async throws -> Response {
        do {
            let grant = try await accounts.logIn(
                with: identity,
                proved: found.authenticated,
                origin(provider, context),
                at: context.now
            )
            if let grant {
                // Pages that the previous person left open must not go on with that session.
                if let secret = context.secret { web.sessions.forget(secret) }
                return try await begin(grant, next: attempt.next, context)
                    .setting(progressCookie(nil, context))
            }
        } catch AccountFailure.unconfirmed {
            let again = Button(
                SignInTexts.sendAgain,
                .link(Address("/password/forgotten")),
                look: .primary
            )
            let title = SignInTexts.notAllowedTitle
            return end(title, SignInTexts.unconfirmed, .ok, action: again, context)
        } catch let failure as AccountFailure {
            guard let text = failure.text else { throw failure }
            return end(SignInTexts.notAllowedTitle, text, .forbidden, context)
        }
        let email = found.email ?? ""
        if found.isEmailVerified, try await accounts.hasAccount(withEmail: email) {
            return known(email, provider, context)
        }
        let person = NewPerson(
            provider: provider.registration.name,
            issuer: found.issuer,
            subject: found.subject,
            email: email,
            isEmailVerified: found.isEmailVerified,
            name: found.givenName ?? "",
            surname: found.familyName ?? "",
            proved: found.authenticated?.milliseconds,
            next: attempt.next
        )
        return Response.redirect(to: Address("/register/with"))
            .setting(progressCookie(.arrived(person), context))
    }

    /// Says that an account with the address exists, whose owner signs in as before and connects.
    func known(
        _ email: String,
        _ provider: IdentityProvider,
        _ context: RequestContext
    ) -> Response {
        let text = SignInTexts.known(email, provider.registration.label)
        return end(SignInTexts.knownTitle, text, .conflict, context)
    }

    // MARK: Connecting and confirming

    private func connect(
        _ identity: OutsideIdentity,
        _ provider: IdentityProvider,
        by session: Session,
        _ context: RequestContext
    ) async throws -> Response {
        let name = provider.registration.label
        do {
            try await accounts.connect(identity, at: name, by: session, at: context.now)
        } catch AccountFailure.passwordNeeded {
            throw Failure.askPassword
        } catch let refusal as IdentityRefusal {
            let text = refusal == .tooMany ? SignInTexts.tooMany : SignInTexts.taken(name)
            return end(SignInTexts.wrongTitle(name), text, .conflict, context)
        }
        return Response.redirect(to: Address("/account/sign-ins", query: ["notice": "connected"]))
            .setting(progressCookie(nil, context))
    }

    private func confirm(
        _ attempt: SignInAttempt,
        _ found: ProvidedIdentity,
        _ identity: OutsideIdentity,
        _ provider: IdentityProvider,
        _ context: RequestContext
    ) async throws -> Response {
        let name = provider.registration.label
        // A provider that let the person pass without a question proves nothing about who sits
        // before this screen now.
        let began = Moment(milliseconds: attempt.began).adding(seconds: -Self.clockLeeway)
        guard let secret = context.secret, let proved = found.authenticated, proved >= began else {
            let action = Button(
                SignInTexts.setPassword,
                .link(Address("/account/password")),
                look: .primary
            )
            let text = SignInTexts.notAsked(name)
            return end(SignInTexts.wrongTitle(name), text, .conflict, action: action, context)
        }
        do {
            try await accounts.reauthenticate(
                secret,
                with: identity,
                proved: proved,
                at: context.now
            )
        } catch is IdentityRefusal {
            let text = SignInTexts.notYours(name)
            return end(SignInTexts.wrongTitle(name), text, .conflict, context)
        }
        web.sessions.forget(secret)
        let next = Address(withinServer: attempt.next) ?? Address("/dashboard")
        return Response.redirect(to: next).setting(progressCookie(nil, context))
    }

    /// How far the clock of a provider may be behind, in seconds.
    private static let clockLeeway: Int64 = 60
}
