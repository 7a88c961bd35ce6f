import Chronology
import Foundation
import Geo
import TestSupport
import Testing

@testable import OpenData

/// V86, V87: rain from two weather services in one form.
@Suite("Weather forecasts (V86, V87)")
struct ForecastTests {
    private static let fetched = Instant(seconds: 1_761_391_800)

    private static func metNorway(_ name: String) throws -> [UInt8] {
        let bytes = try FeedSample.bytes("weather/metno/\(name).json")
        // The samples hold the answer together with its headers.
        let document = try JSONValue(parsing: bytes)
        return Array(try #require(document.object?["data"]).json.utf8)
    }

    @Test("Open-Meteo's sums count for the hour that ends at their time")
    func openMeteo() throws {
        let forecast = try Forecast(
            try FeedSample.bytes("weather/open-meteo/melbourne_forecast.json"),
            from: .openMeteo,
            fetched: Self.fetched
        )
        #expect(forecast.intervals.count == 168)
        #expect(forecast.place == Coordinate(latitude: -377_500_000, longitude: 1_448_750_000))
        let now = try FeedSample.instant("2025-10-25T11:30")
        let moment = try FeedSample.instant("2025-10-25T00:59")
        let rain = try #require(forecast.interval(at: moment, asOf: now))
        #expect(rain.millimetres == 0.3 && rain.probability == 0.05)
        #expect(rain.end == (try FeedSample.instant("2025-10-25T01:00")))
        let next = try FeedSample.instant("2025-10-25T01:00")
        #expect(forecast.interval(at: next, asOf: now)?.millimetres == 0)
    }

    @Test("an answer without precipitation is refused: that is not a dry forecast")
    func withoutRain() throws {
        let bytes = try FeedSample.bytes("weather/open-meteo/copenhagen_forecast.json")
        let failure = #expect(throws: FeedFailure.self) {
            try Forecast(bytes, from: .openMeteo, fetched: Self.fetched)
        }
        #expect(failure?.description == "open-meteo: hourly.precipitation is missing")
    }

    @Test("quarters of an hour come before hours, in the answer's own offset and unit")
    func quarters() throws {
        let text = """
            {"latitude": 45.46, "longitude": 9.19, "utc_offset_seconds": 3600,
            "minutely_15": {"time": ["2026-11-27T08:15", "2026-11-27T08:30"],
            "precipitation": [0.1, null]}, "minutely_15_units": {"precipitation": "inch"},
            "hourly": {"time": ["2026-11-27T08:00", "2026-11-27T09:00", "2026-11-27T10:00"],
            "precipitation": [0, 2.5, 1], "precipitation_probability": [10, 80, null]}}
            """
        let forecast = try Forecast(Array(text.utf8), from: .openMeteo, fetched: Self.fetched)
        // The hour of the quarter is replaced by it, since both cannot count.
        let first = forecast.intervals[0].end.seconds
        let ends: [Int64] = forecast.intervals.map { $0.end.seconds - first }
        #expect(ends == [0, 900, 7_200])
        #expect(forecast.intervals[0].start == (try FeedSample.instant("2026-11-27T06:00")))
        #expect(abs(forecast.intervals[1].millimetres - 2.54) < 1e-9)
        #expect(forecast.intervals[2].probability == nil)
    }

    @Test(
        "MET Norway's hours come first and its six hours after them",
        arguments: [
            "london_complete", "newyork_compact",
        ]
    )
    func metNorway(name: String) throws {
        let forecast = try Forecast(
            try Self.metNorway(name),
            from: .metNorway,
            fetched: Self.fetched
        )
        let lengths = Set(forecast.intervals.map { $0.end.seconds - $0.start.seconds })
        #expect(lengths == [3_600, 21_600] && forecast.intervals.count > 60)
        for (former, latter) in zip(forecast.intervals, forecast.intervals.dropFirst()) {
            #expect(former.end <= latter.start)
        }
        #expect(forecast.made < (try FeedSample.instant("2020-07-21T00:00")))
    }

    @Test("a forecast older than 6 hours is unknown, not dry")
    func stale() throws {
        let forecast = try Forecast(
            try FeedSample.bytes("weather/open-meteo/melbourne_forecast.json"),
            from: .openMeteo,
            fetched: Self.fetched
        )
        let soon = Self.fetched.adding(seconds: 6 * 3_600)
        #expect(forecast.interval(at: soon, asOf: soon) != nil)
        #expect(forecast.interval(at: soon, asOf: soon.adding(seconds: 1)) == nil)
        let far = Self.fetched.adding(seconds: 30 * 86_400)
        #expect(forecast.interval(at: far, asOf: Self.fetched) == nil)
    }

    @Test("an error of the service is passed on")
    func error() {
        let text = #"{"error": true, "reason": "Value of type 'String' required for key 'hourly'"}"#
        let failure = #expect(throws: FeedFailure.self) {
            try Forecast(Array(text.utf8), from: .openMeteo, fetched: Self.fetched)
        }
        #expect(failure?.description.hasSuffix("required for key 'hourly'") == true)
    }

    @Test("the wrong service, wrong units and columns of other lengths are refused")
    func refusals() throws {
        func failure(_ text: String) -> String? {
            do throws(FeedFailure) {
                _ = try Forecast(Array(text.utf8), from: .openMeteo, fetched: Self.fetched)
                return nil
            } catch {
                return error.description
            }
        }
        let place = #"{"latitude": 45, "longitude": 9, "#
        let time = #""time": ["2026-11-27T08:00"]"#
        #expect(failure("{}") == "open-meteo: latitude is missing")
        #expect(
            failure(place + #""hourly": {\#(time), "precipitation": [1, 2]}}"#)
                == "open-meteo: hourly.precipitation is not as long as the list of times"
        )
        #expect(
            failure(place + #""hourly": {\#(time), "precipitation": [-1]}}"#)
                == "open-meteo: hourly.precipitation[0] is not an amount of rain"
        )
        let units = #""hourly_units": {"precipitation": "furlong"}, "#
        #expect(failure(place + units + #""hourly": {\#(time), "precipitation": [1]}}"#) != nil)
        let bytes = try Self.metNorway("newyork_compact")
        #expect(failure(String(decoding: bytes, as: UTF8.self)) != nil)
    }

    @Test("damaged answers give an error or a forecast, never a trap", arguments: [true, false])
    func fuzz(isMetNorway: Bool) throws {
        let bytes =
            isMetNorway
            ? Array(try Self.metNorway("newyork_compact").prefix(40_000))
            : try FeedSample.bytes("weather/open-meteo/melbourne_forecast.json")
        let copies = FeedSample.damaged(bytes, seed: 34, count: Effort.instances(300))
        for copy in copies + (0..<200).map({ Array(bytes.prefix($0)) }) {
            do throws(FeedFailure) {
                let service: Forecast.Service = isMetNorway ? .metNorway : .openMeteo
                let forecast = try Forecast(copy, from: service, fetched: Self.fetched)
                #expect(forecast.intervals.allSatisfy { $0.start < $0.end && $0.millimetres >= 0 })
            } catch {
                #expect(!error.description.isEmpty)
            }
        }
    }
}
