package import Dispatching
package import Storage

extension DispatchService {
    /// The limits and intervals of the service.
    package struct Settings: Sendable {
        /// The identifier of this server among those that share the database.
        package var holder: String
        /// The validity of the lease without renewal, which bounds the outage when a server dies.
        package var leaseTerm: Duration
        /// The usual ``leaseTerm``.
        package static let usualLeaseTerm = Duration.seconds(4)
        /// The number of entries between two snapshots, which bounds the duration of a start.
        package var snapshotInterval: Int64 = 20_000
        /// The most waiting commands, beyond which callers get ``Failure/busy``.
        package var mailboxLimit = 20_000
        /// The most commands per transaction, which bounds the latency of the first of them.
        package var batchLimit = 1_000
        /// How long answers to idempotency keys are kept.
        package var answersKept: Duration = .seconds(86_400)
        /// Runs the tasks that the service starts; nil for the usual threads.
        ///
        /// A simulation decides with it which task is next.
        package var executor: (any TaskExecutor)?

        /// Creates default settings for a server.
        package init(holder: String, leaseTerm: Duration = Self.usualLeaseTerm) {
            self.holder = holder
            self.leaseTerm = leaseTerm
        }
    }

    /// The result of a durable command.
    package struct Receipt: Hashable, Sendable {
        /// The resulting events; empty if there was nothing to change.
        package var events: [Event]
        /// The sequence number of the log entry; 0 if there is none.
        package var sequence: Int64
    }

    /// An idempotency key, with which a caller can repeat a command safely.
    package struct Key: Hashable, Sendable {
        /// The caller, within whom the key is unique.
        package var caller: String
        package var key: String

        /// Creates the key of a caller.
        package init(caller: String, key: String) {
            self.caller = caller
            self.key = key
        }
    }

    /// An error that is not a refusal by the rules.
    package enum Failure: Error, Equatable, Sendable {
        /// Too many commands are waiting; retry after a second.
        case busy
        /// The service is not running here, or no longer.
        case notServing
        /// The command could not be made durable and had no effect.
        case notDurable(String)
        /// It is unknown whether the command took effect; repeat it with the same key.
        case outcomeUnknown
        /// The key was already used for another command.
        case keyUsedForAnother
    }

    /// Creates statements for tables beside the log from the receipt of a command.
    ///
    /// They run in the transaction of the entry. An error in them fails the whole transaction, so
    /// they must not violate the schema. The closure is called once, at the decision, and only if
    /// there is an entry.
    package typealias Alongside = @Sendable (Receipt) -> [SQL]
}
