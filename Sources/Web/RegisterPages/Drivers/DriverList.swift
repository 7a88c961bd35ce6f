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
                \(HTML.when(context.isOfAdministration, entering(context)))
                \(driverSearch(wanted, context))
                \(filters(filter, counts, context))
                \(table(drivers, wanted, filter, context))
                \(next)
                <p><a href="/dashboard">\(context.say(DriverListTexts.back))</a></p>
                """
        )
        return response(page, to: context)
    }

    /// Finds drivers by identifier, name, user name or e-mail address, in the order of their names;
    /// returns at most one page.
    private func found(_ text: String) async throws -> [Driver] {
        let text = String(text.prefix(320))
        var people = try await accounts.drivers.find(text)
        if let person = try await accounts.findPerson(text) { people.append(person) }
        if people.isEmpty {
            people = try await accounts.drivers.find(named: text, limit: Self.driversOnPage)
        }
        return try await accounts.drivers.list(of: Set(people).sorted())
            .sorted { ($0.surname.lowercased(), $0.name) < ($1.surname.lowercased(), $1.name) }
    }

    /// What only administrators may do.
    private func entering(_ context: RequestContext) -> HTML {
        """
        <p class="actions"><a class="button primary" href="/console/drivers/new">\
        \(Icon.plus.html) \(context.say(DriverListTexts.enter))</a>
        <a class="button" href="/console/import/drivers">\
        \(Icon.upload.html) \(context.say(DriverListTexts.bringIn))</a></p>
        """
    }

    private func driverSearch(_ wanted: String, _ context: RequestContext) -> HTML {
        let field = Field(
            name: "find",
            label: DriverListTexts.find,
            hint: DriverListTexts.findHint,
            value: wanted,
            isRequired: false
        )
        return SearchBox(action: Address("/console/drivers"), field: field).html(context)
    }

    private func filters(
        _ chosen: DriverFilter,
        _ counts: [DriverFilter: Int],
        _ context: RequestContext
    ) -> HTML {
        let chips = DriverFilter.allCases.map { filter in
            Chip(
                DriverListTexts.counted(filter.label, counts[filter] ?? 0),
                .link(Address("/console/drivers", query: ["show": filter.rawValue])),
                isCurrent: filter == chosen
            )
        }
        return """
            <nav aria-label="\(context.say(DriverListTexts.show))">\
            \(Chips(chips, isLine: true).html(context))</nav>
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
            return """
                <div class="empty">\(Icon.people.html)<p>\(context.say(text))</p></div>
                """
        }
        let rows = drivers.map { driver -> [HTML] in
            [
                """
                <a href=\(driverAddress(driver.person))>\(driver.surname) \(driver.name)</a>
                """,
                "\(driver.papers.taxiCode)", "\(driver.papers.plate)",
                driver.chip(today: today(context)).html(context), expiry(of: driver, context),
            ]
        }
        let heads = [
            DriverListTexts.name, FormField.taxiCode.label, FormField.plate.label,
            DriverListTexts.standing, DriverListTexts.until,
        ]
        let table = DataTable(
            caption: wanted.isEmpty ? filter.label : DriverListTexts.foundThese,
            heads.map { DataTable.Column($0) },
            rows: rows,
            // The chip that is chosen says the same.
            hidesCaption: wanted.isEmpty
        )
        return table.html(context)
    }

    /// The day on which the first of a driver's licences ends, marked if it is near.
    private func expiry(of driver: Driver, _ context: RequestContext) -> HTML {
        let end = driver.papers.firstEnd
        let time: HTML = "<time datetime=\"\(end)\">\(paperValue(end, context))</time>"
        guard end <= lastWarning(context) else { return time }
        let tone: HTML = end < today(context) ? "bad" : "live"
        return "<span class=\"badge \(tone)\">\(Icon.warning.html) \(time)</span>"
    }

    /// The last day of which pages warn that a licence ends then, in the format of papers.
    func lastWarning(_ context: RequestContext) -> String {
        accounts.settings.today(context.now).adding(days: DriverFilter.expiringDays).iso8601
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
        if papers.firstEnd < today { return DriverFilter.expired.label }
        return proposed == nil ? DriverListTexts.isVerified : DriverListTexts.newPapers
    }

    /// The status as a chip.
    func chip(today: String) -> StateChip {
        let word = standingText(today: today)
        if isSuspended { return StateChip(word, icon: .pause, tone: .bad) }
        switch verification {
        case .awaiting: return StateChip(word, icon: .clock, tone: .live)
        case .refused: return StateChip(word, icon: .close, tone: .bad)
        case .verified: break
        }
        if papers.firstEnd < today { return StateChip(word, icon: .warning, tone: .bad) }
        return proposed == nil
            ? StateChip(word, icon: .check, tone: .good)
            : StateChip(word, icon: .licence, tone: .live)
    }
}

extension DriverPapers {
    /// The day on which the first of the two licences ends.
    var firstEnd: String { min(taxiLicenceExpires, drivingLicenceExpires) }
}
