import Dispatching
import HTTPTypes
import Identity
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore

extension ConsolePages {
    /// The service policy: visible to staff, changed by administrators (taxi.md 1.11, R123).
    var policyRoutes: [Route] {
        [
            .get("/console/policy", for: .staff, showPolicy),
            .get("/console/policy/file", for: .staff, downloadPolicy),
            .get("/console/policy/edit", for: .graveAdministrator) { visit in
                let policy = try await taxi.dispatch.read { $0.policy }
                return reply(policyForm(PolicySheet(policy), visit), to: visit)
            },
            .post("/console/policy/edit", for: .graveAdministrator, checkPolicy)
                .repeated(because: "it shows what would happen, and changes nothing"),
            .post("/console/policy/upload", for: .graveAdministrator, uploadPolicy)
                .repeated(because: "it shows what would happen, and changes nothing"),
            .get("/console/policy/compare", for: .graveAdministrator, comparePolicy),
            .post("/console/policy/adopt", for: .graveAdministrator, adoptPolicy),
        ]
    }

    /// The maximum size of a policy file in bytes.
    static let policyFileLimit = 64 * 1_024

    private func showPolicy(_ visit: Visit) async throws -> Reply {
        let policy = try await taxi.dispatch.read { $0.policy }
        let history = try await taxi.adoptedPolicies(limit: 50)
        let table = await policyHistory(history, visit)
        var page = Page(
            PolicyTexts.title,
            body: """
                \(policyNotice(visit))
                <h1>\(visit.say(PolicyTexts.title))</h1>
                <p class="lead">\(visit.say(PolicyTexts.inForce(policy.name))) \
                <span class="hint">\(visit.say(PolicyTexts.version(policy.hash)))</span></p>
                \(HTML.when(history.isEmpty, "<p>\(visit.say(PolicyTexts.never))</p>"))
                \(HTML.when(visit.isOfAdministration, policyActions(visit)))
                \(PolicyRule.groups.map { ruleTable($0, policy, visit) })
                <p><a href="/console/policy/file">\(visit.say(PolicyTexts.download))</a></p>
                \(table)
                """
        )
        page.hasForm = true
        return reply(page, to: visit)
    }

    private func policyNotice(_ visit: Visit) -> HTML? {
        guard visit.query["notice"] == "adopted" else { return nil }
        return """
            <div class="notice good" role="status"><p>\(visit.say(PolicyTexts.adopted))</p></div>
            """
    }

    /// The actions for administrators: choose a preset, edit rules, upload a file.
    private func policyActions(_ visit: Visit) -> HTML {
        let options = Policy.shipped.reversed().map { preset -> HTML in
            "<option>\(preset.name)</option>"
        }
        return """
            <p class="actions"><a class="button primary" href="/console/policy/edit">\
            \(visit.say(PolicyTexts.edit))</a></p>
            <form class="fields" action="/console/policy/compare">
            <div class="field"><label for="field-preset">\(visit.say(PolicyTexts.choose))</label>
            <span class="hint" id="field-preset-hint">\(visit.say(PolicyTexts.chooseLead))</span>
            <select id="field-preset" name="preset" aria-describedby="field-preset-hint">\
            \(options)</select></div>
            <p><button>\(visit.say(PolicyTexts.use))</button></p></form>
            <form class="fields" method="post" action="/console/policy/upload" \
            enctype="multipart/form-data">\(visit.formToken)
            \(Field(
                name: "file",
                label: PolicyTexts.upload,
                kind: .file(accept: ".txt,.yaml,.yml,text/plain"),
                hint: PolicyTexts.uploadHint
            ).html(visit))
            <p><button>\(visit.say(PolicyTexts.read))</button></p></form>
            """
    }

    private func ruleTable(
        _ group: PolicyRule.Group,
        _ policy: Policy,
        _ visit: Visit
    ) -> HTML {
        let rows = group.rules.map { rule -> HTML in
            """
            <tr><th scope="row">\(visit.say(rule.title))<span class="hint">\
            \(visit.say(rule.text))</span></th><td>\(visit.say(rule.words(of: policy[rule.key])))\
            </td></tr>
            """
        }
        return ConsoleTable(
            caption: group.title,
            heads: [PolicyTexts.rule, PolicyTexts.value],
            rows: rows
        ).html(visit)
    }

