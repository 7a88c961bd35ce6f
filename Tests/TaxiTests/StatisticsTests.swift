import Chronology
import Dispatching
import SeededRandom
import Storage
import StorageTestSupport
import TestClock
import TestSupport
import Testing

@testable import Taxi

/// taxi.md 5.4, R82; issue 5, "statistics by zone and hour".
@Suite("Statistics of a day")
struct StatisticsTests {
    /// Rome in 2026: clocks go forward on 29 March and back on 25 October.
    private static let rome = ZoneTable(
        starts: [0, 1_774_746_000, 1_792_890_000],
        offsets: [3_600, 7_200, 3_600]
    )

    private static func date(_ month: Int32, _ day: Int32) -> CivilDate {
        CivilDate(year: 2_026, month: month, day: day) ?? CivilDate(daysSince1970: 0)
    }

    @Test(
        "a day has as many hours as its clocks show, 23 and 25 where they are changed",
        arguments: [(Int32(3), Int32(29), 23), (10, 25, 25), (6, 1, 24), (1, 1, 24)]
    )
    func hours(month: Int32, day: Int32, hours: Int) {
        let found = StatisticsDay(Self.date(month, day), in: Self.rome)
        #expect(found.hours == hours)
        #expect(found.bounds == found.bounds.sorted())
        let next = StatisticsDay(Self.date(month, day).adding(days: 1), in: Self.rome)
        #expect(found.end == next.start)
        for bound in found.bounds.dropLast() {
            #expect(StatisticsDay(of: bound, in: Self.rome) == found)
            #expect(
                StatisticsDay(of: bound.adding(milliseconds: 3_599_999), in: Self.rome) == found
            )
        }
    }

    @Test("an empty day has no waits, no shares and no fairness, and none of them is zero")
    func empty() {
        let found = DayStatistics(StatisticsDay(Self.date(6, 1), in: Self.rome))
        let total = found.total()
        #expect(total == Figures())
        #expect(total.meanWait == nil && total.wait(percent: 50) == nil)
        #expect(total.meanError == nil && total.bias == nil && total.acceptance == nil)
        #expect(total.gini == nil)
        #expect(found.hours().count == 24)
    }

    /// A request of a test, with times in seconds since the start of the day.
    private struct Made {
        var zone: Int64
        var asked: Int64
        var due: Int64?
        var accepted: Int64?
        var reached: Int64?
        var told: Int64?
        var taxi: Int64?
        var owner: Int64?
        var outcome: RequestOutcome?

        init(_ random: inout SeededRandom) {
            zone = Int64.random(in: 0..<2, using: &random)
            // Some are just outside the day.
            asked = Int64.random(in: -4_000..<95_000, using: &random)
            if Int.random(in: 0..<4, using: &random) == 0 {
                due = asked + Int64.random(in: 7_200..<40_000, using: &random)
            }
            outcome = RequestOutcome.allCases.randomElement(using: &random)
            guard Int.random(in: 0..<4, using: &random) > 0 else { return }
            let begun = (due ?? asked) + Int64.random(in: -600..<600, using: &random)
            accepted = begun
            taxi = Int64.random(in: 0..<5, using: &random)
            if Int.random(in: 0..<5, using: &random) > 0 {
                reached = begun + Int64.random(in: 0..<3_000, using: &random)
            }
            if Int.random(in: 0..<5, using: &random) > 0 {
                told = Int64.random(in: 60..<1_800, using: &random)
            }
            if Int.random(in: 0..<6, using: &random) == 0 { owner = 1 }
        }

        var wanted: Int64 { due ?? asked }
    }

    @Test(
        "the figures are those of a slow count over the same rides (R82)",
        arguments: TestEngine.allCases,
        [UInt64(1), 2, 3]
    )
    func reference(engine: TestEngine, seed: UInt64) async throws {
        try await withStorage(on: engine) { database in
            try await TaxiTown.open(in: database, SettableClock.atMidnight(), taxis: 1) { town in
                var random = SeededRandom(seed: seed)
                let day = StatisticsDay(Self.date(10, 25), in: Self.rome)
                let made = (0..<400).map { _ in Made(&random) }
                try await Self.keep(made, day, town)
                let found = try await town.service.statistics(of: day)
                let length = (day.end.milliseconds - day.start.milliseconds) / 1_000
                #expect(length == 90_000)
                let inside = made.filter { $0.wanted >= 0 && $0.wanted < length }
                Self.check(found.total(), inside)
                for (zone, name) in [(Int64(0), "west"), (1, "east")] {
                    let own = inside.filter { $0.zone == zone }
                    for (hour, figures) in found.hours(of: name).enumerated() {
                        Self.check(figures, own.filter { $0.wanted / 3_600 == Int64(hour) })
                    }
                }
            }
        }
    }

    private static func keep(
        _ made: [Made],
        _ day: StatisticsDay,
        _ town: TaxiTown
    ) async throws {
        let name = town.service.store.log.name
        let start = day.start.milliseconds
        let hash = [UInt8](repeating: 0, count: 32)
        func moment(_ seconds: Int64?) -> Int64? { seconds.map { start + $0 * 1_000 } }
        let statements = made.enumerated().flatMap { place, one -> [SQL] in
            let number = Int64(1_000 + place)
            return [
                """
                INSERT INTO ride (log, request, passenger, owner, zone, asked, due, taxi, accepted,
                    reached, ended, outcome, sequence, hash)
                VALUES (\(name), \(number), 7, \(one.owner), \(one.zone),
                    \(start + one.asked * 1_000), \(moment(one.due)), \(one.taxi),
                    \(moment(one.accepted)),
                    \(moment(one.reached)), \(start + 1), \(one.outcome?.stored), 0, \(hash))
                """,
                """
                INSERT INTO ride_promise (log, request, seconds)
                VALUES (\(name), \(number), \(one.told))
                """,
            ]
        }
        try await town.database.write { try $0.execute(statements) }
    }

    /// Compares figures with values counted naively.
    private static func check(_ figures: Figures, _ made: [Made]) {
        let none: [RequestOutcome] = [.noTaxi, .allRefused, .heldTooLong, .dropped]
        #expect(figures.requests == made.count)
        #expect(figures.served == made.count { $0.outcome == .completed })
        #expect(figures.unserved == made.count { $0.outcome.map(none.contains) ?? false })
        let waits = made.compactMap { one in one.reached.map { max(0, $0 - one.wanted) } }.sorted()
        #expect(figures.reached == waits.count)
        for percent in [1, 50, 95, 100] {
            // The smallest wait that at least `percent` of the waits do not exceed.
            let expected = waits.first { wait in
                waits.count { $0 <= wait } * 100 >= percent * waits.count
            }
            #expect(figures.wait(percent: percent) == expected)
        }
        let mean = waits.isEmpty ? nil : Double(waits.reduce(0, +)) / Double(waits.count)
        #expect(figures.meanWait == mean)
        let late = made.compactMap { one -> Int64? in
            guard let reached = one.reached, let accepted = one.accepted else { return nil }
            if let due = one.due { return reached - due }
            return one.told.map { reached - accepted - $0 }
        }
        #expect(figures.promised == late.count)
        #expect(figures.within10 == late.count { $0 <= 600 })
        #expect(figures.within20 == late.count { $0 <= 1_200 })
        let errors = made.compactMap { one -> Int64? in
            guard let reached = one.reached, let accepted = one.accepted, let told = one.told
            else { return nil }
            return reached - accepted - told
        }
        var rides: [TaxiNumber: Int] = [:]
        for one in made where one.owner == nil && one.accepted != nil {
            rides[TaxiNumber(stored: one.taxi ?? 0), default: 0] += 1
        }
        #expect(figures.rides == rides)
        let gini = rides.isEmpty ? -1 : Self.gini(rides.values.map(\.self))
        #expect(abs((figures.gini ?? -1) - gini) < 1e-12)
        let bias = errors.isEmpty ? nil : Double(errors.reduce(0, +)) / Double(errors.count)
        #expect(figures.bias == bias)
    }

    /// Half the mean difference of all pairs, divided by the mean.
    private static func gini(_ counts: [Int]) -> Double {
        let total = counts.reduce(0, +)
        guard total > 0 else { return 0 }
        let differences = counts.reduce(0) { sum, one in
            sum + counts.reduce(0) { $0 + abs(one - $1) }
        }
        return Double(differences) / Double(2 * counts.count * total)
    }

    @Test(
        "offers count by their end, and who was passed over by the rule",
        arguments: TestEngine.allCases
    )
    func offers(engine: TestEngine) async throws {
        try await withStorage(on: engine) { database in
            let clock = SettableClock.atMidnight()
            try await TaxiTown.open(in: database, clock, taxis: 3) { town in
                let request = try await town.service.call(TaxiTown.order(7, from: 1_000)).request
                let first = try #require(
                    try await town.service.dispatch.read { $0.request(request)?.offer }
                )
                _ = try await town.give(.refuse(request, first.taxi, epoch: first.epoch))
                let last = TaxiNumber(rawValue: 2)
                _ = try await town.give(.assign(request, last, reason: "test"))
                let offer = try #require(
                    try await town.service.dispatch.read { $0.request(request)?.offer }
                )
                _ = try await town.service.accept(request, by: last, epoch: offer.epoch)
                try await town.until("the tables have followed") {
                    try await town.service.store.record(of: request)?.accepted != nil
                }
                let day = StatisticsDay(of: clock.now, in: .utc)
                let found = try await town.service.statistics(of: day)
                let total = found.total(of: "west")
                #expect(total.offers == [.refused: 1, .withdrawn: 1, .accepted: 1])
                #expect(total.acceptance == 0.5)
                #expect(total.passed[.noRule] == nil)
                #expect(total.rides.count == 3)
                #expect(total.rides[last] == 1)
                #expect(found.total() == total)
            }
        }
    }
}
