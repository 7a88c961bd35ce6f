import Dispatch
import Synchronization

/// Finds out whether a PostgreSQL server is away, so that callers need not wait to learn it.
///
/// Until `begin` it does nothing, and each call waits until its own deadline.
final class PostgresWatch: Sendable {
    /// How long a connection attempt may take, and how long a restart of the server is waited out.
    private static let connectLimit = Duration.seconds(2)
    /// The pause between two trials while the server is away.
    private static let pause = DispatchTimeInterval.milliseconds(500)
    /// How long the result of a trial is relied on while answers are late.
    private static let confidence = Duration.seconds(5)

    private struct State {
        var isOn = false
        var isTrying = false
        /// When a trial last found the server.
        var found: ContinuousClock.Instant?
    }

    private let address: String
    private let availability: Availability
    private let queue = DispatchQueue(label: "Storage.Postgres.watch")
    private let state = Mutex(State())

    init(address: String, _ availability: Availability) {
        self.address = address
        self.availability = availability
    }

    /// Whether the server is known to be away.
    var isAway: Bool { availability.isAway }

    /// Starts watching, once the database is open.
    func begin() {
        state.withLock { $0.isOn = true }
    }

    /// Ends watching, because the database is closed.
    func end() {
        state.withLock { $0.isOn = false }
    }

    /// Fails while the server is away.
    ///
    /// - Throws: `unavailable`.
    func check() throws(DatabaseFailure) {
        try availability.check()
    }

    /// Returns the deadline of a connection attempt for a call with a given deadline.
    func connecting(before deadline: ContinuousClock.Instant) -> ContinuousClock.Instant {
        isOn ? min(deadline, .now + Self.connectLimit) : deadline
    }

    /// Records that a call could not connect.
    ///
    /// - Parameters:
    ///   - failure: why.
    ///   - limit: the time that the call had; one that had little proves nothing.
    func missed(_ failure: DatabaseFailure, within limit: Duration) {
        guard isOn, !failure.saysThatItIsFull else { return }
        if limit >= Self.connectLimit || PostgresConnection.isFinal(failure.reason) {
            lost(failure.reason)
        } else {
            suspect()
        }
    }

    /// Starts a trial because an answer is late, unless one found the server just before.
    func suspect() {
        let isNew = state.withLock { state in
            let isTrusted = state.found.map { $0 + Self.confidence > .now } ?? false
            guard state.isOn, !state.isTrying, !isTrusted else { return false }
            state.isTrying = true
            return true
        }
        if isNew { queue.async { self.tryOut() } }
    }

    private var isOn: Bool { state.withLock { $0.isOn } }

    private func lost(_ reason: String) {
        availability.lost(reason)
        let isNew = state.withLock { state in
            defer { state.isTrying = true }
            return !state.isTrying
        }
        if isNew { tryLater() }
    }

    private func tryLater() {
        queue.asyncAfter(deadline: .now() + Self.pause) { [weak self] in self?.tryOut() }
    }

    /// Connects once, and again after a pause for as long as that fails.
    private func tryOut() {
        guard isOn else { return }
        do throws(DatabaseFailure) {
            let deadline = ContinuousClock.now + Self.connectLimit
            _ = try PostgresSession.connect(to: address, deadline: deadline) { false }
        } catch {
            guard error.saysThatItIsFull else {
                availability.lost(error.reason)
                return tryLater()
            }
        }
        state.withLock { state in
            precondition(state.isTrying, "A trial ended that did not begin.")
            state.isTrying = false
            state.found = .now
        }
        availability.found()
    }
}

extension DatabaseFailure {
    /// The reason in the words of the server, where it gave one.
    fileprivate var reason: String {
        switch self {
        case .unavailable(let reason), .notDurable(let reason), .connectionLost(let reason): reason
        default: "\(self)"
        }
    }

    /// Whether the server refused for want of connections, so that it is there.
    fileprivate var saysThatItIsFull: Bool {
        reason.contains("too many") || reason.contains("remaining connection slots")
    }
}
