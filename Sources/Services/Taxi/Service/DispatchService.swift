import Chronology
package import Dispatching
package import Storage
import Synchronization

/// The single writer of a city: accepts commands, makes their results durable, then answers.
///
/// Commands wait in a mailbox. All waiting ones are decided in order of arrival, their events are
/// appended to the log together with the resulting notices in one transaction, and only then are
/// the callers answered (design.md, rule 2). Reads are queued among the commands, so nobody sees a
/// state that is not durable. A server whose lease expired during a pause renews it
/// before it answers.
///
/// If an append fails, the decisions in memory are discarded and the state is reloaded from the
/// log. While the database is away, callers fail at once, and the service goes on when it is back.
/// If another server has taken over, this one stops permanently (`fenced`).
package actor DispatchService {
    struct Asked: Sendable {
        var command: Command
        var key: Key?
        var alongside: Alongside?
    }

    /// The decisions; a reader gets the error if the state cannot be read.
    typealias Machine = DispatchMachine<
        CheckedContinuation<Receipt, any Error>, @Sendable (Result<Dispatcher, any Error>) -> Void
    >

    let database: Database
    let log: EventLog
    let snapshots: SnapshotStore
    let answers: CommandAnswers
    let clock: ServiceClock
    let settings: Settings
    var machine: Machine
    var leasing: LeaseMachine
    var answersForgotten = Moment(milliseconds: 0)
    var inFlight: Set<Key> = []
    /// Why the state cannot be reloaded; nil while it is current.
    ///
    /// Meanwhile callers get this failure at once instead of waiting.
    var outage: DatabaseFailure?
    var isWorking = false
    var stopped: (any Error)?
    var whenIdle: [CheckedContinuation<Void, Never>] = []
    var whenStarted: [CheckedContinuation<Void, Never>] = []
    var isServing = false
    /// Whether the service was asked to stop after the current append.
    var isLeaving = false
    var timer: (task: Task<Void, Never>, due: Moment)?
    private let published = Publisher()

    /// Creates the service of a city whose log is in a database; ``run()`` starts it.
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
        machine = Machine(
            at: LogHead.genesis(log: city, founding: []),
            batchLimit: settings.batchLimit
        )
        leasing = LeaseMachine(term: settings.leaseTerm)
    }

    /// Performs a command and returns once its result is durable.
    ///
    /// - Parameters:
    ///   - command: the command.
    ///   - key: the idempotency key: a repetition gets the first answer.
    ///   - alongside: creates the statements to execute with it.
    /// - Returns: the receipt of the command.
    /// - Throws: `Refusal` if the rules do not permit it; ``Failure``.
    package func give(
        _ command: Command,
        key: Key? = nil,
        alongside: Alongside? = nil
    ) async throws -> Receipt {
        guard isServing else { throw Failure.notServing }
        if let key {
            // The same command is in progress, so its answer does not exist yet.
            guard !inFlight.contains(key) else { throw Failure.busy }
            inFlight.insert(key)
        }
        defer { if let key { inFlight.remove(key) } }
        if let key, let answer = try await earlierAnswer(key, command) { return answer }
        guard isServing else { throw Failure.notServing }
        if let outage { throw Failure.notDurable("\(outage)") }
        guard machine.waiting.count < settings.mailboxLimit else { throw Failure.busy }
        do {
            return try await withCheckedThrowingContinuation { continuation in
                let asked = Asked(command: command, key: key, alongside: alongside)
                machine.add(.command(asked, continuation))
                wake()
            }
        } catch let refusal as Refusal {
            // A first attempt whose outcome was unknown may have taken effect since the look-up,
            // which is then why the rules refuse the second.
            if let key, let answer = try await earlierAnswer(key, command) { return answer }
            throw refusal
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
    /// They are fetched inside the actor, so that later requests cannot overtake them: a comparison
    /// would revert them, and new zones would change their meaning.
    package func note(_ fetch: @Sendable () -> [Command]) {
        let commands = fetch()
        guard isServing, outage == nil, machine.waiting.count < settings.mailboxLimit else {
            return
        }
        for command in commands { machine.add(.command(Asked(command: command), nil)) }
        wake()
    }

    /// Reads the state after all earlier commands are durable.
    ///
    /// - Throws: `notServing`; the `DatabaseFailure` that keeps the state from being current.
    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (Dispatcher) -> Value
    ) async throws -> Value {
        guard isServing else { throw Failure.notServing }
        if let outage { throw outage }
        return try await withCheckedThrowingContinuation { continuation in
            machine.add(.read { continuation.resume(with: $0.map(body)) })
            wake()
        }
    }

    /// The log, whose outbox contains the notices.
    package nonisolated var eventLog: EventLog { log }

    /// Subscribes to entries as they become durable; a slow subscriber misses some and must
    /// reread the state.
    package nonisolated func entries() -> AsyncStream<Published> {
        published.subscribe()
    }

    /// A durable entry with its position.
    package struct Published: Sendable {
        /// The sequence number in the log.
        package var sequence: Int64
        package var entry: Entry
    }

    /// The last durable entry of the log that this server knows.
    var head: LogHead { machine.head }

    /// The lease of this server, once it has one.
    var lease: Lease? { leasing.lease }

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

/// Publishes durable entries to subscribers.
private final class Publisher: Sendable {
    /// The number of entries buffered for a slow subscriber before it misses the oldest.
    static let bufferLimit = 4_096

    private typealias Stream = AsyncStream<DispatchService.Published>
    private struct Listeners {
        var next: UInt64 = 0
        var streams: [UInt64: Stream.Continuation] = [:]
    }

    private let listeners = Mutex(Listeners())

    func subscribe() -> AsyncStream<DispatchService.Published> {
        let (stream, continuation) = Stream.makeStream(
            bufferingPolicy: .bufferingNewest(Self.bufferLimit)
        )
        let number = listeners.withLock { all in
            all.next += 1
            all.streams[all.next] = continuation
            return all.next
        }
        continuation.onTermination = { [weak self] _ in
            self?.listeners.withLock { $0.streams[number] = nil }
        }
        return stream
    }

    func publish(_ entries: [Entry], upTo sequence: Int64) {
        let streams = listeners.withLock { $0.streams.values.map { $0 } }
        var number = sequence - Int64(entries.count)
        for entry in entries {
            number += 1
            for stream in streams {
                stream.yield(DispatchService.Published(sequence: number, entry: entry))
            }
        }
    }
}
