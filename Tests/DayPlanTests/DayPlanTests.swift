import Chronology
import Testing

@testable import DayPlan

/// A day of examples, in minutes after midnight; places are numbers, 0 is home.
private struct Scene {
    static let midnight = Instant(seconds: 1_795_737_600)

    var table: TravelTable
    var day: Day

    static func at(_ hour: Int, _ minute: Int = 0) -> Instant {
        midnight.adding(seconds: Int64(hour * 3_600 + minute * 60))
    }

    static func place(_ number: Int) -> PlaceIndex { PlaceIndex(rawValue: UInt16(number)) }

    /// A day from 6 to 22 o'clock with walks of so many minutes between all places.
    init(places: Int, walkMinutes: Int, _ tasks: [DayTask]) {
        table = TravelTable(placeCount: places)
        day = Day(
            origin: Self.place(0),
            from: Self.at(6),
            destination: Self.place(0),
            until: Self.at(22),
            tasks: tasks
        )
        for from in 0..<places {
            for to in 0..<places where from != to { always(.walk, walkMinutes, from, to, walk: 80) }
        }
    }

    /// A way that can begin at any time; `walk` is in metres for each minute.
    mutating func always(
        _ mode: TravelMode,
        _ minutes: Int,
        _ from: Int,
        _ to: Int,
        walk: Int = 0
    ) {
        let option = TravelOption(
            mode,
            first: day.from,
            last: day.until,
            seconds: Int32(minutes * 60),
            walkMetres: Int32(walk * minutes)
        )
        table.add(option, from: Self.place(from), to: Self.place(to))
    }

    mutating func ride(_ departure: Instant, _ minutes: Int, _ from: Int, _ to: Int) {
        let option = TravelOption(.transit, departure: departure, seconds: Int32(minutes * 60))
        table.add(option, from: Self.place(from), to: Self.place(to))
    }

    func solve() throws -> DayAnswer {
        let answer = try DayPlan.solve(day, by: table)
        #expect(answer.isExact)
        if let plan = answer.plan {
            #expect(PlanChecker.faults(plan, day, table) == [])
        }
        return answer
    }

    static func fixed(_ id: UInt64, at place: Int?, _ from: Instant, _ until: Instant) -> DayTask {
        DayTask(TaskIdentifier(rawValue: id), at: place.map(Self.place), from: from, until: until)
    }

    static func flexible(
        _ id: UInt64,
        at places: [Int],
        _ from: Instant,
        _ until: Instant,
        minutes: Int,
        least: Int? = nil
    ) -> DayTask {
        DayTask(
            TaskIdentifier(rawValue: id),
            slots: places.map { TaskSlot(place: place($0), from: from, until: until) },
            seconds: Int32(minutes * 60),
            leastSeconds: least.map { Int32($0 * 60) }
        )
    }
}

/// `../shared/spec/travlendar.md`, sections 1.2 to 1.4 and 4; issue 32, "DayPlan".
@Suite("Plan of a day")
struct DayPlanTests {
    @Test("one sets out as late as five minutes before the start allow (V41, V55)")
    func leaves() throws {
        let scene = Scene(
            places: 2,
            walkMinutes: 20,
            [Scene.fixed(1, at: 1, Scene.at(9), Scene.at(10))]
        )
        let plan = try #require(try scene.solve().plan)
        #expect(plan.legs.map(\.departure) == [Scene.at(8, 35), Scene.at(10)])
        #expect(plan.legs.map(\.arrival) == [Scene.at(8, 55), Scene.at(10, 20)])
        #expect(plan.tasks.map(\.start) == [Scene.at(9)])
    }

