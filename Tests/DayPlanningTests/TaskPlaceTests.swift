import Chronology
import DayPlan
import Geo
import OpenData
import SeededRandom
import TestSupport
import Testing
import TripPlanning

@testable import CityData
@testable import DayPlanning

/// Issue 32, point 1: an errand at any open branch of a shop.
@Suite("A task at any of several places")
struct TaskPlaceTests {
    private let town = DayTown()

    /// A place so many metres from the west end, open between some hours or, as far as is known,
    /// always.
    private static func place(_ metres: Int, _ hours: ClosedRange<Int64>...) -> TaskPlace {
        let openings = hours.map { DayTown.time($0.lowerBound)..<DayTown.time($0.upperBound) }
        return TaskPlace(DayTown.place(metres), openings: openings.isEmpty ? nil : openings)
    }

    private static func errand(
        _ window: Range<Instant>,
        minutes: Int64 = 30,
        _ places: TaskPlace...
    ) -> CalendarTask {
        var task = DayTown.task("errand", window.lowerBound, window.upperBound)
        let seconds = minutes * 60
        task.timing = .flexible(window: window, seconds: seconds, minimumSeconds: seconds)
        task.places = places
        task.knownPlaces = places.count
        return task
    }

    /// Two meetings with two hours between them.
    private static func day(_ errand: CalendarTask) -> [CalendarTask] {
        [
            DayTown.task("a", DayTown.time(9), DayTown.time(10), at: 0), errand,
            DayTown.task("b", DayTown.time(12), DayTown.time(13), at: 1_800),
        ]
    }

    @Test("the open branch on the way is taken, and the plan says which")
    func onTheWay() throws {
        let errand = Self.errand(
            DayTown.time(9)..<DayTown.time(12),
            Self.place(300, 15...19),
            Self.place(900, 8...13),
            Self.place(4_000, 8...13)
        )
        let plan = try town.plan(Self.day(errand))
        #expect(plan.isFeasible && plan.isExact)
        #expect(plan.place(of: 1)?.name == "Km 900" && plan.places.keys.sorted() == [1])
        #expect(plan.journeys.map { plan.place(of: $0.to)?.name } == ["Km 900", "Km 1800"])
        #expect(plan.journeys.map(\.from) == [.task(0), .task(1)])
        let text = try DayJSON(zone: DayTown.zone).text(plan)
        let tasks = try JSONValue(parsing: Array(text.utf8)).object?["tasks"]?.list
        let task = try #require(tasks?[1].object)
        #expect(task["place"]?.text == "Km 900" && task["lat"]?.double == 45)
        #expect(task["lon"]?.double == 0.00009)
        let calendar = JourneyEvents(plan, written: DayTown.time(7)).added(
            to: try ICalendar(Array("BEGIN:VCALENDAR\nEND:VCALENDAR\n".utf8)),
            summary: { _ in "" },
            description: { _ in "" },
            location: { _ in nil }
        )
        #expect(String(decoding: calendar.bytes, as: UTF8.self).contains("LOCATION:Km 900\r\n"))
    }

    @Test("the whole errand is within the hours; where they are not known, at any time")
    func hours() throws {
        let window = DayTown.time(10)..<DayTown.time(12)
        let late = Self.errand(window, minutes: 20, Self.place(900, 8...10, 11...12))
        let span = try town.plan(Self.day(late)).time(of: 1)
        #expect(span.lowerBound >= DayTown.time(11) && span.upperBound <= DayTown.time(12))
        let unknown = try town.plan(
            Self.day(Self.errand(window, Self.place(900, 15...19), Self.place(2_400)))
        )
        #expect(unknown.place(of: 1)?.name == "Km 2400")
        // Of a meeting at a fixed time the hours do not matter.
        var tasks = Self.day(late)
        tasks[0].places = [Self.place(0, 15...19)]
        #expect(try town.plan(tasks).isFeasible)
    }

