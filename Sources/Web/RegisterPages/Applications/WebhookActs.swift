import Chronology
import Encoding
import HTTPTypes
import Identity
import Localization
import Markup
import TaxiPages
import WebCore
import Webhooks

/// What is typed about a webhook.
struct WebhookEntry {
    var address = ""
    var kinds: Set<WebhookEvent.Kind> = [.rideFound, .rideArrived, .rideLost, .rideEnded]
    var problems: [WebhookProblem] = []

    func error(_ isOfField: (WebhookProblem) -> Bool) -> Text? {
        problems.first(where: isOfField)?.text
    }
}

/// What the office does with the webhooks of applications.
extension RegisterPages {
    // MARK: Forms

    /// The form of a webhook; `endpoint` is nil for a new one.
    func webhookForm(
        _ found: Application,
        _ endpoint: WebhookEndpoint?,
        _ entry: WebhookEntry,
        _ context: RequestContext
    ) -> Page {
        let isNew = endpoint == nil
        let kinds = entry.kinds.sorted().map(\.rawValue).joined(separator: ",")
        var form = FormPage(
            action: endpoint.map { webhookAddress(found, $0, "edit") }
                ?? Address("/console/apps", "\(found.number)", "webhook-new"),
            fields: [
                // What follows the host may contain a key, so it is never shown again.
                Field(
                    name: "address",
                    label: WebhookTexts.address,
                    hint: endpoint.map { WebhookTexts.keepAddress($0.host) }
                        ?? WebhookTexts.addressHint,
                    value: entry.address,
                    error: entry.error { $0 == .badAddress || $0 == .notEncrypted },
                    isRequired: isNew
                ),
                Field(
                    name: "events",
                    label: WebhookTexts.events,
                    kind: .several(WebhookEvent.Kind.chosen.map { ($0.rawValue, $0.text) }),
                    value: kinds,
                    error: entry.error { $0 == .noKinds }
                ),
            ],
            button: isNew ? WebhookTexts.addButton : CommonTexts.save,
            busy: CommonTexts.busy
        )
        form.problem = entry.error {
            if case .tooMany = $0 { true } else { false }
        }
        let title = endpoint.map { Text(same: $0.host) } ?? WebhookTexts.add
        var page = formPage(title, lead: WebhookTexts.addLead, form, context)
        if !entry.problems.isEmpty { page.status = .unprocessableContent }
        return page
    }

    func secretForm(
        _ found: Application,
        _ endpoint: WebhookEndpoint,
        _ context: RequestContext
    ) -> Page {
        let form = FormPage(
            action: webhookAddress(found, endpoint, "secret"),
            fields: [],
            button: WebhookTexts.newSecret,
            busy: CommonTexts.busy
        )
        let lead = WebhookTexts.newSecretLead
        return formPage(WebhookTexts.newSecret, icon: .key, lead: lead, form, context)
    }

    func removeForm(
        _ found: Application,
        _ endpoint: WebhookEndpoint,
        _ context: RequestContext
    ) -> Page {
        var form = FormPage(
            action: webhookAddress(found, endpoint, "remove"),
            fields: [],
            button: WebhookTexts.remove,
            busy: CommonTexts.busy
        )
        form.isDestructive = true
        return formPage(
            Text(same: endpoint.host),
            icon: .bin,
            lead: WebhookTexts.removeLead,
            form,
            context
        )
    }

    // MARK: Acts

    private func entry(_ context: RequestContext) -> WebhookEntry {
        WebhookEntry(
            address: (context.form["address"] ?? "").trimmingBlanks(),
            kinds: Set(context.form.all("events").compactMap(WebhookEvent.Kind.init(rawValue:)))
        )
    }

    func addWebhook(_ context: RequestContext) async throws -> Response {
        let found = try await application(context)
        var entry = entry(context)
        let form = WebhookForm(address: entry.address, kinds: entry.kinds)
        entry.problems = form.problems(webhooks.scope)
        guard entry.problems.isEmpty else {
            return response(webhookForm(found, nil, entry, context), to: context)
        }
        do {
            let made = try await webhooks.add(
                form,
                to: found.number,
                at: context.now,
                noting: noting(.addWebhook, found, after: form.shown, context)
            )
            let endpoint = try await webhooks.endpoint(made.number, of: found.number)
            return secretPage(made.secret, found, endpoint, context)
        } catch let problem as WebhookProblem {
            entry.problems = [problem]
            return response(webhookForm(found, nil, entry, context), to: context)
        }
    }

    func changeWebhook(_ context: RequestContext) async throws -> Response {
        let (found, endpoint) = try await webhook(context)
        var entry = entry(context)
        let form = WebhookForm(
            address: entry.address.isEmpty ? endpoint.address : entry.address,
            kinds: entry.kinds
        )
        entry.problems = form.problems(webhooks.scope)
        guard entry.problems.isEmpty else {
            return response(webhookForm(found, endpoint, entry, context), to: context)
        }
        let before = WebhookForm(address: endpoint.address, kinds: endpoint.kinds).shown
        try await doing {
            _ = try await webhooks.change(
                endpoint.number,
                of: found.number,
                to: form,
                noting: noting(
                    .changeWebhook,
                    found,
                    before: before,
                    after: form.shown,
                    context
                )
            )
        }
        return back(to: endpoint, of: found, "changed")
    }

