import Chronology
import Dispatching
import Identity
import Localization
import SeededRandom
import Storage
import StorageTestSupport
import TestClock
import Testing
import WebTestSupport

@testable import ConsolePages
@testable import Taxi
@testable import TaxiPages
@testable import WebApp
@testable import WebCore

/// Issue 30, 4: statistics over any range of days, compared with the range before.
@Suite("Statistics over a range of days", .serialized)
struct StatisticsRangeTests {
    private static func date(_ text: String) -> CivilDate {
        CivilDate(iso8601: text) ?? CivilDate(daysSince1970: 0)
    }

    @Test("a range, the range before it and its groups cover each day once", arguments: 1...366)
    func groups(count: Int) {
        let range = StatisticsRange(Int32(count), endingWith: Self.date("2026-11-26"))
        #expect(range.dates.count == count && range.dates.last == range.last)
        #expect(range.before.count == range.count)
        #expect(range.before.last.adding(days: 1) == range.first)
        #expect(range.before.step == range.step)
        guard range.step != .hour else { return }
        // Slowly: a day belongs to the last group that does not begin after it.
        for date in range.dates {
            let group = range.groups.lastIndex { $0 <= date }
            #expect(range.group(of: date) == group)
        }
        #expect(range.groups.count <= 53)
    }

