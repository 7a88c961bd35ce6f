import Dispatching
import Drivers
import Encoding
import HTTPTypes
import Identity
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore

/// One search over everything that the visitor's role may see.
extension ConsolePages {
    /// The search page, to which the field in the header of every console page leads.
    var consoleSearchRoutes: [Route] {
        [
            .get("/console/search", as: "console.search", for: .staff, showSearch)
                .taking([.query("q", .text(100), "What to look for.").explained])
        ]
    }

    /// The maximum number of results in a group: a longer word narrows them down.
    private static let resultsShown = 8

    /// Results of one kind.
    private struct Group {
        var title: Text
        var results: [Result]
    }

    private struct Result {
        var icon: Icon
        var title: HTML
        var detail: Text?
        var address: Address
    }

    private func showSearch(_ context: RequestContext) async throws -> Response {
        let wanted = String((context.query["q"] ?? "").trimmingBlanks().prefix(100))
        let groups = wanted.isEmpty ? [] : try await results(of: wanted, context)
        let field = Field(name: "q", label: ConsoleSearchTexts.label, value: wanted)
        let found: HTML
        if groups.isEmpty {
            found =
                EmptyState(
                    .search,
                    wanted.isEmpty ? ConsoleSearchTexts.start : ConsoleSearchTexts.none,
                    context.isOfAdministration
                        ? ConsoleSearchTexts.administratorsHint : ConsoleSearchTexts.hint
                ).html(context)
        } else {
            found = html(groups, context)
        }
        let page = Page(
            ConsoleSearchTexts.title,
            body: """
                <h1>\(context.say(ConsoleSearchTexts.title))</h1>
                \(SearchBox(action: Address("/console/search"), field: field).html(context))
                \(found)
                """
        )
        return response(page, to: context)
    }

    /// The groups with their results; the first result has the focus, so that Enter opens it.
    private func html(_ groups: [Group], _ context: RequestContext) -> HTML {
        let lists = groups.enumerated().map { place, group -> HTML in
            let items = group.results.enumerated().map { index, result -> HTML in
                let focus = HTML.when(place == 0 && index == 0, " data-focus autofocus")
                let detail = result.detail.map { " <small>\(context.say($0))</small>" as HTML }
                return """
                    <li><a class="row pick" href=\(result.address)\(focus)>\(result.icon.html)\
                    <span><b>\(result.title)</b>\(detail)</span> \
                    \(Icon.next.styled(" next"))</a></li>
                    """
            }
            return "<h2>\(context.say(group.title))</h2><ul class=\"rows\">\(items)</ul>"
        }
        return .joined(lists)
    }

    private func results(of text: String, _ context: RequestContext) async throws -> [Group] {
        var groups: [Group] = []
        // Rides and taxis are unknown before the service opens, and on a standby server.
        if try await isOpen() { groups += try await operations(text) }
        groups.append(Group(title: ConsoleSearchTexts.drivers, results: try await drivers(text)))
        if context.mayUse(.administrator), let person = try await accounts.findPerson(text) {
            let profile = try await accounts.profile(of: person)
            groups.append(
                Group(
                    title: ConsoleSearchTexts.people,
                    results: [
                        Result(
                            icon: .person,
                            title: "\(profile.name) \(profile.surname)",
                            detail: Text(same: profile.email),
                            address: Address("/console/person", "\(person.rawValue)")
                        )
                    ]
                )
            )
        }
        groups.append(Group(title: ConsoleSearchTexts.pages, results: pages(text, context)))
        return groups.filter { !$0.results.isEmpty }
    }

    /// The request or taxi with a number, and the zones with a name.
    private func operations(_ text: String) async throws -> [Group] {
        let start = Address("/console/operations")
        var requests: [Result] = []
        let digits = text.drop { $0 == "#" }
        if let number = UInt64(digits), "\(number)" == digits,
            try await taxi.file(of: RequestNumber(rawValue: number)) != nil
        {
            requests.append(
                Result(
                    icon: .list,
                    title: "\(number)",
                    address: Address("/console/operations/requests", "\(number)")
                )
            )
        }
        var taxis: [Result] = []
        if let found = try await accounts.drivers.findTaxi(String(text.prefix(64))),
            let number = try await fleet.number(of: found)
        {
            let code = try await accounts.drivers.taxiNames(of: [found])[found]?.code
            taxis.append(
                Result(
                    icon: .taxi,
                    title: "\(code ?? text)",
                    address: Address("/console/operations/taxis", "\(number.rawValue)")
                )
            )
        }
        let zones = try await taxi.zoneLines().filter { matches($0.name, text) }
        let places = zones.prefix(Self.resultsShown).map { zone in
            Result(
                icon: .area,
                title: "\(zone.name)",
                detail: ConsoleSearchTexts.zone(zone.waiting, zone.free),
                address: Address(
                    withinServer: "\(start.text)?zone=\(zone.number.rawValue)"
                ) ?? start
            )
        }
        return [
            Group(title: ConsoleSearchTexts.requests, results: requests),
            Group(title: ConsoleSearchTexts.taxis, results: taxis),
            Group(title: ConsoleTexts.zones, results: places),
        ]
    }

    /// Drivers by code, plate, licence, mobile number, user name, e-mail address or name.
    private func drivers(_ text: String) async throws -> [Result] {
        var people = try await accounts.drivers.find(text)
        if let person = try await accounts.findPerson(text) { people.append(person) }
        people += try await accounts.drivers.find(named: text, limit: Self.resultsShown)
        let numbers = Set(people).sorted().prefix(Self.resultsShown)
        return try await accounts.drivers.list(of: Array(numbers)).map { driver in
            Result(
                icon: .licence,
                title: "\(driver.name) \(driver.surname)",
                address: driverAddress(driver.person)
            )
        }
    }

    /// The functions of the console that the visitor may use.
    private func pages(_ text: String, _ context: RequestContext) -> [Result] {
        consoleSections(context).filter { section in
            matches(context.say(section.title), text) || matches(context.say(section.text), text)
        }.prefix(Self.resultsShown).map { section in
            Result(
                icon: section.icon,
                title: "\(context.say(section.title))",
                detail: section.text,
                address: Address(section.path)
            )
        }
    }

    private func matches(_ text: String, _ wanted: String) -> Bool {
        text.lowercased().contains(wanted.lowercased())
    }
}
