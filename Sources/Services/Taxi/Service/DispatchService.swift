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
        try ModuleAccess.check(writes: command.changes)
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

    /// What the command that was given under a key was answered; nil if none was done.
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
        try ModuleAccess.check(reads: .dispatch)
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

extension DispatchService {
    /// Starts processing of waiting work, unless it is already running.
    func wake() {
        guard isServing, !isLeaving, !isWorking else { return }
        isWorking = true
        // The work is that of the service, no matter who gave the command that wakes it.
        ModuleAccess.outside {
            _ = Task(executorPreference: settings.executor) { await self.work() }
        }
    }

    /// Processes until nothing waits and nothing is due, or the service stops.
    private func work() async {
        working: while isServing, !isLeaving {
            let isDone: Bool
            switch machine.next(at: clock.now()) {
            case .rest: break working
            case .append(let batch, let head): isDone = await append(batch, after: head)
            case .confirm: isDone = await confirm()
            }
            if isDone { await keepSnapshot() }
        }
        isWorking = false
        setTimer()
        for waiting in whenIdle { waiting.resume() }
        whenIdle = []
    }

    /// Appends a batch to the log and answers its callers.
    ///
    /// - Returns: whether it is durable; if not, the callers were told and the state was reloaded.
    private func append(_ batch: LogBatch, after head: LogHead) async -> Bool {
        guard let lease else { preconditionFailure("a batch is decided without a lease") }
        do {
            let head = try await log.append(batch, after: head, under: lease)
            let (entries, answers) = machine.appended(head)
            publish(entries, upTo: head.sequence)
            give(answers)
            return true
        } catch {
            await recover(from: error)
            return false
        }
    }

    /// Answers from the state, after renewing the lease if it is not certain that no other server
    /// has changed the state.
    ///
    /// - Returns: whether the callers were answered; if not, they were told, as by
    ///   ``append(_:after:)``.
    private func confirm() async -> Bool {
        do {
            if !leasing.isCertain(at: clock.now()) { try await renewLease() }
            give(machine.confirmed())
            return true
        } catch LeaseFailure.lost(let current) {
            let epoch = lease?.epoch ?? 0
            await recover(from: LogFailure.fenced(epoch: epoch, current: current))
        } catch {
            await recover(from: error)
        }
        return false
    }

    private func give(_ answers: Machine.Answers) {
        for response in answers.replies { response.caller.resume(with: response.result) }
        for read in answers.readers { read(.success(machine.dispatcher)) }
    }

    private func recover(from error: any Error) async {
        let answers = machine.failed(error)
        for response in answers.replies { response.caller.resume(with: response.result) }
        do {
            if case LogFailure.fenced = error { throw error }
            try await reload()
            for read in answers.readers { read(.success(machine.dispatcher)) }
            // On a full disk the next append fails too; it must not be tried without a pause.
            if let cause = error as? DatabaseFailure, cause.isOutage {
                try? await clock.pause(Self.reloadPause)
            }
        } catch {
            for read in answers.readers { read(.failure(error.forReaders)) }
            await outlast(error)
        }
    }

    /// Reloads the state from the log.
    ///
    /// New entries in the log are published like all durable ones, because an append with an
    /// unknown outcome has not been published yet.
    private func reload() async throws {
        // A renewal waits for an append that is still under way, which holds the row of the lease:
        // what is read before its end could be out of date a moment later.
        if machine.isUncertain { try await renewLease() }
        let unheard = try await load(after: head.sequence)
        outage = nil
        publish(unheard, upTo: head.sequence)
    }

    /// Reloads the state when the database is back; meanwhile callers fail at once.
    ///
    /// Any other error ends the service.
    private func outlast(_ first: any Error) async {
        var last = first
        while let failure = last as? DatabaseFailure, failure.isOutage, !isLeaving {
            outage = failure
            tellWaiting(Failure.notDurable("\(failure)"), readers: failure)
            do {
                try await clock.pause(Self.reloadPause)
                return try await reload()
            } catch {
                last = error
            }
        }
        // The decisions in memory are not durable, so no snapshot may be made of them.
        stop(isLeaving ? Failure.notServing : last)
    }

    /// The pause between two attempts to reload, in milliseconds.
    private static let reloadPause: Int64 = 200

    /// Stops the service and tells all waiting callers.
    func stop(_ error: any Error) {
        guard isServing else { return }
        isServing = false
        stopped = error
        timer?.task.cancel()
        timer = nil
        // The latest decisions may not be durable, so readers do not get the state.
        tellWaiting(Failure.notServing, readers: Failure.notServing)
    }

    /// Fails all waiting calls.
    private func tellWaiting(_ failure: Failure, readers: any Error) {
        for work in machine.takeWaiting() {
            switch work {
            case .command(_, let continuation): continuation?.resume(throwing: failure)
            case .read(let body): body(.failure(readers))
            }
        }
    }

    /// Schedules a wake-up at the next deadline.
    private func setTimer() {
        guard isServing, let due = machine.nextDeadline() else { return }
        if let timer, timer.due == due { return }
        timer?.task.cancel()
        let task = Task(executorPreference: settings.executor) { [weak self, clock] in
            do { try await clock.sleep(due) } catch { return }
            await self?.timerFired()
        }
        timer = (task, due)
    }

    private func timerFired() {
        timer = nil
        if isWorking { return }
        // The clock may wake too early; the timer is then set again, so that nothing happens early.
        if let due = machine.nextDeadline(), due <= clock.now() { wake() } else { setTimer() }
    }
}

extension Error {
    /// What readers are told of it: to come again when the database is back, or to go elsewhere.
    fileprivate var forReaders: any Error {
        self as? DatabaseFailure ?? DispatchService.Failure.notServing
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
