import Chronology
import Identity
import Localization
import Markup
import TaxiPages
import WebCore
import Webhooks

/// The page of a webhook: how it is, and every attempt to deliver a message.
extension RegisterPages {
    /// How many messages a page lists.
    private static let messagesShown = 20

    /// The webhooks of an application, on its page.
    func webhookSection(_ found: Application, _ context: RequestContext) async throws -> HTML {
        let all = try await webhooks.endpoints(of: found.number)
        if found.revoked != nil, all.isEmpty { return .empty }
        // At the end of the row, the state would leave a phone no room for the address.
        let rows = all.map { endpoint in
            Row(
                .bell,
                "\(endpoint.host)",
                detail: """
                    \(endpoint.state.chip.html(context)) \(kinds(endpoint.kinds, context))
                    """,
                address: webhookAddress(found, endpoint)
            )
        }
        let new = Address("/console/apps", "\(found.number)", "webhook-new")
        let add: HTML = """
            <p class="actions">\(Button(WebhookTexts.add, .link(new), icon: .plus).html(context))\
            </p>
            """
        let lead = all.isEmpty ? WebhookTexts.none : WebhookTexts.lead
        return """
            <section><h2>\(context.say(WebhookTexts.title))</h2>
            <p>\(context.say(lead))</p>
            \(HTML.when(!rows.isEmpty, Rows(rows).html))
            \(HTML.when(found.revoked == nil, add))</section>
            """
    }

    private func kinds(_ kinds: Set<WebhookEvent.Kind>, _ context: RequestContext) -> HTML {
        "\(kinds.sorted().map { context.say($0.text) }.joined(separator: " · "))"
    }

    /// The address of the page of a webhook, or of a part of it.
    func webhookAddress(
        _ found: Application,
        _ endpoint: WebhookEndpoint,
        _ part: String? = nil,
        query: KeyValuePairs<String, String> = [:]
    ) -> Address {
        let (number, webhook) = ("\(found.number)", "\(endpoint.number)")
        return part.map { Address("/console/apps", number, "webhooks", webhook, $0) }
            ?? Address("/console/apps", number, "webhooks", webhook, query: query)
    }

    func showWebhook(_ context: RequestContext) async throws -> Response {
        let (found, endpoint) = try await webhook(context)
        let deliveries = try await webhooks.deliveries(
            to: endpoint.number,
            of: found.number,
            before: context.query["before"].flatMap { Int64($0) },
            limit: Self.messagesShown + 1
        )
        let page = Page(
            Text(same: endpoint.host),
            body: """
                \(webhookNotice(context))
                <p><a href=\(Address("/console/apps", "\(found.number)"))>\(found.form.name)</a></p>
                <h1>\(endpoint.host)</h1>
                <p>\(endpoint.state.chip.html(context))</p>
                \(stateNotice(endpoint, context))
                <p>\(context.say(WebhookTexts.events)): \(kinds(endpoint.kinds, context))</p>
                <dl class="summary facts">
                \(fact(WebhookTexts.made, time(endpoint.made, context), context))
                \(endpoint.formerEnds.map { ends -> HTML in
                    guard context.now < ends else { return .empty }
                    return fact(WebhookTexts.bothSecrets, time(ends, context), context)
                })
                </dl>
                \(HTML.when(found.revoked == nil, actions(found, endpoint, context)))
                \(messages(deliveries, found, endpoint, context))
                """
        )
        return response(page, to: context)
    }

    private func webhookNotice(_ context: RequestContext) -> HTML? {
        let name = context.query["notice"] ?? ""
        let tone: HTML = name == "shut" ? "warn" : "good"
        return WebhookTexts.notices[name].map {
            "<div class=\"notice \(tone)\" role=\"status\"><p>\(context.say($0))</p></div>"
        }
    }

    private func stateNotice(_ endpoint: WebhookEndpoint, _ context: RequestContext) -> HTML {
        let (words, moment): (Text, Moment)
        switch endpoint.state {
        case .working: return .empty
        case .failing(let since): (words, moment) = (WebhookTexts.failingSince, since)
        case .shut(let since): (words, moment) = (WebhookTexts.shutSince, since)
        }
        return """
            <div class="notice warn"><p>\(context.say(words)) \(time(moment, context)).</p></div>
            """
    }