    @Test("lunch in 12:30-14:30 is placed between two meetings so that both are reached (V23)")
    func lunch() throws {
        let scene = Scene(
            places: 4,
            walkMinutes: 15,
            [
                Scene.fixed(1, at: 1, Scene.at(11), Scene.at(13)),
                Scene.flexible(2, at: [2], Scene.at(12, 30), Scene.at(14, 30), minutes: 30),
                Scene.fixed(3, at: 3, Scene.at(14, 30), Scene.at(15, 30)),
            ]
        )
        let plan = try #require(try scene.solve().plan)
        let lunch = try #require(plan.tasks.first { $0.id.rawValue == 2 })
        #expect(lunch.start >= Scene.at(13, 20) && lunch.end <= Scene.at(14, 10))
        #expect(plan.tasks.allSatisfy { $0.lapse != .shortWait && $0.lapse != .late })
    }

    @Test("a call that may be made anywhere is no reason to go there as a task forbids (V71)")
    func detour() throws {
        var walker = Scene.fixed(1, at: 1, Scene.at(15), Scene.at(16))
        walker.modes = .walk
        var scene = Scene(
            places: 2,
            walkMinutes: 24,
            [
                walker,
                DayTask(
                    TaskIdentifier(rawValue: 2),
                    slots: [TaskSlot(place: nil, from: Scene.at(9), until: Scene.at(12))],
                    seconds: 1_200
                ),
            ]
        )
        scene.always(.bicycle, 8, 0, 1)
        scene.always(.bicycle, 8, 1, 0)
        scene.day.bicycle = OwnVehicle(at: Scene.place(0), returnPlace: nil)
        let plan = try #require(try scene.solve().plan)
        #expect(plan.legs.first?.mode == .walk)
        #expect(plan.legs.first?.departure == Scene.at(14, 31))
    }

    @Test("an errand at any of several shops is done at the one on the way")
    func shops() throws {
        var scene = Scene(
            places: 4,
            walkMinutes: 60,
            [
                Scene.fixed(1, at: 1, Scene.at(9), Scene.at(10)),
                Scene.flexible(2, at: [2, 3], Scene.at(8), Scene.at(20), minutes: 10),
            ]
        )
        scene.always(.walk, 5, 1, 3, walk: 80)
        scene.always(.walk, 10, 3, 0, walk: 80)
        let plan = try #require(try scene.solve().plan)
        #expect(plan.tasks.map(\.place) == [Scene.place(1), Scene.place(3)])
    }

    @Test("a slot with a least time is shortened only by what the next task needs (V24)")
    func shortened() throws {
        let scene = Scene(
            places: 3,
            walkMinutes: 20,
            [
                Scene.flexible(1, at: [1], Scene.at(9), Scene.at(11), minutes: 120, least: 60),
                Scene.fixed(2, at: 2, Scene.at(11), Scene.at(12)),
            ]
        )
        let plan = try #require(try scene.solve().plan)
        #expect(plan.tasks[0].start == Scene.at(9) && plan.tasks[0].end == Scene.at(10, 35))
    }

    @Test("the car that leaves in the morning comes home, by way of where it stands")
    func car() throws {
        var scene = Scene(
            places: 3,
            walkMinutes: 90,
            [
                Scene.fixed(1, at: 1, Scene.at(9), Scene.at(10)),
                Scene.fixed(2, at: 2, Scene.at(10, 15), Scene.at(12)),
            ]
        )
        scene.always(.walk, 5, 1, 2, walk: 80)
        scene.always(.walk, 5, 2, 1, walk: 80)
        scene.always(.car, 15, 0, 1)
        scene.always(.car, 15, 1, 0)
        scene.always(.car, 60, 2, 0)
        scene.day.car = OwnVehicle(at: Scene.place(0), returnPlace: Scene.place(0))
        let plan = try #require(try scene.solve().plan)
        #expect(plan.legs.map(\.mode) == [.car, .walk, .walk, .car])
        #expect(plan.legs.map(\.to) == [1, 2, 1, 0].map { Scene.place($0) })
        #expect(plan.carPlace == Scene.place(0))
    }

