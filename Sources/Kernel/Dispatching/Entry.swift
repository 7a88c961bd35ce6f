public import Chronology

/// What caused the dispatcher to decide.
public enum Input: Hashable, Sendable {
    /// Time passed, and something became due.
    case time
    /// The service started after it was down.
    case restart
    /// A command was applied.
    case command(Command)
}

/// One entry of the log: the input, its moment, the policy in force, and the resulting events.
///
/// The events alone rebuild the state. The input makes it possible to repeat the decision, and to
/// find what another policy would have decided.
public struct Entry: Hashable, Sendable {
    /// The moment of the decision.
    public var at: Moment
    /// The hash of the policy in force at the decision.
    public var policy: UInt64
    /// The input that was decided on.
    public var input: Input
    /// The resulting events, in order; never empty.
    public var events: [Event]

    /// Creates an entry from its parts.
    public init(at moment: Moment, policy: UInt64, input: Input, events: [Event]) {
        at = moment
        self.policy = policy
        self.input = input
        self.events = events
    }
}

/// Why an entry cannot follow the entries before it.
public enum ReplayFailure: Error, Hashable, Sendable {
    /// An event refers to a taxi, a zone or a request that does not exist.
    case dangling(Event)
    /// The entry is older than its predecessor.
    case timeRunsBack
    /// The same input gives different events here: the log or the program was changed.
    case decidesOtherwise
}
