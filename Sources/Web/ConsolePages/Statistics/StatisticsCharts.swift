import Chronology
import Localization
import Taxi
import TaxiPages
import WebCore

extension ConsolePages {
    /// The name of each hour, day or week of a range.
    ///
    /// The hour that clocks repeat is marked; a week is named by its first day.
    func stepNames(_ found: RangeStatistics, _ context: RequestContext) -> [String] {
        guard let day = found.hours else {
            return found.range.groups.map { shortDay($0, hasYear: false, context) }
        }
        var seen: Set<String> = []
        return day.bounds.dropLast().map { bound in
            let name = clockTime(bound)
            return seen.insert(name).inserted ? name : context.say(StatisticsTexts.again(name))
        }
    }

    /// What the number of requests is counted in: the name of the chart says the rest.
    private static func each(_ step: StatisticsRange.Step) -> Text {
        switch step {
        case .hour: StatisticsTexts.inEachHour
        case .day: StatisticsTexts.inEachDay
        case .week: StatisticsTexts.inEachWeek
        }
    }

    /// Charts of the hours, days or weeks, with the time before if it has figures; a table has the
    /// same values.
    func charts(
        _ found: RangeStatistics,
        _ before: RangeStatistics,
        _ context: RequestContext
    ) -> [Chart] {
        typealias Value = (Figures) -> Double?
        let names = stepNames(found, context)
        // A few names fit below a chart, whatever its width.
        let stride = found.hours == nil ? (names.count + 3) / 4 : 6
        let wait: Value = { $0.wait(percent: 50).map { Double($0) / 60 } }
        let late: Value = { $0.kept($0.within10).map { $0 * 100 } }
        let wrong: Value = { $0.meanError.map { $0 / 60 } }
        let charts: [(Text, Text, [(Text, Chart.Style, Value)], Value)] = [
            (
                StatisticsTexts.requests, Self.each(found.range.step),
                [
                    (StatisticsTexts.all, .bars, { Double($0.requests) }),
                    (StatisticsTexts.unserved, .partOfBars, { Double($0.unserved) }),
                ],
                { Double($0.requests) }
            ),
            (
                StatisticsTexts.waits, StatisticsTexts.inMinutes,
                [
                    (
                        StatisticsTexts.longWait, .bars,
                        { $0.wait(percent: 95).map { Double($0) / 60 } }
                    ),
                    (StatisticsTexts.medianWait, .partOfBars, wait),
                ],
                wait
            ),
            (
                StatisticsTexts.keptPromises, StatisticsTexts.inPercent,
                [
                    (
                        StatisticsTexts.withinTwentyMinutes, .bars,
                        { $0.kept($0.within20).map { $0 * 100 } }
                    ),
                    (StatisticsTexts.withinTenMinutes, .partOfBars, late),
                ],
                late
            ),
            (
                StatisticsTexts.meanError, StatisticsTexts.inMinutes,
                [
                    (StatisticsTexts.wrongBy, .bars, wrong),
                    (
                        StatisticsTexts.lateBy, .partOfBars,
                        { $0.bias.map { max(0, $0) / 60 } }
                    ),
                ],
                wrong
            ),
        ]
        return charts.map { title, unit, series, earlier in
            let now = series.map { label, style, value in
                Chart.Series(label, style, found.steps.map(value))
            }
            return Chart(
                title,
                unit: unit,
                names: names,
                every: stride,
                upTo: unit == StatisticsTexts.inPercent ? 100 : nil,
                now + former(before, names.count, earlier)
            )
        }
    }

    /// The time before as a line in a chart of some steps; none if it has no figures.
    private func former(
        _ before: RangeStatistics,
        _ count: Int,
        _ value: (Figures) -> Double?
    ) -> [Chart.Series] {
        guard before.isComparable else { return [] }
        // A day of the change of clocks has an hour more or less than the day before.
        let past = before.steps.prefix(count).map(value)
        return [Chart.Series(StatisticsTexts.timeBefore, .before, past)]
    }
}
