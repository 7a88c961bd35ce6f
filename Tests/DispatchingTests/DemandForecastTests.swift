import Chronology
import Foundation
import SeededRandom
import TestSupport
import Testing

@testable import Dispatching

/// Expected demand, learned from what happened (issue 34).
@Suite("Forecast of demand")
struct DemandForecastTests {
    /// Monday 2026-01-05, 0:00.
    private static let monday = LocalQuarter(rawValue: 20_458 * 96)

    @Test("quarters of the week are counted from Monday, by the local clock")
    func quarters() {
        #expect(Self.monday.ofWeek == 0)
        #expect(Self.monday.adding(-1).ofWeek == 671)
        #expect(LocalQuarter(rawValue: -1).ofWeek == 2 * 96 + 95, "Wednesday 1969-12-31")
        let noon = Moment(milliseconds: (20_458 * 86_400 + 43_200) * 1_000)
        #expect(LocalQuarter(of: noon, in: .utc) == Self.monday.adding(48))
    }

    @Test("nothing is expected where nothing was observed")
    func empty() {
        var forecast = DemandForecast(zoneCount: 2)
        #expect(forecast.isEmpty)
        #expect(forecast.expected(in: .zone(0), at: Self.monday) == nil)
        forecast.observe(Self.monday, requests: [3, 0], freeTaxis: [5, 0])
        #expect(!forecast.isEmpty)
        let same = DemandForecast.Expectation(requests: 3, freeTaxis: 5)
        let next = Self.monday.adding(LocalQuarter.perWeek)
        #expect(forecast.expected(in: .zone(0), at: next) == same)
        #expect(forecast.expected(in: .zone(1), at: next) == .init(requests: 0, freeTaxis: 0))
        // Other working days at that hour are expected alike, Saturday is not.
        #expect(forecast.expected(in: .zone(0), at: next.adding(96)) == same)
        #expect(forecast.expected(in: .zone(0), at: next.adding(5 * 96)) == nil)
        #expect(forecast.expected(in: .zone(2), at: next) == nil)
    }

    @Test("a zone whose demand has moved is expected as it is now")
    func moved() throws {
        var forecast = DemandForecast(zoneCount: 1)
        for week in 0..<16 {
            for slot in 0..<LocalQuarter.perWeek {
                let quarter = Self.monday.adding(week * LocalQuarter.perWeek + slot)
                forecast.observe(quarter, requests: [week < 8 ? 10 : 2], freeTaxis: nil)
            }
        }
        let next = Self.monday.adding(16 * LocalQuarter.perWeek + 300)
        let expected = try #require(forecast.expected(in: .zone(0), at: next))
        #expect(abs(expected.requests - 2) < 1.5)
        #expect(expected.freeTaxis == nil, "they were not counted")
        let hour = try #require(forecast.expected(in: .zone(0), from: next, quarters: 4))
        #expect(abs(hour.requests - 4 * expected.requests) < 0.01)
    }

    /// The mean absolute percentage errors of the forecast and of the same hour a week before, over
    /// the hours with ten or more requests in a zone, each hour forecast at the start of its day.
    private static func errors(
        _ demand: [[Int32]],
        from start: LocalQuarter
    ) -> (ours: Double, lastWeek: Double, hours: Int) {
        var forecast = DemandForecast(zoneCount: demand.count)
        var (ours, lastWeek, hours) = (0.0, 0.0, 0)
        for day in 0..<(demand[0].count / 96) {
            let midnight = day * 96
            for zone in demand.indices where day >= 7 {
                for hour in 0..<24 {
                    let first = midnight + hour * 4
                    let actual = Double(demand[zone][first..<first + 4].reduce(0, +))
                    if actual < 10 { continue }
                    let before = first - LocalQuarter.perWeek
                    let last = Double(demand[zone][before..<before + 4].reduce(0, +))
                    let expected = forecast.expected(
                        in: .zone(UInt32(zone)),
                        from: start.adding(first),
                        quarters: 4
                    )
                    ours += abs((expected?.requests ?? 0) - actual) / actual
                    lastWeek += abs(last - actual) / actual
                    hours += 1
                }
            }
            for quarter in midnight..<midnight + 96 {
                let requests = demand.map { $0[quarter] }
                forecast.observe(start.adding(quarter), requests: requests, freeTaxis: nil)
            }
        }
        return (ours / Double(hours), lastWeek / Double(hours), hours)
    }

    @Test("drawn demand is forecast better than by last week, for each seed", arguments: 1...5)
    func drawn(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let demand = (0..<6).map { zone in
            (0..<4 * LocalQuarter.perWeek).map { quarter -> Int32 in
                let day = Double(quarter % 96) / 96
                let busy = (1 - cos(day * 2 * .pi)) * Double(zone + 1)
                // A sum of rare events, nearly Poisson.
                return Int32((0..<40).count { _ in random.happens(busy / 40) })
            }
        }
        let errors = Self.errors(demand, from: Self.monday)
        #expect(errors.hours > 500)
        #expect(errors.ours <= 0.9 * errors.lastWeek, "\(errors)")
    }

    private static let trips = "taxi-nyc/green_tripdata_2023-02.csv.gz"

    @Test(
        "New York's taxis are forecast with at most 0.9 of the error of last week (issue 34)",
        .enabled(if: RealData.has(trips), RealData.advice)
    )
    func newYork() throws {
        let unpacking = Process()
        unpacking.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        unpacking.arguments = ["gzip", "-dc", RealData.url(Self.trips).path]
        let pipe = Pipe()
        unpacking.standardOutput = pipe
        try unpacking.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        unpacking.waitUntilExit()
        let lines = text.split(whereSeparator: \.isNewline)
        let names = try #require(lines.first).replacing("\"", with: "").split(
            separator: ",",
            omittingEmptySubsequences: false
        )
        let time = try #require(names.firstIndex(of: "lpep_pickup_datetime"))
        let place = try #require(names.firstIndex(of: "PULocationID"))
        let first = try #require(CivilDate(year: 2023, month: 2, day: 1)).daysSince1970
        var demand = Array(repeating: Array(repeating: Int32(0), count: 28 * 96), count: 266)
        for line in lines.dropFirst() {
            let fields = line.split(separator: ",", omittingEmptySubsequences: false)
            let digits = fields[time].split { !$0.isNumber }.compactMap { Int32($0) }
            guard digits.count >= 5, let zone = Int(fields[place]),
                let date = CivilDate(year: digits[0], month: digits[1], day: digits[2])
            else { continue }
            let day = date.daysSince1970 - first
            // A few meters had a wrong clock.
            guard (0..<28).contains(day) else { continue }
            demand[zone][Int(day * 96 + digits[3] * 4 + digits[4] / 15)] += 1
        }
        let errors = Self.errors(demand, from: LocalQuarter(rawValue: Int64(first) * 96))
        #expect(errors.hours > 1_000)
        #expect(errors.ours <= 0.9 * errors.lastWeek, "\(errors)")
    }
}