    private func policyHistory(_ history: [AdoptedPolicy], _ visit: Visit) async -> HTML {
        guard !history.isEmpty else { return .empty }
        var rows: [HTML] = []
        for entry in history {
            let author = await nameOfAuthor(entry.author, visit)
            let name = entry.policy?.name ?? visit.say(PolicyTexts.unreadable)
            let number = "\(entry.sequence)"
            let again: HTML = """
                <a href=\(Address("/console/policy/compare", query: ["number": number]))>\
                \(visit.say(PolicyTexts.again))<span class="hidden"> \(name)</span></a>
                """
            rows.append(
                """
                <tr><th scope="row">\(name)</th><td>\(time(entry.moment, visit))</td>\
                <td>\(author)</td><td>\(entry.note)</td>\
                <td><a href=\(Address("/console/policy/file", query: ["number": number]))>\
                \(visit.say(TariffTexts.downloadOne))<span class="hidden"> \(name)</span></a>\
                </td><td>\(HTML.when(visit.isOfAdministration, again))</td></tr>
                """
            )
        }
        let heads = [
            PolicyTexts.name, TariffTexts.moment, TariffTexts.author, TariffTexts.note,
            TariffTexts.file, CommonTexts.action,
        ]
        return ConsoleTable(caption: PolicyTexts.history, heads: heads, rows: rows).html(visit)
    }

    private func downloadPolicy(_ visit: Visit) async throws -> Reply {
        var text = try await taxi.dispatch.read { $0.policy }.fileText
        if let number = visit.query["number"] {
            guard let sequence = Int64(number),
                let found = try await taxi.adoptedPolicy(sequence)
            else { throw Failure.notFound }
            text = found.text
        }
        return .download(
            Array(text.utf8),
            type: "text/plain; charset=utf-8",
            name: "policy.txt"
        )
    }

    // MARK: Changing the policy

    private func policyForm(_ sheet: PolicySheet, _ visit: Visit) -> Page {
        let form = FormPage(
            action: Address("/console/policy/edit"),
            fields: sheet.fields,
            button: PolicyTexts.check,
            busy: CommonTexts.busy
        )
        return formPage(PolicyTexts.editTitle, lead: PolicyTexts.editLead, form, visit)
    }

    private func checkPolicy(_ visit: Visit) async throws -> Reply {
        var sheet = PolicySheet(visit.form)
        guard let policy = sheet.policy() else {
            var page = policyForm(sheet, visit)
            page.status = .unprocessableContent
            return reply(page, to: visit)
        }
        return reply(try await policyConfirmation(policy, nil, visit), to: visit)
    }

    private func uploadPolicy(_ visit: Visit) async throws -> Reply {
        let bytes = visit.form.file("file")?.bytes ?? []
        guard !bytes.isEmpty, bytes.count <= Self.policyFileLimit,
            let text = String(validating: bytes, as: UTF8.self)
        else { return wrongPolicyFile(PolicyTexts.notText, visit) }
        do {
            let policy = try Policy(text: text)
            var sheet = PolicySheet(policy)
            guard let named = sheet.policy() else {
                return wrongPolicyFile(sheet.faults["name"] ?? PolicyTexts.badName, visit)
            }
            return reply(try await policyConfirmation(named, nil, visit), to: visit)
        } catch let failure as PolicyFailure {
            return wrongPolicyFile(failure.words, visit)
        }
    }

    private func wrongPolicyFile(_ problem: Text, _ visit: Visit) -> Reply {
        var form = FormPage(
            action: Address("/console/policy/upload"),
            fields: [
                Field(
                    name: "file",
                    label: PolicyTexts.upload,
                    kind: .file(accept: ".txt,.yaml,.yml,text/plain"),
                    hint: PolicyTexts.uploadHint,
                    error: problem
                )
            ],
            button: PolicyTexts.read,
            busy: CommonTexts.busy
        )
        form.hasFiles = true
        var page = formPage(PolicyTexts.upload, lead: nil, form, visit)
        page.status = .unprocessableContent
        return reply(page, to: visit)
    }

