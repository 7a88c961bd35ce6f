import Chronology
import Dispatching
import Storage

extension DispatchService {
    /// Decisions that are not durable yet.
    struct Decided {
        var entries: [Entry] = []
        var batch = LogBatch(entries: [])
        var replies: [(continuation: CheckedContinuation<Receipt, any Error>, entry: Int?)] = []
        var refusals: [(continuation: CheckedContinuation<Receipt, any Error>, refusal: Refusal)] =
            []
        var reads: [@Sendable (Result<Dispatcher, any Error>) -> Void] = []
    }

    /// Starts processing of waiting work, unless it is already running.
    func wake() {
        guard isServing, !isLeaving, !isWorking else { return }
        isWorking = true
        Task(executorPreference: settings.executor) { await self.work() }
    }

    /// Processes until nothing waits and nothing is due, or the service stops.
    private func work() async {
        while isServing, !isLeaving {
            let now = now
            let isDue = dispatcher.nextDeadline().map { $0 <= now } ?? false
            guard isDue || !mailbox.isEmpty else { break }
            let decided = decide(at: now)
            if decided.entries.isEmpty {
                if await !isStillWriter(decided) { continue }
            } else if await !makeDurable(decided) {
                continue
            }
            answer(decided)
            await keepSnapshot()
        }
        isWorking = false
        setTimer()
        for waiting in whenIdle { waiting.resume() }
        whenIdle = []
    }

    private func decide(at now: Moment) -> Decided {
        var decided = Decided()
        if let entry = dispatcher.log(advanceTo: now) { add(entry, &decided) }
        let taken = Array(mailbox.prefix(settings.batchLimit))
        mailbox.removeFirst(taken.count)
        for work in taken {
            switch work {
            case .read(let body): decided.reads.append(body)
            case .command(let asked, let continuation): decide(asked, continuation, &decided)
            }
        }
        return decided
    }

    private func decide(
        _ asked: Asked,
        _ continuation: CheckedContinuation<Receipt, any Error>?,
        _ decided: inout Decided
    ) {
        do {
            let entry = try dispatcher.log(asked.command)
            let place = entry.map { _ in decided.entries.count }
            if let continuation { decided.replies.append((continuation, place)) }
            guard let entry, let place else { return }
            add(entry, &decided)
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
            if let continuation { decided.refusals.append((continuation, error)) }
        }
    }

    /// Adds an entry with the notices that follow from it.
    func add(_ entry: Entry, _ decided: inout Decided) {
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

    /// Appends decisions to the log.
    ///
    /// - Returns: whether they are durable; if not, the callers were told and the
    ///   state was reloaded.
    private func makeDurable(_ decided: Decided) async -> Bool {
        guard let lease else { return false }
        do {
            head = try await log.append(decided.batch, after: head, under: lease)
            publish(decided.entries, upTo: head.sequence)
            return true
        } catch {
            await recover(from: error, decided)
            return false
        }
    }

    /// Checks that the state is still current: a successful append or a valid lease proves it;
    /// otherwise the lease is renewed first.
    ///
    /// - Returns: whether it is; if not, the callers were told, as by ``makeDurable(_:)``.
    private func isStillWriter(_ decided: Decided) async -> Bool {
        guard clock.now() >= heldUntil else { return true }
        do {
            try await renewLease()
            return true
        } catch LeaseFailure.lost(let current) {
            let epoch = lease?.epoch ?? 0
            await recover(from: LogFailure.fenced(epoch: epoch, current: current), decided)
        } catch {
            await recover(from: error, decided)
        }
        return false
    }

    private func recover(from error: any Error, _ decided: Decided) async {
        let failure: Failure =
            if case DatabaseFailure.outcomeUnknown = error { .outcomeUnknown } else {
                .notDurable("\(error)")
            }
        for reply in decided.replies { reply.continuation.resume(throwing: failure) }
        for refusal in decided.refusals { refusal.continuation.resume(throwing: failure) }
        do {
            if case LogFailure.fenced = error { throw error }
            try await reload()
            for read in decided.reads { read(.success(dispatcher)) }
            // On a full disk the next append fails too; it must not be tried without a pause.
            if let cause = error as? DatabaseFailure, cause.isOutage {
                try? await clock.pause(Self.reloadPause)
            }
        } catch {
            for read in decided.reads { read(.failure(error.forReaders)) }
            await outlast(error)
        }
    }

    /// Reloads the state from the log.
    ///
    /// New entries in the log are published like all durable ones, because an append with an
    /// unknown outcome has not been published yet.
    private func reload() async throws {
        // It waits for an append of unknown outcome that is still under way, which holds the row of
        // the lease: what is read before its end could be out of date a moment later.
        try await renewLease()
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

    private func answer(_ decided: Decided) {
        let first = head.sequence - Int64(decided.entries.count)
        for reply in decided.replies {
            let receipt =
                reply.entry.map {
                    Receipt(events: decided.entries[$0].events, sequence: first + Int64($0) + 1)
                } ?? Receipt(events: [], sequence: 0)
            reply.continuation.resume(returning: receipt)
        }
        for refusal in decided.refusals { refusal.continuation.resume(throwing: refusal.refusal) }
        for read in decided.reads { read(.success(dispatcher)) }
    }

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

    /// Tells all waiting callers that they wait in vain.
    private func tellWaiting(_ failure: Failure, readers: any Error) {
        let waiting = mailbox
        mailbox = []
        for work in waiting {
            switch work {
            case .command(_, let continuation): continuation?.resume(throwing: failure)
            case .read(let body): body(.failure(readers))
            }
        }
    }

    /// Schedules a wake-up at the next deadline.
    private func setTimer() {
        guard isServing, let due = dispatcher.nextDeadline() else { return }
        if let timer, timer.due == due { return }
        timer?.task.cancel()
        let moment = due.adding(milliseconds: -ahead)
        let task = Task(executorPreference: settings.executor) { [weak self, clock] in
            do { try await clock.sleep(moment) } catch { return }
            await self?.timerFired()
        }
        timer = (task, due)
    }

    private func timerFired() {
        timer = nil
        if isWorking { return }
        // The clock may wake too early; the timer is then set again, so that nothing happens early.
        if let due = dispatcher.nextDeadline(), due <= now { wake() } else { setTimer() }
    }
}

extension Error {
    /// What readers are told of it: to come again when the database is back, or to go elsewhere.
    fileprivate var forReaders: any Error {
        self as? DatabaseFailure ?? DispatchService.Failure.notServing
    }
}
