import Chronology
import Geo
import OpenData
import SeededRandom

/// The weather of the demo city in Open-Meteo's format: one shower a day.
///
/// Source: Open-Meteo, "Weather Forecast API".
struct ForecastDocument: Sendable {
    /// The middle of the city.
    let place: Coordinate
    /// The seed of the weather.
    let seed: UInt64

    private static let dayCount: Int64 = 7
    private static let hourCount: Int64 = 24

    /// The file of the forecast, which is made again each hour.
    var document: FeedDocument {
        FeedDocument(
            path: "/weather.json",
            type: "application/json",
            seconds: 3_600
        ) { start, _ in Array(forecast(start).json.utf8) }
    }

    private func forecast(_ made: Instant) -> JSONValue {
        let today = made.seconds / 86_400
        var times: [JSONValue] = []
        var amounts: [JSONValue] = []
        var probabilities: [JSONValue] = []
        for day in today..<(today + Self.dayCount) {
            var random = SeededRandom(seed: seed, 6, day)
            let first = Int64(random.below(20))
            let shower = first..<(first + 2 + Int64(random.below(3)))
            for hour in 0..<Self.hourCount {
                let time = LocalTime(Instant(seconds: (day * 24 + hour) * 3_600), in: .utc)
                times.append(.text(String(time.iso8601.prefix(16))))
                let isWet = shower.contains(hour)
                // Tenths of a millimetre, as the service gives them.
                let tenths = isWet ? 3 + random.below(30) : 0
                amounts.append(.number(Double(tenths) / 10))
                probabilities.append(JSONValue(isWet ? 60 + random.below(36) : random.below(15)))
            }
        }
        var work = SeededRandom(seed: seed, 7, made.seconds)
        return [
            "latitude": .number(place.latitudeDegrees),
            "longitude": .number(place.longitudeDegrees),
            "generationtime_ms": .number(work.between(0.02, 0.2)),
            "utc_offset_seconds": 0,
            "timezone": "GMT",
            "timezone_abbreviation": "GMT",
            "hourly_units": [
                "time": "iso8601", "precipitation": "mm", "precipitation_probability": "%",
            ],
            "hourly": [
                "time": .list(times), "precipitation": .list(amounts),
                "precipitation_probability": .list(probabilities),
            ],
        ]
    }
}
