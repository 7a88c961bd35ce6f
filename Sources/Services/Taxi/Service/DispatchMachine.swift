import Chronology
import Dispatching
import Storage

/// The single writer of a city without clock, input or output: what waits, what was decided, and
/// what is durable.
///
/// At most one batch is under way. ``next(at:)`` decides what waits and says what must happen
/// before anybody is answered; ``appended(_:)``, ``confirmed()`` or ``failed(_:)`` reports the
/// outcome and returns the answers. After a failure the decisions are void, so that the state has
/// to be loaded again before the next batch. ``DispatchService`` carries the actions out.
struct DispatchMachine<Caller: Sendable, Reader: Sendable>: Sendable {
    typealias Receipt = DispatchService.Receipt

    enum Work: Sendable {
        /// A command, and who waits for its receipt.
        case command(DispatchService.Asked, Caller?)
        /// A reader of the state.
        case read(Reader)
    }

    /// What must happen next.
    enum Action: Sendable {
        /// Nothing, until more work arrives or a deadline passes.
        case rest
        /// Append the batch to the log after that head.
        case append(LogBatch, after: LogHead)
        /// Make sure that this server is still the writer, since nothing is appended that would
        /// prove it.
        case confirm
    }

    /// What callers and readers are told.
    struct Answers: Sendable {
        var replies: [(caller: Caller, result: Result<Receipt, any Error>)] = []
        var readers: [Reader] = []
    }

    /// Decisions that are not durable yet.
    private struct Decided: Sendable {
        var entries: [Entry] = []
        var batch = LogBatch(entries: [])
        /// For each caller the index of its entry, nil if there is nothing to change, or the
        /// refusal.
        var replies: [(caller: Caller, entry: Result<Int?, Refusal>)] = []
        var readers: [Reader] = []
    }

    private(set) var dispatcher = Dispatcher()
    private(set) var head: LogHead
    /// How far the log is ahead of the clock, in milliseconds.
    ///
    /// It is positive if the clock was set back while no server was running; time then continues
    /// from the last entry of the log (I28).
    private(set) var ahead: Int64 = 0
    private(set) var waiting: [Work] = []
    private var parties = Parties(Dispatcher())
    private var snapshotAt: Int64 = 0
    private var decided: Decided?
    /// Whether the state contains decisions that did not become durable.
    private var isVoid = false
    /// Whether a batch of unknown outcome may still become durable.
    private(set) var isUncertain = false
    /// The most commands per batch.
    private let batchLimit: Int

    init(at genesis: LogHead, batchLimit: Int) {
        precondition(batchLimit > 0, "no command fits into a batch")
        head = genesis
        self.batchLimit = batchLimit
    }

    /// The time on the log's time scale.
    func time(at clock: Moment) -> Moment { clock.adding(milliseconds: ahead) }

    /// The next deadline by the clock; nil if nothing is scheduled.
    mutating func nextDeadline() -> Moment? {
        dispatcher.nextDeadline()?.adding(milliseconds: -ahead)
    }

    // MARK: State

    /// The state was loaded from the log; earlier decisions that are not in it are void.
    ///
    /// - Parameters:
    ///   - state: the state after the last entry.
    ///   - head: the head of the log after that entry.
    ///   - snapshot: the sequence number of the snapshot that it was loaded from.
    ///   - clock: the present time.
    mutating func loaded(_ state: Dispatcher, at head: LogHead, snapshot: Int64, clock: Moment) {
        precondition(snapshot <= head.sequence, "a snapshot is ahead of its log")
        dispatcher = state
        parties = Parties(state)
        self.head = head
        ahead = max(0, state.now.milliseconds - clock.milliseconds)
        snapshotAt = snapshot
        decided = nil
        isVoid = false
        isUncertain = false
    }

    /// Decides what a restart changes; nil if the log is empty and nothing was running before.
    mutating func restart(at clock: Moment) -> (batch: LogBatch, after: LogHead)? {
        precondition(decided == nil && !isVoid, "a restart begins before the state was loaded")
        guard head.sequence > 0 else { return nil }
        var decided = Decided()
        add(dispatcher.log(restartAt: time(at: clock)), to: &decided)
        self.decided = decided
        return (decided.batch, head)
    }

    /// A snapshot of the state; nil until so many entries have followed the last one.
    mutating func snapshot(every interval: Int64) -> Snapshot? {
        precondition(decided == nil && !isVoid, "a snapshot would contain what is not durable")
        guard head.sequence - snapshotAt >= interval else { return nil }
        snapshotAt = head.sequence
        return Snapshot(head: head, state: dispatcher.snapshot)
    }

    // MARK: Work

