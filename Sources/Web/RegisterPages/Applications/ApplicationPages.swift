import Chronology
import Encoding
import HTTPTypes
import Identity
import Localization
import Markup
import TaxiPages
import WebCore

extension RegisterPages {
    /// Third-party applications: register, change, replace the key, revoke (R5).
    var applicationRoutes: [Route] {
        [
            .get("/console/apps", as: "apps.list", for: .administrator, listApplications)
                .taking([.notice]),
            .get("/console/apps/new", as: "apps.new.form", for: .graveAdministrator) { context in
                response(applicationForm(nil, Self.emptyApplication, [], context), to: context)
            },
            .post(
                "/console/apps/new",
                as: "apps.new",
                for: .graveAdministrator,
                registerApplication
            )
            .taking(.application),
            .get("/console/apps/{number}", as: "apps.show", for: .administrator, showApplication)
                .taking([.application, .notice]),
            .get("/console/apps/{number}/edit", as: "apps.edit.form", for: .graveAdministrator) {
                context in
                let found = try await application(context)
                return response(applicationForm(found.number, found.form, [], context), to: context)
            }
            .taking([.application])
            .answering(.page, .redirect),
            .post(
                "/console/apps/{number}/edit",
                as: "apps.edit",
                for: .graveAdministrator,
                changeApplication
            )
            .taking([.application])
            .taking(.application),
            .get("/console/apps/{number}/key", as: "apps.key.form", for: .graveAdministrator) {
                context in
                response(try await keyPage(context), to: context)
            }
            .taking([.application])
            .answering(.page, .redirect),
            .post("/console/apps/{number}/key", as: "apps.key", for: .graveAdministrator, rotateKey)
                .taking([.application]),
            .get("/console/apps/{number}/revoke", as: "apps.revoke.form", for: .graveAdministrator)
            { context in
                response(try await revokePage(context), to: context)
            }
            .taking([.application])
            .answering(.page, .redirect),
            .post(
                "/console/apps/{number}/revoke",
                as: "apps.revoke",
                for: .graveAdministrator,
                revokeApplication
            )
            .taking([.application]),
        ]
    }

    private static let emptyApplication = ApplicationForm(
        name: "",
        contact: "",
        redirects: [],
        scopes: [],
        requestsPerMinute: 60
    )

    /// The application named in the path.
    func application(_ context: RequestContext) async throws -> Application {
        guard let number = context.parameters["number"].flatMap({ Int64($0) }),
            let found = try await accounts.application(number)
        else { throw Failure.notFound }
        return found
    }

    private func address(_ number: Int64, _ part: String? = nil) -> Address {
        part.map { Address("/console/apps", "\(number)", $0) }
            ?? Address("/console/apps", "\(number)")
    }

    // MARK: Viewing applications

    private func listApplications(_ context: RequestContext) async throws -> Response {
        let rows = try await accounts.applications().map { found -> [HTML] in
            let used: HTML =
                found.used.map { time($0, context) } ?? "\(context.say(ApplicationTexts.neverUsed))"
            return [
                "<a href=\(address(found.number))>\(found.form.name)</a>",
                found.chip.html(context), used, "\(found.form.requestsPerMinute)",
            ]
        }
        let table = DataTable(
            caption: ApplicationTexts.title,
            [
                DataTable.Column(FormField.name.label), DataTable.Column(ApplicationTexts.state),
                DataTable.Column(ApplicationTexts.lastUse),
                DataTable.Column(ApplicationTexts.rate, isNumber: true),
            ],
            rows: rows,
            hidesCaption: true
        )
        let register = Button(
            ApplicationTexts.register,
            .link(Address("/console/apps/new")),
            look: .primary
        )
        let none = EmptyState(
            .plug,
            ApplicationTexts.none,
            ApplicationTexts.lead,
            action: register
        )
        let lead: HTML = "<p class=\"lead\">\(context.say(ApplicationTexts.lead))</p>"
        let page = Page(
            ApplicationTexts.title,
            body: """
                \(applicationNotice(context))
                <h1>\(context.say(ApplicationTexts.title))</h1>
                \(HTML.when(!rows.isEmpty, lead))
                \(developers(context))
                \(rows.isEmpty ? none.html(context) : table.html(context))
                \(HTML.when(
                    !rows.isEmpty,
                    "<p class=\"actions\">\(register.html(context))</p>"
                ))
                """
        )
        return response(page, to: context)
    }

