import Chronology
import HTTPTypes
import Identity
import OpenData
import TaxiPages
import WebCore
import Webhooks

/// The addresses at which an application is told what happens, and what it was told.
extension CityAPI {
    var webhookOperations: [Operation] {
        endpointOperations + deliveryOperations + streamOperations
    }

    private static let fields: [InputField] = [
        .set("address", .text(WebhookAddress.sizeLimit), "The https address of your receiver.")
            .required,
        .set(
            "events",
            .several(
                .choice(WebhookEvent.Kind.chosen.map(\.rawValue)),
                WebhookEvent.Kind.chosen.count
            ),
            "The types of events to send there."
        ).required,
    ]

    private static let webhook = InputField.path(
        "webhook",
        .number(1...Int64.max),
        "The number of the webhook."
    )

    private static let message = InputField.path("message", .text(80), "The id of the message.")

    private var readWebhook: Operation {
        .get(
            "/api/webhooks/{webhook}",
            as: "api.webhooks.read",
            "Read a webhook",
            in: .webhooks,
            for: WebhookRegister.scopes,
            returns: .webhook
        ) { call in Answer(try await json(call)) }
        .taking([Self.webhook])
    }

    private var endpointOperations: [Operation] {
        let read = readWebhook
        return [
            .get(
                "/api/webhooks",
                as: "api.webhooks.list",
                "List your webhooks",
                in: .webhooks,
                for: WebhookRegister.scopes,
                returns: .object([.init("items", .list(.webhook), "The webhooks, oldest first.")])
            ) { call in
                let items = try await webhooks.endpoints(of: call.application).map(Self.json)
                return Answer(["items": .list(items)])
            },
            .post(
                "/api/webhooks",
                as: "api.webhooks.add",
                "Add a webhook",
                in: .webhooks,
                for: WebhookRegister.scopes,
                returns: .madeWebhook,
                addWebhook
            )
            .taking(Self.fields)
            .failing(.created)
            .onceInTransaction
            .explained(
                """
                Your receiver is sent a POST for each event, signed as Standard Webhooks say, \
                until it answers 2xx. Keep the secret: it is shown only now.
                """
            ),
            read,
            .post(
                "/api/webhooks/{webhook}/change",
                as: "api.webhooks.change",
                "Change a webhook",
                in: .webhooks,
                for: WebhookRegister.scopes,
                returns: .webhook
            ) { call in
                try await refusing {
                    try await webhooks.change(
                        try Self.number(call),
                        of: call.application,
                        to: Self.form(call),
                        answering: { try call.kept(Answer(Self.json($0)), in: $1) }
                    )
                }
            }
            .taking([Self.webhook])
            .taking(Self.fields)
            .onceInTransaction
            .conditional(on: read, web.formsInHand)
            .explained("Messages that wait go to the new address."),
            .post(
                "/api/webhooks/{webhook}/remove",
                as: "api.webhooks.remove",
                "Remove a webhook",
                in: .webhooks,
                for: WebhookRegister.scopes,
                returns: .webhook
            ) { call in
                try await refusing {
                    try await webhooks.remove(
                        try Self.number(call),
                        of: call.application,
                        answering: { try call.kept(Answer(Self.json($0)), in: $1) }
                    )
                }
            }
            .taking([Self.webhook])
            .onceInTransaction
            .explained("Its messages are deleted, and those that wait are not sent."),
            .post(
                "/api/webhooks/{webhook}/secret",
                as: "api.webhooks.secret",
                "Replace the secret of a webhook",
                in: .webhooks,
                for: WebhookRegister.scopes,
                returns: .madeWebhook
            ) { call in
                try await refusing {
                    try await webhooks.replaceSecret(
                        of: try Self.number(call),
                        of: call.application,
                        at: call.now,
                        answering: { try call.kept(Answer(Self.json($0)), in: $1) }
                    )
                }
            }
            .taking([Self.webhook])
            .onceInTransaction
            .explained("For a day, messages are signed with the new secret and the old one."),
            .post(
                "/api/webhooks/{webhook}/open",
                as: "api.webhooks.open",
                "Open a webhook that was shut",
                in: .webhooks,
                for: WebhookRegister.scopes,
                returns: .webhook
            ) { call in
                try await refusing {
                    try await webhooks.open(
                        try Self.number(call),
                        of: call.application,
                        answering: { try call.kept(Answer(Self.json($0)), in: $1) }
                    )
                }
            }
            .taking([Self.webhook])
            .onceInTransaction
            .explained(
                """
                A webhook is shut when nothing was acknowledged for a day, or after an answer 410. \
                What happened meanwhile is not sent: read your rides.
                """
            ),
        ]
    }

