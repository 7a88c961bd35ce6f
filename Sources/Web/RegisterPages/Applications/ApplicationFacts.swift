import Chronology
import Identity
import Localization
import Markup
import TaxiPages
import WebCore

/// What the page of an application says about it.
extension RegisterPages {
    /// How many days the use of an application is shown.
    private static let useDays: Int32 = 30

    /// What the application called in the last 30 days, today last.
    func use(of found: Application, _ context: RequestContext) async throws -> ApplicationUse {
        let today = cityDay(context.now)
        let days = (0..<Self.useDays).map { today.adding(days: $0 - Self.useDays + 1) }
        let counts = try await accounts.calls(
            of: found.number,
            since: days.first?.iso8601 ?? today.iso8601
        )
        let waiting = web.applications.waiting(of: found.number)
        return ApplicationUse(counts + waiting, on: days)
    }

    /// How often the application called in the last 30 days.
    func calls(_ use: ApplicationUse, _ context: RequestContext) -> HTML {
        let (calls, errors) = (use.total.calls, use.total.errors)
        let text =
            errors == 0
            ? ApplicationTexts.callsWithoutErrors(calls)
            : ApplicationTexts.callsWithErrors(calls, errors)
        return "\(context.say(text))"
    }

    /// The calls of the last 30 days: a chart of the days, and the same in tables by day and by
    /// operation; nothing before the first call.
    func useSection(_ use: ApplicationUse, _ context: RequestContext) -> HTML? {
        guard use.total.calls > 0 else { return nil }
        let names = use.days.map { shortDay($0.day, hasYear: false, context) }
        let chart = Chart(
            ApplicationTexts.allCalls,
            unit: ApplicationTexts.eachDay,
            names: names,
            // A few names fit below a chart, whatever its width.
            every: (names.count + 3) / 4,
            [
                Chart.Series(
                    ApplicationTexts.allCalls,
                    .bars,
                    use.days.map { Double($0.count.calls) }
                ),
                Chart.Series(
                    ApplicationTexts.errors,
                    .partOfBars,
                    use.days.map { Double($0.count.errors) }
                ),
            ]
        )
        let days = zip(names, use.days).reversed().filter { $0.1.count.calls > 0 }
        return """
            <h2>\(context.say(ApplicationTexts.calls))</h2>
            <div class="charts">\(chart.html(context))</div>
            \(FoldedRow.list([
                countTable(
                    .calendar,
                    ApplicationTexts.byDay,
                    ApplicationTexts.day,
                    days.map { ("\($0.0)", $0.1.count) },
                    context
                ),
                countTable(
                    .list,
                    ApplicationTexts.byOperation,
                    ApplicationTexts.operation,
                    use.operations.map { ("<code>\($0.name)</code>", $0.count) },
                    context
                ),
            ], context))
            """
    }

    /// A table of calls and errors, folded to a line with the number of its rows.
    private func countTable(
        _ icon: Icon,
        _ caption: Text,
        _ head: Text,
        _ rows: [(name: HTML, count: ApplicationUse.Count)],
        _ context: RequestContext
    ) -> FoldedRow {
        let table = DataTable(
            caption: caption,
            [
                DataTable.Column(head), DataTable.Column(ApplicationTexts.allCalls, isNumber: true),
                DataTable.Column(ApplicationTexts.errors, isNumber: true),
            ],
            rows: rows.map { [$0.name, "\($0.count.calls)", "\($0.count.errors)"] },
            hidesCaption: true
        )
        return FoldedRow(icon, caption, value: "\(rows.count)", content: table.html(context))
    }

    /// Since when its key is worth nothing.
    func revokedNotice(_ moment: Moment, _ context: RequestContext) -> HTML {
        """
        <div class="notice warn"><p>\(context.say(ApplicationTexts.wasRevoked)) \
        \(time(moment, context))</p></div>
        """
    }

    /// A line of the list of facts about something.
    func fact(_ label: Text, _ value: HTML, _ context: RequestContext) -> HTML {
        "<div><dt>\(context.say(label))</dt><dd>\(value)</dd></div>"
    }
}
