import Chronology
import Synchronization

/// A short-lived cache of the city's next reservation.
///
/// Each driver's page shows it, and computing it scans all requests, so one request computes
/// it for the others.
final class ReservationBoard: Sendable {
    /// The time and the zone's name of the next reservation.
    typealias Next = (due: Moment, zone: String)

    /// How long the value is used, in seconds; it concerns the coming day.
    static let lastsSeconds: Int64 = 10

    private struct Board: Sendable {
        var at: Moment?
        var next: Next?
    }

    private let board = Mutex(Board())

    /// Returns the cached value, recomputing it if it is too old.
    func next(
        at now: Moment,
        _ find: () async throws -> Next?
    ) async throws -> Next? {
        let (isOld, known) = board.withLock { board in
            let isNew = board.at.map { $0 <= now && now < $0.adding(seconds: Self.lastsSeconds) }
            // The first caller recomputes; meanwhile the others get the old value without waiting.
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
