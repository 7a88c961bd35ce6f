import Chronology
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore

extension ConsolePages {
    /// The label of each hour of a day: its local time; the repeated hour is marked when clocks are
    /// set back.
    func hourNames(_ day: StatisticsDay) -> [Text] {
        var seen: Set<String> = []
        return day.bounds.dropLast().map { bound in
            let name = clockTime(bound)
            return seen.insert(name).inserted ? Text(same: name) : StatisticsTexts.again(name)
        }
    }

    /// A table of the hourly figures, which the charts also show.
    func hourTable(_ found: DayStatistics, _ zone: String?, _ context: RequestContext) -> HTML {
        let rows = zip(hourNames(found.day), found.hours(of: zone)).map { name, figures -> HTML in
            "<tr><th scope=\"row\">\(context.say(name))</th>\(cells(figures, context))</tr>"
        }
        return ConsoleTable(
            caption: StatisticsTexts.byHour,
            heads: [StatisticsTexts.hour] + Self.figureHeads,
            rows: rows,
            hidesCaption: true
        ).html(context)
    }

    /// The number of zones on the page; the file contains all of them.
    private static let zonesShown = 20

    /// The figures of the busiest zones, with links to their hourly figures.
    func statisticsZones(_ found: DayStatistics, _ zone: String?, _ context: RequestContext) -> HTML
    {
        let totals = found.zones.keys.map { (name: $0, figures: found.total(of: $0)) }
        let sorted = totals.sorted { one, other in
            one.figures.requests == other.figures.requests
                ? one.name < other.name : one.figures.requests > other.figures.requests
        }
        let rows = sorted.prefix(Self.zonesShown).map { name, figures -> HTML in
            let isHere = HTML.when(name == zone, " aria-current=\"page\"")
            return """
                <tr><th scope="row"><a href=\(statisticsAddress(found.day.date, name))\(isHere)>\
                \(taxi.zoneName(name))</a></th>\(cells(figures, context))</tr>
                """
        }
        let table = ConsoleTable(
            caption: StatisticsTexts.byZone,
            heads: [CommonTexts.zone] + Self.figureHeads,
            rows: rows,
            hidesCaption: true
        )
        let isCut = sorted.count > Self.zonesShown
        let words = StatisticsTexts.onlyBusiest(Self.zonesShown)
        return table.html(context) + HTML.when(isCut, "<p>\(context.say(words))</p>")
    }

    private static let figureHeads = [
        StatisticsTexts.requests, StatisticsTexts.unserved, StatisticsTexts.meanWait,
        StatisticsTexts.medianWait, StatisticsTexts.longWait, StatisticsTexts.acceptance,
        StatisticsTexts.meanError, StatisticsTexts.within10, StatisticsTexts.within20,
        StatisticsTexts.passedOver, StatisticsTexts.gini,
    ]

    private func cells(_ figures: Figures, _ context: RequestContext) -> HTML {
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
        return .joined(values.map { "<td class=\"number\">\($0)</td>" as HTML })
    }

    /// Charts of the hourly figures; the table below them contains the same data.
    func charts(_ found: DayStatistics, _ zone: String?, _ context: RequestContext) -> HTML {
        let hours = found.hours(of: zone)
        let names = hourNames(found.day).map { context.say($0) }
        let requests = BarChart(
            title: context.say(StatisticsTexts.requestsByHour),
            names: names,
            bars: hours.map { BarChart.Bar(whole: Double($0.requests), part: Double($0.unserved)) }
        )
        let waits = BarChart(
            title: context.say(StatisticsTexts.waitsByHour),
            names: names,
            bars: hours.map { figures in
                BarChart.Bar(
                    whole: Double(figures.wait(percent: 95) ?? 0) / 60,
                    part: Double(figures.wait(percent: 50) ?? 0) / 60
                )
            }
        )
        let errors = BarChart(
            title: context.say(StatisticsTexts.errorsByHour),
            names: names,
            bars: hours.map { figures in
                BarChart.Bar(
                    whole: (figures.meanError ?? 0) / 60,
                    part: max(0, figures.bias ?? 0) / 60
                )
            }
        )
        let kept = BarChart(
            title: context.say(StatisticsTexts.keptByHour),
            names: names,
            bars: hours.map { figures in
                BarChart.Bar(
                    whole: (figures.kept(figures.within20) ?? 0) * 100,
                    part: (figures.kept(figures.within10) ?? 0) * 100
                )
            }
        )
        return """
            <div class="two">\(requests.html)\(waits.html)\(errors.html)\(kept.html)</div>
            """
    }
}

extension Figures {
    /// A count as a share of the taxis with a promised time, from 0 to 1; nil if there were none.
    fileprivate func kept(_ count: Int) -> Double? {
        promised == 0 ? nil : Double(count) / Double(promised)
    }
}
