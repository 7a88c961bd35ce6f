import CityData
import Geo
import Synchronization

/// A question that waits for a worker or is being answered.
final class TripTicket: Sendable {
    /// The approximate time that the answer will take.
    let expected: Duration
    /// When the answer becomes useless.
    let deadline: ContinuousClock.Instant?
    private let isWithdrawn = Mutex(false)

    init(expected: Duration, deadline: ContinuousClock.Instant?) {
        self.expected = expected
        self.deadline = deadline
    }

    /// Withdraws the question.
    func withdraw() { isWithdrawn.withLock { $0 = true } }

    /// Why the question need not be answered any more; nil if it must be.
    func failure(at now: ContinuousClock.Instant) -> TripFailure? {
        if isWithdrawn.withLock({ $0 }) { return .cancelled }
        return deadline.map { $0 < now } == true ? .deadline : nil
    }

    /// Throws if the question need not be answered any more.
    func check() throws(TripFailure) {
        if let failure = failure(at: .now) { throw failure }
    }
}

extension TripQuestion {
    /// The approximate time that the answer takes in a city of usual size, in proportion to the
    /// number of searches and to the distance.
    ///
    /// Measured in Milan, a search from door to door takes 0.5 ms for each 5 km.
    var expected: Duration {
        // A shared vehicle needs the ways to, between and from many places.
        let ways =
            [modes.walk, modes.bicycle, modes.car, modes.taxi].count { $0 } + 8 * modes.shared.count
        var searches = 0
        if modes.transit != 0 {
            // About one journey leaves every three minutes.
            searches = 1 + Int(windowSeconds ?? 0) / 180
            searches += [modes.bicycle, modes.car].count { $0 }
            // At each end, the ways between vehicles and stops take as long as several searches.
            searches += 20 * modes.shared.count
            searches *= 1 + min(avoided.count, 3)
        }
        let metres = from.coordinate.flatMap { from in
            to.coordinate.map { from.distanceMetres(to: $0) }
        }
        let reach = 1 + Int(min(metres ?? 0, 1_000_000) / 5_000)
        return .microseconds(500 * (1 + ways + searches) * reach)
    }
}
