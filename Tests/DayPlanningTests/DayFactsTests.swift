import Chronology
import CityData
import DayPlan
import DayPlanning
import SeededRandom
import Testing
import TripPlanning

/// The facts of the formal models (section 1.13) over random days: A1, A3 to A10, A12, A13, A15,
/// A16.
///
/// A day grows task by task, as a calendar does; after each the plan is checked. A failing seed is
/// printed with its day.
@Suite("Facts of planned days")
struct DayFactsTests {
    private let town = DayTown()

    /// A task of a random day: at a fixed time or in a window, with or without a place.
    static func task(_ number: Int, _ random: inout SeededRandom) -> CalendarTask {
        let start = DayTown.time(Int64.random(in: 7...18, using: &random))
            .adding(seconds: Int64.random(in: 0...11, using: &random) * 300)
        let seconds = Int64.random(in: 2...12, using: &random) * 300
        let metres = Int.random(in: 0...12, using: &random) * 300
        var task = CalendarTask(
            uid: "task \(number)",
            title: "task \(number)",
            timing: .fixed(start..<start.adding(seconds: seconds)),
            place: Int.random(in: 0...4, using: &random) == 0 ? nil : DayTown.place(metres),
            line: number + 1
        )
        if Bool.random(using: &random) {
            let room = Int64.random(in: 0...24, using: &random) * 300
            let least = Bool.random(using: &random) ? seconds : seconds / 2
            task.timing = .flexible(
                window: start..<start.adding(seconds: seconds + room),
                seconds: seconds,
                minimumSeconds: least
            )
        }
        task.demands.isOverlappable =
            !task.timing.isFlexible && Int.random(in: 0...7, using: &random) == 0
        return task
    }

    @Test("whatever is entered, a plan keeps the facts of the models", arguments: 0..<150)
    func facts(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let base = Bool.random(using: &random) ? Int.random(in: 0...6, using: &random) * 300 : nil
        var tasks: [CalendarTask] = []
        var feasible = 0
        for number in 0..<6 {
            tasks.append(Self.task(number, &random))
            let plan = try town.plan(tasks, base: base)
            let comment = Comment(rawValue: "seed \(seed), \(number + 1) tasks: \(tasks)")
            // A13: one result, whatever the order in which the tasks were entered.
            let shuffled = try town.plan(tasks.shuffled(using: &random), base: base)
            #expect(shuffled.isFeasible == plan.isFeasible, comment)
            #expect(Self.described(shuffled) == Self.described(plan), comment)
            checkJourneys(plan, base, comment)
            checkTasks(plan, comment)
            checkWarnings(plan, comment)
            checkStates(plan, comment)
            feasible += plan.isFeasible ? 1 : 0
        }
        #expect(feasible > 0, "seed \(seed): not even one task fits")
    }

    @Test("A8: under the profile s2 every leg to a flexible task begins in its window")
    func windows() throws {
        var (journeys, others) = (0, 0)
        for seed in 0..<100 as Range<UInt64> {
            var random = SeededRandom(seed: seed ^ 0xA8)
            var day = DayTown.day([], base: Int.random(in: 0...6, using: &random) * 300)
            day.tasks = (0..<4).map { Self.task($0, &random) }
            day.vehicles[.car] = DayTown.place(300 * Int.random(in: 0...12, using: &random))
            for isStrict in [false, true] {
                day.departsWithinWindows = isStrict
                let plan = try DayTown(carSpeed: 3).plan(day)
                guard plan.isFeasible else { continue }
                for task in day.tasks.indices where day.tasks[task].timing.isFlexible {
                    let window = day.tasks[task].timing.window
                    #expect(window.lowerBound <= plan.time(of: task).lowerBound)
                    #expect(plan.time(of: task).upperBound <= window.upperBound)
                    for journey in plan.journeys where journey.to == .task(task) {
                        let isEarly = journey.trip.departure < window.lowerBound
                        others += isEarly ? 1 : 0
                        journeys += isStrict ? 1 : 0
                        #expect(!isStrict || !isEarly, "seed \(seed): \(Self.described(plan))")
                    }
                }
            }
        }
        // Without the profile, people may be there when the window opens.
        #expect(journeys > 20 && others > 5, "\(journeys), \(others)")
    }

    /// A plan by the names of its tasks.
    private static func described(_ plan: PlannedDay) -> [String] {
        func stop(_ stop: DayStop) -> String {
            if case .task(let task) = stop { plan.input.tasks[task].uid } else { "\(stop)" }
        }
        let tasks = plan.input.tasks.indices.map {
            "\(plan.input.tasks[$0].uid) \(plan.time(of: $0))"
        }
        let legs = plan.journeys.map {
            "\(stop($0.from)) \(stop($0.to)) \($0.trip.departure) \($0.trip.arrival)"
        }
        return tasks.sorted() + legs.sorted()
    }