    @Test("limits on walking hold for each journey and for the day (V73)")
    func walking() throws {
        var scene = Scene(
            places: 3,
            walkMinutes: 10,
            [
                Scene.fixed(1, at: 1, Scene.at(9), Scene.at(10)),
                Scene.fixed(2, at: 2, Scene.at(12), Scene.at(13)),
            ]
        )
        for (from, to) in [(0, 1), (1, 2), (2, 0)] { scene.always(.taxi, 10, from, to) }
        #expect(try scene.solve().plan?.legs.map(\.mode) == [.walk, .walk, .walk])
        scene.day.limits.dayWalkMetres = 1_600
        let modes = try scene.solve().plan?.legs.map(\.mode)
        #expect(modes?.filter { $0 == .taxi }.count == 1)
        scene.day.limits.legWalkMetres = 799
        #expect(try scene.solve().plan?.legs.map(\.mode) == [.taxi, .taxi, .taxi])
    }

    @Test(
        "where nothing arrives five minutes early, what arrives two minutes early is said so (V56)"
    )
    func shortWait() throws {
        var scene = Scene(
            places: 2,
            walkMinutes: 400,
            [Scene.fixed(1, at: 1, Scene.at(9), Scene.at(10))]
        )
        scene.ride(Scene.at(8, 28), 30, 0, 1)
        scene.ride(Scene.at(8, 35), 30, 0, 1)
        let answer = try scene.solve()
        let plan = try #require(answer.plan)
        #expect(answer.isFeasible && plan.cost.shortWaits == 1)
        #expect(plan.legs[0].arrival == Scene.at(8, 58) && plan.tasks[0].lapse == .shortWait)
    }

    @Test(
        "where nothing arrives in time, what arrives before the end is proposed, and said so (V57)"
    )
    func late() throws {
        var scene = Scene(
            places: 2,
            walkMinutes: 400,
            [Scene.fixed(1, at: 1, Scene.at(9), Scene.at(10))]
        )
        scene.ride(Scene.at(8, 35), 30, 0, 1)
        let answer = try scene.solve()
        let plan = try #require(answer.plan)
        #expect(!answer.isFeasible && plan.cost.lateTasks == 1)
        #expect(plan.tasks[0].start == Scene.at(9, 5) && plan.tasks[0].end == Scene.at(10))
        scene.table = TravelTable(placeCount: 2)
        scene.ride(Scene.at(9, 35), 30, 0, 1)
        #expect(try scene.solve().plan == nil, "not reached before its end (V42)")
    }

    @Test("waiting longer than ten minutes is avoided where that costs little, and else said so")
    func longWait() throws {
        var scene = Scene(
            places: 2,
            walkMinutes: 45,
            [Scene.fixed(1, at: 1, Scene.at(9), Scene.at(10))]
        )
        scene.ride(Scene.at(8, 10), 30, 0, 1)
        #expect(try scene.solve().plan?.legs.first?.departure == Scene.at(8, 10))
        #expect(try scene.solve().plan?.tasks.first?.lapse == .longWait)
        scene.day.weights.longWait = DayWeights.penaltyLimit
        #expect(try scene.solve().plan?.legs.first?.mode == .walk)
    }

    @Test("a call is made during an overlappable event, not during another (V26, V28)")
    func overlap() throws {
        var conference = Scene.fixed(1, at: 1, Scene.at(9), Scene.at(12))
        conference.isOverlappable = true
        let call = Scene.fixed(2, at: nil, Scene.at(10), Scene.at(10, 30))
        var scene = Scene(places: 2, walkMinutes: 10, [conference, call])
        #expect(try scene.solve().isFeasible)
        scene.day.tasks[0].isOverlappable = false
        #expect(try !scene.solve().isFeasible)
    }

