import Chronology
import CityData
package import Journeys
import LiveFeeds

/// Answers questions about trips for many people at once.
///
/// It plans on threads of its own, which give way to all others, so that planning for strangers
/// cannot starve the taxis (V16, V95): see ``TripWorkers``.
package final class TripPlanner: Sendable {
    /// The city and overlays that answers refer to.
    package let snapshot: CitySnapshot
    /// The stops and lines of the city.
    package let guide: TransitGuide
    /// The strikes and alerts that the snapshot is without.
    package let disruptions: Disruptions
    /// The traffic of the snapshot's streets.
    package let traffic: CityTraffic
    private let taxi: TaxiEstimator?
    private let conditions: TripConditionsProvider?
    private let reliability: TripReliability?
    private let workerCount: Int
    private let workers: TripWorkers
    /// Plans whole days, for which trips do not wait; its thread starts with the first day.
    private let dayWorkers: TripWorkers

    /// Creates a planner for a snapshot.
    ///
    /// - Parameters:
    ///   - snapshot: the city at a moment.
    ///   - workers: how many questions are answered at the same time, each on its own thread.
    ///   - taxi: estimates taxi rides; nil if the city has no taxi service.
    ///   - conditions: tells what live feeds say; nil if there are none.
    ///   - disruptions: the strikes and alerts of the city, on which no plan counts.
    ///   - traffic: the traffic of the city.
    ///   - reliability: how probable it is to be on time; nil if no delays are known.
    package convenience init(
        _ snapshot: CitySnapshot,
        workers: Int,
        taxi: TaxiEstimator? = nil,
        conditions: TripConditionsProvider? = nil,
        disruptions: Disruptions = Disruptions(),
        traffic: CityTraffic = CityTraffic(),
        reliability: TripReliability? = nil
    ) {
        self.init(
            traffic.applied(to: snapshot),
            TransitGuide(snapshot.city),
            workers,
            taxi,
            conditions,
            disruptions,
            traffic,
            reliability
        )
    }

    private init(
        _ snapshot: CitySnapshot,
        _ guide: TransitGuide,
        _ workers: Int,
        _ taxi: TaxiEstimator?,
        _ conditions: TripConditionsProvider?,
        _ disruptions: Disruptions,
        _ traffic: CityTraffic,
        _ reliability: TripReliability?
    ) {
        precondition(workers > 0, "a planner without workers answers nothing")
        let snapshot = disruptions.applied(to: snapshot)
        self.snapshot = snapshot
        self.guide = guide
        self.taxi = taxi
        self.conditions = conditions
        self.disruptions = disruptions
        self.traffic = traffic
        self.reliability = reliability
        workerCount = workers
        self.workers = TripWorkers(snapshot, limit: workers, reliability)
        dayWorkers = TripWorkers(snapshot, limit: 1)
    }

    /// A planner of the same city with other disruptions and other traffic.
    func changed(by disruptions: Disruptions, _ traffic: CityTraffic) -> TripPlanner {
        let snapshot = traffic == self.traffic ? snapshot : traffic.applied(to: snapshot)
        return TripPlanner(
            snapshot,
            guide,
            workerCount,
            taxi,
            conditions,
            disruptions,
            traffic,
            reliability
        )
    }

    deinit {
        workers.close()
        dayWorkers.close()
    }

    /// Answers a question.
    ///
    /// - Parameters:
    ///   - question: the question.
    ///   - deadline: when the answer becomes useless; nil for no limit.
    /// - Returns: the options that people choose from.
    /// - Throws: ``TripFailure`` if there is no answer.
    package func answer(
        _ question: TripQuestion,
        deadline: ContinuousClock.Instant? = nil
    ) async throws(TripFailure) -> TripAnswer {
        let estimate = await estimate(question)
        let ticket = TripTicket(expected: question.expected, deadline: deadline)
        var answer = try await found(ticket, by: workers) {
            [self] search, check throws(TripFailure) in
            let conditions = conditions(at: question.time)
            return try search.answer(
                question,
                taxi: estimate,
                conditions: conditions,
                check: check
            )
        }
        for index in answer.options.indices where answer.options[index].changesToTaxi {
            answer.options[index] = await estimated(answer.options[index], question)
        }
        return answer
    }

    /// A journey with a taxi for a part of the way, with the fare of that part.
    private func estimated(_ option: TripOption, _ question: TripQuestion) async -> TripOption {
        guard let taxi, let step = option.taxiStep,
            let from = step.from?.coordinate ?? question.from.coordinate,
            let to = step.to?.coordinate ?? question.to.coordinate
        else { return option }
        let ride = TaxiRide(from: from, to: to, time: step.departure, isArriveBy: false)
        return option.priced(with: await taxi(ride))
    }

    /// Finds the area that can be reached within a time.
    ///
    /// - Parameters:
    ///   - question: the question.
    ///   - deadline: when the answer becomes useless; nil for no limit.
    /// - Returns: the area and what lies in it.
    /// - Throws: ``TripFailure`` if there is no answer.
    package func reach(
        _ question: ReachQuestion,
        deadline: ContinuousClock.Instant? = nil
    ) async throws(TripFailure) -> ReachAnswer {
        let ticket = TripTicket(expected: question.expected, deadline: deadline)
        return try await found(ticket, by: workers) { [guide] search, check throws(TripFailure) in
            try search.reach(question, guide, check: check)
        }
    }

    /// Plans a whole day on a thread that plans one day after the other.
    ///
    /// - Parameters:
    ///   - expected: the approximate time that it takes.
    ///   - plan: plans the day in a snapshot of the city, under the conditions of the moment.
    /// - Returns: what `plan` returns.
    /// - Throws: what `plan` throws; `busy` if too many days wait, `cancelled` if the task was.
    package func day<Answer: Sendable>(
        expected: Duration,
        _ plan:
            @escaping @Sendable (CitySnapshot, TripConditions) throws(TripFailure) -> Answer
    ) async throws(TripFailure) -> Answer {
        let ticket = TripTicket(expected: expected, deadline: nil)
        return try await found(ticket, by: dayWorkers) { [self] _, _ throws(TripFailure) in
            try plan(snapshot, conditions(at: nil))
        }
    }

    /// The version of the forecasts that questions would be answered by now.
    package var forecastVersion: Int { conditions.map { TripRain.version($0()) } ?? 0 }

    /// What is known of the world: of the present, or without feeds of any moment.
    private func conditions(at time: Instant?) -> TripConditions {
        var known =
            conditions?() ?? TripConditions(LiveWorld(), now: time ?? Instant(seconds: 0))
        known.disruptions = disruptions
        return known
    }

    /// Queues a question for threads and waits for its answer.
    private func found<Answer: Sendable>(
        _ ticket: TripTicket,
        by workers: TripWorkers,
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

    /// The taxi service's estimate of the ride; nil if no taxi is requested.
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
        var estimate = await taxi(ride)
        guard question.modes.transit != 0 else { return estimate }
        let back = TaxiRide(from: to, to: from, time: question.time, isArriveBy: false)
        estimate.waitThereSeconds = await taxi(back).waitSeconds
        return estimate
    }
}
