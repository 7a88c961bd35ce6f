import Chronology
import Encoding
import HTTPTypes
import OpenData
import Synchronization
import Taxi
import TaxiPages
import WebCore

/// The figures of past days that everybody may read, as lines of a CSV file (RFC 4180).
///
/// A day does not change once it has passed, so its lines are made once. One reader at a time makes
/// them: each day takes long, and nobody has to give a name to ask.
final class OpenStatistics: Sendable {
    private struct State: Sendable {
        var lines: [CivilDate: String] = [:]
        var isReading = false
    }

    private let state = Mutex(State())
    /// How many days are kept, about a year; beyond that, all are made again.
    private static let limit = 400

    /// The lines of a day, if they are known.
    func lines(of day: CivilDate) -> String? { state.withLock { $0.lines[day] } }

    /// Keeps the lines of a day.
    func keep(_ lines: String, of day: CivilDate) {
        state.withLock { state in
            if state.lines.count >= Self.limit { state.lines = [:] }
            state.lines[day] = lines
        }
    }

    /// Begins to read days; false if somebody else does.
    func begin() -> Bool {
        state.withLock { state in
            defer { state.isReading = true }
            return !state.isReading
        }
    }

    /// Ends to read days.
    func end() { state.withLock { $0.isReading = false } }

    // MARK: Hiding small numbers

    /// The least number that is published: fewer requests could be those of somebody one knows.
    static let least = 5
    /// The columns of the file.
    static let columns =
        "day,zone,requests,served,unserved,given_up,wait_mean_s,wait_p50_s,wait_p95_s\r\n"

    /// A line for each zone of a day, without small numbers.
    ///
    /// Requests are the sum of the three others: if one of these is hidden, so is the sum.
    static func lines(of found: DayStatistics) -> String {
        found.totals().sorted { $0.key < $1.key }.map { zone, figures -> String in
            let parts = [figures.served, figures.unserved, figures.givenUp]
            let isHidden = parts.contains { $0 > 0 && $0 < least }
            func shown(_ number: Int) -> String {
                number > 0 && number < least ? "" : "\(number)"
            }
            let sum = isHidden ? "" : shown(figures.requests)
            func wait(_ seconds: Double?) -> String {
                figures.served < least ? "" : seconds.map { "\(Int64($0.rounded()))" } ?? ""
            }
            let waits = [
                figures.meanWait, figures.wait(percent: 50).map { Double($0) },
                figures.wait(percent: 95).map { Double($0) },
            ]
            let fields =
                [found.day.date.iso8601, quoted(zone), sum] + parts.map(shown) + waits.map(wait)
            return fields.joined(separator: ",") + "\r\n"
        }
        .joined()
    }

    /// A quoted field; text that a spreadsheet would take for a formula is made harmless.
    private static func quoted(_ text: String) -> String {
        let isFormula = text.first.map { "=+-@\t\r\n".contains($0) } ?? false
        return CSVText.quoted((isFormula ? "'" : "") + text)
    }
}

extension CityAPI {
    /// The most days of one file.
    private static let mostOpenDays: Int32 = 31

    /// The figures of past days by zone.
    ///
    /// Today is left out: two files of the same day, one after the other, would tell of single
    /// rides.
    func sendOpenStatistics(_ context: RequestContext) async throws -> Response {
        let yesterday = web.day(context.now).adding(days: -1)
        let last = context.query["last"].flatMap { CivilDate(iso8601: $0) } ?? yesterday
        let first =
            context.query["first"].flatMap { CivilDate(iso8601: $0) }
            ?? last.adding(days: 1 - Self.mostOpenDays)
        let days = Int64(last.daysSince1970) - Int64(first.daysSince1970) + 1
        guard (1...Int64(Self.mostOpenDays)).contains(days) else { throw Failure.badRequest }
        var text = OpenStatistics.columns
        for offset in 0..<Int32(days) {
            let date = first.adding(days: offset)
            if date > yesterday { break }
            text += try await lines(of: date)
        }
        let type = "text/csv; charset=utf-8; header=present"
        return Self.published(Array(text.utf8), 3_600, type: type)
    }

    private func lines(of date: CivilDate) async throws -> String {
        if let known = openStatistics.lines(of: date) { return known }
        guard openStatistics.begin() else { throw Failure.busy(retryAfter: 5) }
        defer { openStatistics.end() }
        let day = StatisticsDay(date, in: web.settings.zoneTable)
        var lines = ""
        // Days without anything, such as those before the city opened, are not read.
        if let next = try await taxi.firstActivity(from: day.start), next < day.end {
            lines = OpenStatistics.lines(of: try await taxi.statistics(of: day))
        }
        openStatistics.keep(lines, of: date)
        return lines
    }
}
