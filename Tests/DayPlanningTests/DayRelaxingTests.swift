import Chronology
import DayPlan
import Fares
import SeededRandom
import TestSupport
import Testing
import TripPlanning

@testable import DayPlanning

/// Limits that are given up where no plan of a day keeps to all of them (V52): issue 33, point 3.
@Suite("Limits given up in a day")
struct DayRelaxingTests {
    private static let euro = TripCosts.standard.currency

    /// A planner in a town in which each drive costs five euros, and walking nothing.
    private func planner(_ modes: TripModes = TripModes(car: true, transit: 0)) -> DayPlanner {
        let town = DayTown(carSpeed: 10)
        return DayPlanner(
            modes: modes,
            answer: { question throws(TripFailure) in
                var answer = try town.answer(question)
                for index in answer.options.indices {
                    let isDrive = answer.options[index].kind == .car
                    answer.options[index].price =
                        .exact(Money(isDrive ? 500 : 0, Self.euro))
                }
                return answer
            },
            solver: town.solver,
            zone: DayTown.zone
        )
    }

    private func plan(
        _ day: DayInput,
        _ modes: TripModes = TripModes(car: true, transit: 0)
    ) throws -> PlannedDay {
        let relaxing = DayRelaxing(conditions: .unknown, zone: DayTown.zone) { _ in
            planner(modes)
        }
        return try relaxing.plan(day)
    }

    /// A day with one appointment so many metres from the base.
    private func day(
        at metres: Int = 3_000,
        money: Int64? = nil,
        walk: Int32? = nil,
        _ relaxing: [TripConstraint] = TripConstraint.inOrder()
    ) -> DayInput {
        var day = DayTown.day(
            [DayTown.task("a", DayTown.time(12), DayTown.time(13), at: metres)],
            base: 0
        )
        day.tripLimits = TripLimits(minorUnits: money, currencyCode: money.map { _ in "EUR" })
        day.limits.legWalkMetres = walk
        day.relaxing = relaxing
        return day
    }

    private static let walking = TripModes(walk: true, transit: 0)

    @Test("V52: where one must walk further than wanted, each journey says how far")
    func walk() throws {
        let day = day(walk: 1_000)
        let plan = try plan(day, Self.walking)
        #expect(plan.isFeasible && plan.givenUp == [.walk])
        let reason = TripMissing.Reason.walk(metres: 3_000, limit: 1_000)
        #expect(plan.journeys.map(\.warnings) == [[.limit(reason)], [.limit(reason)]])
        #expect(plan.input == day)
        let text = try DayJSON(zone: DayTown.zone).text(plan)
        #expect(text.contains(#""given_up" : ["#) && text.contains(#""kind" : "limit""#))
    }

    @Test("V52: of two limits the one goes that its owner gives up first")
    func order() throws {
        let dear = try plan(day(money: 300, walk: 1_000))
        #expect(dear.givenUp == [.money] && dear.journeys.allSatisfy { $0.trip.kind == .car })
        #expect(dear.journeys[0].warnings == [.limit(.price(known: true))])
        let far = try plan(day(money: 300, walk: 1_000, [.walk, .money]))
        #expect(far.givenUp == [.walk] && far.journeys.allSatisfy { $0.trip.kind == .walk })
        let kept = try plan(day(money: 600, walk: 1_000))
        #expect(kept.givenUp.isEmpty && kept.journeys.allSatisfy { $0.warnings.isEmpty })
    }

    @Test("who gives up nothing has a conflict as before, and so has a day that nothing helps")
    func nothing() throws {
        let strict = try plan(day(walk: 1_000, []), Self.walking)
        #expect(!strict.isFeasible && strict.givenUp.isEmpty)
        var hopeless = day(walk: 1_000)
        hopeless.tasks.append(DayTown.task("b", DayTown.time(13, 1), DayTown.time(14), at: 100))
        let late = try plan(hopeless, Self.walking)
        #expect(!late.isFeasible && late.givenUp.isEmpty && !late.conflicts.isEmpty)
    }

    @Test("V73: the journey that passes the limit of the day says so")
    func dayWalk() throws {
        var day = day(at: 1_000)
        day.limits.dayWalkMetres = 1_500
        let plan = try plan(day, Self.walking)
        #expect(plan.givenUp == [.walk])
        let reason = TripMissing.Reason.walk(metres: 2_000, limit: 1_500)
        #expect(plan.journeys.map(\.warnings) == [[], [.limit(reason)]])
    }

    @Test("V56: a shorter wait comes before any limit is given up, and V57: lateness after all")
    func waits() throws {
        var day = day(at: 600, walk: 700)
        // Ten minutes on foot, and eleven until the appointment begins.
        day.start = DayStart(at: DayTown.place(0), time: DayTown.time(11, 50))
        let short = try plan(day, Self.walking)
        #expect(short.isFeasible && short.givenUp.isEmpty && short.shortWaits[0] == 0)
        day.start = DayStart(at: DayTown.place(0), time: DayTown.time(11, 55))
        let late = try plan(day, Self.walking)
        #expect(!late.isFeasible && late.givenUp.isEmpty && late.lateness[0] == 300)
    }

    @Test("V52: on random days no fewer limits would do, and none that come first in their order")
    func fewest() throws {
        var counts: [Int: Int] = [:]
        for seed in 0..<UInt64(Effort.instances(200, everything: 2_000)) {
            var random = SeededRandom(seed: seed ^ 0x52)
            var day = day(
                at: 300 * (1 + random.below(12)),
                money: random.happens(0.5) ? Int64(random.below(1_000)) : nil,
                walk: random.happens(0.7) ? Int32(500 + random.below(2_000)) : nil,
                random.happens(0.5) ? [.walk, .money] : [.money, .walk]
            )
            let start = DayTown.time(13).adding(seconds: 300 * Int64(random.below(10)))
            day.tasks.append(
                DayTown.task("b", start, DayTown.time(15), at: 300 * random.below(12))
            )
            if random.happens(0.3) { day.limits.dayWalkMetres = Int32(random.below(6_000)) }
            let plan = try plan(day)
            counts[plan.isFeasible ? plan.givenUp.count : -1, default: 0] += 1
            let order = [[]] + TripConstraint.selections(of: day.relaxing)
            let first = try order.first { given in
                var asked = day
                if given.contains(.walk) { asked.limits = DayLimits() }
                let found = try planner().plan(asked)
                return found.isFeasible
                    && (given.contains(.money)
                        || found.journeys.allSatisfy { day.tripLimits.allow($0.trip) })
            }
            #expect(plan.isFeasible == (first != nil), "seed \(seed)")
            if let first { #expect(plan.givenUp == first, "seed \(seed)") }
        }
        #expect(counts[0, default: 0] > 0 && counts[1, default: 0] > 0, "\(counts)")
    }
}
