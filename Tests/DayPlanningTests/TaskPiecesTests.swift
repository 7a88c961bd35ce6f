import Chronology
import OpenData
import SeededRandom
import Testing
import TripPlanning

@testable import DayPlanning

/// Issue 32, Scope: a task "in one piece or several", each of a least length.
@Suite("Tasks in several pieces")
struct TaskPiecesTests {
    private let town = DayTown()

    /// Two hours of study between ten and half past one.
    private static func study(piece minutes: Int64? = 30, at metres: Int? = nil) -> CalendarTask {
        let window = DayTown.time(10)..<DayTown.time(13, 30)
        var task = DayTown.task("study", window.lowerBound, window.upperBound, at: metres)
        task.timing = .flexible(window: window, seconds: 7_200, minimumSeconds: 7_200)
        task.leastPieceSeconds = minutes.map { $0 * 60 }
        return task
    }

    private static let morning = DayTown.task("a", DayTown.time(9), DayTown.time(10))
    private static let noon = DayTown.task("b", DayTown.time(11), DayTown.time(12))

    private func plan(_ input: DayInput) throws -> PlannedDay {
        try DayPlanner(answer: town.answer, solver: town.solver).plan(input)
    }

    @Test(
        "as many pieces as their least length permits, in whole seconds",
        arguments: [
            (120, 120, 30, 4), (120, 60, 30, 2), (120, 120, 121, 1), (61, 61, 30, 2),
            (600, 600, 1, 6), (120, 120, nil, 1),
        ] as [(Int64, Int64, Int64?, Int)]
    )
    func counts(minutes: Int64, least: Int64, piece: Int64?, count: Int) {
        var task = Self.study(piece: piece)
        let window = DayTown.time(0)..<DayTown.time(24)
        task.timing = .flexible(window: window, seconds: minutes * 60, minimumSeconds: least * 60)
        #expect(task.pieces(atMost: CalendarTask.piecesLimit) == count)
        #expect(task.pieces(atMost: 1) == 1)
        // Seconds as other programs may write them are not divided into parts of seconds.
        task.timing = .flexible(window: window, seconds: 7_201, minimumSeconds: 7_201)
        let pieces = task.pieces(atMost: CalendarTask.piecesLimit)
        #expect(7_201 % pieces == 0)
    }

    @Test("it is done in one piece where there is room, and in as few as possible where not")
    func fewest() throws {
        let free = try plan(DayTown.day([Self.morning, Self.study()]))
        #expect(free.isFeasible && free.spans(of: 1).count == 1 && free.pieces[1] == nil)
        let whole = try plan(DayTown.day([Self.morning, Self.study(piece: nil), Self.noon]))
        #expect(!whole.isFeasible)
        let plan = try plan(DayTown.day([Self.morning, Self.study(), Self.noon]))
        let spans = plan.spans(of: 1)
        try #require(plan.isFeasible && spans.count == 2, "\(spans)")
        #expect(spans[0] == DayTown.time(10)..<DayTown.time(11))
        #expect(spans[1].lowerBound >= DayTown.time(12))
        #expect(spans[1].upperBound <= DayTown.time(13, 30))
        #expect(spans[1].upperBound.seconds - spans[1].lowerBound.seconds == 3_600)
        #expect(plan.time(of: 1) == spans[0].lowerBound..<spans[1].upperBound)
        // Pieces of an hour and a half at least are none of two hours.
        let long = try self.plan(DayTown.day([Self.morning, Self.study(piece: 90), Self.noon]))
        #expect(!long.isFeasible)
    }

    @Test("the journeys lead to each piece, and back from it")
    func journeys() throws {
        var noon = Self.noon
        noon.places = [TaskPlace(DayTown.place(0))]
        var study = Self.study(at: 300)
        let window = DayTown.time(9, 30)..<DayTown.time(13, 30)
        study.timing = .flexible(window: window, seconds: 7_200, minimumSeconds: 7_200)
        let plan = try plan(DayTown.day([study, noon], base: 0))
        // Before noon there is an hour and a half but for the way, and after it the same.
        try #require(plan.isFeasible && plan.spans(of: 0).count == 2, "\(plan.conflicts)")
        let ends: [[DayStop]] = plan.journeys.map { [$0.from, $0.to] }
        let first: [[DayStop]] = [[.base, .task(0)], [.task(0), .task(1)]]
        #expect(ends == first + [[.task(1), .task(0)], [.task(0), .base]])
        for span in plan.spans(of: 0) {
            let journey = plan.journey(to: 0, in: span)
            #expect(journey.map { $0.trip.arrival <= span.lowerBound } == true)
        }
        #expect(plan.journey(to: 0, in: plan.spans(of: 0)[1])?.from == .task(1))
    }

