import CPQ

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A PostgreSQL connection in pipeline mode, in which no operation exceeds its deadline.
///
/// It must be closed after `connectionLost` or `deadlineExceeded`.
@safe
final class PostgresConnection {
    /// Keepalive settings that detect a dead peer within about 15 s; an address may override them.
    private static let settings = [
        ("application_name", "viavai"), ("client_encoding", "UTF8"), ("keepalives_idle", "5"),
        ("keepalives_interval", "3"), ("keepalives_count", "3"), ("tcp_user_timeout", "15000"),
    ]
    /// The pause between connection attempts to a server that does not answer yet, in milliseconds.
    private static let pause: CInt = 100
    /// After how many milliseconds without an answer the server may be away.
    private static let patience = 500.0

    let handle: OpaquePointer
    /// The names of the statements prepared by the server, by text and types; see `Command`.
    var prepared: [String: String] = [:]
    /// The number of names assigned so far.
    var names = 0
    /// The number of pipelines whose answers have not been read.
    var unread = 0
    /// Whom to tell of late answers.
    var watch: PostgresWatch?

    /// Connects, retrying until the deadline while the server is not ready.
    ///
    /// - Parameters:
    ///   - address: the address of the database.
    ///   - deadline: when to give up.
    ///   - isRepeated: whether to try again; asked after each attempt.
    /// - Returns: an open connection.
    /// - Throws: `unavailable`.
    static func open(
        _ address: String,
        deadline: ContinuousClock.Instant,
        isRepeated: () -> Bool = { true }
    ) throws(DatabaseFailure) -> PostgresConnection {
        while true {
            do {
                return try PostgresConnection(address, deadline: deadline)
            } catch .connectionLost(let message) {
                let isInTime = ContinuousClock.now + .milliseconds(Int(pause)) < deadline
                guard isInTime, isRepeated() else { throw .unavailable(message) }
                poll(nil, 0, pause)
            }
        }
    }

    private init(
        _ address: String,
        deadline: ContinuousClock.Instant
    ) throws(DatabaseFailure) {
        // The address comes last, so that it overrides the settings before it.
        let pairs = Self.settings + [("dbname", address)]
        let started = unsafe Self.withCStrings(pairs.map(\.0)) { keywords in
            unsafe Self.withCStrings(pairs.map(\.1)) { values in
                unsafe PQconnectStartParams(keywords, values, 1)
            }
        }
        guard let started = unsafe started else { throw .unavailable("out of memory") }
        unsafe handle = started
        // From here on, `deinit` closes the connection.
        unsafe PQsetNoticeProcessor(handle, { _, _ in }, nil)
        try finishConnecting(deadline: deadline)
        guard unsafe PQsetnonblocking(handle, 1) == 0, unsafe PQenterPipelineMode(handle) == 1
        else { throw .unavailable(message) }
    }

    deinit {
        unsafe PQfinish(handle)
    }

    /// The last error message of libpq in one line.
    var message: String {
        let text = unsafe String(cString: PQerrorMessage(handle))
        return text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }

    /// Whether the connection was intact when it was last used.
    var isWell: Bool { unsafe PQstatus(handle) == CONNECTION_OK }

    /// Whether a transaction is open, including a failed one that must be rolled back.
    var isInTransaction: Bool {
        let status = unsafe PQtransactionStatus(handle)
        return status == PQTRANS_INTRANS || status == PQTRANS_INERROR || status == PQTRANS_ACTIVE
    }

    /// Waits until the socket is readable or, if requested, writable.
    ///
    /// - Throws: `deadlineExceeded`; `connectionLost` if the server is found to be away.
    func wait(
        toWrite: Bool,
        deadline: ContinuousClock.Instant
    ) throws(DatabaseFailure) {
        var socket = pollfd(fd: unsafe PQsocket(handle), events: Int16(POLLIN), revents: 0)
        if toWrite { socket.events |= Int16(POLLOUT) }
        while true {
            let left = (deadline - ContinuousClock.now) / .milliseconds(1)
            guard left > 0 else { throw .deadlineExceeded }
            let ready = unsafe poll(&socket, 1, CInt(min(left.rounded(.up), Self.patience)))
            if ready > 0 { return }
            guard ready == 0 || errno == EINTR else { throw .connectionLost("poll failed") }
            guard let watch else { continue }
            if watch.isAway { throw .connectionLost("the server does not answer") }
            watch.suspect()
        }
    }

    private func finishConnecting(
        deadline: ContinuousClock.Instant
    ) throws(DatabaseFailure) {
        var status = PGRES_POLLING_WRITING
        while status != PGRES_POLLING_OK {
            guard status != PGRES_POLLING_FAILED, unsafe PQsocket(handle) >= 0 else {
                throw Self.isFinal(message) ? .unavailable(message) : .connectionLost(message)
            }
            do {
                try wait(writeOnly: status == PGRES_POLLING_WRITING, deadline: deadline)
            } catch .deadlineExceeded {
                throw .unavailable("the server does not answer in time")
            }
            unsafe status = PQconnectPoll(handle)
        }
    }

    private func wait(
        writeOnly: Bool,
        deadline: ContinuousClock.Instant
    ) throws(DatabaseFailure) {
        let events = Int16(writeOnly ? POLLOUT : POLLIN)
        var socket = pollfd(fd: unsafe PQsocket(handle), events: events, revents: 0)
        let left = (deadline - ContinuousClock.now) / .milliseconds(1)
        guard left > 0, unsafe poll(&socket, 1, CInt(min(left.rounded(.up), 60_000))) > 0 else {
            throw .deadlineExceeded
        }
    }

    /// Returns whether a retry is useless because the server refused permanently.
    static func isFinal(_ message: String) -> Bool {
        let passing = [
            "starting up", "shutting down", "recovery mode", "not yet accepting", "too many",
            "remaining connection slots",
        ]
        return message.contains("FATAL") && !passing.contains { message.contains($0) }
            || message.contains("invalid")
    }

    /// Passes texts to a closure as a null-terminated array of C strings.
    private static func withCStrings<Value>(
        _ texts: [String],
        _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Value
    ) -> Value {
        let copies = unsafe texts.map { unsafe strdup($0) }
        defer { unsafe copies.forEach { unsafe free($0) } }
        let list = unsafe copies.map { unsafe UnsafePointer($0) } + [nil]
        return unsafe list.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { preconditionFailure("the list has an end") }
            return unsafe body(base)
        }
    }
}
