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
            .get("/console/policy", as: "policy.show", for: .staff, showPolicy)
                .taking([.notice]),
            .get("/console/policy/file", as: "policy.file", for: .staff, downloadPolicy)
                .taking([
                    .query(
                        "number",
                        .text(20),
                        "The number of an earlier policy; without it, the one in force."
                    ).explained
                ])
                .answering(.file("text/plain"))
                .failing(.notFound),
            .get("/console/policy/edit", as: "policy.edit", for: .graveAdministrator) { context in
                let policy = try await taxi.dispatch.read { $0.policy }
                return response(policyForm(PolicySheet(policy), context), to: context)
            },
            .post("/console/policy/edit", as: "policy.check", for: .graveAdministrator, checkPolicy)
                .taking(Self.policyFields)
                .repeated(because: "it shows what would happen, and changes nothing"),
            .post(
                "/console/policy/upload",
                as: "policy.upload",
                for: .graveAdministrator,
                uploadPolicy
            )
            .taking([.typed("file", .file(nil), "A policy as text.")])
            .repeated(because: "it shows what would happen, and changes nothing"),
            .get(
                "/console/policy/compare",
                as: "policy.compare",
                for: .graveAdministrator,
                comparePolicy
            )
            .taking([
                .query("preset", .text(40), "The name of a preset."),
                .query("number", .identifier, "The number of an earlier policy."),
            ])
            .failing(.notFound),
            .post(
                "/console/policy/adopt",
                as: "policy.adopt",
                for: .graveAdministrator,
                adoptPolicy
            )
            .taking([
                .set("policy", .opaque(Self.policyFileLimit), "The policy as text.").required,
                .set("replaces", .text(16), "The fingerprint of the policy in force.").required,
                .note,
            ]),
        ]
    }

    /// The maximum size of a policy file in bytes.
    static let policyFileLimit = 64 * 1_024

    private func downloadPolicy(_ context: RequestContext) async throws -> Response {
        var text = try await taxi.dispatch.read { $0.policy }.fileText
        if let number = context.query["number"] {
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

    private func policyForm(_ sheet: PolicySheet, _ context: RequestContext) -> Page {
        let form = FormPage(
            action: Address("/console/policy/edit"),
            fields: sheet.fields,
            button: PolicyTexts.check,
            busy: CommonTexts.busy
        )
        return formPage(PolicyTexts.editTitle, lead: PolicyTexts.editLead, form, context)
    }

    private func checkPolicy(_ context: RequestContext) async throws -> Response {
        var sheet = PolicySheet(context.form)
        guard let policy = sheet.policy() else {
            var page = policyForm(sheet, context)
            page.status = .unprocessableContent
            return response(page, to: context)
        }
        return response(try await policyConfirmation(policy, nil, context), to: context)
    }

    private func uploadPolicy(_ context: RequestContext) async throws -> Response {
        let bytes = context.form.file("file")?.bytes ?? []
        guard !bytes.isEmpty, bytes.count <= Self.policyFileLimit,
            let text = String(validating: bytes, as: UTF8.self)
        else { return wrongPolicyFile(PolicyTexts.notText, context) }
        do {
            let policy = try Policy(text: text)
            var sheet = PolicySheet(policy)
            guard let named = sheet.policy() else {
                return wrongPolicyFile(sheet.faults["name"] ?? PolicyTexts.badName, context)
            }
            return response(try await policyConfirmation(named, nil, context), to: context)
        } catch let failure as PolicyFailure {
            return wrongPolicyFile(failure.text, context)
        }
    }

    private func wrongPolicyFile(_ problem: Text, _ context: RequestContext) -> Response {
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
        var page = formPage(PolicyTexts.upload, lead: nil, form, context)
        page.status = .unprocessableContent
        return response(page, to: context)
    }

    /// Compares a preset or an earlier policy with the one in force.
    private func comparePolicy(_ context: RequestContext) async throws -> Response {
        var found = Policy.shipped.first { $0.name == context.query["preset"] }
        if let number = context.query["number"].flatMap({ Int64($0) }) {
            found = try await taxi.adoptedPolicy(number)?.policy
        }
        guard let found else { throw Failure.notFound }
        return response(try await policyConfirmation(found, nil, context), to: context)
    }

    /// The differences from the policy in force, and the button that puts the new one into force.
    private func policyConfirmation(
        _ policy: Policy,
        _ problem: Text?,
        _ context: RequestContext
    ) async throws -> Page {
        let inForce = try await taxi.dispatch.read { $0.policy }
        let changed = PolicyRule.all.filter { policy[$0.key] != inForce[$0.key] }
        let rows = changed.map { rule -> [HTML] in
            [
                "\(context.say(rule.title))",
                "\(context.say(rule.text(of: inForce[rule.key])))",
                "<b>\(context.say(rule.text(of: policy[rule.key])))</b>",
            ]
        }
        let table = DataTable(
            caption: PolicyTexts.changes,
            [
                DataTable.Column(PolicyTexts.rule), DataTable.Column(PolicyTexts.before),
                DataTable.Column(PolicyTexts.after),
            ],
            rows: rows
        )
        let lead =
            changed.isEmpty
            ? PolicyTexts.same(policy.name)
            : PolicyTexts.differences(changed.count, policy.name)
        var form = FormPage(
            action: Address("/console/policy/adopt"),
            fields: [.note(context)],
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
                <h1>\(context.say(PolicyTexts.confirm))</h1>
                <p class="lead">\(context.say(lead))</p>
                \(HTML.when(!changed.isEmpty, table.html(context)))
                \(form.html(context))
                <p><a href="/console/policy">\(context.say(PolicyTexts.back))</a></p>
                """
        )
        page.hasForm = true
        return page
    }

    private func adoptPolicy(_ context: RequestContext) async throws -> Response {
        guard let session = context.session, let person = session.person else {
            throw Failure.notSignedIn
        }
        // Validate the submitted policy like a file, because anyone can forge a form.
        guard let read = try? Policy(text: context.form["policy"] ?? ""),
            let replaced = UInt64(context.form["replaces"] ?? "", radix: 16)
        else { throw Failure.badRequest }
        var sheet = PolicySheet(read)
        guard let policy = sheet.policy() else { throw Failure.badRequest }
        guard await isBackedUp(before: "adopt policy \(policy.name)", context) else {
            return try await refusedPolicy(policy, SetUpTexts.noBackup, context)
        }
        let act = try accounts.noting(
            .adoptPolicy,
            object: "\(policy.name) \(String(policy.hash, radix: 16))",
            by: session,
            at: context.now
        )
        do {
            _ = try await taxi.adopt(
                policy,
                by: person.rawValue,
                note: context.note,
                replacing: replaced,
                with: [act]
            )
        } catch TaxiService.Failure.planOutdated {
            return try await refusedPolicy(policy, PolicyTexts.outdated, context)
        }
        await settleActs(context)
        return .redirect(to: Address("/console/policy", query: ["notice": "adopted"]))
    }

    private func refusedPolicy(
        _ policy: Policy,
        _ problem: Text,
        _ context: RequestContext
    ) async throws -> Response {
        var page = try await policyConfirmation(policy, problem, context)
        page.status = .conflict
        return response(page, to: context)
    }
}

extension ConsolePages {
    /// The name of the policy and one field for each rule.
    fileprivate static let policyFields: [InputField] =
        [.typed("name", .text(40), "The name of the policy.")]
        + Policy.rows.map { row in
            .typed(row.name, .several(.text(60), 20), "A rule of the policy, as in its file.")
        }
}

extension InputField {
    /// Why a policy or a tariff is adopted.
    static let note = typed("note", .text(200), "Why this is done.")
}