    private func actions(
        _ found: Application,
        _ endpoint: WebhookEndpoint,
        _ context: RequestContext
    ) -> HTML {
        func link(_ part: String, _ text: Text, _ look: Button.Look = .secondary) -> HTML {
            let target = Button.Target.link(webhookAddress(found, endpoint, part))
            return Button(text, target, look: look).html(context)
        }
        var isShut = false
        if case .shut = endpoint.state { isShut = true }
        let (part, text) =
            isShut ? ("open", WebhookTexts.open) : ("test", WebhookTexts.sendTest)
        return """
            <div class="actions"><form method="post" \
            action=\(webhookAddress(found, endpoint, part))>\(context.formToken)\
            \(Button(text, look: .primary).html(context))</form>
            \(link("edit", WebhookTexts.change))
            \(link("secret", WebhookTexts.newSecret))
            \(link("remove", WebhookTexts.remove, .destructive))</div>
            """
    }

    // MARK: Messages

    private func messages(
        _ deliveries: [WebhookDelivery],
        _ found: Application,
        _ endpoint: WebhookEndpoint,
        _ context: RequestContext
    ) -> HTML {
        let shown = deliveries.prefix(Self.messagesShown)
        let table = DataTable(
            caption: WebhookTexts.deliveries,
            [
                DataTable.Column(WebhookTexts.message), DataTable.Column(WebhookTexts.state),
                DataTable.Column(WebhookTexts.attempts), DataTable.Column(WebhookTexts.again),
            ],
            rows: shown.map { row($0, found, endpoint, context) },
            hidesCaption: true
        )
        var older = HTML.empty
        if deliveries.count > shown.count, let last = shown.last {
            let before: KeyValuePairs = ["before": "\(last.position)"]
            let address = webhookAddress(found, endpoint, query: before)
            older = "<p><a href=\(address)>\(context.say(WebhookTexts.older))</a></p>"
        }
        let lead = WebhookTexts.deliveriesLead(webhooks.keptDays)
        let none: HTML = "<p>\(context.say(WebhookTexts.noDeliveries))</p>"
        return """
            <h2>\(context.say(WebhookTexts.deliveries))</h2>
            <p>\(context.say(lead))</p>
            \(shown.isEmpty ? none : table.html(context))
            \(older)
            """
    }

    private func row(
        _ delivery: WebhookDelivery,
        _ found: Application,
        _ endpoint: WebhookEndpoint,
        _ context: RequestContext
    ) -> [HTML] {
        let kind = WebhookEvent.Kind(rawValue: delivery.kind)?.text ?? Text(same: delivery.kind)
        let attempts = delivery.attempts.map { "<li>\(line($0, context))</li>" as HTML }
        let next = delivery.due.map { due -> HTML in
            "<small>\(context.say(WebhookTexts.next)): \(time(due, context))</small>"
        }
        let none: HTML = "\(context.say(WebhookTexts.noAttempts))"
        // A narrow window breaks the id in its middle.
        let (first, second) = (String(delivery.id.prefix(20)), String(delivery.id.dropFirst(20)))
        return [
            """
            <span>\(context.say(kind))<br><small>\(time(delivery.made, context))<br>\
            <code>\(first)<wbr>\(second)</code></small></span>
            """,
            delivery.state.chip.html(context),
            "\(attempts.isEmpty ? none : "<ol>\(attempts)</ol>") \(next)",
            again(delivery, found, endpoint, context),
        ]
    }

    private func line(
        _ attempt: WebhookDelivery.Attempt,
        _ context: RequestContext
    ) -> HTML {
        let words =
            switch (attempt.status, attempt.milliseconds) {
            case (let status?, let took?): WebhookTexts.answered(status, took)
            case (nil, let took?): WebhookTexts.failed(attempt.error ?? "", took)
            case (_, nil): WebhookTexts.underWay
            }
        return """
            \(shortDay(cityDay(attempt.began), context)), \
            \(clock(attempt.began, hasSeconds: true)): \(context.say(words))
            """
    }

    private func again(
        _ delivery: WebhookDelivery,
        _ found: Application,
        _ endpoint: WebhookEndpoint,
        _ context: RequestContext
    ) -> HTML {
        if case .shut = endpoint.state { return .empty }
        guard found.revoked == nil, delivery.state != .behind, delivery.state != .sending else {
            return .empty
        }
        return """
            <form method="post" action=\(webhookAddress(found, endpoint, "send"))>\
            \(context.formToken)<input type="hidden" name="message" value="\(delivery.id)">\
            <button>\(context.say(WebhookTexts.sendAgain))\
            <span class="hidden"> \(delivery.id)</span></button></form>
            """
    }
}
