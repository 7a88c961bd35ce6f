import Chronology
import Synchronization

/// The next reservation of the city, as it was found a little ago.
///
/// Every driver's page shows it, and whoever finds it looks at all requests: one does for the
/// others.
final class ReservationBoard: Sendable {
    /// What stands on it.
    typealias Next = (due: Moment, zone: String)

    /// For how long it is good, in seconds; it is told a day ahead.
    static let lastsSeconds: Int64 = 10

    private struct Board: Sendable {
        var at: Moment?
        var next: Next?
    }

    private let board = Mutex(Board())

    /// What stands on it; where that is too old, what is found now.
    func next(
        at now: Moment,
        _ find: () async throws -> Next?
    ) async throws -> Next? {
        let (isOld, known) = board.withLock { board in
            let isNew = board.at.map { $0 <= now && now < $0.adding(seconds: Self.lastsSeconds) }
            // Who finds it old looks; the others are told what stood there, and wait for nobody.
            if isNew != true { board.at = now }
            return (isNew != true, board.next)
        }
        guard isOld else { return known }
        do {
            let found = try await find()
            board.withLock { $0.next = found }
            return found
        } catch {
            board.withLock { $0.at = nil }
            throw error
        }
    }
}
