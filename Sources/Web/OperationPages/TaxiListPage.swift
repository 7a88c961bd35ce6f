import Chronology
import Dispatching
import Drivers
import Encoding
import HTTPTypes
import Identity
import Markup
import Taxi
import TaxiPages
import WebCore

extension OperationPages {
    /// The maximum number of taxis on one page.
    private static let taxisOnPage = 50

    /// The table of taxis, filtered by state and zone and paginated, or one taxi found by its code.
    func listTaxis(_ context: RequestContext) async throws -> Response {
        try await checkOpen(context)
        let wanted = (context.query["find"] ?? "").trimmingBlanks()
        var isUnknown = false
        if !wanted.isEmpty {
            if let number = try await findTaxi(wanted) { return .redirect(to: address(of: number)) }
            isUnknown = true
        }
        let stand = context.query["state"].flatMap(TaxiStand.init(rawValue:))
        let zone = zoneNumber(context)
        let after = context.query["after"].flatMap { UInt32($0) }.map(TaxiNumber.init(rawValue:))
        let (lines, hasMore) = try await taxi.taxis(
            stand,
            in: zone,
            after: after,
            limit: Self.taxisOnPage
        )
        let names = try await taxiNames(lines.map(\.taxi))
        let next =
            hasMore ? lines.last.map { nextTaxis(stand, zone, $0.taxi.number, context) } : nil
        let view = OperationsView(context)
        var page = Page(
            TaxiListTexts.title,
            body: """
                <h1>\(context.say(TaxiListTexts.title))</h1>
                <div class="views only-list">\
                \(views(.taxis, OperationsView(.waiting, in: zone), context))</div>
                \(taxiSearch(wanted, isUnknown, context))
                \(taxiFilters(stand, zone, context))
                <div id="operations-taxis" data-live="operations">
                \(taxiRows(lines, names, stand, context))\(next)</div>
                \(keys(context))
                """
        )
        page.layout = .console
        page.map = operationsMap(stand, zone, selected: view.selection, context)
        page.drawer = try await drawer(
            view,
            closing: taxisAddress(stand, zone, nil),
            context
        )
        page.isLive = true
        return response(page, to: context)
    }

    /// The taxi with the given city code; nil if the dispatcher knows none.
    func findTaxi(_ code: String) async throws -> TaxiNumber? {
        guard let found = try await accounts.drivers.findTaxi(String(code.prefix(64))) else {
            return nil
        }
        return try await fleet.number(of: found)
    }

    /// The address of the page of a taxi.
    func address(of taxi: TaxiNumber, notice: String? = nil) -> Address {
        let number = "\(taxi.rawValue)"
        return notice.map {
            Address("/console/operations/taxis", number, query: ["notice": $0])
        } ?? Address("/console/operations/taxis", number)
    }

    private func taxiSearch(_ wanted: String, _ isUnknown: Bool, _ context: RequestContext) -> HTML
    {
        let field = Field(
            name: "find",
            label: FormField.taxiCode.label,
            value: wanted,
            error: isUnknown ? TaxiListTexts.notFound : nil
        )
        return SearchBox(action: Address("/console/operations/taxis"), field: field).html(context)
    }

    private func taxiFilters(
        _ chosen: TaxiStand?,
        _ zone: ZoneNumber?,
        _ context: RequestContext
    ) -> HTML {
        let choices: [TaxiStand?] = [nil] + TaxiStand.allCases
        let chips = choices.map { stand in
            Chip(
                stand?.label ?? TaxiListTexts.all,
                .link(taxisAddress(stand, zone, nil)),
                isCurrent: stand == chosen
            )
        }
        let all: HTML? = zone.map { _ in
            """
            <p><a href=\(taxisAddress(chosen, nil, nil))>\(context.say(TaxiListTexts.allZones))</a>\
            </p>
            """
        }
        return """
            <nav aria-label="\(context.say(TaxiListTexts.which))">\
            \(Chips(chips, isLine: true).html(context))</nav>\(all)
            """
    }

