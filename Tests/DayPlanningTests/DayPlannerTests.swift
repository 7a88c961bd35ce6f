import Chronology
import CityData
import DayPlan
import Geo
import Testing
import TripPlanning

@testable import DayPlanning

/// Issue 32, point 2: journeys between events at fixed times; V44, V45, V51, A6, A15.
@Suite("Journeys of a day")
struct DayPlannerTests {
    private let town = DayTown()

    private func times(_ plan: PlannedDay) -> [String] {
        plan.journeys.map { journey in
            [journey.trip.departure, journey.trip.arrival].map {
                String($0.iso8601(in: DayTown.zone).dropFirst(11).prefix(5))
            }.joined(separator: "-")
        }
    }

    @Test("a journey leaves as late as one can and arrives by the start of the next event")
    func between() throws {
        let plan = try town.plan([
            DayTown.task("a", DayTown.time(9), DayTown.time(10), at: 0),
            DayTown.task("b", DayTown.time(12), DayTown.time(13), at: 1_800),
        ])
        #expect(plan.isFeasible && plan.conflicts.isEmpty && plan.repairs.isEmpty)
        #expect(times(plan) == ["11:25-11:55"])
        #expect(plan.journeys.first?.from == .task(0) && plan.journeys.first?.to == .task(1))
    }

    @Test("the day begins and ends at its base; without one, at its first and its last event")
    func base() throws {
        let tasks = [DayTown.task("a", DayTown.time(9), DayTown.time(10), at: 1_800)]
        let plan = try town.plan(tasks, base: 0)
        #expect(times(plan) == ["08:25-08:55", "10:00-10:30"])
        #expect(plan.journeys.map(\.from) == [.base, .task(0)])
        #expect(plan.journeys.map(\.to) == [.task(0), .base])
        #expect(try town.plan(tasks).journeys.isEmpty)
    }

    @Test("nobody travels during a call, which has no place: after it if there is time, or before")
    func calls() throws {
        let first = DayTown.task("a", DayTown.time(9), DayTown.time(10), at: 0)
        let last = DayTown.task("c", DayTown.time(12), DayTown.time(13), at: 1_800)
        let late = DayTown.task("call", DayTown.time(11, 40), DayTown.time(11, 50))
        let early = DayTown.task("call", DayTown.time(10, 10), DayTown.time(11))
        #expect(times(try town.plan([first, late, last])) == ["11:10-11:40"])
        #expect(times(try town.plan([first, early, last])) == ["11:25-11:55"])
        let home = try town.plan(
            [first, DayTown.task("call", DayTown.time(10), DayTown.time(11))],
            base: 600
        )
        #expect(times(home) == ["08:45-08:55", "11:00-11:10"])
    }

    @Test("V56: where nothing comes early enough, the journey that does is taken, with a warning")
    func shortWait() throws {
        var input = DayTown.day([
            DayTown.task("a", DayTown.time(9), DayTown.time(10), at: 0),
            DayTown.task("b", DayTown.time(10, 32), DayTown.time(11), at: 1_800),
        ])
        input.wait = 300...600
        let plan = try DayPlanner(answer: town.answer, solver: town.solver).plan(input)
        #expect(plan.isFeasible && times(plan) == ["10:00-10:30"])
        #expect(plan.shortWaits == [1: 120] && plan.lateness.isEmpty)
        input.wait = 120...600
        let content = try DayPlanner(answer: town.answer, solver: town.solver).plan(input)
        #expect(content.isFeasible && content.shortWaits.isEmpty)
    }

    @Test("V57: where nothing comes in time, the journey that is least late is shown, and how late")
    func late() throws {
        let plan = try town.plan([
            DayTown.task("a", DayTown.time(9), DayTown.time(10), at: 0),
            DayTown.task("b", DayTown.time(10, 18), DayTown.time(11), at: 1_800),
        ])
        #expect(!plan.isFeasible && plan.conflicts.count == 1)
        #expect(times(plan) == ["10:00-10:30"] && plan.journeys[0].to == .task(1))
        #expect(plan.lateness == [1: 720] && plan.shortWaits.isEmpty)
    }

