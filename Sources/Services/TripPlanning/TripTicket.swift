import CityData
import Geo
import Synchronization

/// A question that waits for a worker or is being answered.
final class TripTicket: Sendable {
    /// The question.
    let question: TripQuestion
    /// What the taxi service says about the ride.
    let taxi: TaxiEstimate?
    /// When the answer is of no use any more.
    let deadline: ContinuousClock.Instant?
    private let isWithdrawn = Mutex(false)

    init(question: TripQuestion, taxi: TaxiEstimate?, deadline: ContinuousClock.Instant?) {
        self.question = question
        self.taxi = taxi
        self.deadline = deadline
    }

    /// Marks the ticket as one that nobody wants to be answered.
    func withdraw() { isWithdrawn.withLock { $0 = true } }

    /// Why the question need not be answered any more; nil if it must be.
    func failure(at now: ContinuousClock.Instant) -> TripFailure? {
        if isWithdrawn.withLock({ $0 }) { return .cancelled }
        return deadline.map { $0 < now } == true ? .deadline : nil
    }

    /// How long the answer will take on a city of usual size, roughly: in proportion to the number
    /// of searches and to how far they reach.
    ///
    /// Measured in Milan, a search from door to door takes 0.5 ms for each 5 km.
    var expected: Duration {
        let modes = question.modes
        let ways = [modes.walk, modes.bicycle, modes.car, modes.taxi].count { $0 }
        var searches = 0
        if modes.transit != 0 {
            // One journey leaves every three minutes or so.
            searches = 1 + Int(question.windowSeconds ?? 0) / 180
            searches += [modes.bicycle, modes.car].count { $0 }
        }
        let metres = question.from.coordinate.flatMap { from in
            question.to.coordinate.map { from.distanceMetres(to: $0) }
        }
        let reach = 1 + Int(min(metres ?? 0, 1_000_000) / 5_000)
        return .microseconds(500 * (1 + ways + searches) * reach)
    }
}