    @Test("a task in two pieces goes around a meeting")
    func pieces() throws {
        var study = Scene.flexible(1, at: [1], Scene.at(9), Scene.at(12), minutes: 120)
        study.pieces = 2
        let scene = Scene(
            places: 2,
            walkMinutes: 10,
            [study, Scene.fixed(2, at: 1, Scene.at(10, 15), Scene.at(11))]
        )
        let plan = try #require(try scene.solve().plan)
        #expect(plan.tasks.map(\.id.rawValue) == [1, 2, 1])
        #expect(plan.tasks[2].start == Scene.at(11))
    }

    @Test("a booked taxi and a pinned start are kept, and broken only where a day cannot work")
    func commitments() throws {
        var scene = Scene(
            places: 3,
            walkMinutes: 10,
            [
                Scene.flexible(1, at: [1], Scene.at(8), Scene.at(18), minutes: 60),
                Scene.fixed(2, at: 2, Scene.at(9), Scene.at(10)),
            ]
        )
        let id = TaskIdentifier(rawValue: 1)
        let ride = TravelOption(.taxi, departure: Scene.at(14, 40), seconds: 300)
        let taxi = BookedJourney(to: id, from: Scene.place(2), to: Scene.place(1), ride)
        scene.day.commitments = [.start(id, Scene.at(15)), .journey(taxi)]
        let plan = try #require(try scene.solve().plan)
        #expect(plan.cost.brokenCommitments == 0)
        #expect(plan.tasks[1].start == Scene.at(15) && plan.legs[1].mode == .taxi)
        scene.day.tasks.append(Scene.fixed(3, at: 2, Scene.at(14, 30), Scene.at(16)))
        #expect(try scene.solve().plan?.cost.brokenCommitments == 2)
    }

    @Test("a plan changes only where a new task makes it (A17)")
    func change() throws {
        var scene = Scene(
            places: 4,
            walkMinutes: 10,
            [
                Scene.flexible(1, at: [1], Scene.at(8), Scene.at(18), minutes: 60),
                Scene.flexible(2, at: [2], Scene.at(8), Scene.at(18), minutes: 60),
            ]
        )
        scene.day.former = [
            FormerTask(TaskIdentifier(rawValue: 1), start: Scene.at(14), place: Scene.place(1)),
            FormerTask(TaskIdentifier(rawValue: 2), start: Scene.at(9), place: Scene.place(2)),
        ]
        #expect(try scene.solve().plan?.cost.changedTasks == 0)
        scene.day.tasks.append(Scene.fixed(3, at: 3, Scene.at(14, 30), Scene.at(15)))
        let plan = try #require(try scene.solve().plan)
        #expect(plan.cost.changedTasks == 1)
        #expect(plan.tasks.contains { $0.id.rawValue == 2 && $0.start == Scene.at(9) })
    }

    @Test("what cannot be a day is refused by name")
    func failures() {
        let scene = Scene(places: 2, walkMinutes: 10, [])
        func failure(_ change: (inout Day) -> Void) -> DayFailure? {
            var day = scene.day
            change(&day)
            do throws(DayFailure) {
                _ = try DayPlan.solve(day, by: scene.table)
                return nil
            } catch { return error }
        }
        let task = Scene.fixed(1, at: 1, Scene.at(9), Scene.at(10))
        let id = task.id
        #expect(failure { $0.until = $0.from.adding(seconds: -1) } == .invalidSpan)
        #expect(failure { $0.until = Instant(seconds: .max) } == .invalidSpan)
        #expect(failure { $0.tasks = [task, task] } == .repeatedTask(id))
        #expect(failure { $0.origin = Scene.place(2) } == .unknownPlace(Scene.place(2)))
        #expect(
            failure {
                $0.tasks = [task]
                $0.tasks[0].leastSeconds = 0
            } == .invalidLength(id)
        )
        #expect(
            failure {
                $0.tasks = [task]
                $0.tasks[0].pieces = 60
                $0.tasks.append(Scene.fixed(2, at: 1, Scene.at(9), Scene.at(10)))
            } == .tooManyPieces(61)
        )
    }
}
