@testable import Storage

/// The connections of one program to the database.
///
/// `@unchecked Sendable`: as for ``Scheduler``.
final class SimulatedEngine: Engine, @unchecked Sendable {
    typealias Work = @Sendable (Result<any Session, DatabaseFailure>) -> Void

    private let process: SimulatedProcess
    private let database: SimulatedDatabase
    private var writes: [Work] = []
    private var isWriting = false

    init(_ process: SimulatedProcess, _ database: SimulatedDatabase) {
        self.process = process
        self.database = database
    }

    func withWriter(_ work: @escaping Work) {
        writes.append(work)
        write()
    }

    private func write() {
        guard !isWriting, !writes.isEmpty else { return }
        isWriting = true
        let work = writes.removeFirst()
        send { [self] in performWrite(work) }
    }

    private func performWrite(_ work: @escaping Work) {
        let wait = database.writersWait
        guard wait == 0 else {
            return process.scheduler.after(wait) { [self] in performWrite(work) }
        }
        perform(work)
        isWriting = false
        write()
    }

    func withReader(_ work: @escaping Work) {
        send { [self] in perform(work) }
    }

    func withReaderHere(_ work: (Result<any Session, DatabaseFailure>) -> Void) {}

    private func send(_ work: @escaping () -> Void) {
        let scheduler = process.scheduler
        let isSlow = database.fails(15, "a slow answer")
        scheduler.after(isSlow ? scheduler.between(200, 6_000) : scheduler.between(0, 4), work)
    }

    private func perform(_ work: Work) {
        // What a program has sent may arrive although the program has been killed meanwhile.
        if process.isDead || process.scheduler.now < process.cutOffUntil {
            return work(.failure(.unavailable("cut off")))
        }
        database.lend(to: process) { work(.success($0)) }
    }

    func changes() -> AsyncStream<Void> { AsyncStream { $0.finish() } }
    func scrub(_ done: @escaping @Sendable (Result<Void, DatabaseFailure>) -> Void) {
        done(.success(()))
    }
    func failFast() {}
    func close() {}
}
