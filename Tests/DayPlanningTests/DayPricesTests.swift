import Chronology
import DayPlan
import Fares
import Testing
import TripPlanning

@testable import DayPlanning

/// What the journeys of a day cost, and its owner's limit on that (V74): issue 33.
@Suite("Prices of a day")
struct DayPricesTests {
    private static let euro = TripCosts.standard.currency

    /// A town in which each drive costs five euros, and walking nothing.
    private func plan(_ day: DayInput) throws -> PlannedDay {
        let town = DayTown(carSpeed: 10)
        let planner = DayPlanner(
            modes: TripModes(walk: true, car: true, transit: 0),
            answer: { question throws(TripFailure) in
                var answer = try town.answer(question)
                for index in answer.options.indices {
                    let isDrive = answer.options[index].kind == .car
                    answer.options[index].price =
                        isDrive
                        ? .estimated(Money(500, Self.euro)) : .exact(Money(0, Self.euro))
                }
                return answer
            },
            solver: town.solver
        )
        return try planner.plan(day)
    }

    private func day(_ tasks: [CalendarTask], limit: Int64?) -> DayInput {
        var day = DayTown.day(tasks, base: 0)
        day.tripLimits = TripLimits(minorUnits: limit, currencyCode: limit.map { _ in "EUR" })
        return day
    }

    private let relaxed = DayTown.task("a", DayTown.time(12), DayTown.time(13), at: 3_000)

    @Test("V74: where a drive is over the limit and walking is in time, one walks")
    func cheaper() throws {
        let usual = try plan(day([relaxed], limit: nil))
        #expect(usual.journeys.map(\.trip.kind) == [.car, .car])
        #expect(usual.price == .estimated(Money(1_000, Self.euro)))
        let limited = try plan(day([relaxed], limit: 300))
        #expect(limited.isFeasible && limited.journeys.map(\.trip.kind) == [.walk, .walk])
        #expect(limited.price.minorUnits == 0)
        #expect(limited.journeys.allSatisfy { $0.warnings.isEmpty })
        // The owner's own demands are as before.
        #expect(limited.input == day([relaxed], limit: 300))
        let generous = try plan(day([relaxed], limit: 500))
        #expect(generous.journeys.map(\.trip.kind) == [.car, .car])
    }

    @Test("V50: where only the drive is in time, it stays and says that it is over the limit")
    func kept() throws {
        let early = DayTown.task("a", DayTown.time(12), DayTown.time(13), at: 100)
        let late = DayTown.task("b", DayTown.time(13, 20), DayTown.time(14), at: 3_100)
        let plan = try plan(day([early, late], limit: 300))
        let drive = try #require(plan.journeys.first { $0.to == .task(1) })
        #expect(plan.isFeasible && drive.trip.kind == .car)
        #expect(drive.warnings == [.limit(.price(known: true))])
    }

    @Test(
        "V75: where a drive is over its own limit, one walks, or is told if nothing else is in time"
    )
    func meansLimit() throws {
        var limited = day([relaxed], limit: nil)
        // Three kilometres at ten metres a second.
        limited.tripLimits.modes = [try #require(ModeLimit("car@5min"))]
        #expect(try plan(limited).journeys.map(\.trip.kind) == [.car, .car])
        for text in ["car@4min", "car@2.9km"] {
            let limit = try #require(ModeLimit(text))
            limited.tripLimits.modes = [limit]
            #expect(try plan(limited).journeys.map(\.trip.kind) == [.walk, .walk], "\(text)")
            let early = DayTown.task("a", DayTown.time(12), DayTown.time(13), at: 100)
            let late = DayTown.task("b", DayTown.time(13, 20), DayTown.time(14), at: 3_100)
            var tight = day([early, late], limit: nil)
            tight.tripLimits.modes = [limit]
            let drive = try #require(try plan(tight).journeys.first { $0.to == .task(1) })
            #expect(drive.trip.kind == .car)
            #expect(drive.warnings == [.limit(.limit(limit, known: true))])
        }
    }

    @Test("V19: the journey to a task serves its own aim, and those to others stay quick")
    func aims() throws {
        func kinds(_ aims: [TripPreference?]) throws -> [TripKind] {
            let tasks = aims.enumerated().map { number, aim in
                var task = DayTown.task(
                    "\(number)",
                    DayTown.time(10 + Int64(number) * 3),
                    DayTown.time(11 + Int64(number) * 3),
                    at: 3_000 * (1 + number)
                )
                task.demands.aim = aim
                return task
            }
            let plan = try plan(day(tasks, limit: nil))
            #expect(plan.isFeasible && plan.input == day(tasks, limit: nil))
            return plan.journeys.map(\.trip.kind)
        }
        #expect(try kinds([nil]) == [.car, .car])
        #expect(try kinds([.quick]) == [.car, .car])
        #expect(try kinds([.cheap]) == [.walk, .walk])
        // An hour is worth twelve euros: 50 minutes on foot cost more than the drive.
        #expect(try kinds([.balanced]) == [.car, .car])
        // What they emit is unknown here, so nothing is greener.
        #expect(try kinds([.green]) == [.car, .car])
        #expect(try kinds([nil, .quick]) == [.car, .car, .car])
    }

    @Test("V19: an aim never makes an appointment late")
    func aimInTime() throws {
        let early = DayTown.task("a", DayTown.time(12), DayTown.time(13), at: 100)
        var late = DayTown.task("b", DayTown.time(13, 20), DayTown.time(14), at: 3_100)
        late.demands.aim = .cheap
        let plan = try plan(day([early, late], limit: nil))
        #expect(plan.isFeasible)
        #expect(plan.journeys.first { $0.to == .task(1) }?.trip.kind == .car)
    }

    @Test("a price that nobody knows makes the sum unknown, and never less")
    func unknown() throws {
        var plan = try plan(day([relaxed], limit: nil))
        plan.journeys[0].trip.price = .unknown
        #expect(plan.price == .unknown)
        plan.journeys = []
        #expect(plan.price == .unknown)
    }
}
