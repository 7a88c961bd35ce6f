package import Journeys

/// Answers questions about trips for many people at once.
package final class TripPlanner: Sendable {
    /// The city to plan in.
    package let city: City

    /// Creates a planner.
    ///
    /// - Parameters:
    ///   - city: the city.
    ///   - workers: how many questions are answered at the same time, each on a thread of its own.
    ///   - taxi: what the taxi service says about a ride; nil where the city has no taxi service.
    package init(city: City, workers: Int, taxi: TaxiEstimator? = nil) {
        self.city = city
    }

    /// Answers a question.
    ///
    /// - Parameters:
    ///   - question: the question.
    ///   - deadline: when the answer is of no use any more; nil to wait without limit.
    /// - Throws: ``TripFailure`` where there is no answer.
    package func answer(
        _ question: TripQuestion,
        deadline: ContinuousClock.Instant? = nil
    ) async throws(TripFailure) -> TripAnswer {
        throw .noWay
    }
}

extension TripAnswer {
    /// The question for journeys before those of this answer; nil where nothing is earlier.
    package var earlier: TripQuestion? { nil }

    /// The question for journeys after those of this answer; nil where nothing is later.
    package var later: TripQuestion? { nil }
}