    /// Compares a preset or an earlier policy with the one in force.
    private func comparePolicy(_ visit: Visit) async throws -> Reply {
        var found = Policy.shipped.first { $0.name == visit.query["preset"] }
        if let number = visit.query["number"].flatMap({ Int64($0) }) {
            found = try await taxi.adoptedPolicy(number)?.policy
        }
        guard let found else { throw Failure.notFound }
        return reply(try await policyConfirmation(found, nil, visit), to: visit)
    }

    /// The differences from the policy in force, and the button that puts the new one into force.
    private func policyConfirmation(
        _ policy: Policy,
        _ problem: Text?,
        _ visit: Visit
    ) async throws -> Page {
        let inForce = try await taxi.dispatch.read { $0.policy }
        let changed = PolicyRule.all.filter { policy[$0.key] != inForce[$0.key] }
        let rows = changed.map { rule -> HTML in
            """
            <tr><th scope="row">\(visit.say(rule.title))</th>\
            <td>\(visit.say(rule.words(of: inForce[rule.key])))</td>\
            <td>\(visit.say(rule.words(of: policy[rule.key])))</td></tr>
            """
        }
        let table = ConsoleTable(
            caption: PolicyTexts.changes,
            heads: [PolicyTexts.rule, PolicyTexts.before, PolicyTexts.after],
            rows: rows
        )
        let lead =
            changed.isEmpty
            ? PolicyTexts.same(policy.name)
            : PolicyTexts.differences(changed.count, policy.name)
        var form = FormPage(
            action: Address("/console/policy/adopt"),
            fields: [.note(visit)],
            button: PolicyTexts.adopt,
            busy: CommonTexts.busy
        )
        form.problem = problem
        form.extra = """
            <input type="hidden" name="policy" value="\(policy.fileText)">
            <input type="hidden" name="replaces" value="\(String(inForce.hash, radix: 16))">
            """
        var page = Page(
            PolicyTexts.confirm,
            body: """
                <h1>\(visit.say(PolicyTexts.confirm))</h1>
                <p class="lead">\(visit.say(lead))</p>
                \(HTML.when(!changed.isEmpty, table.html(visit)))
                \(form.html(visit))
                <p><a href="/console/policy">\(visit.say(PolicyTexts.back))</a></p>
                """
        )
        page.hasForm = true
        return page
    }

    private func adoptPolicy(_ visit: Visit) async throws -> Reply {
        guard let session = visit.session, let person = session.person else {
            throw Failure.notSignedIn
        }
        // Validate the submitted policy like a file, because anyone can forge a form.
        guard let read = try? Policy(text: visit.form["policy"] ?? ""),
            let replaced = UInt64(visit.form["replaces"] ?? "", radix: 16)
        else { throw Failure.badRequest }
        var sheet = PolicySheet(read)
        guard let policy = sheet.policy() else { throw Failure.badRequest }
        guard await isBackedUp(before: "adopt policy \(policy.name)", visit) else {
            return try await refusedPolicy(policy, SetUpTexts.noBackup, visit)
        }
        let act = try accounts.noting(
            .adoptPolicy,
            object: "\(policy.name) \(String(policy.hash, radix: 16))",
            by: session,
            at: visit.now
        )
        do {
            _ = try await taxi.adopt(
                policy,
                by: person.rawValue,
                note: visit.note,
                replacing: replaced,
                with: [act]
            )
        } catch TaxiService.Failure.planOutdated {
            return try await refusedPolicy(policy, PolicyTexts.outdated, visit)
        }
        await settleActs(visit)
        return .redirect(to: Address("/console/policy", query: ["notice": "adopted"]))
    }

    private func refusedPolicy(
        _ policy: Policy,
        _ problem: Text,
        _ visit: Visit
    ) async throws -> Reply {
        var page = try await policyConfirmation(policy, problem, visit)
        page.status = .conflict
        return reply(page, to: visit)
    }
}
