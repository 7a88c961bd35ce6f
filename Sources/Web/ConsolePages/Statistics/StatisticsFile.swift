import Chronology
import Encoding
import HTTPTypes
import Taxi
import TaxiPages
import WebCore

extension ConsolePages {
    /// The number of days up to which the file has a line for each hour; then it has one for each
    /// day, so that its size is bounded.
    private static let daysByHour: Int32 = 31

    /// The figures of a range by zone, and by hour or day, as a CSV file (RFC 4180).
    func sendStatistics(_ context: RequestContext) async throws -> Response {
        try await checkOpen(context)
        guard let range = try? statisticsRange(context) else { throw Failure.badRequest }
        let isByHour = range.count <= Self.daysByHour
        var text = Self.line([isByHour ? "hour" : "day"] + Self.statisticsColumns)
        var search = ActivitySearch()
        for date in range.dates {
            let day = StatisticsDay(date, in: web.settings.zoneTable)
            if try await search.isEmpty(day, in: taxi) { continue }
            let (_, found) = try await statistics.statistics(of: day, from: taxi, at: context.now)
            text += isByHour ? hourLines(found) : dayLines(found)
        }
        var response = Response.download(
            Array(text.utf8),
            type: "text/csv; charset=utf-8; header=present",
            name: "statistics.csv"
        )
        response.headers[.cacheControl] = "private, no-store"
        return response
    }

    private static let statisticsColumns = [
        "zone", "requests", "served", "unserved", "given_up", "taxis_came",
        "wait_mean_s", "wait_p50_s", "wait_p95_s", "accepted", "refused", "ignored",
        "undeliverable", "withdrawn", "eta_error_mean_s", "eta_bias_s", "promised",
        "within_10_min", "within_20_min", "passed_too_small", "passed_asked_before",
        "passed_came_later", "passed_assigned", "passed_without_rule", "rides_gini",
    ]

    private static func line(_ fields: [String]) -> String {
        fields.joined(separator: ",") + "\r\n"
    }

    /// A line for each zone and hour with any activity.
    private func hourLines(_ found: DayStatistics) -> String {
        found.zones.sorted { $0.key < $1.key }.flatMap { zone, hours in
            hours.enumerated().compactMap { hour, figures -> String? in
                if figures == Figures() { return nil }
                let start = Instant(seconds: found.day.bounds[hour].milliseconds / 1_000)
                let local = start.iso8601(in: web.settings.zoneTable)
                return Self.line([local, Self.quoted(zone)] + Self.values(figures))
            }
        }
        .joined()
    }

    /// A line for each zone with any activity on a day.
    private func dayLines(_ found: DayStatistics) -> String {
        found.totals().sorted { $0.key < $1.key }.map { zone, figures in
            Self.line([found.day.date.iso8601, Self.quoted(zone)] + Self.values(figures))
        }
        .joined()
    }

    private static func values(_ figures: Figures) -> [String] {
        func number(_ value: Double?) -> String {
            value.map { "\(Int64($0.rounded()))" } ?? ""
        }
        let counts = [
            figures.requests, figures.served, figures.unserved, figures.givenUp, figures.reached,
        ]
        let waits = [
            number(figures.meanWait), figures.wait(percent: 50).map { "\($0)" } ?? "",
            figures.wait(percent: 95).map { "\($0)" } ?? "",
        ]
        let offers = OfferRecord.End.allCases.map { "\(figures.offers[$0] ?? 0)" }
        let errors = [number(figures.meanError), number(figures.bias)]
        let kept = [figures.promised, figures.within10, figures.within20]
        let passed = OfferRecord.Overtaking.allCases.map { "\(figures.passed[$0] ?? 0)" }
        return counts.map { "\($0)" } + waits + offers + errors + kept.map { "\($0)" } + passed
            + [figures.gini.map { StatisticsTexts.decimal($0, ".", digits: 3) } ?? ""]
    }

    /// A quoted CSV field; text that a spreadsheet would treat as a formula is neutralized.
    private static func quoted(_ text: String) -> String {
        let isFormula = text.first.map { "=+-@\t\r\n".contains($0) } ?? false
        return CSVText.quoted((isFormula ? "'" : "") + text)
    }
}