    @Test("A17: the pieces stay where a plan had put them, although one would do now")
    func stable() throws {
        let input = DayTown.day([Self.morning, Self.study(), Self.noon])
        let plan = try plan(input)
        let memory = DayMemory(plan, after: input.memory)
        #expect(memory.placements.count == 2)
        #expect(DayMemory(memory.text) == memory)
        var later = DayTown.day([Self.morning, Self.study()])
        later.memory = memory
        let again = try self.plan(later)
        #expect(again.pieces[1] == plan.pieces[1])
        #expect(again.moved(since: memory).isEmpty)
        // A call in the second piece moves that one, and its owner is told.
        later.tasks.append(DayTown.task("call", DayTown.time(12), DayTown.time(12, 20)))
        let moved = try self.plan(later)
        try #require(moved.isFeasible)
        #expect(moved.pieces[1]?.first == plan.pieces[1]?.first)
        #expect(moved.moved(since: memory) == [MovedTask(task: 1, before: DayTown.time(12))])
        let told = DayMemory(moved, after: memory)
        later.memory = told
        #expect(try self.plan(later).told(by: told).map(\.task) == [1])
    }

    @Test("V51: of a day that has begun, the pieces that are done stay, and the rest is planned")
    func rest() throws {
        let input = DayTown.day([Self.morning, Self.study(), Self.noon])
        let plan = try plan(input)
        var rest = input
        rest.memory = DayMemory(plan, after: input.memory)
        rest.start = DayStart(at: DayTown.place(0), time: DayTown.time(11, 30))
        rest.tasks.append(DayTown.task("call", DayTown.time(12), DayTown.time(12, 30)))
        let again = try self.plan(rest)
        try #require(again.isFeasible && again.pieces[1]?.count == 2, "\(again)")
        #expect(again.pieces[1]?.first == plan.pieces[1]?.first)
        let second = try #require(again.pieces[1]?.last)
        #expect(second.lowerBound == DayTown.time(12, 30))
        #expect(second.upperBound == DayTown.time(13, 30))
    }

    @Test("between its pieces it is neither in progress nor over (A4)")
    func states() throws {
        let plan = try plan(DayTown.day([Self.morning, Self.study(), Self.noon]))
        let end = plan.time(of: 1).upperBound
        #expect(plan.state(of: 1, at: DayTown.time(9, 30)) == .scheduled)
        #expect(plan.state(of: 1, at: DayTown.time(10, 30)) == .inProgress)
        #expect(plan.state(of: 1, at: DayTown.time(11, 30)) == .scheduled)
        #expect(plan.state(of: 1, at: end.adding(seconds: -60)) == .inProgress)
        #expect(plan.state(of: 1, at: end) == .over)
    }

    @Test("as JSON and as events each piece is listed, with an identifier of its own")
    func listed() throws {
        let plan = try plan(DayTown.day([Self.morning, Self.study(), Self.noon]))
        let text = try DayJSON(zone: DayTown.zone).text(plan)
        let document = try #require(try JSONValue(parsing: Array(text.utf8)).object)
        let tasks = document["tasks"]?.list ?? []
        #expect(tasks.compactMap { $0["uid"]?.text } == ["a", "study", "study", "b"])
        let events = JourneyEvents(plan, written: DayTown.time(7)).events(
            summary: { _ in "" },
            description: { _ in "" },
            location: { _ in nil }
        )
        let items = try events.map { try ICalendarItem($0) }
        #expect(items.count == 2 && Set(items.map(\.uid)).count == 2)
        #expect(items.allSatisfy { $0.relations.map(\.target) == ["study"] })
    }

    @Test("on random days pieces are in the window, long enough, and beside nothing else")
    func random() throws {
        var split = 0
        for seed in 0..<120 as Range<UInt64> {
            var random = SeededRandom(seed: seed)
            var tasks = (0..<3).map { number in
                let start = DayTown.time(9 + Int64(random.below(5)), 15 * Int64(random.below(4)))
                let end = start.adding(seconds: 900 * Int64(1 + random.below(4)))
                return DayTown.task("\(number)", start, end, at: random.happens(0.5) ? 600 : nil)
            }
            var study = Self.study(at: random.happens(0.5) ? 0 : nil)
            if random.happens(0.5), case .flexible(let window, let seconds, _) = study.timing {
                study.timing = .flexible(window: window, seconds: seconds, minimumSeconds: 3_600)
            }
            tasks.append(study)
            let plan = try plan(DayTown.day(tasks, base: random.happens(0.5) ? 0 : nil))
            guard plan.isFeasible else { continue }
            let pieces = plan.pieces[3] ?? [plan.time(of: 3)]
            split += plan.spans(of: 3).count > 1 ? 1 : 0
            let lengths = pieces.map { $0.upperBound.seconds - $0.lowerBound.seconds }
            #expect(lengths.allSatisfy { $0 >= 1_800 }, "seed \(seed)")
            #expect((3_600...7_200).contains(lengths.reduce(0, +)), "seed \(seed)")
            for piece in pieces {
                #expect(study.timing.window.contains(piece.lowerBound), "seed \(seed)")
                #expect(piece.upperBound <= study.timing.window.upperBound, "seed \(seed)")
                for task in 0..<3 { #expect(!piece.overlaps(plan.time(of: task)), "seed \(seed)") }
                for journey in plan.journeys {
                    #expect(!piece.overlaps(journey.span), "seed \(seed)")
                }
            }
        }
        #expect(split > 0, "\(split)")
    }
}
