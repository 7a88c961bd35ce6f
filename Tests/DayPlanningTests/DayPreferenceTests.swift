import Chronology
import DayPlan
import DayPlanning
import OpenData
import Testing
import TripPlanning

/// V50: a task that can be reached only against a preference says which one.
@Suite("Preferences that are not kept")
struct DayPreferenceTests {
    private static func object(_ plan: PlannedDay) throws -> JSONObject {
        let text = try DayJSON(zone: DayTown.zone).text(plan)
        return try #require(try JSONValue(parsing: Array(text.utf8)).object)
    }

    private func plan(_ day: DayInput, headway: Int64 = 300) throws -> PlannedDay {
        let town = DayTown(headway: headway)
        return try DayPlanner(answer: town.answer, solver: town.solver).plan(day)
    }

    @Test("V50, V55: waiting longer than wanted is told where nothing comes later in time")
    func waits() throws {
        let task = DayTown.task("a", DayTown.time(9, 30), DayTown.time(10), at: 600)
        // The trams of nine arrive ten minutes later, and those of ten are too late.
        let hourly = try plan(DayTown.day([task], base: 0), headway: 3_600)
        #expect(hourly.isFeasible && hourly.longWaits == [0: 1_200])
        #expect(hourly.shortWaits.isEmpty && hourly.lateness.isEmpty)
        let warnings = try Self.object(hourly)["warnings"]?.list ?? []
        #expect(warnings.count == 1 && warnings.first?["kind"] == "long_wait")
        #expect(warnings.first?["uid"] == "a" && warnings.first?["seconds"]?.double == 1_200)
        let often = try plan(DayTown.day([task], base: 0))
        #expect(often.isFeasible && often.longWaits.isEmpty)
        // Who does not mind waiting is told nothing.
        var patient = DayTown.day([task], base: 0)
        patient.wait = 300...1_800
        #expect(try plan(patient, headway: 3_600).longWaits.isEmpty)
    }

    @Test("V50: the means that a task allows are named where they alone are in the way")
    func means() throws {
        var task = DayTown.task("a", DayTown.time(9), DayTown.time(10), at: 600)
        task.demands.modes = TripModes(walk: false, transit: 0).with([.taxi])
        let plan = try plan(DayTown.day([task], base: 0))
        try #require(plan.conflicts.count == 1)
        #expect(plan.preference(inTheWayOf: plan.conflicts[0]) == .means)
        let conflicts = try Self.object(plan)["conflicts"]?.list ?? []
        #expect(conflicts.first?["preference"] == "means")
        // Where there is no way at all, no preference is to blame.
        task.places = [TaskPlace(DayTown.place(DayTown.edge + 1))]
        let far = try self.plan(DayTown.day([task], base: 0))
        try #require(!far.conflicts.isEmpty)
        #expect(far.conflicts.allSatisfy { far.preference(inTheWayOf: $0) == nil })
        let none = try Self.object(far)["conflicts"]?.list ?? []
        #expect(none.allSatisfy { $0["preference"] == nil })
    }

    @Test("V50, V73: so are the limits on walking")
    func walk() throws {
        let task = DayTown.task("a", DayTown.time(9), DayTown.time(10), at: 600)
        var day = DayTown.day([task], base: 0)
        day.limits.legWalkMetres = 100
        let plan = try plan(day)
        try #require(plan.conflicts.count == 1)
        #expect(plan.preference(inTheWayOf: plan.conflicts[0]) == .walk)
        #expect(try Self.object(plan)["conflicts"]?.list?.first?["preference"] == "walk")
    }
}
