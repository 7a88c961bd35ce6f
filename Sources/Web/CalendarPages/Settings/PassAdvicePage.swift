import Agenda
import Chronology
import Fares
import Identity
import Localization
import Markup
import TaxiPages
import TravelPages
import TripPlanning
import WebCore

/// Which passes would have been cheaper than the tickets of some weeks (V98).
extension CalendarPages {
    var passAdviceRoutes: [Route] {
        [
            .get("/calendar/passes/advice", as: "calendar.passes.advice", for: .person) {
                context,
                person in
                let found = try await passAdvice(for: person.person, context)
                return response(
                    advicePage(found?.advice, found?.products ?? [], context),
                    to: context
                )
            }
        ]
    }

    private func advicePage(
        _ advice: PassAdvice?,
        _ products: [FareProducts.Product],
        _ context: RequestContext
    ) -> Page {
        let content: HTML
        if let advice, let currency = products.lazy.compactMap(\.price?.currency).first {
            content = found(advice, products, currency, context)
        } else {
            content = EmptyState(.ticket, AdviceTexts.noPeriods, AdviceTexts.noPeriodsLead)
                .html(context)
        }
        return Page(
            AdviceTexts.title,
            body: """
                <h1>\(context.say(AdviceTexts.title))</h1>
                \(content)
                <p><a href="/calendar/passes">\(context.say(PassTexts.title))</a></p>
                """
        )
    }

    /// What was looked at, and what would have been cheaper.
    private func found(
        _ advice: PassAdvice,
        _ products: [FareProducts.Product],
        _ currency: Currency,
        _ context: RequestContext
    ) -> HTML {
        guard advice.journeyCount + advice.unknownCount > 0 else {
            return EmptyState(.ticket, AdviceTexts.noJourneys, AdviceTexts.noJourneysLead)
                .html(context)
        }
        let span = AdviceTexts.basis(
            advice.journeyCount,
            dayWords(advice.days.lowerBound, context),
            dayWords(advice.days.upperBound, context),
            Amount(Money(advice.paid, currency))
        )
        let unknown: HTML = "<p>\(context.say(AdviceTexts.unknown(advice.unknownCount)))</p>"
        let plans = advice.plans.map { section($0, advice, products, currency, context) }
        return """
            <p class="lead">\(context.say(span))</p>
            \(HTML.when(advice.unknownCount > 0, unknown))
            \(plans.isEmpty ? "<p>\(context.say(AdviceTexts.nothing))</p>" : HTML.joined(plans))
            <p><small>\(context.say(AdviceTexts.method))</small></p>
            """
    }

    /// A day within a sentence: without "Today" or "Tomorrow" before it, which begin a heading.
    func dayWords(_ date: CivilDate, _ context: RequestContext) -> Text {
        let hasYear = date.numbers.year != cityDay(context.now).numbers.year
        return LaterTexts.weekdayAndDay(date, hasYear: hasYear)
    }

    /// A plan with its passes and what else is paid.
    private func section(
        _ plan: PassPlan,
        _ advice: PassAdvice,
        _ products: [FareProducts.Product],
        _ currency: Currency,
        _ context: RequestContext
    ) -> HTML {
        func title(_ id: String) -> String { products.first { $0.id == id }?.name ?? id }
        func money(_ minorUnits: Int64) -> Amount { Amount(Money(minorUnits, currency)) }
        var names: [(name: String, count: Int)] = []
        for purchase in plan.purchases {
            let name = title(purchase.product)
            if let known = names.firstIndex(where: { $0.name == name }) {
                names[known].count += 1
            } else {
                names.append((name, 1))
            }
        }
        let list = names.map { $0.count == 1 ? $0.name : "\($0.count) × \($0.name)" }
            .joined(separator: " + ")
        let heading = AdviceTexts.with(list, money(plan.total), money(advice.paid))
        let rows = plan.purchases.map { purchase -> HTML in
            let days = AdviceTexts.days(
                dayWords(purchase.days.lowerBound, context),
                dayWords(purchase.days.upperBound, context)
            )
            let whole = products.first { $0.id == purchase.product }?.price
            let details =
                purchase.isShare
                ? AdviceTexts.share(
                    money(purchase.minorUnits),
                    whole.map { Amount($0) } ?? money(purchase.minorUnits)
                ) : AdviceTexts.price(money(purchase.minorUnits))
            return """
                <li class="row">\(Icon.ticket.html)<span><b>\(title(purchase.product))</b> \
                <small>\(context.say(days)) · \(context.say(details))</small></span></li>
                """
        }
        let rest = plan.total - plan.purchases.reduce(0) { $0 + $1.minorUnits }
        let others: HTML = """
            <li class="row">\(Icon.ticket.html)<span><b>\(context.say(AdviceTexts.others))</b> \
            <small>\(context.say(AdviceTexts.price(money(rest))))</small></span></li>
            """
        return """
            <section><h2>\(context.say(heading))</h2>\
            <ul class="rows">\(rows)\(HTML.when(rest > 0, others))</ul></section>
            """
    }
}
