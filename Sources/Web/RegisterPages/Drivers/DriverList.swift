import Chronology
import Drivers
import Encoding
import HTTPTypes
import Identity
import Localization
import Markup
import TaxiPages
import WebCore

extension RegisterPages {
    /// The number of drivers on a page.
    private static let driversOnPage = 50

    /// The list of drivers: search results or a filtered list, page by page.
    func listDrivers(_ context: RequestContext) async throws -> Response {
        let wanted = (context.query["find"] ?? "").trimmingBlanks()
        let filter = context.query["show"].flatMap(DriverFilter.init(rawValue:)) ?? .all
        let counts = try await accounts.drivers.count(at: context.now)
        var drivers: [Driver]
        var next: HTML?
        if wanted.isEmpty {
            let after = context.query["after"].flatMap { Int64($0) }.map(PersonNumber.init)
            drivers = try await accounts.drivers.list(
                filter,
                after: after,
                limit: Self.driversOnPage + 1,
                at: context.now
            )
            if drivers.count > Self.driversOnPage {
                drivers.removeLast()
                next = drivers.last.map { nextPage(filter, $0.person, context) }
            }
        } else {
            drivers = try await found(wanted)
        }
        let page = Page(
            DriverListTexts.title,
            body: """
                \(consoleNotice(DriverListTexts.notices, context))\(importNotice(context))
                <h1>\(context.say(DriverListTexts.title))</h1>
                <p class="actions"><a class="button primary" href="/console/drivers/new">\
                \(context.say(DriverListTexts.enter))</a>
                <a class="button" href="/console/import/drivers">\
                \(context.say(DriverListTexts.bringIn))</a></p>
                \(driverSearch(wanted, context))
                \(filters(filter, counts, context))
                \(table(drivers, wanted, filter, context))
                \(next)
                <p><a href="/dashboard">\(context.say(DriverListTexts.back))</a></p>
                """
        )
        return response(page, to: context)
    }

    /// Finds drivers by identifier, name, user name or e-mail address; returns at most one page.
    private func found(_ text: String) async throws -> [Driver] {
        let text = String(text.prefix(320))
        var people = try await accounts.drivers.find(text)
        if let person = try await accounts.findPerson(text) { people.append(person) }
        if people.isEmpty {
            people = try await accounts.drivers.find(named: text, limit: Self.driversOnPage)
        }
        return try await accounts.drivers.list(of: Set(people).sorted())
    }

    private func driverSearch(_ wanted: String, _ context: RequestContext) -> HTML {
        let field = Field(
            name: "find",
            label: DriverListTexts.find,
            hint: DriverListTexts.findHint,
            value: wanted,
            isRequired: false
        )
        return """
            <form class="fields" method="get" action="/console/drivers" role="search">
            \(field.html(context))
            <p class="actions"><button>\(context.say(CommonTexts.search))</button></p></form>
            """
    }

    private func filters(
        _ chosen: DriverFilter,
        _ counts: [DriverFilter: Int],
        _ context: RequestContext
    ) -> HTML {
        let items = DriverFilter.allCases.map { filter -> HTML in
            let address = Address("/console/drivers", query: ["show": filter.rawValue])
            let isHere = HTML.when(filter == chosen, " aria-current=\"page\"")
            return """
                <li><a href=\(address)\(isHere)>\(context.say(filter.label))</a> \
                (\(counts[filter] ?? 0))</li>
                """
        }
        return """
            <nav aria-label="\(context.say(DriverListTexts.show))">
            <ul class="filters">\(items)</ul></nav>
            """
    }

    private func nextPage(
        _ filter: DriverFilter,
        _ last: PersonNumber,
        _ context: RequestContext
    ) -> HTML {
        let address = Address(
            "/console/drivers",
            query: ["show": filter.rawValue, "after": "\(last.rawValue)"]
        )
        return """
            <p class="actions"><a class="button" href=\(address) rel="next">\
            \(context.say(DriverListTexts.next))</a></p>
            """
    }

    private func table(
        _ drivers: [Driver],
        _ wanted: String,
        _ filter: DriverFilter,
        _ context: RequestContext
    ) -> HTML {
        guard !drivers.isEmpty else {
            let text =
                !wanted.isEmpty
                ? DriverListTexts.notFound
                : filter == .all ? DriverListTexts.nobody : DriverListTexts.noneSuch
            return "<p class=\"notice\">\(context.say(text))</p>"
        }
        let rows = drivers.map { driver -> HTML in
            let end = min(driver.papers.taxiLicenceExpires, driver.papers.drivingLicenceExpires)
            return """
                <tr><th scope="row"><a href=\(driverAddress(driver.person))>\
                \(driver.surname) \(driver.name)</a></th>\
                <td>\(driver.papers.taxiCode)</td><td>\(driver.papers.plate)</td>\
                <td>\(context.say(driver.standingText(today: today(context))))</td>\
                <td class="number"><time>\(end)</time></td></tr>
                """
        }
        let columns = [
            DriverListTexts.name, FormField.taxiCode.label, FormField.plate.label,
            DriverListTexts.standing, DriverListTexts.until,
        ].map { "<th scope=\"col\">\(context.say($0))</th>" as HTML }
        let caption = wanted.isEmpty ? filter.label : DriverListTexts.foundThese
        return """
            <div class="scroll"><table>
            <caption>\(context.say(caption))</caption>
            <thead><tr>\(columns)</tr></thead>
            <tbody>\(rows)</tbody></table></div>
            """
    }

    /// Today's date in the city, in the format of papers.
    func today(_ context: RequestContext) -> String {
        accounts.settings.today(context.now).iso8601
    }
}

extension Driver {
    /// A short description of the driver's status; obstacles to driving come first.
    func standingText(today: String) -> Text {
        if isSuspended { return DriverListTexts.isSuspended }
        switch verification {
        case .awaiting: return DriverFilter.awaiting.label
        case .refused: return DriverListTexts.isRefused
        case .verified: break
        }
        if min(papers.taxiLicenceExpires, papers.drivingLicenceExpires) < today {
            return DriverFilter.expired.label
        }
        return proposed == nil ? DriverListTexts.isVerified : DriverListTexts.newPapers
    }
}
