package import Chronology
package import HTTPClient

/// An address to which an application is told.
package struct WebhookEndpoint: Hashable, Sendable {
    /// How an endpoint is.
    package enum State: Hashable, Sendable {
        /// The last message was acknowledged, or there was none yet.
        case working
        /// Every attempt failed since this moment.
        case failing(since: Moment)
        /// It receives nothing until somebody opens it again.
        case shut(at: Moment)
    }

    /// The number of the endpoint.
    package let number: Int64
    /// The number of the application.
    package let application: Int64
    /// The address, which may contain a key; empty if the application reads a stream instead.
    package let address: String
    /// The types of events that it receives.
    package let kinds: Set<WebhookEvent.Kind>
    /// Whether it works, fails, or was shut.
    package let state: State
    /// When it was made.
    package let made: Moment
    /// Until when messages are signed with the secret before too; nil if there is none.
    package let formerEnds: Moment?

    /// The scheme and host of the address, which can be shown.
    package var host: String { address.isEmpty ? "stream" : WebhookAddress.origin(of: address) }
}

/// An endpoint with its new secret, which cannot be read again.
package struct SecretWebhook: Sendable {
    /// The endpoint.
    package let endpoint: WebhookEndpoint
    /// The secret that signs its messages.
    package let secret: WebhookSecret
}

/// What somebody enters about an endpoint.
package struct WebhookForm: Hashable, Sendable {
    /// The address that receives messages, as it was entered.
    package var address: String
    /// The types of events that it receives.
    package var kinds: Set<WebhookEvent.Kind>

    /// Creates a form from its fields.
    package init(address: String, kinds: Set<WebhookEvent.Kind>) {
        self.address = address
        self.kinds = kinds
    }

    /// What is wrong with the form.
    package func problems(_ scope: NetworkScope) -> [WebhookProblem] {
        var problems: [WebhookProblem] = []
        if let problem = WebhookAddress.problem(of: address, scope) { problems.append(problem) }
        if kinds.isEmpty || kinds.contains(.test) { problems.append(.noKinds) }
        return problems
    }
}

/// What is wrong with a form or an order about webhooks.
package enum WebhookProblem: Error, Hashable, Sendable {
    /// It is no address of a web server.
    case badAddress
    /// The address is not encrypted.
    case notEncrypted
    /// No type of event is chosen.
    case noKinds
    /// The application has as many endpoints as it may have.
    case tooMany(limit: Int)
    /// The endpoint is shut, so that nothing is sent to it.
    case isShut
    /// There is no such endpoint or delivery.
    case unknown
}
