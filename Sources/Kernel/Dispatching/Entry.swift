public import Chronology

/// What made the dispatcher decide.
public enum Input: Hashable, Sendable {
    /// Time went on, and something became due.
    case time
    /// The service had been down.
    case restart
    /// Somebody asked for something.
    case command(Command)
}

/// One entry of the log: what was asked, when, under which rules, and all that came of it.
///
/// The events alone rebuild the state. The input lets anyone repeat the decision, and ask what
/// other rules would have decided.
public struct Entry: Hashable, Sendable {
    /// When.
    public var at: Moment
    /// The hash of the policy under which it was decided.
    public var policy: UInt64
    /// What was asked.
    public var input: Input
    /// What came of it, in order; never empty.
    public var events: [Event]

    /// An entry of these parts.
    public init(at moment: Moment, policy: UInt64, input: Input, events: [Event]) {
        at = moment
        self.policy = policy
        self.input = input
        self.events = events
    }
}

/// Why an entry cannot follow the entries before it.
public enum ReplayFailure: Error, Hashable, Sendable {
    /// An event names a taxi, a zone or a request that is not there.
    case dangling(Event)
    /// It is older than the one before.
    case timeRunsBack
    /// The same input decides something else here: the log was changed, or the program.
    case decidesOtherwise
}

extension Dispatcher {
    /// Does what is due up to a moment.
    ///
    /// - Returns: the entry to log; nil when nothing was due.
    public mutating func log(advanceTo moment: Moment) -> Entry? {
        let policy = policyHash
        let events = advance(to: moment)
        if events.isEmpty { return nil }
        return Entry(at: now, policy: policy, input: .time, events: events)
    }

    /// Decides a command at the moment to which the dispatcher was advanced.
    ///
    /// - Returns: the entry to log; nil when there was nothing to change.
    /// - Throws: why it is not done.
    public mutating func log(_ command: Command) throws(Refusal) -> Entry? {
        let policy = policyHash
        let events = try apply(command)
        if events.isEmpty { return nil }
        return Entry(at: now, policy: policy, input: .command(command), events: events)
    }

    /// Starts again after the service was down; see ``restart(at:)``.
    public mutating func log(restartAt moment: Moment) -> Entry {
        let policy = policyHash
        // The moment counts as the last one where it is before it: see `now`.
        let events = restart(at: moment)
        return Entry(at: now, policy: policy, input: .restart, events: events)
    }

    /// Adds an entry of a log to the state, without deciding anything.
    ///
    /// - Throws: ``ReplayFailure`` when the log is not one that this dispatcher can continue;
    ///   then the state is of no use any more.
    public mutating func replay(_ entry: Entry) throws(ReplayFailure) {
        guard entry.at >= now else { throw .timeRunsBack }
        now = entry.at
        for event in entry.events {
            guard refersToWhatIs(event) else { throw .dangling(event) }
            fold(event)
        }
        trimDeadlines()
    }

    /// Adds an entry by deciding its input anew.
    ///
    /// - Throws: ``ReplayFailure`` when it decides otherwise.
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
