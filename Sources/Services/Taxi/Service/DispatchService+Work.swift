import Chronology
import Dispatching
import Storage

extension DispatchService {
    /// Starts processing of waiting work, unless it is already running.
    func wake() {
        guard isServing, !isLeaving, !isWorking else { return }
        isWorking = true
        Task(executorPreference: settings.executor) { await self.work() }
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

    /// Tells all waiting callers that they wait in vain.
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
