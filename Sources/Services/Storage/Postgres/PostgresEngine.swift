import Dispatch
import Synchronization

/// PostgreSQL with one writing connection, several reading ones, and one that listens.
final class PostgresEngine: Engine {
    /// The number of reading connections.
    private static let readerLimit = 4

    private let writer: PostgresThread
    private let readers: [PostgresThread]
    private let listener: PostgresListener
    private let watch: PostgresWatch

    init(address: String, _ availability: Availability) {
        let watch = PostgresWatch(address: address, availability)
        writer = PostgresThread(address: address, watch, name: "writer")
        readers = (1...Self.readerLimit).map { number in
            PostgresThread(address: address, watch, name: "reader \(number)")
        }
        self.watch = watch
        listener = PostgresListener(address: address)
    }

    func withWriter(_ work: @escaping @Sendable (Result<any Session, DatabaseFailure>) -> Void) {
        writer.run { work(.success($0)) }
    }

    func withReader(_ work: @escaping @Sendable (Result<any Session, DatabaseFailure>) -> Void) {
        // The first of the least busy threads, so that connections beyond need are never opened.
        let thread = readers.min { $0.load < $1.load } ?? writer
        thread.run { work(.success($0)) }
    }

    /// Does nothing, because a server cannot answer without waiting.
    func withReaderHere(_ work: (Result<any Session, DatabaseFailure>) -> Void) {}

    func scrub(_ done: @escaping @Sendable (Result<Void, DatabaseFailure>) -> Void) {
        done(.success(()))
    }

    func changes() -> AsyncStream<Void> {
        listener.changes()
    }

    func failFast() {
        watch.begin()
    }

    func close() {
        watch.end()
        for thread in [writer] + readers { thread.run { $0.close() } }
        listener.close()
    }
}

/// A session with its own thread.
///
/// Unchecked: `session` is only used by blocks on the serial `queue`.
private final class PostgresThread: @unchecked Sendable {
    private let session: PostgresSession
    private let queue: DispatchQueue
    private let running = Atomic(0)

    init(address: String, _ watch: PostgresWatch, name: String) {
        session = PostgresSession(address: address, watch)
        queue = DispatchQueue(label: "Storage.Postgres.\(name)")
    }

    /// The number of calls that wait or are being served.
    var load: Int { running.load(ordering: .relaxed) }

    func run(_ work: @escaping @Sendable (PostgresSession) -> Void) {
        running.add(1, ordering: .relaxed)
        let asked = ContinuousClock.now
        queue.async {
            self.session.asked = asked
            work(self.session)
            let (_, left) = self.running.subtract(1, ordering: .relaxed)
            precondition(left >= 0, "A call ended that did not begin.")
            if left == 0 { self.session.release() }
        }
    }
}