    @Test("where all are closed that is the conflict, and no repair leads to a closed door")
    func closed() throws {
        let errand = Self.errand(
            DayTown.time(13)..<DayTown.time(14),
            Self.place(900, 8...13),
            Self.place(600, 8...13, 15...19)
        )
        let plan = try town.plan(Self.day(errand))
        #expect(errand.isClosed && plan.conflicts == [.noRoom(1)])
        #expect(plan.place(of: 1) == nil && plan.places.isEmpty)
        let kinds = plan.repairs.flatMap(\.changes).filter { $0.task == 1 }.map(\.kind)
        // Until half past three at the branch that opens at three.
        #expect(kinds.contains(.postpone(minutes: 90)) && kinds.contains(.drop))
        let short = Self.errand(
            DayTown.time(12)..<DayTown.time(15),
            minutes: 90,
            Self.place(900, 8...13, 14...19)
        )
        #expect(short.isClosed)
    }

    @Test("a day with a choice of places costs what it costs with the best of them alone")
    func best() throws {
        var random = SeededRandom(seed: 32)
        func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
        var feasible = 0
        for seed in 0..<Effort.instances(60) {
            let places = (0..<(1 + below(4))).map { _ in
                let from = Int64(8 + below(5))
                return below(4) == 0
                    ? Self.place(below(5_000)) : Self.place(below(5_000), from...from + 2)
            }
            var errand = Self.errand(DayTown.time(9)..<DayTown.time(12), minutes: 20)
            func cost(_ places: [TaskPlace]) throws -> PlanCost? {
                errand.places = places
                let question = SolverDay(DayTown.day(Self.day(errand), base: 300), TripModes())
                let answer = try town.solver.solve(question.day, question.city, nil)
                return answer.isFeasible ? answer.plan?.cost : nil
            }
            let single = try places.compactMap { try cost([$0]) }.min()
            #expect(try cost(places) == single, "seed \(seed)")
            if single != nil { feasible += 1 }
        }
        #expect(feasible > 10)
    }

    // MARK: Choosing

    @Test("of many places those are considered that are near some place of the day")
    func near() {
        var errand = Self.errand(DayTown.time(9)..<DayTown.time(12))
        let positions = [0, 40_000].compactMap { DayTown.place($0).coordinate }
        let all = (0..<20).map { Self.place($0 * 100) } + [Self.place(30_000), Self.place(31_000)]
        errand.choose(from: all, near: positions, limit: 4)
        #expect(errand.places.map(\.place.name) == ["Km 0", "Km 31000", "Km 100", "Km 30000"])
        #expect(errand.knownPlaces == 22)
        let mixed = [Self.place(0, 15...19), Self.place(30_000, 9...10), Self.place(200)]
        errand.choose(from: mixed, near: positions, limit: 4)
        #expect(errand.places.map(\.place.name) == ["Km 200", "Km 30000"])
        errand.choose(from: [mixed[0]], near: [], limit: 4)
        #expect(errand.places == [mixed[0]] && errand.isClosed)
    }

    @Test("the choice is that of the rule followed step by step, in any order of positions")
    func rule() {
        var random = SeededRandom(seed: 8)
        func metres() -> Int { Int.random(in: 0..<400, using: &random) * 100 }
        for _ in 0..<Effort.instances(300) {
            let all = (0..<12).map { _ in Self.place(metres()) }
            let positions = (0..<Int.random(in: 1...4, using: &random)).compactMap { _ in
                DayTown.place(metres()).coordinate
            }
            var errand = Self.errand(DayTown.time(9)..<DayTown.time(12))
            errand.choose(from: all, near: positions.shuffled(using: &random), limit: 5)
            #expect(errand.places == Self.chosen(all, positions, 5))
        }
    }

    /// For each rank, the places that have it from some position, the nearest first.
    private static func chosen(
        _ all: [TaskPlace],
        _ positions: [Coordinate],
        _ limit: Int
    ) -> [TaskPlace] {
        var chosen: [Int] = []
        func metres(_ number: Int, _ position: Coordinate) -> Double {
            all[number].place.coordinate.map { position.distanceMetres(to: $0) } ?? .infinity
        }
        for rank in 0..<limit {
            let next = positions.map { position in
                let order = all.indices.sorted {
                    (metres($0, position), $0) < (metres($1, position), $1)
                }
                return (metres: metres(order[rank], position), number: order[rank])
            }.sorted { ($0.metres, $0.number) < ($1.metres, $1.number) }
            for one in next where !chosen.contains(one.number) { chosen.append(one.number) }
        }
        return chosen.prefix(limit).map { all[$0] }
    }