    @Test("between two events at one place there is no journey; a reminder is in nobody's way")
    func samePlace() throws {
        let plan = try town.plan([
            DayTown.task("a", DayTown.time(9), DayTown.time(10), at: 5),
            DayTown.task("reminder", DayTown.time(9, 30), DayTown.time(9, 30)),
            DayTown.task("b", DayTown.time(10), DayTown.time(11), at: 5),
        ])
        #expect(plan.isFeasible && plan.journeys.isEmpty)
    }

    @Test("the order in which tasks are entered decides nothing")
    func order() throws {
        let tasks = (0..<5).map { number in
            DayTown.task(
                "\(number)",
                DayTown.time(8 + Int64(number)),
                DayTown.time(8 + Int64(number), 40),
                at: number * 700
            )
        }
        let plan = try town.plan(tasks)
        let other = try town.plan(tasks.reversed())
        #expect(plan.journeys.count == 4 && plan.journeys.map(\.trip) == other.journeys.map(\.trip))
    }

    private func flexible(
        _ uid: String,
        _ window: Range<Instant>,
        minutes: Int64,
        least: Int64? = nil,
        at metres: Int? = nil
    ) -> CalendarTask {
        var task = DayTown.task(uid, window.lowerBound, window.upperBound, at: metres)
        task.timing = .flexible(
            window: window,
            seconds: minutes * 60,
            minimumSeconds: (least ?? minutes) * 60
        )
        return task
    }

    @Test("a task within a window is placed where all else can be reached (V23, V27)")
    func lunch() throws {
        let window = DayTown.time(12)..<DayTown.time(14)
        let plan = try town.plan([
            DayTown.task("a", DayTown.time(11), DayTown.time(12, 45), at: 0),
            flexible("lunch", window, minutes: 30, at: 900),
            DayTown.task("b", DayTown.time(14), DayTown.time(15), at: 1_800),
        ])
        #expect(plan.isFeasible && plan.isExact)
        let lunch = try #require(plan.times[1])
        #expect(plan.times.count == 1 && plan.time(of: 1) == lunch)
        #expect(lunch.upperBound.seconds - lunch.lowerBound.seconds == 1_800)
        #expect(lunch.lowerBound >= DayTown.time(13, 5) && lunch.upperBound <= DayTown.time(13, 40))
        #expect(plan.journeys.map(\.from) == [.task(0), .task(1)])
        #expect(plan.journeys.map(\.to) == [.task(1), .task(2)])
        #expect(plan.journeys[0].trip.arrival <= lunch.lowerBound)
        #expect(plan.journeys[1].trip.departure >= lunch.upperBound)
    }

    @Test("a task without a place is done where its owner is, at best at home")
    func atHome() throws {
        let plan = try town.plan(
            [
                DayTown.task("a", DayTown.time(9), DayTown.time(10), at: 0),
                flexible("lunch", DayTown.time(12)..<DayTown.time(14), minutes: 30),
                DayTown.task("b", DayTown.time(15), DayTown.time(16), at: 1_800),
            ],
            base: 600
        )
        #expect(plan.journeys.map(\.from) == [.base, .task(0), .base, .task(2)])
        #expect(plan.journeys.map(\.to) == [.task(0), .base, .task(2), .base])
        #expect(plan.times[1]?.lowerBound == DayTown.time(12))
    }

    @Test("a task takes less time where it must, and no less than its owner said (V24)")
    func shortened() throws {
        let window = DayTown.time(12)..<DayTown.time(13)
        func plan(least: Int64) throws -> PlannedDay {
            try town.plan([
                DayTown.task("a", DayTown.time(11), DayTown.time(12, 10), at: 0),
                flexible("lunch", window, minutes: 40, least: least),
                DayTown.task("b", DayTown.time(12, 40), DayTown.time(15), at: 0),
            ])
        }
        #expect(try plan(least: 20).time(of: 1) == DayTown.time(12, 10)..<DayTown.time(12, 40))
        let none = try plan(least: 35)
        #expect(none.conflicts == [.noRoom(1)] && none.times.isEmpty)
        #expect(none.time(of: 1) == window)
        let drop = CalendarRepair(changes: [CalendarChange(task: 1, kind: .drop)])
        #expect(none.repairs.contains(drop))
    }