    private var deliveryOperations: [Operation] {
        [
            .post(
                "/api/webhooks/{webhook}/test",
                as: "api.webhooks.test",
                "Send a test message",
                in: .webhooks,
                for: WebhookRegister.scopes,
                returns: .delivery
            ) { call in
                try await refusing {
                    try await webhooks.sendTest(
                        to: try Self.number(call),
                        of: call.application,
                        at: call.now,
                        answering: { try call.kept(Answer(Self.json($0)), in: $1) }
                    )
                }
            }
            .taking([Self.webhook])
            .failing(.conflict)
            .onceInTransaction,
            .get(
                "/api/webhooks/{webhook}/messages",
                as: "api.webhooks.messages",
                "List the messages of a webhook",
                in: .webhooks,
                for: WebhookRegister.scopes,
                returns: .page(of: .delivery),
                listDeliveries
            )
            .taking([Self.webhook, .after(.number(1...Int64.max)), .limit])
            .explained("The newest come first, each with all attempts to deliver it."),
            .get(
                "/api/webhooks/{webhook}/messages/{message}",
                as: "api.webhooks.message",
                "Read a message of a webhook",
                in: .webhooks,
                for: WebhookRegister.scopes,
                returns: .delivery
            ) { call in Answer(try await json(of: try call.required("message"), call)) }
            .taking([Self.webhook, Self.message]),
            .post(
                "/api/webhooks/{webhook}/messages/{message}/send",
                as: "api.webhooks.send",
                "Send a message again",
                in: .webhooks,
                for: WebhookRegister.scopes,
                returns: .delivery
            ) { call in
                try await refusing {
                    try await webhooks.sendAgain(
                        try call.required("message"),
                        to: try Self.number(call),
                        of: call.application,
                        at: call.now,
                        answering: { try call.kept(Answer(Self.json($0)), in: $1) }
                    )
                }
            }
            .taking([Self.webhook, Self.message])
            .failing(.conflict)
            .onceInTransaction
            .explained("It has the same id, so a receiver that knows it already ignores it."),
        ]
    }

    private func addWebhook(_ call: Call) async throws -> Answer {
        try await refusing {
            try await webhooks.add(
                Self.form(call),
                to: call.application,
                at: call.now,
                answering: { made, transaction in
                    let place = "/api/webhooks/\(made.endpoint.number)"
                    let answer = Answer(created: Self.json(made), at: place)
                    return try call.kept(answer, in: transaction)
                }
            )
        }
    }

    private func listDeliveries(_ call: Call) async throws -> Answer {
        let found = try await refusing {
            try await webhooks.deliveries(
                to: try Self.number(call),
                of: call.application,
                before: call.number("after"),
                limit: call.limit + 1
            )
        }
        let page = found.prefix(call.limit)
        let next = found.count > page.count ? page.last.map { "\($0.position)" } : nil
        return Answer(["items": .list(page.map(Self.json)), "next": JSONValue(next)])
    }

    // MARK: What is sent and answered

    private static func number(_ call: Call) throws -> Int64 {
        guard let number = call.number("webhook") else { throw Failure.notFound }
        return number
    }

    private static func form(_ call: Call) -> WebhookForm {
        WebhookForm(
            address: call["address"] ?? "",
            kinds: Set(call.all("events").compactMap(WebhookEvent.Kind.init(rawValue:)))
        )
    }

    func refusing<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let problem as WebhookProblem {
            throw problem.refusal
        }
    }

    private func json(_ call: Call) async throws -> JSONValue {
        try await refusing {
            Self.json(
                try await webhooks.endpoint(try Self.number(call), of: call.application)
            )
        }
    }

    private func json(of id: String, _ call: Call) async throws -> JSONValue {
        try await refusing {
            Self.json(
                try await webhooks.delivery(id, to: try Self.number(call), of: call.application)
            )
        }
    }

    static func json(_ endpoint: WebhookEndpoint) -> JSONValue {
        var since: Moment?
        switch endpoint.state {
        case .working: break
        case .failing(let moment), .shut(let moment): since = moment
        }
        return [
            "number": .integer(endpoint.number), "address": .text(endpoint.address),
            "events": .list(endpoint.kinds.sorted().map { .text($0.rawValue) }),
            "state": .text(endpoint.state.word), "since": JSONValue(since),
            "made": JSONValue(endpoint.made),
        ]
    }

    private static func json(_ made: SecretWebhook) -> JSONValue {
        ["webhook": json(made.endpoint), "secret": .text(made.secret.text)]
    }

    private static func json(_ delivery: WebhookDelivery) -> JSONValue {
        [
            "id": .text(delivery.id), "type": .text(delivery.kind),
            "state": .text(delivery.state.rawValue), "made": JSONValue(delivery.made),
            "next_attempt": JSONValue(delivery.due),
            // What was not told may be what the application must not know any more.
            "body": .text(delivery.state == .delivered ? delivery.body : ""),
            "attempts": .list(
                delivery.attempts.map { attempt in
                    [
                        "began": JSONValue(attempt.began),
                        "milliseconds": JSONValue(attempt.milliseconds),
                        "status": JSONValue(attempt.status), "error": JSONValue(attempt.error),
                    ]
                }
            ),
        ]
    }
}

extension WebhookEndpoint.State {
    /// The state for programs.
    fileprivate var word: String {
        switch self {
        case .working: "working"
        case .failing: "failing"
        case .shut: "shut"
        }
    }
}

extension WebhookProblem {
    /// The refusal that programs get.
    fileprivate var refusal: any Error {
        switch self {
        case .badAddress:
            ProgramRefusal.field("address", "malformed", "It is no address of a web server.")
        case .notEncrypted:
            ProgramRefusal.field("address", "not-encrypted", "It must begin with https://.")
        case .noKinds: ProgramRefusal.field("events", "missing", "Choose at least one.")
        case .tooMany(let limit):
            ProgramRefusal(
                "too-many-webhooks",
                .unprocessableContent,
                "There are too many webhooks",
                "Your application may have \(limit). Remove one first."
            )
        case .isShut:
            ProgramRefusal(
                "webhook-shut",
                .conflict,
                "The webhook is shut",
                "Open it first."
            )
        case .unknown: Failure.notFound
        }
    }
}