    private func taxisAddress(
        _ stand: TaxiStand?,
        _ zone: ZoneNumber?,
        _ after: TaxiNumber?,
        selecting taxi: TaxiNumber? = nil
    ) -> Address {
        var parts: [String] = []
        if let stand { parts.append("state=\(stand.rawValue)") }
        if let zone { parts.append("zone=\(zone.rawValue)") }
        if let after { parts.append("after=\(after.rawValue)") }
        if let taxi { parts.append("taxi=\(taxi.rawValue)") }
        let start = Address("/console/operations/taxis")
        return Address(withinServer: "\(start.text)?\(parts.joined(separator: "&"))") ?? start
    }

    private func nextTaxis(
        _ stand: TaxiStand?,
        _ zone: ZoneNumber?,
        _ last: TaxiNumber,
        _ context: RequestContext
    ) -> HTML {
        """
        <p class="actions"><a class="button" href=\(taxisAddress(stand, zone, last)) rel="next">\
        \(context.say(TaxiListTexts.next))</a></p>
        """
    }

    private func taxiRows(
        _ lines: [TaxiLine],
        _ names: [String: String],
        _ stand: TaxiStand?,
        _ context: RequestContext
    ) -> HTML {
        guard !lines.isEmpty else {
            return "<p class=\"nobody\">\(Icon.taxi.html) \(context.say(TaxiListTexts.none))</p>"
        }
        let zone = zoneNumber(context)
        let view = OperationsView(context)
        let rows = lines.map { line -> HTML in
            let number = line.taxi.number
            let place = line.place.map {
                context.say(TaxiListTexts.inQueue(DriveStanding.ordinal($0)))
            }
            return taxiRow(
                TaxiRow(
                    number: number,
                    stand: line.stand,
                    code: names[line.taxi.code] ?? "\(number.rawValue)",
                    address: taxisAddress(stand, zone, nil, selecting: number),
                    isSelected: view.selection == .taxi(number),
                    detail: line.zone.map { "\($0)" },
                    end: place.map { "\($0)" },
                    heard: line.heard
                ),
                context
            )
        }
        return "<ul class=\"rows work\">\(rows)</ul>"
    }

    /// A taxi in a list: its state and code, and its mark on the map.
    func taxiRow(_ row: TaxiRow, _ context: RequestContext) -> HTML {
        let isHere = HTML.when(row.isSelected, " aria-current=\"true\"")
        // The place of a taxi off duty is private (R130).
        let mark: HTML? =
            row.heard == nil || row.stand == .off
            ? nil : " data-show=\"\(mapMark(row.number))\""
        let heard = row.heard.map { heard -> HTML in
            "\(context.say(TaxiListTexts.heard)) \(clock(heard, hasSeconds: true))"
        }
        let detail = row.detail.map { " · \($0)" as HTML }
        let rest = heard.map { " <small>\($0)</small>" as HTML }
        return """
            <li\(mark)><a class="row pick" id="pick-\(mapMark(row.number))" \
            href=\(row.address)\(isHere)>\(row.stand.symbol)\
            <span><b>\(row.code)</b> \
            <small>\(standWords(row, context))\(detail)</small>\(rest)</span> \
            <span class="end">\(row.end)</span></a></li>
            """
    }

    /// The state of a taxi without its shape, with the time since the last contact if it is lost.
    private func standWords(_ row: TaxiRow, _ context: RequestContext) -> HTML {
        let label = context.say(row.stand.label)
        guard row.stand == .lost, let heard = row.heard else { return "\(label)" }
        let seconds = (context.now.milliseconds - heard.milliseconds) / 1_000
        return "\(label) \(context.say(CommonTexts.duration(seconds: seconds)))"
    }
}

/// What a list shows of a taxi.
struct TaxiRow: Sendable {
    var number: TaxiNumber
    var stand: TaxiStand
    /// Its code in the city.
    var code: String
    /// The address of the page with its drawer.
    var address: Address
    /// Whether the drawer shows it.
    var isSelected = false
    /// Its zone, or since when it waits.
    var detail: HTML?
    /// Its place in the queue.
    var end: HTML?
    /// When it last reported.
    var heard: Moment?
}