    /// Adds work, which is decided in order of arrival.
    mutating func add(_ work: Work) { waiting.append(work) }

    /// Removes all work that has not been decided.
    mutating func takeWaiting() -> [Work] {
        defer { waiting = [] }
        return waiting
    }

    /// Decides what waits and what is due.
    mutating func next(at clock: Moment) -> Action {
        precondition(decided == nil, "a batch is decided while another is under way")
        precondition(!isVoid, "a batch is decided on a state that is not durable")
        let isDue = nextDeadline().map { $0 <= clock } ?? false
        guard isDue || !waiting.isEmpty else { return .rest }
        var decided = Decided()
        if let entry = dispatcher.log(advanceTo: time(at: clock)) { add(entry, to: &decided) }
        let taken = Array(waiting.prefix(batchLimit))
        waiting.removeFirst(taken.count)
        for work in taken {
            switch work {
            case .read(let reader): decided.readers.append(reader)
            case .command(let asked, let caller): decide(asked, caller, &decided)
            }
        }
        self.decided = decided
        return decided.entries.isEmpty ? .confirm : .append(decided.batch, after: head)
    }

    private mutating func decide(
        _ asked: DispatchService.Asked,
        _ caller: Caller?,
        _ decided: inout Decided
    ) {
        do throws(Refusal) {
            let entry = try dispatcher.log(asked.command)
            let place = entry.map { _ in decided.entries.count }
            if let caller { decided.replies.append((caller, .success(place))) }
            guard let entry, let place else { return }
            add(entry, to: &decided)
            let receipt = Receipt(
                events: entry.events,
                sequence: head.sequence + Int64(place) + 1
            )
            if let key = asked.key {
                decided.batch.answers.append(
                    CommandAnswer(
                        caller: key.caller,
                        key: key.key,
                        request: asked.command.bytes,
                        answer: receipt.bytes
                    )
                )
            }
            if let alongside = asked.alongside { decided.batch.statements += alongside(receipt) }
        } catch {
            if let caller { decided.replies.append((caller, .failure(error))) }
        }
    }

    /// Adds an entry with the notices that follow from it.
    private mutating func add(_ entry: Entry, to decided: inout Decided) {
        for event in entry.events {
            for notice in parties.notices(of: event) {
                decided.batch.effects.append(
                    LogBatch.Effect(
                        entry: decided.entries.count,
                        kind: notice.channel,
                        payload: notice.payload
                    )
                )
            }
        }
        decided.batch.entries.append(entry.bytes)
        decided.entries.append(entry)
    }

    // MARK: Outcomes

    /// The batch is durable.
    ///
    /// - Parameter head: the new head of the log.
    /// - Returns: the entries, and the answers.
    mutating func appended(_ head: LogHead) -> (entries: [Entry], answers: Answers) {
        guard let decided = decided.take() else {
            preconditionFailure("a batch is durable that was not decided")
        }
        let first = self.head.sequence + 1
        precondition(
            head.sequence == self.head.sequence + Int64(decided.entries.count),
            "the log has not grown by the batch"
        )
        self.head = head
        return (decided.entries, answers(decided, first: first))
    }

    /// This server is still the writer, so that what was decided without an entry may be told.
    mutating func confirmed() -> Answers {
        guard let decided = decided.take() else {
            preconditionFailure("a state is confirmed that nobody asked for")
        }
        precondition(decided.entries.isEmpty, "entries are told that are not durable")
        return answers(decided, first: head.sequence + 1)
    }

    private func answers(_ decided: Decided, first: Int64) -> Answers {
        let replies = decided.replies.map { caller, entry in
            let result: Result<Receipt, any Error> =
                switch entry {
                case .success(let place?):
                    .success(
                        Receipt(
                            events: decided.entries[place].events,
                            sequence: first + Int64(place)
                        )
                    )
                case .success(nil): .success(Receipt(events: [], sequence: 0))
                case .failure(let refusal): .failure(refusal)
                }
            return (caller: caller, result: result)
        }
        return Answers(replies: replies, readers: decided.readers)
    }

    /// The batch is not durable, or nobody knows, or this server may not be the writer any more.
    ///
    /// - Returns: what callers are told at once, and the readers, who wait for the next state.
    mutating func failed(_ error: any Error) -> Answers {
        guard let decided = decided.take() else {
            preconditionFailure("a batch has failed that was not decided")
        }
        isVoid = true
        let failure: DispatchService.Failure =
            if case DatabaseFailure.outcomeUnknown = error { .outcomeUnknown } else {
                .notDurable("\(error)")
            }
        isUncertain = failure == .outcomeUnknown
        return Answers(
            replies: decided.replies.map { ($0.caller, .failure(failure)) },
            readers: decided.readers
        )
    }
}
