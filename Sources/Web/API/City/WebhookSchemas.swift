import Webhooks

/// Webhooks and their messages as answers.
extension Schema {
    /// A webhook without its secret, which only its creation answers.
    static let webhook = Schema.named(
        "Webhook",
        [
            Member("number", .integer, "The number of the webhook."),
            Member("address", .text, "Where it sends; empty if you read it as a stream."),
            Member("events", .list(.text), "The types of events that it sends."),
            Member("state", .choice(["working", "failing", "shut"]), "How it is."),
            Member("since", .optional(.moment), "Since when it fails or is shut."),
            Member("made", .moment, "When it was added."),
        ]
    )

    /// A webhook that was added, with its secret.
    static let madeWebhook = Schema.named(
        "MadeWebhook",
        [
            Member("webhook", .webhook, "The webhook."),
            Member("secret", .text, "The secret that signs: whsec_ and Base64. Keep it."),
        ]
    )

    /// A message of a webhook.
    static let delivery = Schema.named(
        "WebhookMessage",
        [
            Member("id", .text, "The header webhook-id, the same in each attempt."),
            Member("type", .text, "The type of the event."),
            Member(
                "state",
                .choice(WebhookDelivery.State.allCases.map(\.rawValue)),
                "How far it is: behind another message about the same ride, waiting, and so on."
            ),
            Member("made", .moment, "When it was written."),
            Member("next_attempt", .optional(.moment), "When it is tried next."),
            Member("body", .text, "The body as it was sent; empty until it was acknowledged."),
            Member("attempts", .list(.attempt), "The attempts, the first one first."),
        ]
    )

    private static let attempt = Schema.named(
        "WebhookAttempt",
        [
            Member("began", .moment, "When it began."),
            Member("milliseconds", .optional(.integer), "How long it took; null if interrupted."),
            Member("status", .optional(.integer), "The status that your receiver answered."),
            Member("error", .optional(.text), "Why there was no answer."),
        ]
    )
}
