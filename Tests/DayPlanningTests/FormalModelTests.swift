import Chronology
import DayPlan
import DayPlanning
import SeededRandom
import TestSupport
import Testing
import TripPlanning

/// The defects of the formal models that `travlendar.md` names (section 1.13), each with the name
/// that the model gives it: what the model says, and what holds here instead.
@Suite("Defects of the formal models")
struct FormalModelTests {
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

    /// Whether a task without a place has a start at which it overlaps none of the others, minute
    /// by minute.
    private static func hasRoom(
        _ window: Range<Int64>,
        minutes: Int64,
        _ busy: [Range<Int64>]
    ) -> Bool {
        guard window.upperBound - window.lowerBound >= minutes else { return false }
        return (window.lowerBound...(window.upperBound - minutes)).contains { start in
            !busy.contains { $0.overlaps(start..<start + minutes) }
        }
    }

    @Test(
        "noUselessUnreachable: a task is refused if and only if no placement exists",
        arguments: 0..<60
    )
    func noUselessUnreachable(seed: UInt64) throws {
        var random = SeededRandom(seed: seed ^ 0xA11)
        // Something at a place and calls after it, with gaps between.
        var busy: [Range<Int64>] = []
        var minute: Int64 = 540
        for _ in 0..<4 {
            minute += Int64.random(in: 0...8, using: &random) * 5
            let end = minute + Int64.random(in: 2...8, using: &random) * 5
            busy.append(minute..<end)
            minute = end
        }
        let window = Int64(540)..<max(minute, 600)
        let length = Int64.random(in: 2...9, using: &random) * 5
        var tasks = busy.enumerated().map { number, span in
            DayTown.task(
                "call \(number)",
                DayTown.time(0, span.lowerBound),
                DayTown.time(0, span.upperBound),
                at: number == 0 ? 0 : nil
            )
        }
        tasks.append(
            Self.flexible(
                "read",
                DayTown.time(0, window.lowerBound)..<DayTown.time(0, window.upperBound),
                minutes: length
            )
        )
        let plan = try DayTown().plan(tasks)
        let hasRoom = Self.hasRoom(window, minutes: length, busy)
        #expect(plan.isFeasible == hasRoom, "seed \(seed): \(busy), \(length) min")
    }

    @Test(
        "noLateOrUselessSubRoutes: a journey ends before its activity begins, not before it ends",
        arguments: [(10, 40), (10, 50), (11, 20)]
    )
    func noLateOrUselessSubRoutes(hour: Int64, minute: Int64) throws {
        // Who leaves at 10:00 is there at 10:50, before the meeting ends in each case.
        let start = DayTown.time(hour, minute)
        let plan = try DayTown().plan([
            DayTown.task("a", DayTown.time(9), DayTown.time(10), at: 0),
            DayTown.task("b", start, start.adding(seconds: 3_600), at: 3_000),
        ])
        let isInTime = DayTown.time(10, 50) <= start
        #expect(plan.isFeasible == isInTime)
        for journey in plan.journeys where plan.isFeasible {
            #expect(journey.trip.arrival <= start)
        }
        if !isInTime {
            #expect(plan.conflicts == [.unreachable(from: .task(0), to: 1, nil)])
            #expect(plan.lateness[1] == DayTown.time(10, 50).seconds - start.seconds)
        }
    }

    @Test("noTwistedActivity: an overlappable event may enclose another one, an exclusive one not")
    func noTwistedActivity() throws {
        let call = DayTown.task("call", DayTown.time(11), DayTown.time(12))
        for isOverlappable in [true, false] {
            var fair = DayTown.task("fair", DayTown.time(9), DayTown.time(17), at: 600)
            fair.demands.isOverlappable = isOverlappable
            let plan = try DayTown().plan([fair, call], base: 0)
            #expect(plan.isFeasible == isOverlappable)
            if !isOverlappable {
                #expect(plan.conflicts.contains(.overlap(first: 0, second: 1)))
            }
        }
    }

    @Test(
        "timeEnd = apt.start: the wait is a part of the journey, and nothing for who wants none",
        arguments: [0, 300, 900]
    )
    func waitingIsPartOfTheStep(wait: Int32) throws {
        // Trams of every minute let one arrive at any of them.
        let town = DayTown(headway: 60)
        var day = DayTown.day(
            [DayTown.task("a", DayTown.time(9), DayTown.time(10), at: 600)],
            base: 0
        )
        day.wait = wait...wait
        let plan = try DayPlanner(answer: town.answer, solver: town.solver).plan(day)
        let arrival = try #require(plan.journeys.first?.trip.arrival)
        #expect(plan.isFeasible && plan.shortWaits.isEmpty)
        #expect(DayTown.time(9).seconds - arrival.seconds == Int64(wait))
    }
}
