import Dispatch
import Synchronization

/// PostgreSQL: one connection that writes, some that read, one that listens.
final class PostgresEngine: Engine {
    /// How many connections read at once.
    private static let readerLimit = 4

    private let writer: PostgresLane
    private let readers: [PostgresLane]
    private let listener: PostgresListener

    init(address: String) {
        writer = PostgresLane(address: address, name: "writer")
        readers = (1...Self.readerLimit).map { number in
            PostgresLane(address: address, name: "reader \(number)")
        }
        listener = PostgresListener(address: address)
    }

    func withWriter(_ work: @escaping @Sendable (Result<any Session, DatabaseFailure>) -> Void) {
        writer.run { work(.success($0)) }
    }

    func withReader(_ work: @escaping @Sendable (Result<any Session, DatabaseFailure>) -> Void) {
        // The first of those with the least to do: idle connections beyond need are never made.
        let lane = readers.min { $0.load < $1.load } ?? writer
        lane.run { work(.success($0)) }
    }

    /// The server is always waited for.
    func withReaderHere(_ work: (Result<any Session, DatabaseFailure>) -> Void) {}

    func scrub(_ done: @escaping @Sendable (Result<Void, DatabaseFailure>) -> Void) {
        done(.success(()))
    }

    func changes() -> AsyncStream<Void> {
        listener.changes()
    }

    func close() {
        for lane in [writer] + readers { lane.run { $0.close() } }
        listener.close()
    }
}

/// A session on a thread of its own.
///
/// Unchecked: `session` is only used by blocks on `queue`, which run one after another.
private final class PostgresLane: @unchecked Sendable {
    private let session: PostgresSession
    private let queue: DispatchQueue
    private let running = Atomic(0)

    init(address: String, name: String) {
        session = PostgresSession(address: address)
        queue = DispatchQueue(label: "Storage.Postgres.\(name)")
    }

    /// How many calls wait for it or are being served.
    var load: Int { running.load(ordering: .relaxed) }

    func run(_ work: @escaping @Sendable (PostgresSession) -> Void) {
        running.add(1, ordering: .relaxed)
        let asked = ContinuousClock.now
        queue.async {
            self.session.asked = asked
            work(self.session)
            let (_, left) = self.running.subtract(1, ordering: .relaxed)
            if left == 0 { self.session.release() }
        }
    }
}
