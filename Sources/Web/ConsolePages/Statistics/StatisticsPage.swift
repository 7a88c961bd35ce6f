import Chronology
import HTTPTypes
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore

extension ConsolePages {
    /// The statistics of a range of days by zone, and by hour, day or week, compared with the range
    /// before (issue 5, "statistics by zone and hour"; issue 30, 4).
    var statisticsRoutes: [Route] {
        let days: [InputField] = [
            .query("from", .date, "The first day; without it, the last or today.").explained,
            .query("to", .date, "The last day; without it, the first or today.").explained,
        ]
        return [
            .get("/console/statistics", as: "statistics.show", for: .staff, showStatistics)
                .taking(days + [.query("zone", .text(400), "The code of the zone.")]),
            .get("/console/statistics/range.csv", as: "statistics.csv", for: .staff, sendStatistics)
                .taking(days)
                .answering(.file("text/csv")),
        ]
    }

    /// The range of days in the query.
    func statisticsRange(
        _ context: RequestContext
    ) throws(StatisticsRange.Fault) -> StatisticsRange {
        try StatisticsRange(
            from: context.query["from"] ?? "",
            to: context.query["to"] ?? "",
            today: cityDay(context.now)
        )
    }

    private func showStatistics(_ context: RequestContext) async throws -> Response {
        try await checkOpen(context)
        let range: StatisticsRange
        do {
            range = try statisticsRange(context)
        } catch {
            return response(wrongRange(error, context), to: context)
        }
        let clocks = web.settings.zoneTable
        let zone = context.query["zone"].flatMap { $0.isEmpty ? nil : $0 }
        let found = try await statistics.statistics(
            of: range,
            in: zone,
            clocks: clocks,
            from: taxi,
            at: context.now
        )
        let before = try await statistics.statistics(
            of: range.before,
            in: zone,
            untilHour: range.last == cityDay(context.now) ? begunHours(context) : nil,
            clocks: clocks,
            from: taxi,
            at: context.now
        )
        let page = Page(
            StatisticsTexts.title,
            body: """
                <h1>\(context.say(StatisticsTexts.title))</h1>
                \(usualRanges(range, zone, context))
                \(rangeForm(range, zone, nil, context))
                \(explanation(found, before, context))
                \(found.zones.isEmpty ? nothing(context) : figures(found, before, context))
                """
        )
        return response(page, to: context)
    }

    /// The number of hours of today that have begun.
    ///
    /// Today's figures are compared with those of as many hours of a whole day: otherwise each
    /// morning would look worse than the day before.
    private func begunHours(_ context: RequestContext) -> Int {
        let today = StatisticsDay(of: context.now, in: web.settings.zoneTable)
        return today.hour(of: context.now) + 1
    }

    private func wrongRange(_ fault: StatisticsRange.Fault, _ context: RequestContext) -> Page {
        let today = cityDay(context.now)
        var page = Page(
            StatisticsTexts.title,
            body: """
                <h1>\(context.say(StatisticsTexts.title))</h1>
                \(usualRanges(nil, nil, context))
                \(rangeForm(StatisticsRange(today, today), nil, fault, context))
                """
        )
        page.status = .unprocessableContent
        return page
    }

    /// The address of the statistics of some days, of one zone or all.
    func statisticsAddress(_ range: StatisticsRange, _ zone: String?) -> Address {
        let (from, to) = (range.first.iso8601, range.last.iso8601)
        guard let zone else {
            return Address("/console/statistics", query: ["from": from, "to": to])
        }
        return Address("/console/statistics", query: ["from": from, "to": to, "zone": zone])
    }

    /// The ranges that one press chooses.
    private func usualRanges(
        _ range: StatisticsRange?,
        _ zone: String?,
        _ context: RequestContext
    ) -> HTML {
        // On the first day of a month, today is this month too: only one of them is current.
        let usual = StatisticsRange.usual(cityDay(context.now))
        let current = usual.firstIndex { $0.range == range }
        let chips = usual.enumerated().map { place, choice in
            Chip(
                choice.name,
                .link(statisticsAddress(choice.range, zone)),
                isCurrent: place == current
            )
        }
        return """
            <nav aria-label="\(context.say(StatisticsTexts.otherDays))">\
            \(Chips(chips, isLine: true).html(context))</nav>
            """
    }