    /// A1, A3, A6, A15: journeys take time, belong to one task, and follow each other in place.
    func checkJourneys(_ plan: PlannedDay, _ base: Int?, _ comment: Comment) {
        for journey in plan.journeys {
            #expect(journey.trip.departure < journey.trip.arrival, comment)
            #expect(journey.from != journey.to && !journey.trip.steps.isEmpty, comment)
            #expect(
                plan.place(of: journey.from)?.coordinate != plan.place(of: journey.to)?.coordinate,
                comment
            )
            // Its legs are contiguous.
            for (leg, next) in zip(journey.trip.steps, journey.trip.steps.dropFirst()) {
                #expect(leg.arrival <= next.departure, comment)
            }
        }
        guard plan.isFeasible else { return }
        for (journey, next) in zip(plan.journeys, plan.journeys.dropFirst()) {
            #expect(journey.trip.arrival <= next.trip.departure, comment)
            #expect(
                plan.place(of: journey.to)?.coordinate == plan.place(of: next.from)?.coordinate,
                comment
            )
        }
        guard let base, let first = plan.journeys.first, let last = plan.journeys.last else {
            return
        }
        let home = DayTown.place(base).coordinate
        #expect(plan.place(of: first.from)?.coordinate == home, comment)
        #expect(plan.place(of: last.to)?.coordinate == home, comment)
    }

    /// A6, A7, A8, A16: nothing exclusive is at the same time as anything else or as a journey, and
    /// each task is within its window and reached before it begins.
    func checkTasks(_ plan: PlannedDay, _ comment: Comment) {
        guard plan.isFeasible else { return }
        let tasks = plan.input.tasks
        for task in tasks.indices {
            let (time, window) = (plan.time(of: task), tasks[task].timing.window)
            #expect(window.lowerBound <= time.lowerBound && time.upperBound <= window.upperBound)
            if case .flexible(_, let seconds, let least) = tasks[task].timing {
                let length = time.upperBound.seconds - time.lowerBound.seconds
                #expect((least...seconds).contains(length), comment)
            }
            guard !tasks[task].demands.isOverlappable else { continue }
            for other in tasks.indices where other < task && !tasks[other].demands.isOverlappable {
                #expect(!time.overlaps(plan.time(of: other)), comment)
            }
            for journey in plan.journeys {
                #expect(!time.overlaps(journey.trip.departure..<journey.trip.arrival), comment)
                // Who goes back to where a task was does not go to it.
                if journey.to == .task(task), journey.trip.departure < time.upperBound {
                    #expect(journey.trip.arrival <= time.lowerBound, comment)
                }
            }
        }
    }

    /// A9, A10: a warning belongs to one task, and *unreachable* means that nothing comes in time.
    func checkWarnings(_ plan: PlannedDay, _ comment: Comment) {
        #expect(plan.isFeasible == plan.conflicts.isEmpty)
        if plan.isFeasible {
            #expect(plan.lateness.isEmpty && plan.repairs.isEmpty, comment)
        }
        for conflict in plan.conflicts {
            guard case .unreachable(let from, let to, nil) = conflict else { continue }
            let start = plan.time(of: to).lowerBound
            let leave: Instant =
                if case .task(let task) = from { plan.time(of: task).upperBound } else {
                    DayTown.time(0)
                }
            guard let origin = plan.place(of: from), let place = plan.place(of: to) else {
                continue
            }
            let question = TripQuestion(from: origin, to: place, time: leave)
            let arrival = try? town.answer(question).options.first?.arrival
            #expect(arrival.map { $0 > start } ?? true, comment)
            #expect(plan.lateness[to].map { $0 > 0 } ?? true, comment)
        }
    }

    /// A4, A5, A12: at each moment a part of the day is scheduled, in progress or over, and its
    /// parts agree with it.
    func checkStates(_ plan: PlannedDay, _ comment: Comment) {
        guard plan.isFeasible else { return }
        let tasks = plan.input.tasks.indices
        let ends = tasks.flatMap { [plan.time(of: $0).lowerBound, plan.time(of: $0).upperBound] }
        let turns = plan.journeys.flatMap { [$0.trip.departure, $0.trip.arrival] }
        for now in (ends + turns).flatMap({ moment in
            [-1, 0, 1].map { moment.adding(seconds: $0) }
        }) {
            let going = plan.journeys.filter { PartState(of: $0.span, at: now) == .inProgress }
            #expect(going.count <= 1, comment)
            for journey in plan.journeys {
                let state = PartState(of: journey.span, at: now)
                let legs = journey.trip.steps.map {
                    PartState(of: $0.departure..<$0.arrival, at: now)
                }
                #expect(legs.count { $0 == .inProgress } <= 1, comment)
                if state != .inProgress { #expect(legs.allSatisfy { $0 == state }, comment) }
            }
            var busy = 0
            for task in tasks {
                let (state, time) = (plan.state(of: task, at: now), plan.time(of: task))
                #expect((state == .over) == (time.upperBound <= now), comment)
                if state == .inProgress, !plan.input.tasks[task].demands.isOverlappable {
                    busy += 1
                }
                guard let journey = plan.journey(to: task) else { continue }
                let way = PartState(of: journey.span, at: now)
                if state == .over { #expect(way == .over, comment) }
                // Something else that is done on the way is in progress before the task.
                if state == .scheduled, way != .scheduled {
                    #expect(
                        tasks.contains { other in
                            other != task
                                && journey.trip.departure <= plan.time(of: other).lowerBound
                        },
                        comment
                    )
                }
            }
            #expect(busy <= 1, comment)
        }
    }
}
