import Chronology
import Drivers
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
    func listDrivers(_ visit: Visit) async throws -> Reply {
        let wanted = (visit.query["find"] ?? "").trimmed
        let filter = visit.query["show"].flatMap(DriverFilter.init(rawValue:)) ?? .all
        let counts = try await accounts.drivers.count(at: visit.now)
        var drivers: [Driver]
        var next: HTML?
        if wanted.isEmpty {
            let after = visit.query["after"].flatMap { Int64($0) }.map(PersonNumber.init)
            drivers = try await accounts.drivers.list(
                filter,
                after: after,
                limit: Self.driversOnPage + 1,
                at: visit.now
            )
            if drivers.count > Self.driversOnPage {
                drivers.removeLast()
                next = drivers.last.map { nextPage(filter, $0.person, visit) }
            }
        } else {
            drivers = try await found(wanted)
        }
        let page = Page(
            DriverListTexts.title,
            body: """
                \(consoleNotice(DriverListTexts.notices, visit))\(importNotice(visit))
                <h1>\(visit.say(DriverListTexts.title))</h1>
                <p class="actions"><a class="button primary" href="/console/drivers/new">\
                \(visit.say(DriverListTexts.enter))</a>
                <a class="button" href="/console/import/drivers">\
                \(visit.say(DriverListTexts.bringIn))</a></p>
                \(driverSearch(wanted, visit))
                \(filters(filter, counts, visit))
                \(table(drivers, wanted, filter, visit))
                \(next)
                <p><a href="/dashboard">\(visit.say(DriverListTexts.back))</a></p>
                """
        )
        return reply(page, to: visit)
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

    private func driverSearch(_ wanted: String, _ visit: Visit) -> HTML {
        let field = Field(
            name: "find",
            label: DriverListTexts.find,
            hint: DriverListTexts.findHint,
            value: wanted,
            isRequired: false
        )
        return """
            <form class="fields" method="get" action="/console/drivers" role="search">
            \(field.html(visit))
            <p class="actions"><button>\(visit.say(CommonTexts.search))</button></p></form>
            """
    }

    private func filters(
        _ chosen: DriverFilter,
        _ counts: [DriverFilter: Int],
        _ visit: Visit
    ) -> HTML {
        let items = DriverFilter.allCases.map { filter -> HTML in
            let address = Address("/console/drivers", query: ["show": filter.rawValue])
            let isHere = HTML.when(filter == chosen, " aria-current=\"page\"")
            return """
                <li><a href=\(address)\(isHere)>\(visit.say(filter.label))</a> \
                (\(counts[filter] ?? 0))</li>
                """
        }
        return """
            <nav aria-label="\(visit.say(DriverListTexts.show))">
            <ul class="filters">\(items)</ul></nav>
            """
    }

    private func nextPage(_ filter: DriverFilter, _ last: PersonNumber, _ visit: Visit) -> HTML {
        let address = Address(
            "/console/drivers",
            query: ["show": filter.rawValue, "after": "\(last.rawValue)"]
        )
        return """
            <p class="actions"><a class="button" href=\(address) rel="next">\
            \(visit.say(DriverListTexts.next))</a></p>
            """
    }

    private func table(
        _ drivers: [Driver],
        _ wanted: String,
        _ filter: DriverFilter,
        _ visit: Visit
    ) -> HTML {
        guard !drivers.isEmpty else {
            let text =
                !wanted.isEmpty
                ? DriverListTexts.notFound
                : filter == .all ? DriverListTexts.nobody : DriverListTexts.noneSuch
            return "<p class=\"notice\">\(visit.say(text))</p>"
        }
        let rows = drivers.map { driver -> HTML in
            let end = min(driver.papers.taxiLicenceExpires, driver.papers.drivingLicenceExpires)
            return """
                <tr><th scope="row"><a href=\(driverAddress(driver.person))>\
                \(driver.surname) \(driver.name)</a></th>\
                <td>\(driver.papers.taxiCode)</td><td>\(driver.papers.plate)</td>\
                <td>\(visit.say(driver.standingWords(today: today(visit))))</td>\
                <td class="number"><time>\(end)</time></td></tr>
                """
        }
        let columns = [
            DriverListTexts.name, FormField.taxiCode.label, FormField.plate.label,
            DriverListTexts.standing, DriverListTexts.until,
        ].map { "<th scope=\"col\">\(visit.say($0))</th>" as HTML }
        let caption = wanted.isEmpty ? filter.label : DriverListTexts.foundThese
        return """
            <div class="scroll"><table>
            <caption>\(visit.say(caption))</caption>
            <thead><tr>\(columns)</tr></thead>
            <tbody>\(rows)</tbody></table></div>
            """
    }

    /// Today's date in the city, in the format of papers.
    func today(_ visit: Visit) -> String {
        accounts.settings.today(visit.now).iso8601
    }
}

extension Driver {
    /// A short description of the driver's status; obstacles to driving come first.
    func standingWords(today: String) -> Text {
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
