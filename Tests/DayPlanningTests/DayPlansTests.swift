import Chronology
import DayPlanning
import Synchronization
import Testing

/// V32, A13, A14: planning keeps nobody waiting, and the newest question counts.
@Suite("Plans in the background")
struct DayPlansTests {
    /// A gate at which planning waits.
    private final class Gate: Sendable {
        private let state = Mutex((isOpen: false, waiting: [CheckedContinuation<Void, Never>]()))

        func wait() async {
            await withCheckedContinuation { continuation in
                let isOpen = state.withLock { state in
                    if !state.isOpen { state.waiting.append(continuation) }
                    return state.isOpen
                }
                if isOpen { continuation.resume() }
            }
        }

        func open() {
            let waiting = state.withLock { state in
                state.isOpen = true
                defer { state.waiting = [] }
                return state.waiting
            }
            for one in waiting { one.resume() }
        }
    }

    /// Counts how often something was planned.
    private final class Counter: Sendable {
        private let number = Mutex(0)

        var count: Int { number.withLock { $0 } }

        func increase() { number.withLock { $0 += 1 } }
    }

    /// Plans for people who wait as long as it takes.
    private static var patient: DayPlans { DayPlans { _ in throw CancellationError() } }

    private static func question(_ version: Int, of person: Int64 = 1) -> DayPlans.Question {
        DayPlans.Question(person: person, date: DayTown.date, version: "\(version)")
    }

    private static func plan(_ uid: String) -> DayPlans.Answer {
        let task = DayTown.task(uid, DayTown.time(9), DayTown.time(10))
        return .planned(PlannedDay(input: DayTown.day([task])), better: nil)
    }

    private static func uid(_ answer: DayPlans.Answer?) -> String? {
        if case .planned(let plan, _)? = answer { plan.input.tasks[0].uid } else { nil }
    }

    @Test("who is not patient goes on without a plan, and finds it later")
    func patience() async {
        let gate = Gate()
        // The patience of the test ends at once.
        let plans = DayPlans { _ in }
        let early = await plans.answer(to: Self.question(1), within: 1) {
            await gate.wait()
            return Self.plan("a")
        }
        #expect(Self.uid(early) == nil)
        gate.open()
        let late = await Self.patient.answer(to: Self.question(1), within: 1) { Self.plan("a") }
        #expect(Self.uid(late) == "a")
    }

    @Test("a newer question takes the place of an older one, which nobody answers any more")
    func newer() async {
        let gate = Gate()
        let plans = Self.patient
        let isAsked = Gate()
        async let old = plans.answer(to: Self.question(1), within: 1) {
            isAsked.open()
            await gate.wait()
            return Self.plan("old")
        }
        await isAsked.wait()
        let new = await plans.answer(to: Self.question(2), within: 1) { Self.plan("new") }
        #expect(Self.uid(new) == "new")
        gate.open()
        #expect(await Self.uid(old) == nil)
        // What was answered is not planned again.
        let again = await plans.answer(to: Self.question(2), within: 1) { Self.plan("other") }
        #expect(Self.uid(again) == "new")
    }

    @Test("people do not wait for each other, and many ask the same question once")
    func many() async {
        let plans = Self.patient
        let counter = Counter()
        let found = await withTaskGroup(of: String?.self, returning: [String?].self) { group in
            for number in 0..<40 {
                group.addTask {
                    let question = Self.question(1, of: Int64(number % 4))
                    let answer = await plans.answer(to: question, within: 1) {
                        counter.increase()
                        return Self.plan("\(number % 4)")
                    }
                    return Self.uid(answer)
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(found.count == 40 && !found.contains(nil))
        #expect(counter.count == 4)
    }

    @Test("A14: in a storm of events every page is answered at once, and the last event is planned")
    func storm() async {
        let plans = DayPlans { _ in }
        let (begun, given) = (Counter(), Counter())
        // The data changes far more often than a plan can be made.
        for version in 1...5_000 {
            let answer = await plans.answer(to: Self.question(version), within: 1) {
                begun.increase()
                // Until nobody needs it any more.
                for await _ in AsyncStream<Void>.makeStream().stream {}
                given.increase()
                return .busy
            }
            #expect(Self.uid(answer) == nil)
        }
        func settled(_ question: DayPlans.Question, _ uid: String) async {
            while true {
                let answer = await plans.answer(to: question, within: 1) { Self.plan(uid) }
                if Self.uid(answer) == uid { return }
                await Task.yield()
            }
        }
        await settled(Self.question(1, of: 2), "another person")
        await settled(Self.question(5_001), "last")
        // Nothing is left that plans what nobody asks for any more.
        while given.count < begun.count { await Task.yield() }
    }
}
