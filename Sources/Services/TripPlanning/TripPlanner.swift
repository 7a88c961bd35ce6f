import CityData
package import Journeys

/// Answers questions about trips for many people at once.
///
/// It plans on threads of its own, which give way to all others, so that planning for strangers
/// cannot starve the taxis (V16, V95): see ``TripWorkers``.
package final class TripPlanner: Sendable {
    /// What the answers are about.
    package let snapshot: CitySnapshot
    /// The stops and lines of the city.
    package let guide: TransitGuide
    private let taxi: TaxiEstimator?
    private let workers: TripWorkers

    /// Creates a planner.
    ///
    /// - Parameters:
    ///   - snapshot: the city at a moment.
    ///   - workers: how many questions are answered at the same time, each on a thread of its own.
    ///   - taxi: what the taxi service says about a ride; nil where the city has no taxi service.
    package init(_ snapshot: CitySnapshot, workers: Int, taxi: TaxiEstimator? = nil) {
        precondition(workers > 0, "a planner without workers answers nothing")
        self.snapshot = snapshot
        guide = TransitGuide(snapshot.city)
        self.taxi = taxi
        self.workers = TripWorkers(snapshot, limit: workers)
    }

    deinit {
        workers.close()
    }

    /// Answers a question.
    ///
    /// - Parameters:
    ///   - question: the question.
    ///   - deadline: when the answer is of no use any more; nil to wait without limit.
    /// - Returns: the options that people choose from.
    /// - Throws: ``TripFailure`` where there is no answer.
    package func answer(
        _ question: TripQuestion,
        deadline: ContinuousClock.Instant? = nil
    ) async throws(TripFailure) -> TripAnswer {
        let estimate = await estimate(question)
        let ticket = TripTicket(expected: question.expected, deadline: deadline)
        return try await found(ticket) { search, check throws(TripFailure) in
            try search.answer(question, taxi: estimate, check: check)
        }
    }

    /// Finds how far one gets within a time.
    ///
    /// - Parameters:
    ///   - question: the question.
    ///   - deadline: when the answer is of no use any more; nil to wait without limit.
    /// - Returns: the area and what is in it.
    /// - Throws: ``TripFailure`` where there is no answer.
    package func reach(
        _ question: ReachQuestion,
        deadline: ContinuousClock.Instant? = nil
    ) async throws(TripFailure) -> ReachAnswer {
        let ticket = TripTicket(expected: question.expected, deadline: deadline)
        return try await found(ticket) { [guide] search, check throws(TripFailure) in
            try search.reach(question, guide, check: check)
        }
    }

    /// Lets a question wait for its turn on the threads of the planner.
    private func found<Answer: Sendable>(
        _ ticket: TripTicket,
        _ find: @escaping TripWorkers.Finder<Answer>
    ) async throws(TripFailure) -> Answer {
        let result: Result<Answer, TripFailure> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                workers.accept(ticket, find) { continuation.resume(returning: $0) }
            }
        } onCancel: {
            workers.withdraw(ticket)
        }
        return try result.get()
    }

    /// What the taxi service says about the ride; nil if no taxi is asked for.
    private func estimate(_ question: TripQuestion) async -> TaxiEstimate? {
        guard question.modes.taxi, let taxi, let from = question.from.coordinate,
            let to = question.to.coordinate
        else { return nil }
        let ride = TaxiRide(
            from: from,
            to: to,
            time: question.time,
            isArriveBy: question.isArriveBy
        )
        return await taxi(ride)
    }
}