    /// Leads to the page that says what applications can do.
    private func developers(_ context: RequestContext) -> HTML {
        "<p><a href=\"/developers\">\(context.say(ApplicationTexts.developers))</a></p>"
    }

    private func applicationNotice(_ context: RequestContext) -> HTML? {
        ApplicationTexts.notices[context.query["notice"] ?? ""].map {
            "<div class=\"notice good\" role=\"status\"><p>\(context.say($0))</p></div>"
        }
    }

    private func showApplication(_ context: RequestContext) async throws -> Response {
        let found = try await application(context)
        let form = found.form
        let use = try await use(of: found, context)
        let scopes = form.scopes.sorted().map { "<li>\(context.say($0.text))</li>" as HTML }
        let redirects = form.redirects.map { "<li><code>\($0)</code></li>" as HTML }
        let used: HTML =
            found.used.map { time($0, context) } ?? "\(context.say(ApplicationTexts.neverUsed))"
        let back: HTML =
            redirects.isEmpty
            ? "\(context.say(ApplicationTexts.noRedirects))" : "<ul>\(redirects)</ul>"
        let actions: HTML = """
            <p class="actions"><a class="button" href=\(address(found.number, "edit"))>\
            \(context.say(ApplicationTexts.change))</a>
            <a class="button" href=\(address(found.number, "key"))>\
            \(context.say(ApplicationTexts.newKey))</a>
            <a class="button danger" href=\(address(found.number, "revoke"))>\
            \(context.say(ApplicationTexts.revoke))</a></p>
            """
        let page = Page(
            Text(same: form.name),
            body: """
                \(applicationNotice(context))
                <h1>\(form.name)</h1>
                <p>\(found.chip.html(context))</p>
                \(found.revoked == nil ? developers(context) : .empty)\
                \(found.revoked.map { revokedNotice($0, context) })
                <dl class="summary facts">
                \(fact(ApplicationTexts.number, "<code>\(found.number)</code>", context))
                \(fact(ApplicationTexts.contact, "\(form.contact)", context))
                \(fact(ApplicationTexts.place, "\(context.say(form.place))", context))
                \(fact(ApplicationTexts.scopes, "<ul>\(scopes)</ul>", context))
                \(fact(ApplicationTexts.redirects, back, context))
                \(fact(ApplicationTexts.rate, "\(form.requestsPerMinute)", context))
                \(fact(ApplicationTexts.made, time(found.made, context), context))
                \(fact(ApplicationTexts.keyMade, time(found.keyMade, context), context))
                \(fact(ApplicationTexts.lastUse, used, context))
                \(fact(ApplicationTexts.calls, calls(use, context), context))
                </dl>
                \(useSection(use, context))
                \(HTML.when(found.revoked == nil, actions))
                \(try await webhookSection(found, context))
                """
        )
        return response(page, to: context)
    }

    // MARK: Creating and changing applications

    private func applicationForm(
        _ number: Int64?,
        _ form: ApplicationForm,
        _ problems: [ApplicationProblem],
        _ context: RequestContext
    ) -> Page {
        let title = number == nil ? ApplicationTexts.register : ApplicationTexts.change
        var page = FormPage(
            action: number.map { address($0, "edit") } ?? Address("/console/apps/new"),
            fields: ApplicationTexts.fields(form, problems, typedRate: context.form["rate"]),
            button: number == nil ? ApplicationTexts.registerButton : CommonTexts.save,
            busy: CommonTexts.busy
        )
        page.problem = problems.contains(.tooManyApplications) ? ApplicationTexts.tooMany : nil
        return formPage(title, lead: ApplicationTexts.formLead, page, context)
    }

    private func applicationForm(_ context: RequestContext) -> ApplicationForm {
        ApplicationForm(
            name: context.form["name"] ?? "",
            contact: context.form["contact"] ?? "",
            redirects: (context.form["redirects"] ?? "").split(separator: "\n").map(String.init),
            scopes: Set(context.form.all("scopes").compactMap(Scope.init(rawValue:))),
            requestsPerMinute: Int((context.form["rate"] ?? "").trimmingBlanks()) ?? 0,
            isNative: context.form["native"] != nil,
            hasDevices: context.form["devices"] != nil
        )
    }

    private func refusedForm(
        _ number: Int64?,
        _ form: ApplicationForm,
        _ refusal: ApplicationRefusal,
        _ context: RequestContext
    ) -> Response {
        var page = applicationForm(number, form, refusal.problems, context)
        page.status = .unprocessableContent
        return response(page, to: context)
    }