    private func rangeForm(
        _ range: StatisticsRange,
        _ zone: String?,
        _ fault: StatisticsRange.Fault?,
        _ context: RequestContext
    ) -> HTML {
        let days = [
            ("from", StatisticsTexts.from, range.first), ("to", StatisticsTexts.to, range.last),
        ]
        let fields = days.map { name, label, day in
            Field(
                name: name,
                label: label,
                kind: .date,
                value: fault == nil ? day.iso8601 : context.query[name] ?? "",
                error: fault?.field == name ? fault?.text : nil
            )
            .html(context)
        }
        let file = Button(
            StatisticsTexts.file,
            .link(
                Address(
                    "/console/statistics/range.csv",
                    query: ["from": range.first.iso8601, "to": range.last.iso8601]
                )
            ),
            icon: .download
        )
        return """
            <form class="range" action="/console/statistics">\(fields)\
            \(zone.map { "<input type=\"hidden\" name=\"zone\" value=\"\($0)\">" as HTML })
            <p class="actions"><button>\(context.say(StatisticsTexts.show))</button> \
            \(fault == nil ? file.html(context) : nil)</p></form>
            """
    }

    /// Which days, which zone, and what they are compared with.
    private func explanation(
        _ found: RangeStatistics,
        _ before: RangeStatistics,
        _ context: RequestContext
    ) -> HTML {
        let isRunning = found.range.last == cityDay(context.now)
        let former = days(found.range.before, context)
        let comparison: Text =
            switch (before.isComparable, isRunning) {
            case (false, _): StatisticsTexts.nothingBefore(former)
            case (true, true): StatisticsTexts.comparedUntil(former)
            case (true, false): StatisticsTexts.compared(former)
            }
        let zone = found.zone.map { name -> HTML in
            """
            \(Chips([
                Chip(
                    StatisticsTexts.allZones,
                    icon: .close,
                    .link(statisticsAddress(found.range, nil))
                ),
            ]).html(context))
            """
        }
        let place = found.zone.map { ", \(taxi.zoneName($0))" } ?? ""
        return """
            <h2>\(days(found.range, context))\(place)</h2>
            <p class="lead">\(context.say(comparison))</p>\(zone)
            """
    }

    /// The first and last day of a range, or its only day.
    private func days(_ range: StatisticsRange, _ context: RequestContext) -> String {
        let last = shortDay(range.last, hasYear: true, context)
        if range.count == 1 { return last }
        let isOneYear = range.first.numbers.year == range.last.numbers.year
        return "\(shortDay(range.first, hasYear: !isOneYear, context)) – \(last)"
    }

    private func nothing(_ context: RequestContext) -> HTML {
        EmptyState(.chart, StatisticsTexts.nothing, StatisticsTexts.nothingAdvice).html(context)
    }

    private func figures(
        _ found: RangeStatistics,
        _ before: RangeStatistics,
        _ context: RequestContext
    ) -> HTML {
        let all = ComparedFigure.all(found.total, before.total)
        let tiles = all.prefix(ComparedFigure.tiles).map { figure in
            StatisticTile(
                figure.label,
                context.say(figure.text(figure.value)),
                unit: figure.part.map { "(\($0.count))" } ?? "",
                change: before.isComparable ? figure.change : nil
            )
        }
        return """
            \(StatisticTile.grid(Array(tiles), context))
            <div class="charts">\(charts(found, before, context).map { $0.html(context) })</div>
            \(comparison(all, found.total, isComparable: before.isComparable, context))
            \(FoldedRow.list([zoneTable(found, context), stepTable(found, context)], context))
            <p class="hint">\(context.say(StatisticsTexts.counted)) \
            \(context.say(StatisticsTexts.asOf)) \(time(found.at, context)).</p>
            """
    }
}
