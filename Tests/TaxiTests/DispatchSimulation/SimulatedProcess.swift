import Chronology

@testable import Taxi

/// A program of a simulation, which can be paused or killed: its tasks, timers and clock.
///
/// `@unchecked Sendable`: as for ``Scheduler``.
final class SimulatedProcess: TaskExecutor, @unchecked Sendable {
    let number: Int
    let scheduler: Scheduler
    private(set) var isDead = false
    /// When the program resumes, if it is paused.
    var pausedUntil: Int64 = 0
    /// When the program can reach the database again, if it is disconnected.
    var cutOffUntil: Int64 = 0
    private let wall: Moment
    private let began: Int64
    private var sleepers: [Promised<Void>] = []
    private var whenKilled: [() -> Void] = []

    /// Starts a program whose clock shows a given time, right or wrong.
    init(_ number: Int, at wall: Moment, on scheduler: Scheduler) {
        self.number = number
        self.wall = wall
        self.scheduler = scheduler
        began = scheduler.now
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let delay = scheduler.chance(900) ? 0 : scheduler.between(1, 20)
        run(after: delay) { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    private func run(after milliseconds: Int64, _ work: @escaping () -> Void) {
        scheduler.after(milliseconds) { [self] in
            if scheduler.now < pausedUntil {
                run(after: pausedUntil - scheduler.now, work)
            } else {
                work()
            }
        }
    }

    /// Kills the program: from now on it has no effect on others.
    ///
    /// Its tasks still run to completion, so that they are released.
    func kill() {
        guard !isDead else { return }
        isDead = true
        pausedUntil = 0
        for sleeper in sleepers { sleeper.give(.failure(CancellationError())) }
        sleepers = []
        for work in whenKilled { work() }
        whenKilled = []
    }

    /// Adds an action for when the program is killed.
    func whenKilled(_ work: @escaping () -> Void) { whenKilled.append(work) }

    var clock: ServiceClock {
        ServiceClock { [self] in
            wall.adding(milliseconds: scheduler.now - began)
        } sleep: { [self] moment in
            try await sleep(moment.milliseconds - wall.milliseconds + began - scheduler.now)
        }
    }

    /// Waits for a number of milliseconds, or throws if the program ends first.
    func sleep(_ milliseconds: Int64) async throws {
        let sleeper = Promised<Void>()
        sleepers.append(sleeper)
        defer { sleepers.removeAll { $0 === sleeper } }
        scheduler.after(max(0, milliseconds)) { sleeper.give(.success(())) }
        if isDead { sleeper.give(.failure(CancellationError())) }
        try await withTaskCancellationHandler {
            try await sleeper.value()
        } onCancel: {
            sleeper.give(.failure(CancellationError()))
        }
    }
}

/// A value that a task waits for; only the first one given counts.
///
/// `@unchecked Sendable`: as for ``Scheduler``.
final class Promised<Value: Sendable>: @unchecked Sendable {
    private var result: Result<Value, any Error>?
    private var waiting: CheckedContinuation<Value, any Error>?

    func give(_ result: Result<Value, any Error>) {
        guard self.result == nil else { return }
        self.result = result
        waiting?.resume(with: result)
        waiting = nil
    }

    func value() async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            if let result {
                continuation.resume(with: result)
            } else {
                waiting = continuation
            }
        }
    }
}
