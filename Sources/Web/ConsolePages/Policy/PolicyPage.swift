import Dispatching
import HTTPTypes
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore

extension ConsolePages {
    /// The rules in force: what they promise in a few sentences, then all of them by group.
    func showPolicy(_ context: RequestContext) async throws -> Response {
        let policy = try await taxi.dispatch.read { $0.policy }
        let history = try await taxi.adoptedPolicies(limit: 50)
        let table = await policyHistory(history, context)
        let name = StateChip(PolicyTexts.inForce(policy.name), icon: .check, tone: .good)
        let isFirst = history.isEmpty
        let isNew = Notice(.information, "\(context.say(PolicyTexts.never))").html(context)
        let groups = PolicyRule.groups.enumerated().map { number, group in
            ruleGroup(number, group, policy, context)
        }
        var page = Page(
            PolicyTexts.title,
            body: """
                \(policyNotice(context))
                <h1>\(context.say(PolicyTexts.title))</h1>
                <p>\(name.html(context))</p>
                \(HTML.when(isFirst, isNew))
                \(promises(policy, context))
                \(HTML.when(context.isOfAdministration, policyActions(isFirst: isFirst, context)))
                \(modules(policy, context))
                <nav aria-label="\(context.say(PolicyTexts.groups))">\
                \(groupLinks.html(context))</nav>
                \(groups)
                \(table)
                <p class="hint">\(context.say(PolicyTexts.version(policy.hash)))</p>
                """
        )
        page.hasForm = true
        return response(page, to: context)
    }

    private func policyNotice(_ context: RequestContext) -> HTML? {
        guard context.query["notice"] == "adopted" else { return nil }
        return Notice(.success, isAnnounced: true, "\(context.say(PolicyTexts.adopted))")
            .html(context)
    }

    /// What the rules promise to passengers and drivers, in sentences.
    private func promises(_ policy: Policy, _ context: RequestContext) -> HTML {
        func value(_ key: Policy.Key) -> Text {
            PolicyRule.all.first { $0.key == key }?.text(of: policy[key]) ?? Text(same: "")
        }
        let sentences: [(Icon, Text)] = [
            (.clock, PolicyTexts.promiseAnswer(value(.offerTimeout))),
            (
                .calendar,
                policy.reserving
                    ? PolicyTexts.promiseReservation(
                        LaterTexts.length(policy[.reserveMin]),
                        LaterTexts.length(policy[.reserveMax])
                    )
                    : Refusal.reservationsDisabled.text
            ),
            (.close, PolicyTexts.promiseCancel(value(.cancelRequest))),
            (.people, PolicyTexts.promiseGuests(value(.guestRequests))),
            (.key, PolicyTexts.promiseCode(value(.pinDigits))),
        ]
        let rows = sentences.map { Row($0, "\(context.say($1))") }
        return """
            <h2>\(context.say(PolicyTexts.promises))</h2>\(Rows(rows).html)
            """
    }

    /// The actions for administrators: edit rules, choose a preset, upload a file.
    ///
    /// Before the first rules are adopted, the presets are unfolded.
    private func policyActions(isFirst: Bool, _ context: RequestContext) -> HTML {
        let options = Policy.shipped.reversed().map { preset -> HTML in
            "<option>\(preset.name)</option>"
        }
        let edit = Button(
            PolicyTexts.edit,
            .link(Address("/console/policy/edit")),
            look: .primary,
            icon: .edit
        )
        let file = Button(
            PolicyTexts.download,
            .link(Address("/console/policy/file")),
            icon: .download
        )
        let preset = FoldedRow(
            .rules,
            PolicyTexts.choose,
            value: .empty,
            isOpen: isFirst,
            content: """
                <form class="fields" action="/console/policy/compare">
                <div class="field"><label for="field-preset">\(context.say(PolicyTexts.choose))\
                </label>
                <span class="hint" id="field-preset-hint">\(context.say(PolicyTexts.chooseLead))\
                </span>
                <select id="field-preset" name="preset" aria-describedby="field-preset-hint">\
                \(options)</select></div>
                <p><button>\(context.say(PolicyTexts.use))</button></p></form>
                """
        )
        let upload = FoldedRow(
            .upload,
            PolicyTexts.upload,
            value: .empty,
            content: """
                <form class="fields" method="post" action="/console/policy/upload" \
                enctype="multipart/form-data">\(context.formToken)
                \(Field(
                    name: "file",
                    label: PolicyTexts.upload,
                    kind: .file(accept: ".txt,.yaml,.yml,text/plain"),
                    hint: PolicyTexts.uploadHint
                ).html(context))
                <p><button>\(context.say(PolicyTexts.read))</button></p></form>
                """
        )
        return """
            <p class="actions">\(edit.html(context)) \(file.html(context))</p>
            \(FoldedRow.list([preset, upload], context))
            """
    }

    /// Links to the groups of the page.
    private var groupLinks: Chips {
        let chips = PolicyRule.groups.enumerated().map { number, group in
            Chip(group.title, .link(Address("/console/policy", fragment: "rules-\(number)")))
        }
        return Chips(chips, isLine: true)
    }

    /// The rules of a group as rows, each with the way to change it.
    private func ruleGroup(
        _ number: Int,
        _ group: PolicyRule.Group,
        _ policy: Policy,
        _ context: RequestContext
    ) -> HTML {
        let rows = group.rules.map { rule -> HTML in
            let change: HTML = """
                <dd><a href=\(Address("/console/policy/edit", fragment: "field-\(rule.field)"))>\
                \(context.say(PolicyTexts.change))<span class="hidden"> \
                \(context.say(rule.title))</span></a></dd>
                """
            return """
                <div><dt><b>\(context.say(rule.title))</b> <span class="hint">\
                \(context.say(rule.text))</span></dt>\
                <dd><b>\(context.say(rule.text(of: policy[rule.key])))</b></dd>\
                \(context.isOfAdministration ? change : "<dd></dd>")</div>
                """
        }
        return """
            <h2 id="rules-\(number)">\(context.say(group.title))</h2>
            <dl class="summary rules">\(rows)</dl>
            """
    }

    private func policyHistory(_ history: [AdoptedPolicy], _ context: RequestContext) async -> HTML
    {
        guard !history.isEmpty else { return .empty }
        var rows: [[HTML]] = []
        for entry in history {
            let author = await nameOfAuthor(entry.author, context)
            let name = entry.policy?.name ?? context.say(PolicyTexts.unreadable)
            let number = "\(entry.sequence)"
            let again: HTML = """
                <a href=\(Address("/console/policy/compare", query: ["number": number]))>\
                \(context.say(PolicyTexts.again))<span class="hidden"> \(name)</span></a>
                """
            rows.append([
                "\(name)", time(entry.moment, context), "\(author)", "\(entry.note)",
                """
                <a href=\(Address("/console/policy/file", query: ["number": number]))>\
                \(context.say(TariffTexts.downloadOne))<span class="hidden"> \(name)</span></a>
                """,
                HTML.when(context.isOfAdministration, again),
            ])
        }
        let heads = [
            PolicyTexts.name, TariffTexts.moment, TariffTexts.author, TariffTexts.note,
            TariffTexts.file, CommonTexts.action,
        ]
        return DataTable(
            caption: PolicyTexts.history,
            heads.map { DataTable.Column($0) },
            rows: rows
        )
        .html(context)
    }
}