    func removeWebhook(_ context: RequestContext) async throws -> Response {
        let (found, endpoint) = try await webhook(context)
        let before = WebhookForm(address: endpoint.address, kinds: endpoint.kinds).shown
        try await doing {
            _ = try await webhooks.remove(
                endpoint.number,
                of: found.number,
                noting: noting(.removeWebhook, found, before: before, context)
            )
        }
        return .redirect(
            to: Address("/console/apps", "\(found.number)", query: ["notice": "webhook-removed"])
        )
    }

    func replaceSecret(_ context: RequestContext) async throws -> Response {
        let (found, endpoint) = try await webhook(context)
        let secret = try await doing {
            try await webhooks.replaceSecret(
                of: endpoint.number,
                of: found.number,
                at: context.now,
                noting: noting(.replaceWebhookSecret, found, before: endpoint.host, context)
            )
        }
        return secretPage(secret, found, endpoint, context)
    }

    func openWebhook(_ context: RequestContext) async throws -> Response {
        let (found, endpoint) = try await webhook(context)
        try await doing {
            _ = try await webhooks.open(
                endpoint.number,
                of: found.number,
                noting: noting(.openWebhook, found, after: endpoint.host, context)
            )
        }
        return back(to: endpoint, of: found, "opened")
    }

    func sendTest(_ context: RequestContext) async throws -> Response {
        let (found, endpoint) = try await webhook(context)
        return try await sending(to: endpoint, of: found, "tested") {
            _ = try await webhooks.sendTest(
                to: endpoint.number,
                of: found.number,
                at: context.now,
                noting: noting(.sendWebhook, found, after: "\(endpoint.host) test", context)
            )
        }
    }

    func sendAgain(_ context: RequestContext) async throws -> Response {
        let (found, endpoint) = try await webhook(context)
        let id = context.form["message"] ?? ""
        return try await sending(to: endpoint, of: found, "sent") {
            try await webhooks.sendAgain(
                id,
                to: endpoint.number,
                of: found.number,
                at: context.now,
                noting: noting(.sendWebhook, found, after: "\(endpoint.host) \(id)", context)
            )
        }
    }

    private func sending(
        to endpoint: WebhookEndpoint,
        of found: Application,
        _ notice: String,
        _ body: () async throws -> Void
    ) async throws -> Response {
        do {
            try await doing(body)
            return back(to: endpoint, of: found, notice)
        } catch WebhookProblem.isShut {
            return back(to: endpoint, of: found, "shut")
        }
    }

    /// Does something with a webhook, which may be gone by now.
    private func doing<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch WebhookProblem.unknown {
            throw Failure.notFound
        }
    }

    private func back(
        to endpoint: WebhookEndpoint,
        of found: Application,
        _ notice: String
    ) -> Response {
        .redirect(to: webhookAddress(found, endpoint, query: ["notice": notice]))
    }

    /// The only page that shows a secret: the direct response to the form, so that the secret is
    /// not stored anywhere in the clear.
    private func secretPage(
        _ secret: WebhookSecret,
        _ found: Application,
        _ endpoint: WebhookEndpoint,
        _ context: RequestContext
    ) -> Response {
        var dialog = Dialog(
            WebhookTexts.secretTitle,
            icon: .key,
            text: "\(context.say(WebhookTexts.secretLead))",
            actions: Button(
                WebhookTexts.kept,
                .link(webhookAddress(found, endpoint)),
                look: .primary
            ).html(context)
        )
        dialog.content = "<p class=\"key\"><code>\(secret.text)</code></p>"
        let page = Page(WebhookTexts.secretTitle, body: dialog.html(context))
        var answer = response(page, to: context)
        answer.headers[.cacheControl] = "no-store"
        answer.repeated = webhookAddress(found, endpoint, query: ["notice": "added"])
        return answer
    }

    /// Writes the note of an act; of an address, it has the host alone.
    private func noting(
        _ act: AuditAct,
        _ found: Application,
        before: String = "",
        after: String = "",
        _ context: RequestContext
    ) -> WebhookRegister.Noting {
        let note = AuditNote(
            by: context.session?.person,
            act,
            object: "application \(found.number)",
            before: before,
            after: after
        )
        let now = context.now
        return { try AuditTrail.append(note, under: nil, at: now, in: $0) }
    }
}

extension WebhookForm {
    /// The host and the events, without what may contain a key.
    fileprivate var shown: String {
        let words = kinds.sorted().map(\.rawValue).joined(separator: " ")
        return "\(WebhookAddress.origin(of: address)) \(words)"
    }
}