    @Test("the chips are today, yesterday, 7 and 28 days, and this month")
    func usual() {
        let usual = StatisticsRange.usual(Self.date("2026-11-26"))
        #expect(
            usual.map { $0.name.in(.english) }
                == ["Today", "Yesterday", "7 days", "28 days", "This month"]
        )
        #expect(
            usual.map { "\($0.range.first.iso8601) \($0.range.last.iso8601)" } == [
                "2026-11-26 2026-11-26", "2026-11-25 2026-11-25", "2026-11-20 2026-11-26",
                "2026-10-30 2026-11-26", "2026-11-01 2026-11-26",
            ]
        )
    }

    /// A request that is stored without the service: when it was made, where, and what became of
    /// it.
    private struct Made {
        var asked: Moment
        var zone: Int64
        var waitSeconds: Int64?
        var isUnserved: Bool
    }

    /// Requests around both changes of clocks and in the last weeks.
    private static func made(_ today: CivilDate, _ clocks: ZoneTable) -> [Made] {
        var random = SeededRandom(seed: 30)
        let starts = [Self.date("2025-03-20"), Self.date("2025-10-15"), today.adding(days: -40)]
        return (0..<900).map { place in
            let start = clocks.instant(starts[place % 3], second: 0).seconds
            let isUnserved = Int.random(in: 0..<5, using: &random) == 0
            return Made(
                asked: Moment(
                    milliseconds: (start + Int64.random(in: 0..<1_728_000, using: &random)) * 1_000
                ),
                zone: Int64.random(in: 0..<2, using: &random),
                waitSeconds: isUnserved ? nil : Int64.random(in: 0..<2_000, using: &random),
                isUnserved: isUnserved
            )
        }
    }

    private static func keep(_ made: [Made], _ town: RideTown) async throws {
        let log = town.taxi.dispatch.eventLog.name
        let hash = [UInt8](repeating: 0, count: 32)
        let statements = made.enumerated().map { place, one -> SQL in
            let asked = one.asked.milliseconds
            let reached = one.waitSeconds.map { asked + $0 * 1_000 }
            let taxi: Int64? = one.waitSeconds == nil ? nil : 1
            let outcome: RequestOutcome = one.isUnserved ? .noTaxi : .completed
            return """
                INSERT INTO ride (log, request, passenger, zone, asked, taxi, accepted, reached,
                    ended, outcome, sequence, hash)
                VALUES (\(log), \(Int64(5_000 + place)), 7, \(one.zone), \(asked), \(taxi),
                    \(taxi == nil ? nil : asked), \(reached), \(asked + 3_000_000),
                    \(Int64(outcome.rawValue)), 0, \(hash))
                """
        }
        try await town.site.installation.database.write { transaction in
            try transaction.execute(statements)
        }
    }

    /// Compares figures with a count of the same requests.
    private static func check(_ figures: Figures, _ made: [Made], _ about: String) {
        #expect(figures.requests == made.count, "\(about)")
        #expect(figures.unserved == made.count(where: \.isUnserved), "\(about)")
        let waits = made.compactMap(\.waitSeconds).sorted()
        #expect(figures.reached == waits.count, "\(about)")
        for percent in [50, 95] {
            let expected = waits.first { wait in
                waits.count { $0 <= wait } * 100 >= percent * waits.count
            }
            #expect(figures.wait(percent: percent) == expected, "\(about)")
        }
    }

    @Test("figures of random ranges are those of a slow count, also where clocks change")
    func reference() async throws {
        try await RideTown.open(.viavai, taxis: 1) { town in
            let clocks = town.site.installation.settings.zoneTable
            let now = town.site.clock.now
            let today = StatisticsDay(of: now, in: clocks).date
            let made = Self.made(today, clocks)
            try await Self.keep(made, town)
            let days = made.map {
                clocks.local(Instant(seconds: $0.asked.milliseconds / 1_000)).date
            }
            let cache = StatisticsCache()
            var random = SeededRandom(seed: 4)
            let ends = [Self.date("2025-04-09"), Self.date("2025-11-04"), today.adding(days: -1)]
            for round in 0..<30 {
                let last = ends[round % 3].adding(days: -Int32.random(in: 0..<20, using: &random))
                let length = [1, 1, 7, 28, 45, 366][Int.random(in: 0..<6, using: &random)]
                let range = StatisticsRange(Int32(length), endingWith: last)
                let hours = Int.random(in: 0..<3, using: &random) == 0 ? 9 : nil
                let found = try await cache.statistics(
                    of: range,
                    in: nil,
                    untilHour: hours,
                    clocks: clocks,
                    from: town.taxi,
                    at: now
                )
                let cut = hours.map { StatisticsDay(last, in: clocks).bounds[$0] } ?? .never
                let inside = zip(made, days).filter {
                    range.first <= $0.1 && $0.1 <= range.last && $0.0.asked < cut
                }
                let about = "\(range.first.iso8601) \(range.last.iso8601) \(hours ?? 24)"
                Self.check(found.total, inside.map(\.0), about)
                #expect(found.zones.values.reduce(0) { $0 + $1.requests } == inside.count)
                guard range.step != .hour else { continue }
                for (place, first) in range.groups.enumerated() {
                    let next = range.groups.dropFirst(place + 1).first ?? last.adding(days: 1)
                    let own = inside.filter { first <= $0.1 && $0.1 < next }
                    Self.check(found.steps[place], own.map(\.0), "\(about), group \(place)")
                }
            }
        }
    }

    @Test("a year is read once: later ranges of completed days come from the cache")
    func cache() async throws {
        try await RideTown.open(.viavai, taxis: 1) { town in
            let clocks = town.site.installation.settings.zoneTable
            let today = StatisticsDay(of: town.site.clock.now, in: clocks).date
            let made = Self.made(today, clocks)
            try await Self.keep(made, town)
            let cache = StatisticsCache()
            func year() async throws -> Int {
                try await cache.statistics(
                    of: StatisticsRange(366, endingWith: today.adding(days: -20)),
                    in: nil,
                    clocks: clocks,
                    from: town.taxi,
                    at: town.site.clock.now
                ).total.requests
            }
            let before = try await year()
            #expect(before > 0)
            try await town.site.installation.database.write { try $0.execute("DELETE FROM ride") }
            #expect(try await year() == before)
        }
    }

    @Test("each figure says with a sign and a word how it differs from the days before")
    func comparison() {
        func figures(_ served: Int, _ unserved: Int, wait: Int64) -> Figures {
            var figures = Figures()
            for _ in 0..<served {
                figures.add(
                    Figures.Ride(outcome: .completed, waitSeconds: wait),
                    by: TaxiNumber(rawValue: 1)
                )
            }
            for _ in 0..<unserved { figures.add(Figures.Ride(outcome: .noTaxi), by: nil) }
            return figures
        }
        func changes(_ now: Figures, _ before: Figures) -> [(Text, Tone)] {
            ComparedFigure.all(now, before).prefix(4).map { ($0.change.word, $0.change.tone) }
        }
        let better = changes(figures(9, 1, wait: 240), figures(6, 2, wait: 300))
        #expect(
            better.map { $0.0.in(.english) } == [
                "+25% more", "−15 points lower", "−1.0 min shorter", "−1.0 min shorter",
            ]
        )
        #expect(better.map(\.1) == [.plain, .good, .good, .good])
        let worse = changes(figures(6, 2, wait: 300), figures(9, 1, wait: 240))
        #expect(
            worse.map { $0.0.in(.italian) } == [
                "−20% in meno", "+15 punti in più", "+1,0 min in più", "+1,0 min in più",
            ]
        )
        #expect(worse.map(\.1) == [.plain, .bad, .bad, .bad])
        let same = figures(3, 0, wait: 60)
        #expect(changes(same, same).allSatisfy { $0.0.in(.english) == "Unchanged" })
        let first = changes(same, Figures())
        // Issue 30: no figure claims a change where others say that there is nothing to compare.
        #expect(first.allSatisfy { $0.0.in(.english) == "No history" })
    }

    @Test("the page compares 7 days with those before; number headings stand to the right")
    func page() async throws {
        try await RideTown.open(.viavai, taxis: 1) { town in
            let clocks = town.site.installation.settings.zoneTable
            let today = StatisticsDay(of: town.site.clock.now, in: clocks).date
            let all = [Int32(1), 2, 8, 9, 10, 11].map { days -> Made in
                let noon = clocks.instant(today.adding(days: -days), second: 43_200)
                return Made(
                    asked: Moment(milliseconds: noon.seconds * 1_000),
                    zone: 0,
                    waitSeconds: 300,
                    isUnserved: false
                )
            }
            try await Self.keep(all, town)
            let staff = try await town.site.person("olga", [.serviceOperator])
            let week = StatisticsRange(7, endingWith: today)
            let query = "from=\(week.first.iso8601)&to=\(week.last.iso8601)"
            let page = try await staff.get("/console/statistics?\(query)").text
            #expect(page.contains("up to the same hour"))
            #expect(StatisticsPageTests.rows(page).contains(["Requests", "2", "4", "−50% fewer"]))
            #expect(page.contains("<span>7 days</span>"))
            let current = page.matches(of: /<a class="chip"[^>]*aria-current="page">/)
            #expect(current.count == 1)
            #expect(page.contains("class=\"before\""))
            let title = page.firstMatch(of: /<figcaption.*?<\/figcaption>/.dotMatchesNewlines())
            #expect(title?.0.contains("per day") == true, "\(page)")
            #expect(page.contains("By day"))
            // A column of numbers has its heading above them (issue 30).
            for table in page.matches(of: /<table.*?<\/table>/.dotMatchesNewlines()) {
                let heads = table.0.matches(of: /<th scope="col"( class="number")?>/)
                let row = try #require(
                    table.0.firstMatch(of: /<tr><th scope="row">.*?<\/tr>/.dotMatchesNewlines())
                )
                let cells = row.0.matches(of: /<td( class="number")?/)
                #expect(heads.dropFirst().map { $0.1 != nil } == cells.map { $0.1 != nil })
            }
            let file = try await staff.get("/console/statistics/range.csv?\(query)").text
            #expect(file.split(separator: "\r\n").count == 3)
            let long = "from=\(today.adding(days: -90).iso8601)&to=\(today.iso8601)"
            let days = try await staff.get("/console/statistics/range.csv?\(long)").text
            #expect(days.hasPrefix("day,zone,requests,"))
            #expect(days.split(separator: "\r\n").count == 7)
            #expect(try await staff.get("/console/statistics?\(long)").text.contains("By week"))
        }
    }
}
