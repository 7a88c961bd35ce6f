import Encoding
import HTTPTypes
import Identity
import Localization
import Markup
import TaxiPages
import WebCore

/// The question whether an application may act for a person, and the answer.
extension GrantPages {
    var consentRoutes: [Route] {
        [
            .get("/oauth/authorize", as: "oauth.authorize", for: .everybody) { context in
                try await answer(context, askConsent)
            }
            .taking(AuthorizationRequest.fields)
            .answering(.page, .redirect),
            .post("/oauth/authorize", as: "oauth.decide", for: .everybody) { context in
                try await answer(context, decide)
            }
            .taking(AuthorizationRequest.fields)
            .taking([
                .set("decision", .choice(["allow", "deny"]), "What the person decides.")
                    .required
            ])
            .repeated(because: "an answer contains a code, which no record may contain"),
        ]
    }

    /// Answers the request in the address; what is wrong with it is told to the person, or to the
    /// application.
    private func answer(
        _ context: RequestContext,
        _ body: (AuthorizationRequest, RequestContext) async throws -> Response
    ) async throws -> Response {
        let request: AuthorizationRequest
        do {
            request = try await AuthorizationRequest(context.query) {
                try await accounts.application($0)
            }
        } catch let refusal as AuthorizationRequest.Refusal {
            return response(refusal, context)
        }
        if let problem = request.problem { return back(request, problem, context) }
        return try await body(request, context)
    }

    private func askConsent(
        _ request: AuthorizationRequest,
        _ context: RequestContext
    ) async throws -> Response {
        guard let session = context.session, let person = session.person else {
            let next = Self.address(of: context)
            return .redirect(to: Address("/login", query: ["notice": "needed", "next": next]))
        }
        if session.mustChangePassword { throw Failure.mustChangePassword }
        let profile = try await accounts.profile(of: person)
        return guarded(response(page(request, profile, context), to: context), request)
    }

    /// The address of the question, which the form repeats.
    private static func address(of context: RequestContext) -> String {
        let fields = AuthorizationRequest.fields.compactMap { field in
            context.query[field.name].map { "\(field.name)=\(PercentEncoding.encoded($0))" }
        }
        return "/oauth/authorize?" + fields.joined(separator: "&")
    }

    private func page(
        _ request: AuthorizationRequest,
        _ profile: Profile,
        _ context: RequestContext
    ) -> Page {
        let name = request.application.form.name
        let scopes = request.scopes.sorted().map { scope -> HTML in
            "<li>\(Icon.check.html) <span>\(context.say(scope.consentText))</span></li>"
        }
        let target =
            request.host.map { GrantConsentTexts.returnTo($0) } ?? GrantConsentTexts.returnToDevice
        let allow = Button(
            GrantConsentTexts.allow,
            .submit(name: "decision", value: "allow"),
            look: .primary
        )
        var deny = Button(GrantConsentTexts.deny, .submit(name: "decision", value: "deny"))
        // Both answers are as easy to press, and on the screen of a phone without scrolling.
        deny.isWide = true
        var dialog = Dialog(
            GrantConsentTexts.title(name),
            text: "\(context.say(GrantConsentTexts.lead(name, web.settings.name)))"
        )
        let person = GrantConsentTexts.signedIn("\(profile.name) \(profile.surname)")
        let action = Address(withinServer: Self.address(of: context)) ?? Address("/")
        dialog.content = """
            <ul class="consent">\(scopes)</ul>
            <p class="hint">\(context.say(GrantConsentTexts.nothingElse))</p>
            <p class="hint">\(context.say(person)) \(context.say(target))</p>
            <form method="post" action=\(action)>\(context.formToken)
            <div class="actions">\(allow.html(context)) \(deny.html(context))</div></form>
            """
        var page = Page(GrantConsentTexts.title(name), body: dialog.html(context))
        page.hasForm = true
        return page
    }

    /// The page with what keeps it out of caches, and lets its form lead to the application.
    private func guarded(_ response: Response, _ request: AuthorizationRequest) -> Response {
        var response = response.lettingForms(leadTo: request.source)
        response.headers[.cacheControl] = "no-store"
        response.headers[.referrerPolicy] = "strict-origin"
        return response
    }

    private func decide(
        _ request: AuthorizationRequest,
        _ context: RequestContext
    ) async throws -> Response {
        guard context.form["decision"] == "allow" else {
            let problem = AuthorizationRequest.Problem(
                code: "access_denied",
                detail: "The person did not allow it."
            )
            return back(request, problem, context)
        }
        let session = try SignedIn(context).session
        let wanted = GrantRequest(
            application: request.application.number,
            scopes: request.scopes,
            redirect: request.redirect,
            challenge: request.challenge
        )
        do {
            let code = try await accounts.consent(to: wanted, by: session, at: context.now)
            return sent(request.answer([("code", code.text)], from: issuer(context)))
        } catch is GrantRefusal {
            // The city has changed the application meanwhile.
            return response(AuthorizationRequest.Refusal.unknownClient, context)
        }
    }

    /// Tells the application what is wrong with its request, or that it was refused.
    private func back(
        _ request: AuthorizationRequest,
        _ problem: AuthorizationRequest.Problem,
        _ context: RequestContext
    ) -> Response {
        let fields = [("error", problem.code), ("error_description", problem.detail)]
        return sent(request.answer(fields, from: issuer(context)))
    }

    /// Sends the person to the application, which does not learn the address of the question.
    private func sent(_ address: String) -> Response {
        Response(
            .seeOther,
            headers: [
                .location: address, .referrerPolicy: "no-referrer", .cacheControl: "no-store",
            ]
        )
    }

    private func response(
        _ refusal: AuthorizationRequest.Refusal,
        _ context: RequestContext
    ) -> Response {
        let text: Text =
            switch refusal {
            case .unknownClient: GrantConsentTexts.wrongClient
            case .wrongRedirect(let application):
                GrantConsentTexts.wrongRedirect(application.form.name)
            }
        var page = message(GrantConsentTexts.wrongTitle, icon: .warning, text, context)
        page.status = .badRequest
        var answer = response(page, to: context)
        answer.headers[.cacheControl] = "no-store"
        answer.headers[.referrerPolicy] = "strict-origin"
        return answer
    }
}

extension Scope {
    /// What it lets an application do, in the words of the person who allows it.
    var consentText: Text {
        switch self {
        case .readProfile: GrantScopeTexts.readProfile
        case .callTaxis: GrantScopeTexts.callTaxis
        case .reserve: GrantScopeTexts.reserve
        case .followRides: GrantScopeTexts.followRides
        case .readCalendar: GrantScopeTexts.readCalendar
        case .writeCalendar: GrantScopeTexts.writeCalendar
        case .followPlans: GrantScopeTexts.followPlans
        case .readCity: GrantScopeTexts.readCity
        case .changeProfile: GrantScopeTexts.changeProfile
        case .shareRides: GrantScopeTexts.shareRides
        case .driverDuty: GrantScopeTexts.driverDuty
        case .driverPosition: GrantScopeTexts.driverPosition
        case .driverRides: GrantScopeTexts.driverRides
        case .createAccounts, .readFleet, .readStatistics, .readMobility:
            preconditionFailure("\(rawValue) is no permission that people give")
        }
    }
}
