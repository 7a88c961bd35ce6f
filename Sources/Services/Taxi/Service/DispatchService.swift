import Chronology
package import Dispatching
package import Storage

/// The one writer of a city: takes commands, makes what comes of them durable, then answers.
///
/// Commands wait in a mailbox. All that wait are decided in their order of arrival, what came of
/// them is appended to the log in one transaction together with the notices that follow from it,
/// and only then is anybody answered (design.md, rule 2). Reads take their turn among the
/// commands, so nobody sees what is not durable; a server that slept through its lease renews it
/// before it tells anybody what it believes.
///
/// When an append fails, what was decided in memory is worth nothing: the state is read from the
/// log again. When another server has taken over, this one stops for good (`fenced`).
package actor DispatchService {
    /// Limits and intervals.
    package struct Settings: Sendable {
        /// Who this server is, among those on one database.
        package var holder: String
        /// How long the right to write holds without renewal: it bounds how long the city waits
        /// when a server dies.
        package var leaseTerm: Duration = .seconds(4)
        /// After how many entries a snapshot is kept: it bounds how long a start takes.
        package var snapshotInterval: Int64 = 20_000
        /// How many commands may wait; beyond it callers are told to come again.
        package var mailboxLimit = 20_000
        /// How many commands one transaction takes: it bounds how long the first of them waits.
        package var batchLimit = 1_000
        /// How long answers to idempotency keys are kept.
        package var answersKept: Duration = .seconds(86_400)

        /// The usual settings of a server of that name.
        package init(holder: String) {
            self.holder = holder
        }
    }

    /// What a caller is told when his command is done: it is durable.
    package struct Receipt: Hashable, Sendable {
        /// What came of it; empty when there was nothing to change.
        package var events: [Event]
        /// The number of its entry in the log; 0 when there is none.
        package var sequence: Int64
    }

    /// A key by which a caller repeats a command without its being done twice.
    package struct Key: Hashable, Sendable {
        /// Whose key it is.
        package var caller: String
        /// The key.
        package var key: String

        /// A caller's key.
        package init(caller: String, key: String) {
            self.caller = caller
            self.key = key
        }
    }

    /// Why a command was neither done nor refused.
    package enum Failure: Error, Equatable, Sendable {
        /// Too many commands wait: come again in a second.
        case busy
        /// The service does not run here, or no longer.
        case notServing
        /// It could not be made durable, and was not done.
        case notDurable(String)
        /// Whether it was done is not known: repeat it under the same key.
        case outcomeUnknown
        /// The key was used for another command.
        case keyUsedForAnother
    }

    /// Statements for tables beside the log, from what a command will be answered once durable.
    ///
    /// They run in the transaction of its entry. What fails in them fails for everybody in that
    /// transaction, so they must not meet a rule of the schema. It is asked once, at the moment
    /// of the decision, and only where there is an entry.
    package typealias Alongside = @Sendable (Receipt) -> [SQL]

    struct Asked: Sendable {
        var command: Command
        var key: Key?
        var alongside: Alongside?
    }

    enum Work: Sendable {
        case command(Asked, CheckedContinuation<Receipt, any Error>?)
        /// A reader; he gets nothing where the service has ended meanwhile.
        case read(@Sendable (Dispatcher?) -> Void)
    }

    let database: Database
    let log: EventLog
    let snapshots: SnapshotStore
    let answers: CommandAnswers
    let clock: ServiceClock
    let settings: Settings
    var dispatcher = Dispatcher()
    var parties = Parties(Dispatcher())
    var head: LogHead
    var lease: Lease?
    /// Until when nobody else can have taken over: by this server's clock, from before the lease
    /// was asked for.
    var heldUntil = Moment(milliseconds: 0)
    var snapshotAt: Int64 = 0
    var answersForgotten = Moment(milliseconds: 0)
    /// How far the log is ahead of the clock, in milliseconds.
    ///
    /// More than 0 where the clock was set back while nobody served: time goes on from the log's
    /// last moment (I28).
    var ahead: Int64 = 0
    var mailbox: [Work] = []
    var inFlight: Set<Key> = []
    var isWorking = false
    var stopped: (any Error)?
    var whenIdle: [CheckedContinuation<Void, Never>] = []
    var whenStarted: [CheckedContinuation<Void, Never>] = []
    var isServing = false
    /// Whether it was asked to end: what is being made durable is the last.
    var isLeaving = false
    var timer: (task: Task<Void, Never>, due: Moment)?
    private let published = Publisher()

    /// A service of the city whose log is in a database; ``run()`` makes it serve.
    package init(
        city: String,
        in database: Database,
        clock: ServiceClock,
        settings: Settings
    ) {
        self.database = database
        self.clock = clock
        self.settings = settings
        log = EventLog(city, in: database)
        snapshots = SnapshotStore(of: log)
        answers = CommandAnswers(in: database)
        head = LogHead.genesis(log: city, founding: [])
    }

    /// Does a command, and returns when it is durable.
    ///
    /// - Parameters:
    ///   - command: what is asked.
    ///   - key: lets the caller repeat it: the second time it gets the first answer.
    ///   - alongside: what is to be written into tables with it.
    /// - Returns: what came of it.
    /// - Throws: `Refusal` when the rules do not allow it; ``Failure``.
    package func give(
        _ command: Command,
        key: Key? = nil,
        alongside: Alongside? = nil
    ) async throws -> Receipt {
        guard isServing else { throw Failure.notServing }
        if let key {
            // The same command that is just being done: its first answer is not there yet.
            guard !inFlight.contains(key) else { throw Failure.busy }
            inFlight.insert(key)
        }
        defer { if let key { inFlight.remove(key) } }
        if let key, let answer = try await earlierAnswer(key, command) { return answer }
        guard isServing else { throw Failure.notServing }
        guard mailbox.count < settings.mailboxLimit else { throw Failure.busy }
        return try await withCheckedThrowingContinuation { continuation in
            let asked = Asked(command: command, key: key, alongside: alongside)
            mailbox.append(.command(asked, continuation))
            wake()
        }
    }

    /// What the command that was given under a key was answered; nil where none was done.
    ///
    /// For callers whose key already says all that was asked: the command itself may differ where
    /// the city changed meanwhile, for example because its zones were redrawn.
    package func answer(to key: Key) async throws -> Receipt? {
        guard isServing else { throw Failure.notServing }
        return try await answers.answer(to: key.key, of: key.caller).map {
            try Receipt(bytes: $0)
        }
    }

    /// Does commands about which nobody waits: what positions mean.
    ///
    /// They are fetched here, so that nothing that is asked later can overtake them on their way:
    /// a comparison would put back what they say, and zones drawn anew would change its meaning.
    package func note(_ fetch: @Sendable () -> [Command]) {
        let commands = fetch()
        guard isServing, mailbox.count < settings.mailboxLimit else { return }
        for command in commands { mailbox.append(.command(Asked(command: command), nil)) }
        wake()
    }

    /// Reads the state, when all that was asked before is durable.
    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (Dispatcher) -> Value
    ) async throws -> Value {
        guard isServing else { throw Failure.notServing }
        return try await withCheckedThrowingContinuation { continuation in
            mailbox.append(
                .read { dispatcher in
                    if let dispatcher {
                        continuation.resume(returning: body(dispatcher))
                    } else {
                        continuation.resume(throwing: Failure.notServing)
                    }
                }
            )
            wake()
        }
    }

    /// The log, whose outbox holds what people are told.
    package nonisolated var eventLog: EventLog { log }

    /// Entries as they become durable, from now on; a reader who is too slow misses some and must
    /// read the state anew.
    package nonisolated func entries() -> AsyncStream<Published> {
        published.subscribe()
    }

    /// An entry that has become durable.
    package struct Published: Sendable {
        /// Its number in the log.
        package var sequence: Int64
        /// The entry.
        package var entry: Entry
    }

    /// The moment that it is now, as the log counts.
    var now: Moment { clock.now().adding(milliseconds: ahead) }

    func publish(_ entries: [Entry], upTo sequence: Int64) {
        published.publish(entries, upTo: sequence)
    }

    private func earlierAnswer(_ key: Key, _ command: Command) async throws -> Receipt? {
        let bytes = command.bytes
        switch try await answers.find(key: key.key, of: key.caller, request: bytes) {
        case .unknown: return nil
        case .otherRequest: throw Failure.keyUsedForAnother
        case .answered(let answer): return try Receipt(bytes: answer)
        }
    }
}