    private func registerApplication(
        _ context: RequestContext,
        _ signedIn: SignedIn
    ) async throws -> Response {
        let form = applicationForm(context)
        do {
            let made = try await accounts.registerApplication(
                form,
                by: signedIn.session,
                at: context.now
            )
            return newKey(made.number, made.key, context)
        } catch let refusal as ApplicationRefusal {
            return refusedForm(nil, form, refusal, context)
        }
    }

    /// The only page that shows a key.
    ///
    /// It is the direct response to the form, so that the key is not stored anywhere.
    private func newKey(_ number: Int64, _ key: SecretToken, _ context: RequestContext) -> Response
    {
        let page = Page(
            ApplicationTexts.keyTitle,
            body: """
                \(keyCard(key, address(number), context))
                """
        )
        var answer = response(page, to: context)
        answer.headers[.cacheControl] = "no-store"
        answer.repeated = Address("/console/apps", "\(number)", query: ["notice": "shown"])
        return answer
    }

    private func keyCard(
        _ key: SecretToken,
        _ next: Address,
        _ context: RequestContext
    ) -> HTML {
        var dialog = Dialog(
            ApplicationTexts.keyTitle,
            icon: .key,
            text: "\(context.say(ApplicationTexts.keyLead))",
            actions: Button(ApplicationTexts.kept, .link(next), look: .primary).html(context)
        )
        dialog.content = "<p class=\"key\"><code>\(key.text)</code></p>\(developers(context))"
        return dialog.html(context)
    }

    private func changeApplication(
        _ context: RequestContext,
        _ signedIn: SignedIn
    ) async throws -> Response {
        let found = try await application(context)
        let form = applicationForm(context)
        do {
            try await accounts.changeApplication(
                found.number,
                to: form,
                by: signedIn.session,
                at: context.now
            )
        } catch let refusal as ApplicationRefusal {
            return refusedForm(found.number, form, refusal, context)
        } catch AccountFailure.changedMeanwhile {
            return .redirect(to: address(found.number))
        }
        return saved(found.number, "saved")
    }

    private func saved(_ number: Int64, _ notice: String) -> Response {
        .redirect(to: Address("/console/apps", "\(number)", query: ["notice": notice]))
    }

    private func keyPage(_ context: RequestContext) async throws -> Page {
        let found = try await application(context)
        let form = FormPage(
            action: address(found.number, "key"),
            fields: [],
            button: ApplicationTexts.newKey,
            busy: CommonTexts.busy
        )
        return formPage(
            ApplicationTexts.newKeyTitle(found.form.name),
            icon: .key,
            lead: ApplicationTexts.newKeyLead,
            form,
            context
        )
    }

    private func rotateKey(_ context: RequestContext, _ signedIn: SignedIn) async throws -> Response
    {
        let found = try await application(context)
        do {
            let key = try await accounts.rotateKey(
                of: found.number,
                by: signedIn.session,
                at: context.now
            )
            return newKey(found.number, key, context)
        } catch AccountFailure.changedMeanwhile {
            return .redirect(to: address(found.number))
        }
    }

    private func revokePage(_ context: RequestContext) async throws -> Page {
        let found = try await application(context)
        var form = FormPage(
            action: address(found.number, "revoke"),
            fields: [],
            button: ApplicationTexts.revoke,
            busy: CommonTexts.busy
        )
        form.isDestructive = true
        return formPage(
            ApplicationTexts.revokeOf(found.form.name),
            icon: .bin,
            lead: ApplicationTexts.revokeLead,
            form,
            context
        )
    }

    private func revokeApplication(
        _ context: RequestContext,
        _ signedIn: SignedIn
    ) async throws -> Response {
        let found = try await application(context)
        do {
            try await accounts.revokeApplication(
                found.number,
                by: signedIn.session,
                at: context.now
            )
        } catch AccountFailure.changedMeanwhile {
            return .redirect(to: address(found.number))
        }
        return saved(found.number, "revoked")
    }
}

extension Application {
    /// The validity of its key, as a chip.
    fileprivate var chip: StateChip {
        revoked == nil
            ? StateChip(ApplicationTexts.active, icon: .check, tone: .good)
            : StateChip(ApplicationTexts.revoked, icon: .close, tone: .quiet)
    }
}

extension InputField {
    /// The application that a page is about.
    static let application = path(
        "number",
        .identifier,
        "The number of the application."
    )
}
