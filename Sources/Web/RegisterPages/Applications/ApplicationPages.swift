import Chronology
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
            .get("/console/apps", for: .administrator, listApplications),
            .get("/console/apps/new", for: .graveAdministrator) { visit in
                reply(applicationForm(nil, Self.emptyApplication, [], visit), to: visit)
            },
            .post("/console/apps/new", for: .graveAdministrator, registerApplication),
            .get("/console/apps/{number}", for: .administrator, showApplication),
            .get("/console/apps/{number}/edit", for: .graveAdministrator) { visit in
                let found = try await application(visit)
                return reply(applicationForm(found.number, found.form, [], visit), to: visit)
            },
            .post("/console/apps/{number}/edit", for: .graveAdministrator, changeApplication),
            .get("/console/apps/{number}/key", for: .graveAdministrator) { visit in
                reply(try await keyPage(visit), to: visit)
            },
            .post("/console/apps/{number}/key", for: .graveAdministrator, rotateKey),
            .get("/console/apps/{number}/revoke", for: .graveAdministrator) { visit in
                reply(try await revokePage(visit), to: visit)
            },
            .post("/console/apps/{number}/revoke", for: .graveAdministrator, revokeApplication),
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
    private func application(_ visit: Visit) async throws -> Application {
        guard let number = visit.parameters["number"].flatMap({ Int64($0) }),
            let found = try await accounts.application(number)
        else { throw Failure.notFound }
        return found
    }

    private func address(_ number: Int64, _ part: String? = nil) -> Address {
        part.map { Address("/console/apps", "\(number)", $0) }
            ?? Address("/console/apps", "\(number)")
    }

    // MARK: Viewing applications

    private func listApplications(_ visit: Visit) async throws -> Reply {
        let rows = try await accounts.applications().map { found -> HTML in
            let used: HTML =
                found.used.map { time($0, visit) } ?? "\(visit.say(ApplicationTexts.neverUsed))"
            let state = found.revoked == nil ? ApplicationTexts.active : ApplicationTexts.revoked
            return """
                <tr><th scope="row"><a href=\(address(found.number))>\(found.form.name)</a></th>\
                <td>\(visit.say(state))</td><td>\(used)</td>\
                <td class="number">\(found.form.requestsPerMinute)</td></tr>
                """
        }
        let heads = [
            FormField.name.label, ApplicationTexts.state, ApplicationTexts.lastUse,
            ApplicationTexts.rate,
        ]
        let table = ConsoleTable(
            caption: ApplicationTexts.title,
            heads: heads,
            rows: rows,
            hidesCaption: true
        )
        let page = Page(
            ApplicationTexts.title,
            body: """
                \(applicationNotice(visit))
                <h1>\(visit.say(ApplicationTexts.title))</h1>
                <p class="lead">\(visit.say(ApplicationTexts.lead))</p>
                \(rows.isEmpty ? "<p>\(visit.say(ApplicationTexts.none))</p>" : table.html(visit))
                <p class="actions"><a class="button primary" href="/console/apps/new">\
                \(visit.say(ApplicationTexts.register))</a></p>
                """
        )
        return reply(page, to: visit)
    }

    private func applicationNotice(_ visit: Visit) -> HTML? {
        ApplicationTexts.notices[visit.query["notice"] ?? ""].map {
            "<div class=\"notice good\" role=\"status\"><p>\(visit.say($0))</p></div>"
        }
    }

    private func showApplication(_ visit: Visit) async throws -> Reply {
        let found = try await application(visit)
        let form = found.form
        let scopes = form.scopes.sorted().map { "<li>\(visit.say($0.words))</li>" as HTML }
        let redirects = form.redirects.map { "<li><code>\($0)</code></li>" as HTML }
        let used: HTML =
            found.used.map { time($0, visit) } ?? "\(visit.say(ApplicationTexts.neverUsed))"
        let back: HTML =
            redirects.isEmpty
            ? "\(visit.say(ApplicationTexts.noRedirects))" : "<ul>\(redirects)</ul>"
        let actions: HTML = """
            <p class="actions"><a class="button" href=\(address(found.number, "edit"))>\
            \(visit.say(ApplicationTexts.change))</a>
            <a class="button" href=\(address(found.number, "key"))>\
            \(visit.say(ApplicationTexts.newKey))</a>
            <a class="button danger" href=\(address(found.number, "revoke"))>\
            \(visit.say(ApplicationTexts.revoke))</a></p>
            """
        let page = Page(
            Text(same: form.name),
            body: """
                \(applicationNotice(visit))
                <h1>\(form.name)</h1>
                \(found.revoked.map { revokedNotice($0, visit) })
                <dl class="summary">
                \(fact(ApplicationTexts.contact, "\(form.contact)", visit))
                \(fact(ApplicationTexts.scopes, "<ul>\(scopes)</ul>", visit))
                \(fact(ApplicationTexts.redirects, back, visit))
                \(fact(ApplicationTexts.rate, "\(form.requestsPerMinute)", visit))
                \(fact(ApplicationTexts.made, time(found.made, visit), visit))
                \(fact(ApplicationTexts.keyMade, time(found.keyMade, visit), visit))
                \(fact(ApplicationTexts.lastUse, used, visit))
                </dl>
                \(HTML.when(found.revoked == nil, actions))
                """
        )
        return reply(page, to: visit)
    }

    private func revokedNotice(_ moment: Moment, _ visit: Visit) -> HTML {
        """
        <div class="notice warn"><p>\(visit.say(ApplicationTexts.wasRevoked)) \
        \(time(moment, visit))</p></div>
        """
    }

    private func fact(_ label: Text, _ value: HTML, _ visit: Visit) -> HTML {
        "<div><dt>\(visit.say(label))</dt><dd>\(value)</dd><dd></dd></div>"
    }

    // MARK: Creating and changing applications

    private func applicationForm(
        _ number: Int64?,
        _ form: ApplicationForm,
        _ problems: [ApplicationProblem],
        _ visit: Visit
    ) -> Page {
        let title = number == nil ? ApplicationTexts.register : ApplicationTexts.change
        var page = FormPage(
            action: number.map { address($0, "edit") } ?? Address("/console/apps/new"),
            fields: ApplicationTexts.fields(form, problems, typedRate: visit.form["rate"]),
            button: number == nil ? ApplicationTexts.registerButton : CommonTexts.save,
            busy: CommonTexts.busy
        )
        page.problem = problems.contains(.tooManyApplications) ? ApplicationTexts.tooMany : nil
        return formPage(title, lead: ApplicationTexts.formLead, page, visit)
    }

    private func applicationForm(_ visit: Visit) -> ApplicationForm {
        ApplicationForm(
            name: visit.form["name"] ?? "",
            contact: visit.form["contact"] ?? "",
            redirects: (visit.form["redirects"] ?? "").split(separator: "\n").map(String.init),
            scopes: Set(visit.form.all("scopes").compactMap(Scope.init(rawValue:))),
            requestsPerMinute: Int((visit.form["rate"] ?? "").trimmed) ?? 0
        )
    }

    private func refusedForm(
        _ number: Int64?,
        _ form: ApplicationForm,
        _ refusal: ApplicationRefusal,
        _ visit: Visit
    ) -> Reply {
        var page = applicationForm(number, form, refusal.problems, visit)
        page.status = .unprocessableContent
        return reply(page, to: visit)
    }

    private func registerApplication(_ visit: Visit, _ signedIn: SignedIn) async throws -> Reply {
        let form = applicationForm(visit)
        do {
            let made = try await accounts.registerApplication(
                form,
                by: signedIn.session,
                at: visit.now
            )
            return newKey(made.number, made.key, visit)
        } catch let refusal as ApplicationRefusal {
            return refusedForm(nil, form, refusal, visit)
        }
    }

    /// The only page that shows a key.
    ///
    /// It is the direct response to the form, so that the key is not stored anywhere.
    private func newKey(_ number: Int64, _ key: SecretToken, _ visit: Visit) -> Reply {
        let page = Page(
            ApplicationTexts.keyTitle,
            body: """
                <h1>\(visit.say(ApplicationTexts.keyTitle))</h1>
                <p class="lead">\(visit.say(ApplicationTexts.keyLead))</p>
                <p class="key"><code>\(key.text)</code></p>
                <p class="actions"><a class="button primary" href=\(address(number))>\
                \(visit.say(ApplicationTexts.kept))</a></p>
                """
        )
        var answer = reply(page, to: visit)
        answer.headers[.cacheControl] = "no-store"
        answer.repeated = Address("/console/apps", "\(number)", query: ["notice": "shown"])
        return answer
    }

    private func changeApplication(_ visit: Visit, _ signedIn: SignedIn) async throws -> Reply {
        let found = try await application(visit)
        let form = applicationForm(visit)
        do {
            try await accounts.changeApplication(
                found.number,
                to: form,
                by: signedIn.session,
                at: visit.now
            )
        } catch let refusal as ApplicationRefusal {
            return refusedForm(found.number, form, refusal, visit)
        } catch AccountFailure.changedMeanwhile {
            return .redirect(to: address(found.number))
        }
        return saved(found.number, "saved")
    }

    private func saved(_ number: Int64, _ notice: String) -> Reply {
        .redirect(to: Address("/console/apps", "\(number)", query: ["notice": notice]))
    }

    private func keyPage(_ visit: Visit) async throws -> Page {
        let found = try await application(visit)
        let form = FormPage(
            action: address(found.number, "key"),
            fields: [],
            button: ApplicationTexts.newKey,
            busy: CommonTexts.busy
        )
        return formPage(
            ApplicationTexts.newKeyOf(found.form.name),
            lead: ApplicationTexts.newKeyLead,
            form,
            visit
        )
    }

    private func rotateKey(_ visit: Visit, _ signedIn: SignedIn) async throws -> Reply {
        let found = try await application(visit)
        do {
            let key = try await accounts.rotateKey(
                of: found.number,
                by: signedIn.session,
                at: visit.now
            )
            return newKey(found.number, key, visit)
        } catch AccountFailure.changedMeanwhile {
            return .redirect(to: address(found.number))
        }
    }

    private func revokePage(_ visit: Visit) async throws -> Page {
        let found = try await application(visit)
        let form = FormPage(
            action: address(found.number, "revoke"),
            fields: [],
            button: ApplicationTexts.revoke,
            busy: CommonTexts.busy
        )
        return formPage(
            ApplicationTexts.revokeOf(found.form.name),
            lead: ApplicationTexts.revokeLead,
            form,
            visit
        )
    }

    private func revokeApplication(_ visit: Visit, _ signedIn: SignedIn) async throws -> Reply {
        let found = try await application(visit)
        do {
            try await accounts.revokeApplication(found.number, by: signedIn.session, at: visit.now)
        } catch AccountFailure.changedMeanwhile {
            return .redirect(to: address(found.number))
        }
        return saved(found.number, "revoked")
    }
}
