import Chronology
import Dispatching
import Storage

extension DispatchService {
    /// Serves until the task is cancelled.
    ///
    /// Waits until no other server writes, recovers from the log, and renews its right to write.
    ///
    /// - Throws: what makes it impossible to go on: the database, a log that is damaged, or that
    ///   another server has taken over.
    package func run() async throws {
        defer { tellStart() }
        lease = try await acquire()
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                // Renewed from the first moment: reading a long log takes longer than its term.
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
        try await log.found()
        try await recoverAndRestart()
        isServing = true
        tellStart()
        wake()
    }

    /// Whether it answers.
    package var serves: Bool { isServing }

    /// Returns when it serves.
    ///
    /// - Throws: `notServing` where it ended before.
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
    private func acquire() async throws -> Lease {
        var sighting: LeaseSighting?
        while true {
            do {
                let asked = clock.now()
                let lease = try await Lease.acquire(
                    log.name,
                    by: settings.holder,
                    for: settings.leaseTerm,
                    in: database,
                    seen: &sighting,
                    clock: { [clock] in .milliseconds(clock.now().milliseconds) }
                )
                heldUntil = asked.adding(milliseconds: settings.leaseTerm.wholeMilliseconds)
                return lease
            } catch LeaseFailure.held(_, let remaining) {
                let pause = min(max(remaining, 50), Self.pollMilliseconds)
                try await clock.pause(pause)
            } catch let failure as DatabaseFailure where failure.isPassing {
                // A standby outlives a database that is away, as a writer does.
                try await clock.pause(Self.pollMilliseconds)
            }
        }
    }

    /// How often a server that waits asks whether it may write.
    static let pollMilliseconds: Int64 = 500

    private func recoverAndRestart() async throws {
        _ = try await load()
        guard let lease, head.sequence > 0 else { return }
        var decided = Decided()
        add(dispatcher.log(restartAt: now), &decided)
        head = try await log.append(decided.batch, after: head, under: lease)
        publish(decided.entries, upTo: head.sequence)
    }

    /// Reads the state from the newest snapshot and the log after it.
    ///
    /// - Parameter known: the number of the last entry of which anybody has heard.
    /// - Returns: what is in the log after that.
    /// - Throws: any `DatabaseFailure` or `LogFailure`; what makes the log unreadable.
    func load(after known: Int64 = .max) async throws -> [Entry] {
        var state = Dispatcher()
        var unheard: [Entry] = []
        var place = try await log.genesis()
        if let snapshot = try await snapshots.newest().snapshot {
            state = try Dispatcher(snapshot: snapshot.state)
            place = snapshot.head
        }
        snapshotAt = place.sequence
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
        dispatcher = state
        head = place
        ahead = max(0, state.now.milliseconds - clock.now().milliseconds)
        parties = Parties(state)
        return unheard
    }

    private static let page = 5_000

    /// Renews the lease at a third of its term, until it is lost or the task ends.
    private func keepLease() async throws {
        while lease != nil, stopped == nil {
            try await clock.pause(settings.leaseTerm.wholeMilliseconds / 3)
            guard stopped == nil else { break }
            do {
                try await renewLease()
            } catch is DatabaseFailure {
                // A database that is away for a moment takes no right away: whoever else wrote
                // meanwhile has fenced this server.
                continue
            }
            await forgetAnswers()
        }
        if let stopped { throw stopped }
    }

    /// Holds on to the right to write, for a term from now.
    ///
    /// - Throws: `LeaseFailure.lost`; what the database throws.
    func renewLease() async throws {
        guard let lease else { return }
        let asked = clock.now()
        self.lease = try await lease.renewed(for: settings.leaseTerm, in: database)
        heldUntil = asked.adding(milliseconds: settings.leaseTerm.wholeMilliseconds)
    }

    /// Forgets answers that nobody asks for again, now and then, so that they do not grow (I30).
    private func forgetAnswers() async {
        let now = clock.now()
        guard now >= answersForgotten.adding(seconds: Self.forgettingSeconds) else { return }
        answersForgotten = now
        // What fails now is done in an hour.
        _ = try? await answers.forget(olderThan: settings.answersKept)
    }

    /// How often answers are forgotten, in seconds.
    private static let forgettingSeconds: Int64 = 3_600

    /// Stops, keeps a snapshot and gives the right to write to whoever comes next.
    private func leave() async {
        isLeaving = true
        if isWorking { await withCheckedContinuation { whenIdle.append($0) } }
        let wasServing = isServing
        stop(Failure.notServing)
        guard wasServing, let lease else { return }
        let snapshot = Snapshot(head: head, state: dispatcher.snapshot)
        await Task { [snapshots, database] in
            try? await snapshots.save(snapshot)
            try? await lease.release(in: database)
        }.value
    }

    /// Keeps a snapshot now and then, so that the next start need not read the whole log.
    func keepSnapshot() async {
        guard head.sequence - snapshotAt >= settings.snapshotInterval else { return }
        snapshotAt = head.sequence
        let snapshot = Snapshot(head: head, state: dispatcher.snapshot)
        // A snapshot that fails costs time at the next start, nothing else.
        try? await snapshots.save(snapshot)
    }
}

extension DatabaseFailure {
    /// Whether the same may succeed later, with nobody's help but the database's.
    ///
    /// An unknown outcome may also be a broken disk, for which nobody should wait.
    fileprivate var isPassing: Bool {
        switch self {
        case .unavailable, .connectionLost, .deadlineExceeded, .busy, .conflict, .tooManyWaiting:
            true
        default: false
        }
    }
}
