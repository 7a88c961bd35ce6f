import Chronology
import DayPlan
import DayPlanning
import Geo
import OpenData
import SeededRandom
import Testing

@testable import TripPlanning

/// A17 (replan on infeasibility), issue 32 "Stability": a plan changes only as much as it must.
@Suite("What is remembered of a day")
struct DayMemoryTests {
    private let town = DayTown()

    private func plan(_ input: DayInput) throws -> PlannedDay {
        try DayPlanner(answer: town.answer, solver: town.solver).plan(input)
    }

    private static func flexible(
        _ uid: String,
        _ window: Range<Instant>,
        minutes: Int64,
        at metres: Int? = nil
    ) -> CalendarTask {
        var task = DayTown.task(uid, window.lowerBound, window.upperBound, at: metres)
        task.timing = .flexible(
            window: window,
            seconds: minutes * 60,
            minimumSeconds: minutes * 60
        )
        return task
    }

    /// Lunch between two meetings, remembered at another time than the best.
    private func day(lunchAt time: Instant?) -> DayInput {
        var input = DayTown.day([
            DayTown.task("a", DayTown.time(9), DayTown.time(10), at: 0),
            Self.flexible("lunch", DayTown.time(11)..<DayTown.time(15), minutes: 30, at: 900),
            DayTown.task("b", DayTown.time(16), DayTown.time(17), at: 1_800),
        ])
        if let time {
            input.memory.placements = [
                DayMemory.Placement(
                    task: input.tasks[1].subject,
                    start: time.seconds,
                    end: time.seconds + 1_800,
                    latitude: 450_000_000,
                    longitude: 900
                )
            ]
        }
        return input
    }

    @Test("a task stays where a plan had put it, although another time would be better (A17)")
    func stays() throws {
        let free = try #require(try plan(day(lunchAt: nil)).times[1])
        let remembered = DayTown.time(12, 40)
        #expect(free.lowerBound != remembered)
        let kept = try plan(day(lunchAt: remembered))
        #expect(kept.times[1]?.lowerBound == remembered)
        #expect(kept.moved(since: day(lunchAt: remembered).memory).isEmpty)
    }

    @Test("so does one that is done anywhere, also where its owner is at home (A17)")
    func staysAnywhere() throws {
        var input = DayTown.day(
            [
                DayTown.task("a", DayTown.time(9), DayTown.time(10), at: 900),
                Self.flexible("call", DayTown.time(11)..<DayTown.time(15), minutes: 30),
                DayTown.task("b", DayTown.time(16), DayTown.time(17), at: 900),
            ],
            base: 0
        )
        input.memory = DayMemory(try plan(input), after: DayMemory())
        try #require(input.memory.placements.count == 1)
        let late = DayTown.time(14, 20)
        input.memory.placements[0].start = late.seconds
        input.memory.placements[0].end = late.seconds + 1_800
        let kept = try plan(input)
        #expect(kept.times[1]?.lowerBound == late)
        #expect(kept.moved(since: input.memory).isEmpty)
    }

    @Test("it moves where it no longer fits, its owner is told, and only it moves")
    func moves() throws {
        let remembered = DayTown.time(12, 40)
        var input = day(lunchAt: remembered)
        let gym = Self.flexible("gym", DayTown.time(18)..<DayTown.time(22), minutes: 60, at: 900)
        input.tasks.append(gym)
        input.memory.placements.append(
            DayMemory.Placement(
                task: gym.subject,
                start: DayTown.time(20).seconds,
                end: DayTown.time(21).seconds,
                latitude: 450_000_000,
                longitude: 900
            )
        )
        let call = DayTown.task("call", DayTown.time(12, 30), DayTown.time(13, 30))
        input.tasks.append(call)
        let plan = try plan(input)
        let lunch = try #require(plan.times[1])
        #expect(plan.isFeasible && !lunch.overlaps(DayTown.time(12, 30)..<DayTown.time(13, 30)))
        #expect(plan.times[3]?.lowerBound == DayTown.time(20))
        #expect(plan.moved(since: input.memory) == [MovedTask(task: 1, before: remembered)])

        // People are told until the next change, also when the page is loaded again.
        let memory = DayMemory(plan, after: input.memory)
        input.memory = memory
        let again = try self.plan(input)
        #expect(again.times == plan.times)
        #expect(again.moved(since: memory).isEmpty)
        #expect(again.told(by: memory) == [MovedTask(task: 1, before: remembered)])
    }

    /// A day with one meeting in the evening, planned for somebody who may drive.
    private func driven(_ change: (inout PlannedDay) -> Void = { _ in }) throws -> PlannedDay {
        let task = DayTown.task("a", DayTown.time(18), DayTown.time(19), at: 9_000)
        var plan = try DayTown(carSpeed: 10).plan(DayTown.day([task], base: 0))
        try #require(plan.isFeasible && plan.journeys.map(\.trip.kind) == [.car, .car])
        change(&plan)
        return plan
    }

    @Test("a journey by another means is told with the means before, until the next change")
    func means() throws {
        let plan = try driven()
        var before = DayMemory(plan, after: DayMemory(), version: 3)
        for number in before.legs.indices { before.legs[number].kind = "bicycle" }
        let change = plan.change(since: before, version: 3)
        #expect(change.means.map(\.before) == [.bicycle, .bicycle] && change.moved.isEmpty)
        #expect(change.means.map(\.journey.to) == [.task(0), .base] && !change.isEmpty)
        let memory = DayMemory(plan, after: before, version: 3)
        let again = plan.change(since: memory, version: 3)
        #expect(again.means.map(\.before) == [.bicycle, .bicycle])
        #expect(again.reason == change.reason)
        let stored = try #require(DayMemory(memory.text))
        #expect(stored == memory && stored.changedMeans.count == 2)
        // What is as it was before needs no words.
        #expect(plan.change(since: DayMemory(plan, after: DayMemory()), version: nil).isEmpty)
    }

