import HTTPTypes
import Identity
import Localization
import Markup
import TaxiPages
import WebCore

/// The page on which a person enters the code of a device, and decides (RFC 8628, 3.3).
extension GrantPages {
    var devicePageRoutes: [Route] {
        [
            .get("/device", as: "device.form", for: .person) { context in
                response(result(context) ?? entry(context), to: context)
            }
            .taking([
                .notice, .query("code", .text(40), "The code that the device shows."),
            ]),
            .post("/device", as: "device.ask", for: .person, askDevice)
                .taking([.typed("code", .text(40), "The code that the device shows.")])
                .repeated(because: "it shows the question of the code, which may have changed"),
            .post("/device/decide", as: "device.decide", for: .person, decideDevice)
                .taking([
                    .set("code", .text(40), "The code that was entered.").required,
                    .set("scope", .text(1_000), "The permissions that were shown.").required,
                    .set("decision", .choice(["allow", "deny"]), "What the person decides.")
                        .required,
                ])
                .failing(.unprocessableContent),
        ]
    }

    /// The form for the code; a code in the address is filled in, and must still be sent by hand.
    private func entry(_ context: RequestContext, _ problem: Text? = nil) -> Page {
        var field = Field(
            name: "code",
            label: DeviceCodeTexts.field,
            hint: DeviceCodeTexts.hint,
            value: context.form["code"] ?? context.query["code"] ?? "",
            error: problem
        )
        field.icon = .mobile
        var form = FormPage(
            action: Address("/device"),
            fields: [field],
            button: DeviceCodeTexts.goOn,
            busy: CommonTexts.busy
        )
        form.extra = Self.warning(context)
        return formPage(
            DeviceCodeTexts.title,
            icon: .plug,
            lead: DeviceCodeTexts.lead,
            form,
            context
        )
    }

    private static func warning(_ context: RequestContext) -> HTML {
        Notice(.warning, "\(context.say(DeviceCodeTexts.warning))").html(context)
    }

    private func askDevice(_ context: RequestContext, _ signedIn: SignedIn) async throws -> Response
    {
        let question: DeviceQuestion
        do {
            question = try await accounts.deviceQuestion(
                context.form["code"] ?? "",
                by: signedIn.session,
                from: ClientAddress(context.address),
                at: context.now
            )
        } catch AccountFailure.badToken {
            return wrong(context)
        } catch let failure as AccountFailure {
            return try refused(entry(context, DeviceCodeTexts.tooMany), failure, context)
        }
        let profile = try await accounts.profile(of: signedIn.person)
        var answer = response(page(question, profile, context), to: context)
        answer.headers[.cacheControl] = "no-store"
        return answer
    }

    private func wrong(_ context: RequestContext) -> Response {
        var page = entry(context, DeviceCodeTexts.wrong)
        page.status = .unprocessableContent
        return response(page, to: context)
    }

    private func page(
        _ question: DeviceQuestion,
        _ profile: Profile,
        _ context: RequestContext
    ) -> Page {
        let name = question.application.form.name
        let scopes = question.scopes.sorted().map { scope -> HTML in
            "<li>\(Icon.check.html) <span>\(context.say(scope.consentText))</span></li>"
        }
        let allow = Button(
            GrantConsentTexts.allow,
            .submit(name: "decision", value: "allow"),
            look: .primary
        )
        var deny = Button(GrantConsentTexts.deny, .submit(name: "decision", value: "deny"))
        deny.isWide = true
        let shows = context.say(DeviceCodeTexts.shows(question.code.text))
        let person = GrantConsentTexts.signedIn("\(profile.name) \(profile.surname)")
        var dialog = Dialog(
            GrantConsentTexts.title(name),
            text: "\(context.say(GrantConsentTexts.lead(name, web.settings.name)))"
        )
        dialog.content = """
            <ul class="consent">\(scopes)</ul>
            \(Notice(.warning, "\(shows)").html(context))
            <p class="hint">\(context.say(GrantConsentTexts.nothingElse))</p>
            <p class="hint">\(context.say(person))</p>
            <form method="post" action="/device/decide">\(context.formToken)
            <input type="hidden" name="code" value="\(question.code.text)">
            <input type="hidden" name="scope" value="\(Scope.text(of: question.scopes))">
            <div class="actions">\(allow.html(context)) \(deny.html(context))</div></form>
            """
        var page = Page(GrantConsentTexts.title(name), body: dialog.html(context))
        page.hasForm = true
        return page
    }

    private func decideDevice(
        _ context: RequestContext,
        _ signedIn: SignedIn
    ) async throws -> Response {
        guard let code = UserCode(context.form["code"] ?? ""),
            let scopes = Scope.all(in: context.form["scope"] ?? "")
        else { throw Failure.badRequest }
        let isAllowed = context.form["decision"] == "allow"
        do {
            try await accounts.decideDevice(
                code,
                scopes,
                isAllowed: isAllowed,
                by: signedIn.session,
                at: context.now
            )
        } catch AccountFailure.badToken {
            return wrong(context)
        }
        let notice = isAllowed ? "connected" : "refused"
        return .redirect(to: Address("/device", query: ["notice": notice]))
    }

    /// What became of a decision; nil before there is one.
    private func result(_ context: RequestContext) -> Page? {
        let account = Button(ConnectedAppsTexts.title, .link(Address("/account/apps")))
        switch context.query["notice"] {
        case "connected":
            return message(
                DeviceCodeTexts.connected,
                icon: .check,
                DeviceCodeTexts.connectedLead,
                action: account,
                context
            )
        case "refused":
            return message(
                DeviceCodeTexts.refused,
                icon: .plug,
                DeviceCodeTexts.refusedLead,
                context
            )
        default: return nil
        }
    }
}
