import Chronology
import Identity
import OpenData
import Taxi
import TaxiPages
import WebCore

/// The figures of the city's days, as the console shows them.
extension CityAPI {
    /// The most days of one answer.
    private static let mostDays: Int32 = 31
    /// How far back figures go, in days: ten years.
    private static let daysBack: Int32 = 3_653

    var statisticsOperations: [Operation] {
        [
            .get(
                "/api/statistics/{day}",
                as: "api.statistics.day",
                "Read the figures of a day",
                in: .statistics,
                for: [.readStatistics],
                returns: .dayOfCity,
                readDay
            )
            .taking([.path("day", .date, "The day in the city's time zone.")])
            .costing(5),
            .get(
                "/api/statistics",
                as: "api.statistics.days",
                "Read the figures of several days",
                in: .statistics,
                for: [.readStatistics],
                returns: .object([
                    .init("items", .list(.total), "The figures of each day with any activity.")
                ]),
                readDays
            )
            .taking([
                InputField.query("first", .date, "The first day.").required,
                InputField.query("last", .date, "The last day, at most 30 after it.").required,
            ])
            .costing(20),
        ]
    }

    private func readDay(_ call: Call) async throws -> Answer {
        guard let date = call.day("day"), isKnown(date, call) else { throw Failure.notFound }
        let found = try await taxi.statistics(of: StatisticsDay(date, in: web.settings.zoneTable))
        let hours = found.hours().enumerated().map { number, figures -> JSONValue in
            ["start": JSONValue(found.day.bounds[number]), "figures": Self.json(figures)]
        }
        let zones = found.totals().sorted { $0.key < $1.key }.map { name, figures -> JSONValue in
            ["zone": .text(name), "figures": Self.json(figures)]
        }
        return Answer([
            "day": .text(date.iso8601), "figures": Self.json(found.total()),
            "hours": .list(hours), "zones": .list(zones),
        ])
    }

    private func readDays(_ call: Call) async throws -> Answer {
        guard let first = call.day("first"), let last = call.day("last") else {
            throw ProgramRefusal.field("first", "missing", "It is required.")
        }
        let count = Int64(last.daysSince1970) - Int64(first.daysSince1970) + 1
        guard (1...Int64(Self.mostDays)).contains(count) else {
            let detail = "It must not be before first, nor more than 30 days after it."
            throw ProgramRefusal.field("last", "out-of-range", detail)
        }
        var items: [JSONValue] = []
        for offset in 0..<Int32(count) {
            let date = first.adding(days: offset)
            guard isKnown(date, call) else { continue }
            let day = StatisticsDay(date, in: web.settings.zoneTable)
            let next = try await taxi.firstActivity(from: day.start)
            guard let next else { break }
            if next >= day.end { continue }
            let total = try await taxi.statistics(of: day).total()
            items.append(["day": .text(date.iso8601), "figures": Self.json(total)])
        }
        return Answer(["items": .list(items)])
    }

    private func isKnown(_ date: CivilDate, _ call: Call) -> Bool {
        let today = web.day(call.now)
        return date <= today && date >= today.adding(days: -Self.daysBack)
    }

    private static func json(_ figures: Figures) -> JSONValue {
        [
            "requests": JSONValue(figures.requests), "served": JSONValue(figures.served),
            "unserved": JSONValue(figures.unserved), "given_up": JSONValue(figures.givenUp),
            "wait_mean_seconds": JSONValue(figures.meanWait),
            "wait_p50_seconds": JSONValue(figures.wait(percent: 50)),
            "wait_p95_seconds": JSONValue(figures.wait(percent: 95)),
            "arrival_error_mean_seconds": JSONValue(figures.meanError),
            "acceptance": JSONValue(figures.acceptance), "gini": JSONValue(figures.gini),
        ]
    }
}

extension Schema {
    private static let figures = Schema.named(
        "Figures",
        [
            Member("requests", .integer, "The number of requests."),
            Member("served", .integer, "The rides that were completed."),
            Member("unserved", .integer, "The requests that found no taxi."),
            Member("given_up", .integer, "The requests that ended otherwise."),
            Member("wait_mean_seconds", .optional(.number), "The mean wait."),
            Member("wait_p50_seconds", .optional(.integer), "The median wait."),
            Member("wait_p95_seconds", .optional(.integer), "The wait that 95% did not exceed."),
            Member("arrival_error_mean_seconds", .optional(.number), "How wrong arrivals were."),
            Member("acceptance", .optional(.number), "The share of offers accepted, 0 to 1."),
            Member("gini", .optional(.number), "How unequal drivers' rides are, 0 to 1."),
        ]
    )

    fileprivate static let dayOfCity = Schema.named(
        "Day",
        [
            Member("day", .day, "The day."), Member("figures", figures, "The whole day."),
            Member(
                "hours",
                .list(
                    .object([
                        Member("start", .moment, "When the hour starts."),
                        Member("figures", figures, "The figures of the hour."),
                    ])
                ),
                "The hours; 23 or 25 when the clocks change."
            ),
            Member(
                "zones",
                .list(
                    .object([
                        Member("zone", .text, "The name of the zone."),
                        Member("figures", figures, "The figures of the zone."),
                    ])
                ),
                "The zones with any activity."
            ),
        ]
    )

    fileprivate static let total = Schema.named(
        "DayTotal",
        [Member("day", .day, "The day."), Member("figures", figures, "The whole day.")]
    )
}
