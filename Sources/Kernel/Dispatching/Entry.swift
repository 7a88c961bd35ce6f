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

extension Dispatcher {
    /// Processes everything that is due up to a moment.
    ///
    /// - Returns: the entry to log; nil when nothing was due.
    public mutating func log(advanceTo moment: Moment) -> Entry? {
        let policy = policyHash
        let events = advance(to: moment)
        if events.isEmpty { return nil }
        return Entry(at: now, policy: policy, input: .time, events: events)
    }

    /// Applies a command at the moment to which the dispatcher was advanced.
    ///
    /// - Returns: the entry to log; nil when nothing changes.
    /// - Throws: the reason for refusal.
    public mutating func log(_ command: Command) throws(Refusal) -> Entry? {
        let policy = policyHash
        let events = try apply(command)
        if events.isEmpty { return nil }
        return Entry(at: now, policy: policy, input: .command(command), events: events)
    }

    /// Records a restart after the service was down; see ``restart(at:)``.
    public mutating func log(restartAt moment: Moment) -> Entry {
        let policy = policyHash
        // A moment before the last one counts as the last one: see `now`.
        let events = restart(at: moment)
        return Entry(at: now, policy: policy, input: .restart, events: events)
    }

    /// Applies the events of a log entry to the state without deciding anything.
    ///
    /// - Throws: ``ReplayFailure`` when the entry cannot follow the present state; the dispatcher
    ///   must then be discarded.
    public mutating func replay(_ entry: Entry) throws(ReplayFailure) {
        guard entry.at >= now else { throw .timeRunsBack }
        now = entry.at
        for event in entry.events {
            guard refersToWhatIs(event) else { throw .dangling(event) }
            fold(event)
        }
        trimDeadlines()
    }

    /// Repeats the decision of an entry and compares the events.
    ///
    /// - Throws: ``ReplayFailure`` when the events differ.
    public mutating func repeatDecision(of entry: Entry) throws(ReplayFailure) {
        guard entry.at >= now else { throw .timeRunsBack }
        let events: [Event]
        switch entry.input {
        case .time: events = advance(to: entry.at)
        case .restart: events = restart(at: entry.at)
        case .command(let command):
            now = entry.at
            do { events = try apply(command) } catch { throw .decidesOtherwise }
        }
        if events != entry.events { throw .decidesOtherwise }
    }
}
