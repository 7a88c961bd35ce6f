import Chronology
import Encoding
import HTTPTypes
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore

extension ConsolePages {
    /// The statistics of a day by zone and hour (issue 5, "statistics by zone and hour").
    var statisticsRoutes: [Route] {
        [
            .get("/console/statistics", as: "statistics.show", for: .staff, showStatistics)
                .taking([
                    .query("day", .date, "The day; without it, today.").explained,
                    .query("zone", .text(400), "The code of the zone."),
                ]),
            .get(
                "/console/statistics/day.csv",
                as: "statistics.day.csv",
                for: .staff,
                sendStatistics
            )
            .taking([.query("day", .date, "The day; without it, today.").explained])
            .answering(.file("text/csv")),
        ]
    }

    /// The day in the query, today by default; nil if it is invalid.
    private func statisticsDay(_ context: RequestContext) -> StatisticsDay? {
        let zone = web.settings.zoneTable
        let today = StatisticsDay(of: context.now, in: zone)
        guard let text = context.query["day"]?.trimmingBlanks(), !text.isEmpty else { return today }
        guard let date = CivilDate(iso8601: text),
            date <= today.date, date > today.date.adding(days: -Self.daysBack)
        else { return nil }
        return StatisticsDay(date, in: zone)
    }

    /// The number of past days that can be viewed: ten years.
    private static let daysBack: Int32 = 3_653

    /// The statistics of the day in the query; nil if the day is invalid.
    func dayStatistics(
        _ context: RequestContext
    ) async throws -> (at: Moment, statistics: DayStatistics)? {
        try await checkOpen(context)
        guard let day = statisticsDay(context) else { return nil }
        return try await statistics.statistics(of: day, from: taxi, at: context.now)
    }

    private func showStatistics(_ context: RequestContext) async throws -> Response {
        guard let (at, found) = try await dayStatistics(context) else {
            var page = Page(
                StatisticsTexts.title,
                body: """
                    <h1>\(context.say(StatisticsTexts.title))</h1>
                    \(dayForm(context.query["day"] ?? "", StatisticsTexts.badDay, context))
                    """
            )
            page.status = .unprocessableContent
            return response(page, to: context)
        }
        let zone = context.query["zone"].flatMap { found.zones[$0] == nil ? nil : $0 }
        let called = zone.map { taxi.zoneName($0) }
        let title = StatisticsTexts.titled(found.day.date.iso8601, called)
        let isEmpty = found.zones.isEmpty
        let page = Page(
            title,
            body: """
                <h1>\(context.say(title))</h1>
                <p class="hint">\(context.say(StatisticsTexts.asOf)) \(time(at, context)). \
                \(context.say(StatisticsTexts.counted))</p>
                \(dayLinks(found.day, zone, context))
                \(isEmpty ? "<p class=\"notice\">\(context.say(StatisticsTexts.nothing))</p>"
                    : figures(found, zone, context))
                \(dayForm(found.day.date.iso8601, nil, context))
                """
        )
        return response(page, to: context)
    }

    private func figures(_ found: DayStatistics, _ zone: String?, _ context: RequestContext) -> HTML
    {
        """
        \(summary(found, zone, context))
        <h2>\(context.say(StatisticsTexts.byHour))</h2>
        \(charts(found, zone, context))
        \(hourTable(found, zone, context))
        <h2>\(context.say(StatisticsTexts.byZone))</h2>
        \(statisticsZones(found, zone, context))
        <p><a href=\(Address(
            "/console/statistics/day.csv",
            query: ["day": found.day.date.iso8601]
        )) download>\(context.say(StatisticsTexts.file))</a></p>
        """
    }

    /// Links to the previous and next day, and back to all zones.
    private func dayLinks(_ day: StatisticsDay, _ zone: String?, _ context: RequestContext) -> HTML
    {
        let today = StatisticsDay(of: context.now, in: web.settings.zoneTable).date
        var links: [(CivilDate, String?, Text)] = [
            (day.date.adding(days: -1), zone, StatisticsTexts.before)
        ]
        if day.date < today {
            links.append((day.date.adding(days: 1), zone, StatisticsTexts.after))
        }
        if zone != nil { links.append((day.date, nil, StatisticsTexts.allZones)) }
        let items = links.map { date, zone, words -> HTML in
            "<li><a href=\(statisticsAddress(date, zone))>\(context.say(words))</a></li>"
        }
        return """
            <nav aria-label="\(context.say(StatisticsTexts.otherDays))">\
            <ul class="filters">\(items)</ul></nav>
            """
    }

    func statisticsAddress(_ date: CivilDate, _ zone: String?) -> Address {
        zone.map {
            Address("/console/statistics", query: ["day": date.iso8601, "zone": $0])
        } ?? Address("/console/statistics", query: ["day": date.iso8601])
    }

    private func dayForm(_ day: String, _ error: Text?, _ context: RequestContext) -> HTML {
        let field = Field(
            name: "day",
            label: StatisticsTexts.day,
            kind: .date,
            hint: StatisticsTexts.dayHint,
            value: day,
            error: error
        )
        return """
            <form class="fields" method="get" action="/console/statistics">
            \(field.html(context))
            <p class="actions"><button>\(context.say(StatisticsTexts.show))</button></p></form>
            """
    }

    /// A summary of the whole day.
    private func summary(_ found: DayStatistics, _ zone: String?, _ context: RequestContext) -> HTML
    {
        let total = found.total(of: zone)
        func seconds(_ value: Double?) -> String {
            value.map { context.say(StatisticsTexts.minutes($0)) }
                ?? context.say(CommonTexts.unknownZone)
        }
        func share(_ count: Int, _ all: Int) -> String {
            context.say(StatisticsTexts.share(count, of: all))
        }
        var facts: [(Text, String)] = [
            (StatisticsTexts.requests, "\(total.requests)"),
            (StatisticsTexts.served, share(total.served, total.requests)),
            (StatisticsTexts.unserved, share(total.unserved, total.requests)),
            (StatisticsTexts.givenUp, share(total.givenUp, total.requests)),
            (StatisticsTexts.meanWait, seconds(total.meanWait)),
            (StatisticsTexts.medianWait, seconds(total.wait(percent: 50).map { Double($0) })),
            (StatisticsTexts.longWait, seconds(total.wait(percent: 95).map { Double($0) })),
            (
                StatisticsTexts.acceptance,
                total.acceptance.map { context.say(StatisticsTexts.percent($0)) }
                    ?? context.say(CommonTexts.unknownZone)
            ),
            (StatisticsTexts.meanError, seconds(total.meanError)),
            (StatisticsTexts.within10, share(total.within10, total.promised)),
            (StatisticsTexts.within20, share(total.within20, total.promised)),
        ]
        if let gini = total.gini {
            let words = StatisticsTexts.fairness(total.rides.count, gini)
            facts.append((StatisticsTexts.evenly, context.say(words)))
        }
        for rule in OfferRecord.Overtaking.allCases {
            guard let count = total.passed[rule], count > 0 else { continue }
            facts.append((StatisticsTexts.passed(rule), "\(count)"))
        }
        let items = facts.map { label, value -> HTML in
            "<div><dt>\(context.say(label))</dt><dd>\(value)</dd></div>"
        }
        return "<dl class=\"summary facts\">\(items)</dl>"
    }
}
