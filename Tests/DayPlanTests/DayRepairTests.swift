import Chronology
import SeededRandom
import TestSupport
import Testing

@testable import DayPlan

/// Issue 32, "Repairs"; V46.
@Suite("Repairs of a day")
struct DayRepairTests {
    @Test("each repair works, and none of its steps can be left out or made smaller")
    func minimal() throws {
        var sizes = Set<Int>()
        for number in 0..<Effort.instances(40, everything: 500) {
            var random = SeededRandom(seed: UInt64(number) ^ 0x4E9A)
            let kinds = RandomDay.Kinds(tasks: 3, steps: 36)
            let day = RandomDay.day(kinds, &random)
            let table = RandomDay.table(day, places: kinds.places, &random)
            let isFeasible = try DayPlan.solve(day, by: table).isFeasible
            let repairs = try DayRepair.repairs(of: day, by: table)
            if isFeasible { #expect(repairs.isEmpty) }
            for repair in repairs {
                sizes.insert(repair.steps.count)
                var changed = day
                for step in repair.steps { changed.apply(step) }
                #expect(PlanChecker.faults(repair.plan, changed, table) == [])
                #expect(repair.plan.cost.lateTasks == 0)
                for left in repair.steps.indices {
                    var smaller = day
                    for (index, step) in repair.steps.enumerated() {
                        let seconds = step.seconds - DayRepair.unitSeconds
                        if index != left { smaller.apply(step) }
                        if index == left, seconds > 0 { smaller.apply(step.by(seconds: seconds)) }
                    }
                    #expect(try !DayPlan.solve(smaller, by: table).isFeasible, "seed \(number)")
                }
            }
        }
        #expect(sizes.contains(1))
    }

    @Test("two meetings at once: the later one starts later, or the earlier one ends earlier")
    func overlap() throws {
        let place = PlaceIndex(rawValue: 0)
        let start = Instant(seconds: 1_795_766_400)
        let noon = start.adding(seconds: 7_200)
        let tasks = [
            DayTask(TaskIdentifier(rawValue: 1), at: place, from: start, until: noon),
            DayTask(
                TaskIdentifier(rawValue: 2),
                at: place,
                from: noon.adding(seconds: -1_800),
                until: noon.adding(seconds: 1_800)
            ),
        ]
        let day = Day(
            origin: nil,
            from: start,
            destination: nil,
            until: noon.adding(seconds: 36_000),
            tasks: tasks
        )
        let table = TravelTable(placeCount: 1)
        let repairs = try DayRepair.repairs(of: day, by: table, limit: 10)
        let steps = repairs.map(\.steps)
        #expect(steps.contains([.postpone(TaskIdentifier(rawValue: 2), seconds: 1_800)]))
        #expect(steps.contains([.shorten(TaskIdentifier(rawValue: 1), seconds: 1_800)]))
        #expect(steps.contains([.move(TaskIdentifier(rawValue: 1))]))
        #expect(steps.allSatisfy { $0.count == 1 })
    }

    @Test("a task is postponed to when its place is open, not to when it is closed")
    func closing() throws {
        let start = Instant(seconds: 1_795_766_400)
        func moment(_ minutes: Int64) -> Instant { start.adding(seconds: minutes * 60) }
        func slot(_ place: UInt16, _ from: Int64, _ until: Int64, _ closing: Int64) -> TaskSlot {
            TaskSlot(
                place: PlaceIndex(rawValue: place),
                from: moment(from),
                until: moment(until),
                closing: moment(closing)
            )
        }
        let errand = TaskIdentifier(rawValue: 1)
        // Until minute 60, at places that close at minute 10 or open at minute 100.
        let day = Day(
            origin: nil,
            from: start,
            destination: nil,
            until: moment(600),
            tasks: [
                DayTask(
                    errand,
                    slots: [slot(0, 0, 10, 10), slot(1, 100, 60, 300)],
                    seconds: 1_800
                )
            ]
        )
        let table = TravelTable(placeCount: 2)
        #expect(try !DayPlan.solve(day, by: table).isFeasible)
        let repairs = try DayRepair.repairs(of: day, by: table)
        #expect(repairs.map(\.steps).contains([.postpone(errand, seconds: 70 * 60)]))
        for repair in repairs {
            for task in repair.plan.tasks { #expect(task.place == PlaceIndex(rawValue: 1)) }
        }
    }
}