    @Test("a task of which the window lasts for weeks is done that day, around what lasts for days")
    func weeks() throws {
        let day: Int64 = 24
        let month = DayTown.time(-10 * day)..<DayTown.time(20 * day)
        let plan = try town.plan([
            flexible("errand", month, minutes: 30, at: 600),
            DayTown.task("fair", DayTown.time(-9 * day), DayTown.time(12), at: 0),
        ])
        let time = try #require(plan.times[0])
        #expect(time.lowerBound >= DayTown.time(12, 15) && time.upperBound <= DayTown.time(24))
    }

    @Test("a day begins where the last one ended, and ends at its own base")
    func morning() throws {
        var day = DayTown.day(
            [DayTown.task("a", DayTown.time(9), DayTown.time(10), at: 600)],
            base: 3_000
        )
        day.morning = DayTown.place(0)
        let planner = DayPlanner(answer: town.answer, solver: town.solver)
        let plan = try planner.plan(day)
        #expect(plan.isFeasible && plan.journeys.map(\.from) == [.here, .task(0)])
        #expect(plan.journeys.map(\.to) == [.task(0), .base])
        let ends = plan.journeys.map { [plan.place(of: $0.from), plan.place(of: $0.to)] }
        let metres = ends.map { $0.map { $0?.coordinate?.longitude } }
        #expect(metres == [[0, 600], [600, 3_000]])
        // Where something is in the way, the journeys that are not affected are the same.
        day.tasks.append(DayTown.task("b", DayTown.time(9, 30), DayTown.time(10, 30)))
        day.tasks.append(DayTown.task("c", DayTown.time(14), DayTown.time(15), at: 900))
        let broken = try planner.plan(day)
        #expect(!broken.isFeasible && broken.journeys.last?.to == .base)
        #expect(broken.repairs.contains { $0.dropCount == 1 })
    }

    @Test("an own car stands where the day begins, and is at the base when it ends")
    func morningCar() throws {
        var day = DayTown.day(
            [DayTown.task("a", DayTown.time(18), DayTown.time(19), at: 9_000)],
            base: 3_000
        )
        day.morning = DayTown.place(0)
        let plan = try DayTown(carSpeed: 10).plan(day)
        #expect(plan.journeys.map(\.trip.kind) == [.car, .car])
        #expect(plan.vehicles[.car]?.coordinate == DayTown.place(3_000).coordinate)
    }

    @Test("own vehicles need a base, where they stand")
    func vehicles() throws {
        let planner = DayPlanner(
            modes: TripModes(car: true),
            answer: { question throws(TripFailure) in try town.answer(question) },
            solver: DaySolver(
                solve: { _, _, _ throws(DayFailure) in throw .invalidSpan },
                again: { _ throws(DayFailure) in nil },
                repairs: { _ throws(DayFailure) in [] }
            )
        )
        #expect(throws: DayPlanningFailure.noBase) { try planner.plan(DayTown.day([])) }
        #expect(throws: DayPlanningFailure.unsolvable(.invalidSpan)) {
            try planner.plan(DayTown.day([], base: 0))
        }
    }

    @Test("a journey that cannot be made is left out, the others stay, and the reason is told")
    func outside() throws {
        let plan = try town.plan(
            [
                DayTown.task("a", DayTown.time(9), DayTown.time(10), at: 600),
                DayTown.task("far", DayTown.time(12), DayTown.time(13), at: DayTown.edge + 1),
            ],
            base: 0
        )
        let reason = TripFailure.outside("Km \(DayTown.edge + 1)")
        #expect(
            plan.conflicts == [
                .unreachable(from: .task(0), to: 1, reason), .noReturn(from: 1, reason),
            ]
        )
        #expect(times(plan) == ["08:50-09:00"])
        #expect(plan.repairs == [CalendarRepair(changes: [CalendarChange(task: 1, kind: .drop)])])
    }
}