    @Test("the reason is what differs: the calendar first, then strikes, rain, traffic, the city")
    func reasons() throws {
        func disruption(isStrike: Bool, isClosing: Bool = true) -> TripRemark {
            .disrupted(
                Disruption(
                    id: "12",
                    kind: isStrike
                        ? .strike(company: "Linee")
                        : .alert(
                            header: LocalizedText("Closed"),
                            url: LocalizedText([]),
                            isStrike: false
                        ),
                    spans: [],
                    routes: [],
                    stops: [],
                    isClosing: isClosing,
                    isRevoked: !isClosing
                )
            )
        }
        let usual = try driven()
        let struck = try driven { $0.remarks = [disruption(isStrike: true)] }
        let revoked = try driven { $0.remarks = [disruption(isStrike: true, isClosing: false)] }
        let closed = try driven { $0.remarks = [disruption(isStrike: false)] }
        let wet = try driven { $0.journeys[0].warnings = [.rain(minutes: 4)] }
        let jammed = try driven { $0.journeys[1].warnings = [.noDriving(minutes: 20)] }
        let all = try driven {
            $0.remarks = [disruption(isStrike: true)]
            $0.journeys[0].warnings = [.traffic(minutes: 9), .rain(minutes: 4)]
        }
        for (before, after, reason) in [
            (usual, struck, ReplanReason.strike), (struck, usual, .strike),
            (struck, revoked, .strike), (usual, closed, .disruption), (usual, wet, .rain),
            (usual, jammed, .traffic), (jammed, all, .strike), (struck, all, .rain),
            (struck, struck, .city), (usual, usual, .city),
        ] {
            let memory = DayMemory(before, after: DayMemory(), version: 7)
            #expect(after.reason(since: memory, version: 7) == reason)
            #expect(after.reason(since: memory, version: 8) == .calendar)
            #expect(after.reason(since: memory, version: nil) == .calendar)
        }
    }

    @Test("what its owner keeps at a time stays there, and its journey leads there in time")
    func pins() throws {
        var input = day(lunchAt: nil)
        let wish = DayTown.time(14, 10)
        input.memory.pins[input.tasks[1].subject] = wish.seconds
        let plan = try plan(input)
        #expect(plan.times[1]?.lowerBound == wish)
        #expect(plan.journeys[0].trip.arrival <= wish)
        let memory = DayMemory(plan, after: input.memory)
        #expect(memory.pins == input.memory.pins)
        // With the task its pin is forgotten.
        input.tasks.remove(at: 1)
        #expect(DayMemory(try self.plan(input), after: memory).pins.isEmpty)
    }

    @Test("planning again with what is remembered gives the same plan", arguments: 0..<20)
    func fixedPoint(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var tasks: [CalendarTask] = []
        for number in 0..<5 {
            let hour = Int64(8 + 2 * number)
            let metres = Int.random(in: 0...2_500, using: &random)
            if Bool.random(using: &random) {
                let window = DayTown.time(hour)..<DayTown.time(hour + 3)
                tasks.append(Self.flexible("\(number)", window, minutes: 20, at: metres))
            } else {
                let end = DayTown.time(hour, 30)
                tasks.append(DayTown.task("\(number)", DayTown.time(hour), end, at: metres))
            }
        }
        var input = DayTown.day(tasks, base: 1_000)
        let first = try plan(input)
        try #require(first.isFeasible, "seed \(seed)")
        input.memory = DayMemory(first, after: DayMemory())
        let second = try plan(input)
        #expect(second.times == first.times, "seed \(seed)")
        #expect(second.journeys == first.journeys, "seed \(seed)")
    }

    @Test("who takes a better plan keeps what was kept, ordered and said")
    func forgets() {
        var memory = DayMemory()
        let task = DayMemory.Subject(uid: "lunch", from: 0)
        memory.pins[task] = 60
        memory.moved[task] = 30
        let here = DayMemory.Spot("Km 0", at: Coordinate(latitude: 450_000_000, longitude: 0))
        memory.whereabouts = DayMemory.Whereabouts(at: here, time: 90)
        memory.placements = [
            DayMemory.Placement(task: task, start: 60, end: 120, latitude: nil, longitude: nil)
        ]
        memory.forgetPlan()
        #expect(memory.placements.isEmpty && memory.legs.isEmpty && memory.moved.isEmpty)
        #expect(memory.pins == [task: 60] && memory.whereabouts?.time == 90)
    }

    @Test("an entry's own demands are kept: early arrival, overlap, transfer (V26, V27, V37)")
    func demands() throws {
        var early = DayTown.task("talk", DayTown.time(10), DayTown.time(11), at: 1_200)
        early.demands.leadSeconds = 1_200
        let plan = try town.plan([early], base: 0)
        let arrival = try #require(plan.journeys.first?.trip.arrival)
        #expect(arrival <= DayTown.time(10).adding(seconds: -1_500))

        var conference = DayTown.task("fair", DayTown.time(9), DayTown.time(17), at: 600)
        conference.demands.isOverlappable = true
        let call = DayTown.task("call", DayTown.time(11), DayTown.time(12))
        let overlapping = try town.plan([conference, call], base: 0)
        #expect(overlapping.isFeasible, "\(overlapping.conflicts)")
    }
}
