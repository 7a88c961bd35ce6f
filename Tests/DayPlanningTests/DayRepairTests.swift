import Chronology
import CityData
import DayPlan
import Fares
import Geo
import SeededRandom
import TestSupport
import Testing
import TripPlanning

@testable import DayPlanning

/// V46 and issue 32, "Verification": every repair is applied and must work; no smaller one exists.
@Suite("Repairs of a day")
struct DayRepairTests {
    private func change(_ task: Int, _ kind: CalendarChange.Kind) -> CalendarRepair {
        CalendarRepair(changes: [CalendarChange(task: task, kind: kind)])
    }

    @Test("an event that cannot be reached: later, the former sooner, or without one of them")
    func unreachable() throws {
        let plan = try DayTown().plan([
            DayTown.task("a", DayTown.time(9), DayTown.time(10), at: 0),
            DayTown.task("b", DayTown.time(10, 10), DayTown.time(11), at: 1_500),
        ])
        #expect(plan.conflicts == [.unreachable(from: .task(0), to: 1, nil)])
        #expect(
            plan.repairs == [
                change(0, .shorten(minutes: 15)), change(1, .postpone(minutes: 15)),
                change(1, .drop), change(0, .drop),
            ]
        )
    }

    @Test("two events at once: a postponed one must leave time for the next")
    func overlap() throws {
        let plan = try DayTown().plan([
            DayTown.task("a", DayTown.time(9), DayTown.time(10), at: 0),
            DayTown.task("b", DayTown.time(9, 30), DayTown.time(11), at: 0),
            DayTown.task("c", DayTown.time(11, 10), DayTown.time(12)),
        ])
        #expect(plan.conflicts == [.overlap(first: 0, second: 1)])
        #expect(
            plan.repairs == [
                change(0, .shorten(minutes: 30)), change(0, .drop), change(1, .drop),
            ]
        )
    }

    @Test("a call in the way may be moved, so that there is time before it or after it")
    func calls() throws {
        let plan = try DayTown().plan([
            DayTown.task("a", DayTown.time(9), DayTown.time(10), at: 0),
            DayTown.task("call", DayTown.time(10, 10), DayTown.time(10, 50)),
            DayTown.task("b", DayTown.time(11, 20), DayTown.time(12), at: 2_400),
        ])
        #expect(plan.conflicts == [.unreachable(from: .task(0), to: 2, nil)])
        let single = plan.repairs.filter { $0.dropCount == 0 }
        #expect(
            single == [
                change(1, .shorten(minutes: 10)), change(2, .postpone(minutes: 10)),
                change(0, .shorten(minutes: 30)), change(1, .postpone(minutes: 30)),
            ]
        )
    }

    @Test("V46: of as many minutes those of the event with fewer guests come first")
    func guests() throws {
        var tasks = [
            DayTown.task("a", DayTown.time(9), DayTown.time(10), at: 0),
            DayTown.task("b", DayTown.time(10, 10), DayTown.time(11), at: 1_500),
        ]
        tasks[0].demands.guests = 3
        let repairs = try DayTown().plan(tasks).repairs
        #expect(
            repairs.map(\.changes) == [
                change(1, .postpone(minutes: 15)).changes, change(0, .shorten(minutes: 15)).changes,
                change(1, .drop).changes, change(0, .drop).changes,
            ]
        )
        #expect(repairs.map(\.peopleAffected) == [0, 3, 0, 3])
    }

    @Test("V46: the rank counts changes, dropped tasks, minutes, and people, in this order")
    func rank() {
        let later = change(0, .postpone(minutes: 30))
        var invited = later
        invited.peopleAffected = 2
        var walking = CalendarRepair(changes: [])
        walking.dropsWalkLimits = true
        let both = CalendarRepair(changes: later.changes + change(1, .anyMeans).changes)
        let ordered = [
            walking, change(0, .shorten(minutes: 10)), later, invited, change(0, .drop), both,
        ]
        for (one, next) in zip(ordered, ordered.dropFirst()) {
            #expect(one.rank.lexicographicallyPrecedes(next.rank), "\(one), \(next)")
        }
    }

    @Test("V46: where a limit on walking is in the way, the day works out without it")
    func walking() throws {
        var day = DayTown.day(
            [DayTown.task("a", DayTown.time(9), DayTown.time(10), at: 1_500)],
            base: 0
        )
        day.limits.legWalkMetres = 500
        let planner = DayPlanner(answer: DayTown().answer, solver: DayTown().solver)
        let plan = try planner.plan(day)
        #expect(!plan.isFeasible)
        let walking = plan.repairs.filter(\.dropsWalkLimits)
        #expect(walking.map(\.changes) == [[]])
        day.limits.legWalkMetres = nil
        #expect(try planner.plan(day).isFeasible)
    }

    @Test("V46: of equal repairs the one comes first with which the journeys cost less")
    func money() throws {
        // Whichever of two tasks is dropped, the other is reached; the way to one costs less.
        for isFirstDearer in [true, false] {
            var day = DayTown.day(
                [
                    DayTown.task("a", DayTown.time(9), DayTown.time(10), at: 1_200),
                    DayTown.task("b", DayTown.time(9), DayTown.time(10), at: 600),
                ],
                base: 0
            )
            // With a limit the solver looks for the repairs.
            day.limits.dayWalkMetres = 100_000
            let town = DayTown()
            let planner = DayPlanner(
                answer: { question throws(TripFailure) in
                    var answer = try town.answer(question)
                    for number in answer.options.indices {
                        let isFar = answer.options[number].metres > 600
                        let cents: Int64 = isFar == isFirstDearer ? 500 : 100
                        answer.options[number].price = .exact(
                            Money(cents, TripCosts.standard.currency)
                        )
                    }
                    return answer
                },
                solver: town.solver
            )
            let drops = try planner.plan(day).repairs.filter { $0.dropCount == 1 }.map(\.changes)
            let cheap = change(isFirstDearer ? 0 : 1, .drop).changes
            #expect(drops.first == cheap && drops.count == 2, "\(drops)")
        }
    }

    @Test("of conflicts that share no event each is repaired, and every repair is of the whole day")
    func groups() throws {
        let tasks = [
            DayTown.task("a", DayTown.time(9), DayTown.time(10), at: 0),
            DayTown.task("b", DayTown.time(9, 50), DayTown.time(11), at: 0),
            DayTown.task("c", DayTown.time(14), DayTown.time(15), at: 0),
            DayTown.task("d", DayTown.time(15), DayTown.time(16), at: 600),
        ]
        let plan = try DayTown().plan(tasks)
        #expect(plan.conflicts.count == 2)
        #expect(plan.repairs.allSatisfy { $0.changes.count == 2 })
        #expect(plan.repairs.first?.minutes == 20 && plan.repairs.first?.dropCount == 0)
        for repair in plan.repairs {
            #expect(try DayTown().plan(repaired(tasks, repair)).isFeasible)
        }
    }

    @Test(
        "sixty events at once are told apart from a day that can be repaired, in bounded time"
    )
    func hopeless() throws {
        let tasks = (0..<60).map { (number: Int) in
            DayTown.task("\(number)", DayTown.time(9), DayTown.time(17), at: number)
        }
        let plan = try DayTown().plan(tasks)
        #expect(plan.conflicts.count == 59 && plan.repairs.isEmpty && plan.journeys.isEmpty)
    }

    // MARK: Against the definition

    /// The tasks with the changes of a repair.
    private func repaired(_ tasks: [CalendarTask], _ repair: CalendarRepair) -> [CalendarTask] {
        var left: [CalendarTask?] = tasks
        for change in repair.changes {
            let span = tasks[change.task].timing.window
            switch change.kind {
            case .drop: left[change.task] = nil
            case .move: break
            case .anyMeans: left[change.task]?.demands.modes = nil
            case .delay(let minutes):
                left[change.task]?.timing = .fixed(
                    span.lowerBound.adding(seconds: minutes * 60)..<span.upperBound
                )
            case .postpone(let minutes):
                left[change.task]?.timing = .fixed(
                    span.lowerBound.adding(
                        seconds: minutes * 60
                    )..<span.upperBound.adding(seconds: minutes * 60)
                )
            case .shorten(let minutes):
                left[change.task]?.timing = .fixed(
                    span.lowerBound..<span.upperBound.adding(seconds: -minutes * 60)
                )
            }
        }
        return left.compactMap(\.self)
    }

    /// Whether a day can be kept: in each gap between two events one may go from one place to
    /// another.
    ///
    /// - Parameters:
    ///   - tasks: the events.
    ///   - town: how long journeys take.
    ///   - viaOthers: whether one may spend an event without a place at the place of another one,
    ///     on the way to somewhere else. Plans do so where nothing else is in time; repairs are the
    ///     least ones without that.
    /// - Returns: whether it can be kept.
    private func isFeasible(
        _ tasks: [CalendarTask],
        _ town: DayTown,
        viaOthers: Bool = false
    ) -> Bool {
        let places = Set(tasks.compactMap { $0.place?.coordinate?.longitude })
        var free: Instant?
        // Where one may be; nil before the first event with a place.
        var here: Set<Int32>?
        for task in tasks {
            let span = task.timing.window
            if let free, free > span.lowerBound { return false }
            if let start = free, let origins = here {
                let next = viaOthers ? nil : Self.nextPlace(after: task, tasks)
                let reached = places.filter { next == nil || $0 == next }.filter { place in
                    origins.contains { origin in
                        let wait =
                            (town.headway - start.seconds % town.headway) % town.headway
                        let seconds = Int64(abs(origin - place))
                        return start.adding(seconds: wait + seconds) <= span.lowerBound
                    }
                }
                here = origins.union(reached)
            }
            free = span.upperBound
            guard let place = task.place?.coordinate?.longitude else { continue }
            guard here?.contains(place) ?? true else { return false }
            here = [place]
        }
        return true
    }

    /// The place to which one is on the way before an event.
    private static func nextPlace(after task: CalendarTask, _ tasks: [CalendarTask]) -> Int32? {
        tasks.drop { $0.uid != task.uid }.lazy.compactMap { $0.place?.coordinate?.longitude }.first
    }

    @Test("random days are feasible as by definition, and their single repairs are the least ones")
    func random() throws {
        var random = SeededRandom(seed: 3_201)
        for number in 0..<Effort.instances(300) {
            let town = DayTown(headway: [1, 60, 300, 420][random.below(4)])
            var minute = Int64(480)
            let tasks = (0..<(2 + random.below(4))).map { index in
                minute += Int64(random.below(60)) + 1
                let length = Int64(5 + random.below(60))
                defer { minute += Int64(random.below(Int(length) + 10)) }
                return DayTown.task(
                    "\(index)",
                    DayTown.time(0, minute),
                    DayTown.time(0, minute + length),
                    at: random.happens(0.25) ? nil : random.below(4) * 900
                )
            }
            let plan = try town.plan(tasks)
            let isPossible = isFeasible(tasks, town, viaOthers: true)
            #expect(plan.isFeasible == isPossible, "day \(number)")
            for repair in plan.repairs {
                #expect(isFeasible(repaired(tasks, repair), town), "day \(number): \(repair)")
            }
            guard !plan.isFeasible else { continue }
            let least = try leastSingles(tasks, town)
            let found = Set(plan.repairs.filter { $0.changes.count == 1 })
            if plan.conflicts.count == 1 || found.count == plan.repairs.count {
                #expect(found == least || least.isEmpty && found.isEmpty, "day \(number)")
            }
        }
    }

    /// All single changes that help, each with the fewest minutes, found minute by minute.
    private func leastSingles(
        _ tasks: [CalendarTask],
        _ town: DayTown
    ) throws -> Set<CalendarRepair> {
        var least: Set<CalendarRepair> = []
        for task in tasks.indices {
            let span = tasks[task].timing.window
            let kinds: [(Int64) -> CalendarChange.Kind] = [
                { .postpone(minutes: $0) }, { .shorten(minutes: $0) },
            ]
            for kind in kinds {
                for minutes in Int64(1)...900 {
                    let repair = change(task, kind(minutes))
                    let isPostponed = repair.changes[0].kind == .postpone(minutes: minutes)
                    let end = span.upperBound.adding(seconds: minutes * 60)
                    let sooner = span.upperBound.adding(seconds: -minutes * 60)
                    guard isPostponed ? end <= DayTown.time(24) : sooner > span.lowerBound else {
                        break
                    }
                    if isFeasible(repaired(tasks, repair), town) {
                        least.insert(repair)
                        break
                    }
                }
            }
            let drop = change(task, .drop)
            if isFeasible(repaired(tasks, drop), town) { least.insert(drop) }
        }
        return least
    }
}
