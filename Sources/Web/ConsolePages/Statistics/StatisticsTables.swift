import Chronology
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore

extension ConsolePages {
    /// All figures of the range, beside those of the range before if that has any.
    func comparison(
        _ figures: [ComparedFigure],
        _ total: Figures,
        isComparable: Bool,
        _ context: RequestContext
    ) -> HTML {
        let rows = figures.map { figure -> [HTML] in
            let value = figure.part.map { StatisticsTexts.share($0.count, of: $0.all) }
            let now: [HTML] = [
                "\(context.say(figure.label))",
                "\(context.say(value ?? figure.text(figure.value)))",
            ]
            guard isComparable else { return now }
            return now + [
                "\(context.say(figure.text(figure.before)))", figure.change.html(context),
            ]
        }
        let columns = [
            DataTable.Column(StatisticsTexts.figure),
            DataTable.Column(StatisticsTexts.theseDays, isNumber: true),
            DataTable.Column(StatisticsTexts.timeBefore, isNumber: true),
            DataTable.Column(StatisticsTexts.change, isNumber: true),
        ]
        let table = DataTable(
            caption: StatisticsTexts.allFigures,
            Array(columns.prefix(isComparable ? columns.count : 2)),
            rows: rows
        )
        let drivers = HTML.when(
            total.gini != nil,
            "<p class=\"hint\">\(context.say(StatisticsTexts.fairness(total.rides.count)))</p>"
        )
        return table.html(context) + drivers
    }

    /// A table of the hours, days or weeks, which the charts also show.
    func stepTable(_ found: RangeStatistics, _ context: RequestContext) -> FoldedRow {
        let (caption, head): (Text, Text) =
            switch found.range.step {
            case .hour: (StatisticsTexts.byHour, StatisticsTexts.hour)
            case .day: (StatisticsTexts.byDay, StatisticsTexts.day)
            case .week: (StatisticsTexts.byWeek, StatisticsTexts.weekFrom)
            }
        let rows = zip(stepNames(found, context), found.steps).map { name, figures in
            ["\(name)"] + cells(figures, context)
        }
        return figureTable(.clock, caption, head, rows, context)
    }

    /// The number of zones on the page; the file contains all of them.
    private static let zonesShown = 20

    /// The figures of the busiest zones, with links to their own statistics.
    func zoneTable(_ found: RangeStatistics, _ context: RequestContext) -> FoldedRow {
        let sorted = found.zones.sorted { one, other in
            one.value.requests == other.value.requests
                ? one.key < other.key : one.value.requests > other.value.requests
        }
        let rows = sorted.prefix(Self.zonesShown).map { name, figures -> [HTML] in
            let isHere = HTML.when(name == found.zone, " aria-current=\"page\"")
            let link: HTML = """
                <a href=\(statisticsAddress(found.range, name))\(isHere)>\(taxi.zoneName(name))</a>
                """
            return [link] + cells(figures, context)
        }
        let words = StatisticsTexts.onlyBusiest(Self.zonesShown)
        var table = figureTable(.area, StatisticsTexts.byZone, CommonTexts.zone, rows, context)
        if sorted.count > Self.zonesShown {
            table.value = "\(sorted.count)"
            table.content += "<p>\(context.say(words))</p>"
        }
        return table
    }

    /// A table of figures, folded to a line with the number of its rows: on a phone, each row is a
    /// card of a dozen lines.
    private func figureTable(
        _ icon: Icon,
        _ caption: Text,
        _ head: Text,
        _ rows: [[HTML]],
        _ context: RequestContext
    ) -> FoldedRow {
        let heads = [
            StatisticsTexts.requests, StatisticsTexts.unserved, StatisticsTexts.meanWait,
            StatisticsTexts.medianWait, StatisticsTexts.longWait, StatisticsTexts.acceptance,
            StatisticsTexts.meanError, StatisticsTexts.withinTenMinutes,
            StatisticsTexts.withinTwentyMinutes,
            StatisticsTexts.passedOver, StatisticsTexts.gini,
        ]
        let columns = heads.map { DataTable.Column($0, isNumber: true) }
        let table = DataTable(
            caption: caption,
            [DataTable.Column(head)] + columns,
            rows: rows,
            hidesCaption: true
        )
        return FoldedRow(
            icon,
            caption,
            value: "\(rows.count)",
            content: table.html(context)
        )
    }

    private func cells(_ figures: Figures, _ context: RequestContext) -> [HTML] {
        func seconds(_ value: Double?) -> String {
            value.map { context.say(StatisticsTexts.minutes($0)) } ?? "–"
        }
        func percent(_ share: Double?) -> String {
            share.map { context.say(StatisticsTexts.percent($0)) } ?? "–"
        }
        let values = [
            "\(figures.requests)", "\(figures.unserved)", seconds(figures.meanWait),
            seconds(figures.wait(percent: 50).map { Double($0) }),
            seconds(figures.wait(percent: 95).map { Double($0) }),
            percent(figures.acceptance), seconds(figures.meanError),
            percent(figures.kept(figures.within10)), percent(figures.kept(figures.within20)),
            "\(figures.passed.values.reduce(0, +))",
            figures.gini.map { context.say(StatisticsTexts.gini($0)) } ?? "–",
        ]
        return values.map { "\($0)" }
    }
}
