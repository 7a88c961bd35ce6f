import GRDB

@testable import Storage

/// The database that the servers of a simulation share: real SQL on an in-memory SQLite database,
/// behind an unreliable network and disk.
///
/// `@unchecked Sendable`: as for ``Scheduler``.
final class SimulatedDatabase: @unchecked Sendable {
    /// Database defects with which no service can cope: simulations that have one must fail.
    enum Defect: CaseIterable {
        /// A commit is sometimes confirmed but not carried out.
        case commitForgotten
        /// Answers to idempotency keys are not found.
        case answersForgotten
    }

    let scheduler: Scheduler
    let truth = Truth()
    var hasFaults = false
    var defect: Defect?
    /// The number of times that each fault happened.
    private(set) var faults: [String: Int] = [:]
    /// The deviation of the database's clock from the correct time, in milliseconds.
    var clockError: Int64 = 0
    private let queue: DatabaseQueue
    /// When a commit that its program gave up takes place after all; other writers wait for it.
    private var lateCommit: Int64?

    init(_ scheduler: Scheduler) throws {
        self.scheduler = scheduler
        queue = try DatabaseQueue()
        // Replaces SQLite's own function, from which the database's time comes (`SQLWord.now`).
        let clock = DatabaseFunction("julianday", argumentCount: 1) { [unowned self] _ in
            2_440_587.5 + Double(World.start + scheduler.now + clockError) / 86_400_000
        }
        queue.writeWithoutTransaction { $0.add(function: clock) }
    }

    /// Records a fault, with a probability of `perMille` in a thousand.
    func fails(_ perMille: Int, _ fault: String) -> Bool {
        guard hasFaults, scheduler.chance(perMille) else { return false }
        note(fault)
        return true
    }

    func note(_ fault: String) { faults[fault, default: 0] += 1 }

    /// How long a writer has to wait for a commit in progress, in milliseconds.
    var writersWait: Int64 { lateCommit.map { max(1, $0 - scheduler.now) } ?? 0 }

    func lend(to process: SimulatedProcess, _ work: (any Session) -> Void) {
        queue.unsafeReentrantWrite { database in
            work(SimulatedSession(SQLiteSession(database), self, process))
        }
    }

    /// Performs a transaction some time after its program was told that the outcome is unknown.
    func commitLate(_ statements: [Storage.SQL], of process: SimulatedProcess) {
        let delay = scheduler.between(1, 3_000)
        lateCommit = scheduler.now + delay
        scheduler.after(delay) { [self] in
            lateCommit = nil
            queue.unsafeReentrantWrite { database in
                let session = SQLiteSession(database)
                do {
                    try session.begin(.writing, deadline: .now + .seconds(60))
                    _ = try session.run(statements)
                    try session.commit()
                    truth.look(session, process.number)
                } catch {
                    truth.complain("a late commit failed: \(error)")
                    session.rollback()
                }
            }
        }
    }
}
