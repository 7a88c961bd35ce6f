import Chronology
import DayPlan
import DayPlanning
import OpenData
import Testing

/// Issue 32, point 2: the document of `viavai day --json`.
@Suite("A planned day as JSON")
struct DayJSONTests {
    private static func document(_ tasks: [CalendarTask], base: Int? = nil) throws -> JSONObject {
        let text = try DayJSON(zone: DayTown.zone).text(DayTown().plan(tasks, base: base))
        #expect(text.hasSuffix("}\n"))
        return try #require(try JSONValue(parsing: Array(text.utf8)).object)
    }

    private static func objects(_ document: JSONObject, _ name: String) -> [JSONObject] {
        document[name]?.list?.compactMap(\.object) ?? []
    }

    @Test("tasks have times with offset and positions, journeys their ends, modes and walks")
    func feasible() throws {
        let document = try Self.document(
            [
                DayTown.task("a", DayTown.time(9), DayTown.time(10), at: 0),
                DayTown.task("call", DayTown.time(10), DayTown.time(10, 30)),
            ],
            base: 600
        )
        #expect(document["feasible"] == .bool(true) && document["exact"] == .bool(true))
        let tasks = Self.objects(document, "tasks")
        #expect(tasks.map { $0["uid"]?.text } == ["a", "call"])
        #expect(tasks[0]["start"]?.text == "2014-10-20T09:00:00+02:00")
        #expect(tasks[0]["end"]?.text == "2014-10-20T10:00:00+02:00")
        #expect(tasks[0]["lat"]?.double == 45 && tasks[0]["lon"]?.double == 0)
        #expect(tasks[1]["lat"] == nil && tasks[1]["place"] == nil)
        let journeys = Self.objects(document, "journeys")
        #expect(journeys.map { $0["from"]?.text } == ["base", "a"])
        #expect(journeys.map { $0["to"]?.text } == ["a", "base"])
        #expect(journeys[0]["departure"]?.text == "2014-10-20T08:45:00+02:00")
        #expect(journeys[0]["arrival"]?.text == "2014-10-20T08:55:00+02:00")
        #expect(journeys[0]["modes"]?.list?.map(\.text) == ["walk"])
        #expect(journeys[0]["walk_m"]?.double == 600)
        #expect(Self.objects(document, "repairs").isEmpty)
    }

    @Test("a plan that is not proved to be the best one states by how much it may be worse")
    func gap() throws {
        let town = DayTown()
        let task = DayTown.task("a", DayTown.time(9), DayTown.time(10), at: 600)
        var points: Int64 = 0
        let cut = DaySolver(
            solve: { day, city, ways throws(DayFailure) in
                var answer = try town.solver.solve(day, city, ways)
                answer.isExact = false
                answer.bound = .zero
                points = answer.plan?.cost.points ?? 0
                return answer
            },
            again: town.solver.again,
            repairs: town.solver.repairs
        )
        let plan = try DayPlanner(answer: town.answer, solver: cut).plan(
            DayTown.day([task], base: 0)
        )
        #expect(points > 600 && plan.gapMinutes == (points + 599) / 600)
        let text = try DayJSON(zone: DayTown.zone).text(plan)
        let document = try #require(try JSONValue(parsing: Array(text.utf8)).object)
        #expect(document["exact"] == .bool(false))
        #expect(document["gap_minutes"]?.double == plan.gapMinutes.map { Double($0) })
        #expect(try Self.document([task])["gap_minutes"] == nil)
    }

    @Test("a day that cannot be kept says so, with its conflicts and repairs")
    func infeasible() throws {
        let document = try Self.document([
            DayTown.task("a", DayTown.time(9), DayTown.time(10), at: 0),
            DayTown.task("b", DayTown.time(10, 10), DayTown.time(11), at: 1_500),
        ])
        #expect(document["feasible"] == .bool(false))
        let conflict = try #require(Self.objects(document, "conflicts").first)
        #expect(conflict["kind"]?.text == "unreachable")
        #expect(conflict["from"]?.text == "a" && conflict["to"]?.text == "b")
        let changes = Self.objects(document, "repairs").compactMap {
            Self.objects($0, "changes").first
        }
        #expect(changes.map { $0["kind"]?.text } == ["shorten", "postpone", "drop", "drop"])
        #expect(changes.map { $0["uid"]?.text } == ["a", "b", "b", "a"])
        #expect(changes.map { $0["minutes"]?.double } == [15, 15, nil, nil])
        let people = Self.objects(document, "repairs").map { $0["people"]?.double }
        #expect(people == [0, 0, 0, 0])
    }
}
