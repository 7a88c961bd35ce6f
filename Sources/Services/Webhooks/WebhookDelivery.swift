package import Chronology

/// A message to an endpoint, with all attempts to deliver it.
package struct WebhookDelivery: Hashable, Sendable {
    /// The state of a message.
    package enum State: String, CaseIterable, Sendable {
        /// An earlier message about the same subject is not settled.
        case behind
        /// It waits for its first or a further attempt.
        case waiting
        /// An attempt is being made, or was interrupted and is repeated soon.
        case sending
        /// The receiver acknowledged it.
        case delivered
        /// It was not acknowledged in a day, or the endpoint was shut.
        case givenUp = "given-up"
        /// The application may no longer be told.
        case dropped
    }

    /// An attempt to deliver a message.
    package struct Attempt: Hashable, Sendable {
        /// The number of the attempt, counted from 1.
        package let number: Int64
        /// When the request was sent.
        package let began: Moment
        /// How long it took, in milliseconds; nil while it lasts, or if it was interrupted.
        package let milliseconds: Int64?
        /// The status that the receiver answered with; nil if there was no answer.
        package let status: Int64?
        /// Why there was no answer; nil if there was one.
        package let error: String?
    }

    /// The position of the message among those of its endpoint.
    package let position: Int64
    /// The value of `webhook-id`: the same in each attempt.
    package let id: String
    /// The type of the event.
    package let kind: String
    /// The state of the message.
    package let state: State
    /// When it was written.
    package let made: Moment
    /// When the next attempt is due; nil if none is.
    package let due: Moment?
    /// The body of the message.
    package let body: String
    /// The attempts, the first one first.
    package internal(set) var attempts: [Attempt]
}
