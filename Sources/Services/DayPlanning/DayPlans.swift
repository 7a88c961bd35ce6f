package import Chronology
import Synchronization

/// The plans of people's days that were asked for a moment ago, and those that are being made.
///
/// Planning runs in the background, so that nobody waits for it who does not want to (V32, A14). Of
/// each day of a person one plan is made at a time: a newer question takes the place of an older
/// one, which nobody needs any more.
package final class DayPlans: Sendable {
    /// A question: a day of a person, at one version of the calendar and of the city.
    package struct Question: Hashable, Sendable {
        /// The number of the person.
        package var person: Int64
        /// The planned date in the city's time zone.
        package var date: CivilDate
        /// What the plan depends on besides: versions of the calendar and of the city's data.
        package var version: String

        /// Creates a question.
        package init(person: Int64, date: CivilDate, version: String) {
            self.person = person
            self.date = date
            self.version = version
        }
    }

    /// Why a day has no plan.
    package enum Failure: Error, Sendable, Equatable {
        /// Its calendar cannot be read.
        case unreadable(CalendarDay.Failure)
        /// It cannot be planned.
        case unplannable(DayPlanningFailure)
    }

    /// What becomes of a question.
    package enum Answer: Sendable {
        /// The plan, or what is in its way; and a plan that would change more and be better, if
        /// there is one.
        case planned(PlannedDay, better: PlannedDay?)
        /// The day cannot be planned.
        case failed(Failure)
        /// Too many days are being planned; the question may be asked again.
        case busy
    }

    /// How many answers are kept; each takes some tens of kilobytes.
    private static let limit = 256

    private struct Work {
        let question: Question
        let task: Task<Void, Never>
        var waiters: [Int: CheckedContinuation<Answer?, Never>] = [:]
    }

    private struct Subject: Hashable {
        let person: Int64
        let date: CivilDate
    }

    private struct State {
        var answers: [Question: Answer] = [:]
        /// The questions of `answers`, the oldest first.
        var order: [Question] = []
        var works: [Subject: Work] = [:]
        /// The version of the world by which all people's days were planned ahead.
        var worlds: [CivilDate: String] = [:]
        var lastWaiter = 0
    }

    private let state = Mutex(State())
    private let pause: @Sendable (_ milliseconds: Int64) async throws -> Void

    /// Starts without plans.
    ///
    /// - Parameter pause: returns after a time, by the clock of the server; if it throws, people
    ///   wait as long as planning takes.
    package init(pause: @escaping @Sendable (_ milliseconds: Int64) async throws -> Void) {
        self.pause = pause
    }

    /// The answer to a question, once there is one.
    ///
    /// - Parameters:
    ///   - question: the question.
    ///   - patience: how long to wait, in milliseconds.
    ///   - plan: finds the answer; called if nobody has asked the question yet.
    /// - Returns: the answer; nil if it is still being looked for, or no longer.
    package func answer(
        to question: Question,
        within patience: Int64,
        _ plan: @escaping @Sendable () async -> Answer
    ) async -> Answer? {
        let subject = Subject(person: question.person, date: question.date)
        if let answer = start(question, subject, plan) { return answer }
        let waiter = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        return await withCheckedContinuation { continuation in
            let answer = state.withLock { state -> Answer?? in
                if let answer = state.answers[question] { return .some(answer) }
                guard state.works[subject]?.question == question else { return .some(nil) }
                state.works[subject]?.waiters[waiter] = continuation
                return nil
            }
            if let answer {
                continuation.resume(returning: answer)
                return
            }
            // Not before there is somebody to be told.
            Task {
                guard (try? await pause(patience)) != nil else { return }
                stopWaiting(waiter, subject)
            }
        }
    }

    /// The known answer; without one, its search has started when this returns.
    private func start(
        _ question: Question,
        _ subject: Subject,
        _ plan: @escaping @Sendable () async -> Answer
    ) -> Answer? {
        let old = state.withLock { state -> (answer: Answer?, work: Work?) in
            if let answer = state.answers[question] { return (answer, nil) }
            guard state.works[subject]?.question != question else { return (nil, nil) }
            let old = state.works[subject]
            let task = Task {
                let answer = await plan()
                self.settle(question, subject, answer)
            }
            state.works[subject] = Work(question: question, task: task)
            return (nil, old)
        }
        old.work?.task.cancel()
        for waiter in old.work?.waiters.values.map(\.self) ?? [] { waiter.resume(returning: nil) }
        return old.answer
    }

    /// Whether a day was planned ahead for all people, but by another version of the world.
    package func isNew(_ world: String, on date: CivilDate) -> Bool {
        state.withLock { state in state.worlds[date].map { $0 != world } ?? false }
    }

    /// Notes the version of the world by which a day was planned ahead for all people.
    package func note(_ world: String, on date: CivilDate) {
        state.withLock { state in
            state.worlds = state.worlds.filter { $0.key >= date.adding(days: -Self.daysKept) }
            state.worlds[date] = world
        }
    }

    /// How many days before the latest one stay noted.
    private static let daysKept: Int32 = 10

    private func settle(_ question: Question, _ subject: Subject, _ answer: Answer) {
        let waiters = state.withLock { state -> [CheckedContinuation<Answer?, Never>] in
            // An answer that came too late is of no use, and "busy" is none.
            guard state.works[subject]?.question == question else { return [] }
            let work = state.works.removeValue(forKey: subject)
            if case .busy = answer { return work?.waiters.values.map(\.self) ?? [] }
            state.answers[question] = answer
            state.order.append(question)
            if state.order.count > Self.limit {
                state.answers[state.order.removeFirst()] = nil
            }
            precondition(state.answers.count == state.order.count, "answers are not in their order")
            return work?.waiters.values.map(\.self) ?? []
        }
        for waiter in waiters { waiter.resume(returning: answer) }
    }

    private func stopWaiting(_ waiter: Int, _ subject: Subject) {
        let continuation = state.withLock { state in
            state.works[subject]?.waiters.removeValue(forKey: waiter)
        }
        continuation?.resume(returning: nil)
    }
}