    // MARK: From a calendar

    /// A shop with hours on the map.
    private static func shop(_ metres: Int, _ hours: String) -> ResolvedPlace {
        var place = DayTown.place(metres)
        place.kind = .feature
        place.match = AddressMatch(
            kind: .feature,
            label: place.name,
            coordinate: Coordinate(latitude: 450_000_000, longitude: Int32(metres)),
            exactness: .place,
            category: "shop",
            openingHours: hours,
            stops: []
        )
        return place
    }

    private static func input(
        _ entries: [String],
        _ branches: [ResolvedPlace]
    ) throws -> (input: DayInput, asked: [String]) {
        let text = "BEGIN:VCALENDAR\n\(entries.joined(separator: "\n"))\nEND:VCALENDAR\n"
        let calendar = try ICalendar(Array(text.utf8))
        var asked: [String] = []
        let day = try CalendarDay(
            calendar,
            on: DayTown.date,
            zone: DayTown.zone,
            zones: ICalendarZones(calendar)
        )
        let input = day.input { entry in
            shop(entry.uid == "far" ? 30_000 : 0, "Mo-Su 00:00-24:00")
        } branches: { entry in
            asked.append(entry.uid)
            return branches
        }
        return (input, asked)
    }

    private static func entry(_ kind: String, _ uid: String, _ lines: String...) -> String {
        "BEGIN:\(kind)\nUID:\(uid)\n\(lines.joined(separator: "\n"))\nEND:\(kind)"
    }

    @Test("only a task is at any of several places, and its hours are those of the day")
    func calendar() throws {
        let window = "DTSTART:20141020T090000\nDUE:20141020T120000\nESTIMATED-DURATION:PT20M"
        let (input, asked) = try Self.input(
            [
                Self.entry("VEVENT", "far", "DTSTART:20141020T130000", "LOCATION:farmacia"),
                Self.entry("VTODO", "geo", window, "GEO:45;9", "LOCATION:farmacia"),
                Self.entry("VTODO", "task", window, "LOCATION:farmacia"),
                Self.entry(
                    "VTODO",
                    "whole",
                    "DTSTART:20141020T100000\nDUE:20141020T110000\nESTIMATED-DURATION:PT1H",
                    "LOCATION:farmacia"
                ),
            ],
            [Self.shop(20_000, "Mo 08:00-10:30"), Self.shop(31_000, ""), Self.shop(1, "Tu-Su")]
        )
        #expect(asked == ["task", "whole"])
        let tasks = Dictionary(uniqueKeysWithValues: input.tasks.map { ($0.uid, $0) })
        #expect(tasks["far"]?.places.map(\.openings) == [nil])
        // The hours of its only place bind a task too.
        #expect(tasks["geo"]?.places.first?.openings?.count == 1)
        let task = try #require(tasks["task"])
        #expect(task.location == "farmacia" && task.knownPlaces == 3)
        // On a Monday; the meeting in the east is nearer to the one whose hours are not known.
        #expect(task.places.map(\.place.name) == ["Km 31000", "Km 20000"])
        #expect(task.places[0].openings == nil)
        #expect(task.places[1].openings == [DayTown.time(9)..<DayTown.time(10, 30)])
        #expect(task.place == nil)
        // One that fills its window cannot be where there is time for half of it only.
        #expect(tasks["whole"]?.places.map(\.place.name) == ["Km 31000"])
        #expect(tasks["whole"]?.timing.isFlexible == true)
    }

    @Test("the order of the file decides nothing, and many tasks together have few places")
    func bounds() throws {
        let entries = (0..<16).map { number in
            Self.entry(
                "VTODO",
                "\(number)",
                "DTSTART:20141020T090000\nDUE:20141020T2000\(number + 10)",
                "ESTIMATED-DURATION:PT5M\nLOCATION:farmacia"
            )
        }
        let branches = (0..<100).map { Self.shop($0 * 100, "") }
        let places = try Self.input(entries, branches).input.tasks.map(\.places)
        #expect(places.allSatisfy { $0.count == 2 })
        #expect(try Self.input(entries.reversed(), branches).input.tasks.map(\.places) == places)
    }
}
