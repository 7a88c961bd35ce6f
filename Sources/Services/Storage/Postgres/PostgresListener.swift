import CPQ
import Dispatch
import Synchronization

/// Notifies followers when the server announces a write (`Transaction.announce`).
///
/// Unchecked: all state except `followers` is only used by blocks on `queue`.
final class PostgresListener: @unchecked Sendable {
    /// The pause before a lost connection is reopened.
    private static let pause = DispatchTimeInterval.milliseconds(200)
    /// The time limit for connecting.
    private static let connectLimit = Duration.seconds(5)

    private struct Followers {
        var streams: [Int: AsyncStream<Void>.Continuation] = [:]
        var next = 0
        var isListening = false
        var isClosed = false
    }

    private let address: String
    private let queue = DispatchQueue(label: "Storage.Postgres.listener")
    private let followers = Mutex(Followers())
    private var connection: PostgresConnection?
    private var source: (any DispatchSourceRead)?

    init(address: String) {
        self.address = address
    }

    func changes() -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let number: Int? = followers.withLock { followers in
                guard !followers.isClosed else { return nil }
                followers.next += 1
                followers.streams[followers.next] = continuation
                if !followers.isListening {
                    followers.isListening = true
                    queue.async { self.listen() }
                }
                return followers.next
            }
            guard let number else {
                continuation.finish()
                return
            }
            // A follower that joins an open connection may have missed earlier changes.
            continuation.yield()
            continuation.onTermination = { [weak self] _ in
                self?.followers.withLock { $0.streams[number] = nil }
            }
        }
    }

    func close() {
        let streams = followers.withLock { followers in
            defer { followers.streams = [:] }
            followers.isClosed = true
            return Array(followers.streams.values)
        }
        for stream in streams { stream.finish() }
        queue.async { self.disconnect() }
    }

    private var isClosed: Bool { followers.withLock { $0.isClosed } }

    private func listen() {
        guard !isClosed else { return }
        do {
            let deadline = ContinuousClock.now + Self.connectLimit
            let connection = try PostgresConnection.open(address, deadline: deadline)
            let command = Command(control: "LISTEN \(SQLWord.channel)")
            let outcome = try connection.run([command], deadline: deadline)
            if let failure = outcome.failure { throw failure }
            self.connection = connection
        } catch {
            return listenLater()
        }
        watch()
        // Changes before the subscription took effect were not announced.
        tell()
    }

    private func listenLater() {
        disconnect()
        queue.asyncAfter(deadline: .now() + Self.pause) { [weak self] in self?.listen() }
    }

    private func watch() {
        guard let connection else { preconditionFailure("There is no connection to watch.") }
        precondition(source == nil, "A connection was watched twice.")
        let socket = unsafe PQsocket(connection.handle)
        let source = DispatchSource.makeReadSource(fileDescriptor: socket, queue: queue)
        source.setEventHandler { [weak self] in self?.read() }
        source.resume()
        self.source = source
    }

    private func read() {
        guard let connection else { return }
        let isRead = unsafe PQconsumeInput(connection.handle) == 1
        var isTold = false
        while let notice = unsafe PQnotifies(connection.handle) {
            unsafe PQfreemem(notice)
            isTold = true
        }
        if isTold { tell() }
        if !isRead || !connection.isWell { listenLater() }
    }

    private func tell() {
        let streams = followers.withLock { Array($0.streams.values) }
        for stream in streams { stream.yield() }
    }

    private func disconnect() {
        guard let source else {
            connection = nil
            return
        }
        // The socket may only be closed after its event source is cancelled.
        let ending = Ending(connection: connection)
        source.setCancelHandler { ending.end() }
        source.cancel()
        self.source = nil
        connection = nil
    }

    /// A connection that is being closed.
    ///
    /// Unchecked: only the cancel handler, which runs once, uses it.
    private final class Ending: @unchecked Sendable {
        private var connection: PostgresConnection?

        init(connection: PostgresConnection?) {
            self.connection = connection
        }

        func end() {
            connection = nil
        }
    }
}
