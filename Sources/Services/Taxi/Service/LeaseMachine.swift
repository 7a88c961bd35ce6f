import Chronology
import Storage

/// Whether this server may write, as far as it knows: a value without clock, input or output.
///
/// Another server takes over when it has seen no renewal for a term. So the lease is certain until
/// a term after its last renewal was requested, by this server's clock; after that it has to be
/// renewed before anybody is answered.
struct LeaseMachine: Sendable {
    /// What a server does after an attempt to get the lease.
    enum Action: Equatable, Sendable {
        /// Try again after this many milliseconds.
        case retry(after: Int64)
        /// Give up: waiting does not help.
        case giveUp
    }

    /// The interval at which a standby server tries to get the lease, in milliseconds.
    static let pollMilliseconds: Int64 = 500
    /// The least pause before it tries again.
    private static let leastPause: Int64 = 50

    private let term: Int64
    private(set) var lease: Lease?
    private var certainUntil = Moment(milliseconds: 0)
    /// Which failures of the database the server outlasts before it has the lease.
    private var patience = StartPatience()

    init(term: Duration) {
        precondition(term > .zero, "a lease without a term protects nobody")
        self.term = term.wholeMilliseconds
    }

    /// The interval between two renewals, in milliseconds: each may fail twice.
    var renewalInterval: Int64 { term / 3 }

    /// Whether no other server can have taken over.
    func isCertain(at clock: Moment) -> Bool { lease != nil && clock < certainUntil }

    /// The server got the lease that it requested at that time.
    mutating func acquired(_ lease: Lease, requested: Moment) {
        precondition(self.lease == nil, "a server gets a lease that it has")
        self.lease = lease
        certainUntil = requested.adding(milliseconds: term)
    }

    /// The server did not get the lease.
    mutating func notAcquired(_ error: any Error) -> Action {
        precondition(lease == nil, "a server that has the lease is refused it")
        switch error {
        case LeaseFailure.held(_, let remaining):
            return .retry(after: min(max(remaining, Self.leastPause), Self.pollMilliseconds))
        case let failure as DatabaseFailure where patience.outlasts(failure):
            // A standby server survives a database outage, as does the writer.
            return .retry(after: Self.pollMilliseconds)
        default: return .giveUp
        }
    }

    /// The lease was renewed, as requested at that time.
    mutating func renewed(_ lease: Lease, requested: Moment) {
        guard let old = self.lease else { preconditionFailure("no lease was to be renewed") }
        precondition(old.epoch == lease.epoch, "a renewal has changed the epoch")
        // Two renewals can be under way at once, and the later one may be answered first.
        if lease.expires > old.expires { self.lease = lease }
        certainUntil = max(certainUntil, requested.adding(milliseconds: term))
    }
}

/// The failures of the database that a start outlasts: those that pass without intervention.
struct StartPatience: Sendable {
    /// Whether the last failure left the outcome of a commit unknown.
    private var isUnknown = false

    /// Whether another attempt may succeed.
    mutating func outlasts(_ failure: DatabaseFailure) -> Bool {
        switch failure {
        case .unavailable, .connectionLost, .deadlineExceeded, .busy, .conflict, .tooManyWaiting:
            isUnknown = false
            return true
        case .outcomeUnknown:
            // A connection that broke during a commit; the second time it may be a broken disk,
            // for which waiting is useless.
            defer { isUnknown = true }
            return !isUnknown
        default: return false
        }
    }
}
