import Chronology
import CityData
import DayPlan
import Foundation
import SeededRandom
import TestSupport
import Testing
import TripPlanning

@testable import DayPlanning

/// Issue 32, Verification: A1 to A17 over random histories of a month, under each profile.
///
/// In a history its owner adds, changes, removes and pins tasks of thirty days, and trams run more
/// or less often. After each event the day is planned with what is remembered of it, and the facts
/// of the models are checked. A failing seed is written to `Tests/failing-seeds.txt`.
@Suite("Histories of a month")
struct MonthHistoryTests {
    /// The rules of a profile, as the planner knows them.
    struct Profile: Sendable, CustomTestStringConvertible {
        let name: String
        var noneOverlap = false
        var unlocatedOverlap = false
        var departsWithinWindows = false

        var testDescription: String { name }
    }

    private static let profiles = [
        Profile(name: "usual"), Profile(name: "s2", noneOverlap: true, departsWithinWindows: true),
        Profile(name: "s3", unlocatedOverlap: true), Profile(name: "s4"),
    ]

    // MARK: Seeds

    private static let list = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("failing-seeds.txt")
    /// What stands before a seed of these tests in the list.
    private static let mark = "month "

    private static var failedBefore: [UInt64] {
        let text = (try? String(contentsOf: list, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").filter { $0.hasPrefix(mark) }
            .compactMap { UInt64($0.dropFirst(mark.count)) }
    }

    private static func note(_ seed: UInt64) {
        guard !failedBefore.contains(seed), let file = try? FileHandle(forWritingTo: list) else {
            return
        }
        _ = try? file.seekToEnd()
        try? file.write(contentsOf: Data("\(mark)\(seed)\n".utf8))
    }

    // MARK: A history

    /// A day of the month.
    private struct MonthDay {
        var tasks: [CalendarTask] = []
        var memory = DayMemory()
        var headway: Int64 = 300
        var plan: PlannedDay?
    }

    /// What a history came to.
    private struct Outcome {
        var feasible = 0
        var kept = 0
        var moved = 0
        var complaints: [String] = []
    }

    private let facts = DayFactsTests()

    @Test("A1 to A17 hold after each event of a month, under each profile", arguments: profiles)
    func histories(profile: Profile) throws {
        let count = UInt64(Effort.instances(2, everything: 150))
        var (feasible, kept, moved) = (0, 0, 0)
        for seed in Self.failedBefore + Array(1...count) {
            let outcome = try history(seed, profile)
            (feasible, kept) = (feasible + outcome.feasible, kept + outcome.kept)
            moved += outcome.moved
            guard let first = outcome.complaints.first else { continue }
            Self.note(seed)
            Issue.record("seed \(seed), profile \(profile.name): \(first)")
        }
        #if !DEBUG
        // Under the profile s2 nothing is known of what could stay.
        let isKept = kept > 20 || profile.departsWithinWindows
        let isMoved = moved > 0 || count < 20
        #expect(feasible > 60 && isKept && isMoved, "\(feasible), \(kept), \(moved)")
        #endif
    }

    private func history(_ seed: UInt64, _ profile: Profile) throws -> Outcome {
        var random = SeededRandom(seed: seed)
        var month = [MonthDay](repeating: MonthDay(), count: 30)
        var outcome = Outcome()
        for event in 0..<80 {
            let number = random.below(30)
            let before = month[number]
            let what = change(&month[number], event, &random)
            let input = input(of: month[number], profile)
            let plan = try plan(input, headway: month[number].headway)
            let comment = Comment(rawValue: "seed \(seed), event \(event): \(what)")
            facts.checkJourneys(plan, Self.base, comment)
            facts.checkTasks(plan, comment)
            // The answers of trams that run less often are others.
            if month[number].headway == 300 { facts.checkWarnings(plan, comment) }
            facts.checkStates(plan, comment)
            checkWindows(plan, profile, comment)
            guard plan.isFeasible else {
                // Its owner takes the change back, which is one more event: the old plan holds.
                month[number] = before
                if let old = before.plan {
                    let input = self.input(of: before, profile)
                    let again = try self.plan(input, headway: before.headway)
                    if !again.moved(since: input.memory).isEmpty || !old.isFeasible {
                        outcome.complaints.append("event \(event), taken back: the plan changed")
                    }
                }
                continue
            }
            outcome.feasible += 1
            try check(plan, after: before, input, profile, month[number].headway, what, &outcome)
            month[number].memory = DayMemory(plan, after: input.memory)
            month[number].plan = plan
        }
        return outcome
    }

    private static let base = 600

    /// An event: what its owner or the trams change.
    private func change(
        _ day: inout MonthDay,
        _ event: Int,
        _ random: inout SeededRandom
    ) -> String {
        let known = day.tasks.count
        switch random.below(8) {
        case 0 where known > 0:
            let task = random.below(known)
            return "removed \(day.tasks.remove(at: task).uid)"
        case 1 where known > 0:
            let task = random.below(known)
            let uid = day.tasks[task].uid
            day.tasks[task] = DayFactsTests.task(event, &random)
            day.tasks[task].uid = uid
            return "changed \(uid)"
        case 2:
            day.headway = random.pick([300, 600, 900])
            return "trams every \(day.headway) s"
        case 3 where day.plan != nil:
            guard let placed = day.memory.placements.first else { return "nothing" }
            day.memory.pins[placed.task] = placed.start
            return "pinned \(placed.task.uid)"
        case 4:
            return "nothing"
        default:
            guard known < 4 else { return "nothing" }
            day.tasks.append(DayFactsTests.task(event, &random))
            return "added \(event)"
        }
    }

    private func input(of day: MonthDay, _ profile: Profile) -> DayInput {
        var input = DayTown.day(day.tasks, base: Self.base)
        input.memory = day.memory
        input.follow(
            noneOverlap: profile.noneOverlap,
            unlocatedOverlap: profile.unlocatedOverlap,
            departsWithinWindows: profile.departsWithinWindows
        )
        return input
    }

    /// A plan; repairs are not looked for, which other tests do.
    private func plan(_ input: DayInput, headway: Int64) throws -> PlannedDay {
        let town = DayTown(headway: headway)
        let solver = DaySolver(
            solve: town.solver.solve,
            again: { _ throws(DayFailure) in nil },
            repairs: { _ throws(DayFailure) in [] }
        )
        return try DayPlanner(answer: town.answer, solver: solver).plan(input)
    }

    // MARK: The facts of plans that follow each other

    /// A8: a task is in its window, and under the profile s2 every journey to it begins there.
    private func checkWindows(_ plan: PlannedDay, _ profile: Profile, _ comment: Comment) {
        guard plan.isFeasible, profile.departsWithinWindows else { return }
        for task in plan.input.tasks.indices where plan.input.tasks[task].timing.isFlexible {
            let begin = plan.input.tasks[task].timing.window.lowerBound
            for journey in plan.journeys where journey.to == .task(task) {
                #expect(journey.trip.departure >= begin, comment)
            }
        }
    }

    /// A13 and A17: the plan is the same when it is made again, and differs from the one before
    /// only where that one could not stay.
    private func check(
        _ plan: PlannedDay,
        after before: MonthDay,
        _ input: DayInput,
        _ profile: Profile,
        _ headway: Int64,
        _ what: String,
        _ outcome: inout Outcome
    ) throws {
        var again = input
        again.memory = DayMemory(plan, after: input.memory)
        let second = try self.plan(again, headway: headway)
        if !second.moved(since: again.memory).isEmpty {
            outcome.complaints.append("\(what): planned again, the plan changed")
        }
        let moved = plan.moved(since: input.memory)
        outcome.moved += moved.isEmpty ? 0 : 1
        guard before.plan != nil, try canStay(plan, input, profile, headway) else { return }
        outcome.kept += 1
        if !moved.isEmpty {
            outcome.complaints.append("\(what): the plan changed although the old one could stay")
        }
    }

    /// Whether all tasks that were placed can be where they were, with each journey early enough.
    ///
    /// A plan with these tasks at fixed times says so. It does not know from when on journeys to
    /// tasks without a fixed time may begin, so that nothing is claimed under the profile s2.
    private func canStay(
        _ plan: PlannedDay,
        _ input: DayInput,
        _ profile: Profile,
        _ headway: Int64
    ) throws -> Bool {
        guard !profile.departsWithinWindows else { return false }
        var fixed = input
        for task in fixed.tasks.indices where fixed.tasks[task].timing.isFlexible {
            guard let old = input.placements(of: fixed.tasks[task]).first else { continue }
            let span = Instant(seconds: old.start)..<Instant(seconds: old.end)
            fixed.tasks[task].timing = .fixed(span)
        }
        fixed.memory = DayMemory()
        // What its owner wants elsewhere may move everything.
        let isPinnedElsewhere = input.memory.pins.contains { task, start in
            !input.memory.placements.contains { $0.task == task && $0.start == start }
        }
        guard !isPinnedElsewhere else { return false }
        let kept = try self.plan(fixed, headway: headway)
        return kept.isFeasible && kept.shortWaits.isEmpty && plan.shortWaits.isEmpty
    }
}
