import Chronology
import Dispatching
import Storage

extension DispatchService {
    /// Serves until the task is cancelled.
    ///
    /// Waits for the write lease, recovers the state from the log, and renews the lease.
    ///
    /// - Throws: unrecoverable errors: of the database, of a damaged log, or because another
    ///   server has taken over.
    package func run() async throws {
        defer { tellStart() }
        try await acquire()
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                // Renewed from the start, because reading a long log takes longer
                // than the lease term.
                group.addTask { try await self.keepLease() }
                try await self.begin()
                try await group.next()
            }
        } catch {
            let reason = stopped ?? error
            await leave()
            throw reason
        }
    }

    private func begin() async throws {
        var patience = StartPatience()
        while true {
            do {
                try await log.found()
                try await recoverAndRestart()
                break
            } catch let failure as DatabaseFailure where patience.outlasts(failure) {
                try await clock.pause(LeaseMachine.pollMilliseconds)
            }
        }
        isServing = true
        tellStart()
        wake()
    }

    /// Whether the service is running and answers commands.
    package var serves: Bool { isServing }

    /// Returns once the service answers commands.
    ///
    /// - Throws: `notServing` if it stopped before.
    package func started() async throws {
        if !isServing, stopped == nil {
            await withCheckedContinuation { whenStarted.append($0) }
        }
        guard isServing else { throw Failure.notServing }
    }

    private func tellStart() {
        for waiting in whenStarted { waiting.resume() }
        whenStarted = []
    }

    /// Waits until this server may write.
    ///
    /// The service's clock, which nothing sets, measures for how long the holder is silent.
    private func acquire() async throws {
        var sighting: LeaseSighting?
        while true {
            do {
                let requested = clock.now()
                let lease = try await Lease.acquire(
                    log.name,
                    by: settings.holder,
                    for: settings.leaseTerm,
                    in: database,
                    seen: &sighting,
                    clock: { [clock] in .milliseconds(clock.now().milliseconds) }
                )
                return leasing.acquired(lease, requested: requested)
            } catch {
                switch leasing.notAcquired(error) {
                case .retry(let milliseconds): try await clock.pause(milliseconds)
                case .giveUp: throw error
                }
            }
        }
    }

    private func recoverAndRestart() async throws {
        _ = try await load()
        guard let lease, let (batch, place) = machine.restart(at: clock.now()) else { return }
        let head = try await log.append(batch, after: place, under: lease)
        let (entries, _) = machine.appended(head)
        publish(entries, upTo: head.sequence)
    }

    /// Reads the state from the newest snapshot and the log after it.
    ///
    /// - Parameter known: the sequence number of the last published entry.
    /// - Returns: the entries after it.
    /// - Throws: any `DatabaseFailure` or `LogFailure`; decoding errors of the log.
    func load(after known: Int64 = .max) async throws -> [Entry] {
        var state = Dispatcher()
        var unheard: [Entry] = []
        var place = try await log.genesis()
        if let snapshot = try await snapshots.newest().snapshot {
            state = try Dispatcher(snapshot: snapshot.state)
            place = snapshot.head
        }
        let snapshotAt = place.sequence
        while true {
            let records = try await log.records(after: place, limit: Self.page)
            for record in records {
                let entry = try Entry(bytes: record.entry)
                try state.replay(entry)
                place = record.head
                if place.sequence > known { unheard.append(entry) }
            }
            if records.count < Self.page { break }
        }
        machine.loaded(state, at: place, snapshot: snapshotAt, clock: clock.now())
        return unheard
    }

    private static let page = 5_000

    /// Renews the lease every third of its term, until it is lost or the task ends.
    private func keepLease() async throws {
        while lease != nil, stopped == nil {
            try await clock.pause(leasing.renewalInterval)
            guard stopped == nil else { break }
            do {
                try await renewLease()
            } catch is DatabaseFailure {
                // A short database outage does not end the lease: if another server wrote
                // meanwhile, this one is fenced.
                continue
            }
            await forgetAnswers()
        }
        if let stopped { throw stopped }
    }

    /// Renews the lease for a term from now.
    ///
    /// - Throws: `LeaseFailure.lost`; any database error.
    func renewLease() async throws {
        guard let lease else { return }
        let requested = clock.now()
        let renewed = try await lease.renewed(for: settings.leaseTerm, in: database)
        leasing.renewed(renewed, requested: requested)
    }

    /// Periodically deletes old answers to idempotency keys, to bound their number (I30).
    private func forgetAnswers() async {
        let now = clock.now()
        guard now >= answersForgotten.adding(seconds: Self.forgettingSeconds) else { return }
        answersForgotten = now
        // A failure is made up for an hour later.
        _ = try? await answers.forget(olderThan: settings.answersKept)
    }

    /// The interval of that deletion, in seconds.
    private static let forgettingSeconds: Int64 = 3_600

    /// Stops, stores a snapshot and releases the lease.
    private func leave() async {
        isLeaving = true
        if isWorking { await withCheckedContinuation { whenIdle.append($0) } }
        let wasServing = isServing
        stop(Failure.notServing)
        guard wasServing, let lease else { return }
        let snapshot = Snapshot(head: head, state: machine.dispatcher.snapshot)
        await Task(executorPreference: settings.executor) { [snapshots, database] in
            try? await snapshots.save(snapshot)
            try? await lease.release(in: database)
        }.value
    }

    /// Stores a snapshot at intervals, so that the next start need not read the whole log.
    func keepSnapshot() async {
        guard let snapshot = machine.snapshot(every: settings.snapshotInterval) else { return }
        // A failed snapshot only makes the next start slower.
        try? await snapshots.save(snapshot)
    }
}
