import Dispatch
import Foundation
import GRDB
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// SQLite in a file, with a write-ahead log and a flush to disk at each commit.
final class SQLiteEngine: Engine {
    /// The number of reading connections.
    private static let readerLimit = 4
    /// How long to wait for another program that holds a lock, in seconds.
    private static let busySeconds = 5.0

    /// The smallest page of a SQLite file, in bytes.
    private static let smallestPage = 512

    private let pool: DatabasePool
    private let watch: ChangeWatch
    /// The number of reads that are running or waiting.
    private let readers = Atomic(0)

    init(path: String) throws(DatabaseFailure) {
        try Self.make(path)
        var configuration = Configuration()
        configuration.label = "Storage"
        configuration.maximumReaderCount = Self.readerLimit
        configuration.busyMode = .timeout(Self.busySeconds)
        // Otherwise a misspelt column name could be taken for a string.
        configuration.acceptsDoubleQuotedStringLiterals = false
        do {
            let pool = try DatabasePool(path: path, configuration: configuration)
            // The pool's default is NORMAL, which may lose the last commits.
            try pool.writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA synchronous = FULL")
                // Deleted data is overwritten; see `scrub`.
                try database.execute(sql: "PRAGMA secure_delete = ON")
                guard try Int.fetchOne(database, sql: "PRAGMA synchronous") == 2 else {
                    throw DatabaseFailure.notDurable("SQLite refuses synchronous = FULL")
                }
            }
            self.pool = pool
            watch = try ChangeWatch(path: path)
        } catch {
            throw DatabaseFailure(error)
        }
    }

    func withWriter(_ work: @escaping @Sendable (Result<any Session, DatabaseFailure>) -> Void) {
        pool.asyncWriteWithoutTransaction { database in
            work(.success(SQLiteSession(database)))
        }
    }

    func withReader(_ work: @escaping @Sendable (Result<any Session, DatabaseFailure>) -> Void) {
        readers.add(1, ordering: .relaxed)
        // The session begins its own transaction with a prepared statement.
        pool.asyncUnsafeRead { [self] database in
            defer { endRead() }
            switch database {
            case .success(let database):
                work(.success(SQLiteSession(database)))
            case .failure(let error): work(.failure(DatabaseFailure(error)))
            }
        }
    }

    func withReaderHere(_ work: (Result<any Session, DatabaseFailure>) -> Void) {
        defer { endRead() }
        // The pool would block the caller if all of its connections are in use.
        guard readers.add(1, ordering: .relaxed).newValue <= Self.readerLimit else { return }
        do {
            try pool.unsafeRead { work(.success(SQLiteSession($0))) }
        } catch {
            work(.failure(DatabaseFailure(error)))
        }
    }

    private func endRead() {
        let left = readers.subtract(1, ordering: .relaxed).newValue
        precondition(left >= 0, "A read ended that did not begin.")
    }

    func scrub(_ done: @escaping @Sendable (Result<Void, DatabaseFailure>) -> Void) {
        pool.asyncWriteWithoutTransaction { database in
            done(
                Result { _ = try database.checkpoint(.truncate) }
                    .mapError { DatabaseFailure($0) }
            )
        }
    }

    func changes() -> AsyncStream<Void> {
        watch.changes()
    }

    /// Does nothing, because a file answers at once.
    func failFast() {}

    func close() {
        watch.close()
        try? pool.close()
    }

    /// Creates the file if it does not exist, readable only by its owner, and makes
    /// its name durable.
    private static func make(_ path: String) throws(DatabaseFailure) {
        let flags = O_RDWR | O_CREAT | O_CLOEXEC
        let file = unsafe open(path, flags, 0o600)
        guard file >= 0 else {
            throw .unavailable("\(path): \(unsafe String(cString: strerror(errno)))")
        }
        var status = stat()
        let isKnown = unsafe fstat(file, &status) == 0
        Glibc.close(file)
        // SQLite takes a file shorter than its smallest page for an empty one and starts again.
        // Beside a journal it is an incomplete first transaction, which SQLite rolls back.
        let isStump = isKnown && (1..<Self.smallestPage).contains(Int(status.st_size))
        if isStump, unsafe access(path + "-journal", F_OK) != 0 {
            throw .damaged("\(path) is cut short")
        }
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        let directory = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { return }
        defer { Glibc.close(directory) }
        guard fsync(directory) == 0 else { throw .inputOutput("\(folder) cannot be flushed") }
    }
}

/// Detects commits to a SQLite file by this or another program.
///
/// SQLite does not notify, but reading a file's `data_version` takes only microseconds.
private final class ChangeWatch: Sendable {
    /// The polling interval.
    private static let interval = DispatchTimeInterval.milliseconds(50)

    private struct State {
        var followers: [Int: AsyncStream<Void>.Continuation] = [:]
        var next = 0
        var timer: (any DispatchSourceTimer)?
        var version: Int64?
        var isClosed = false
    }

    private let connection: DatabaseQueue
    private let clock = DispatchQueue(label: "Storage.ChangeWatch")
    private let state = Mutex(State())

    init(path: String) throws {
        var configuration = Configuration()
        configuration.readonly = true
        connection = try DatabaseQueue(path: path, configuration: configuration)
    }

    func changes() -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let number: Int? = state.withLock { state in
                guard !state.isClosed else { return nil }
                state.next += 1
                state.followers[state.next] = continuation
                if state.timer == nil { state.timer = makeTimer() }
                return state.next
            }
            guard let number else {
                continuation.finish()
                return
            }
            continuation.onTermination = { [weak self] _ in self?.remove(number) }
        }
    }

    func close() {
        let (followers, timer) = state.withLock { state in
            defer {
                state.followers = [:]
                state.timer = nil
            }
            state.isClosed = true
            return (Array(state.followers.values), state.timer)
        }
        timer?.cancel()
        for follower in followers { follower.finish() }
        try? connection.close()
    }

    private func makeTimer() -> any DispatchSourceTimer {
        let timer = DispatchSource.makeTimerSource(queue: clock)
        timer.setEventHandler { [weak self] in self?.look() }
        timer.schedule(deadline: .now(), repeating: Self.interval)
        timer.resume()
        return timer
    }

    private func look() {
        let version = try? connection.read { database in
            try Int64.fetchOne(database, sql: "PRAGMA data_version")
        }
        let followers = state.withLock { state -> [AsyncStream<Void>.Continuation] in
            // The first poll has no earlier version and always notifies, because a new follower may
            // have missed an earlier change.
            guard state.version != version, !state.followers.isEmpty else { return [] }
            state.version = version
            return Array(state.followers.values)
        }
        // Not while holding the lock, for which a thread that cancels a follower
        // waits (decision 0028).
        for follower in followers { follower.yield() }
    }

    private func remove(_ number: Int) {
        let timer = state.withLock { state -> (any DispatchSourceTimer)? in
            state.followers[number] = nil
            guard state.followers.isEmpty else { return nil }
            defer { state.timer = nil }
            state.version = nil
            return state.timer
        }
        timer?.cancel()
    }
}
