import Identity
import Localization
import WebCore
import Webhooks

/// The webhooks of applications: what they were told, and how (issue 34).
extension RegisterPages {
    /// The pages of an application's webhooks, and what the office does with them.
    var webhookRoutes: [Route] { webhookPageRoutes + webhookFormRoutes }

    private var webhookPageRoutes: [Route] {
        [
            .get(
                "/console/apps/{number}/webhooks/{webhook}",
                as: "webhooks.show",
                for: .administrator,
                showWebhook
            )
            .taking([.application, Self.webhook, .notice])
            .taking([
                .query("before", .number(1...Int64.max), "The last message of the page before.")
            ]),
            .post(
                "/console/apps/{number}/webhooks/{webhook}/test",
                as: "webhooks.test",
                for: .administrator,
                sendTest
            )
            .taking([.application, Self.webhook])
            .answering(.redirect),
            .post(
                "/console/apps/{number}/webhooks/{webhook}/open",
                as: "webhooks.open",
                for: .administrator,
                openWebhook
            )
            .taking([.application, Self.webhook])
            .answering(.redirect),
            .post(
                "/console/apps/{number}/webhooks/{webhook}/send",
                as: "webhooks.send",
                for: .administrator,
                sendAgain
            )
            .taking([
                .application, Self.webhook,
                .set("message", .text(80), "The id of the message.").required,
            ])
            .answering(.redirect),
        ]
    }

    private var webhookFormRoutes: [Route] {
        [
            .get(
                "/console/apps/{number}/webhook-new",
                as: "webhooks.new.form",
                for: .graveAdministrator
            ) { context in
                let found = try await application(context)
                return response(webhookForm(found, nil, WebhookEntry(), context), to: context)
            }
            .taking([.application])
            .answering(.page, .redirect),
            .post(
                "/console/apps/{number}/webhook-new",
                as: "webhooks.new",
                for: .graveAdministrator,
                addWebhook
            )
            .taking([.application])
            .taking(Self.webhookFields),
            .get(
                "/console/apps/{number}/webhooks/{webhook}/edit",
                as: "webhooks.edit.form",
                for: .graveAdministrator
            ) { context in
                let (found, endpoint) = try await webhook(context)
                let entry = WebhookEntry(kinds: endpoint.kinds)
                return response(webhookForm(found, endpoint, entry, context), to: context)
            }
            .taking([.application, Self.webhook])
            .answering(.page, .redirect),
            .post(
                "/console/apps/{number}/webhooks/{webhook}/edit",
                as: "webhooks.edit",
                for: .graveAdministrator,
                changeWebhook
            )
            .taking([.application, Self.webhook])
            .taking(Self.webhookFields),
            .get(
                "/console/apps/{number}/webhooks/{webhook}/secret",
                as: "webhooks.secret.form",
                for: .graveAdministrator
            ) { context in
                let (found, endpoint) = try await webhook(context)
                return response(secretForm(found, endpoint, context), to: context)
            }
            .taking([.application, Self.webhook])
            .answering(.page, .redirect),
            .post(
                "/console/apps/{number}/webhooks/{webhook}/secret",
                as: "webhooks.secret",
                for: .graveAdministrator,
                replaceSecret
            )
            .taking([.application, Self.webhook]),
            .get(
                "/console/apps/{number}/webhooks/{webhook}/remove",
                as: "webhooks.remove.form",
                for: .graveAdministrator
            ) { context in
                let (found, endpoint) = try await webhook(context)
                return response(removeForm(found, endpoint, context), to: context)
            }
            .taking([.application, Self.webhook])
            .answering(.page, .redirect),
            .post(
                "/console/apps/{number}/webhooks/{webhook}/remove",
                as: "webhooks.remove",
                for: .graveAdministrator,
                removeWebhook
            )
            .taking([.application, Self.webhook])
            .answering(.redirect),
        ]
    }

    private static let webhook = InputField.path(
        "webhook",
        .number(1...Int64.max),
        "The number of the webhook."
    )

    private static let webhookFields: [InputField] = [
        .typed("address", .text(WebhookAddress.sizeLimit), "The address; none keeps the present."),
        .set(
            "events",
            .several(
                .choice(WebhookEvent.Kind.chosen.map(\.rawValue)),
                WebhookEvent.Kind.chosen.count
            ),
            "The types of events that it receives."
        ).explained,
    ]

    /// The application and the webhook of a page.
    ///
    /// - Throws: `Failure.notFound` if there is no such webhook of the application.
    func webhook(
        _ context: RequestContext
    ) async throws -> (application: Application, endpoint: WebhookEndpoint) {
        let found = try await application(context)
        guard let number = context.parameters["webhook"].flatMap({ Int64($0) }) else {
            throw Failure.notFound
        }
        do {
            return (found, try await webhooks.endpoint(number, of: found.number))
        } catch WebhookProblem.unknown {
            throw Failure.notFound
        }
    }
}
