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
        var page = Page(
            TaxiListTexts.title,
            body: """
                <h1>\(context.say(TaxiListTexts.title))</h1>
                \(taxiSearch(wanted, isUnknown, context))
                \(taxiFilters(stand, zone, context))
                <div id="operations-taxis" data-live="operations">
                \(taxiTable(lines, names, stand, context))\(next)</div>
                <h2>\(context.say(OperationsTexts.map))</h2>
                \(operationsMap(stand, zone, context))
                """
        )
        page.isLive = true
        return response(page, to: context)
    }

    /// The taxi with the given city code; nil where the dispatcher knows none.
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
            error: isUnknown ? TaxiListTexts.notFound : nil,
            isRequired: false
        )
        return """
            <form class="fields" method="get" action="/console/operations/taxis" role="search">
            \(field.html(context))
            <p class="actions"><button>\(context.say(CommonTexts.search))</button></p></form>
            """
    }

    private func taxiFilters(
        _ chosen: TaxiStand?,
        _ zone: ZoneNumber?,
        _ context: RequestContext
    ) -> HTML {
        let choices: [TaxiStand?] = [nil] + TaxiStand.allCases
        let items = choices.map { stand -> HTML in
            let isHere = HTML.when(stand == chosen, " aria-current=\"page\"")
            let words = stand?.label ?? TaxiListTexts.all
            return """
                <li><a href=\(taxisAddress(stand, zone, nil))\(isHere)>\(context.say(words))</a>\
                </li>
                """
        }
        let all: HTML? = zone.map { _ in
            """
            <p><a href=\(taxisAddress(chosen, nil, nil))>\(context.say(TaxiListTexts.allZones))</a>\
            </p>
            """
        }
        return """
            <nav aria-label="\(context.say(TaxiListTexts.which))">
            <ul class="filters">\(items)</ul></nav>\(all)
            """
    }

    private func taxisAddress(
        _ stand: TaxiStand?,
        _ zone: ZoneNumber?,
        _ after: TaxiNumber?
    ) -> Address {
        Address(
            "/console/operations/taxis",
            query: [
                "state": stand?.rawValue ?? "", "zone": zone.map { "\($0.rawValue)" } ?? "",
                "after": after.map { "\($0.rawValue)" } ?? "",
            ]
        )
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

    /// The time of a taxi's last position, with a link to it on the map.
    ///
    /// A taxi without a position has neither, and one off duty has no link (R130).
    func heardText(
        _ heard: Moment?,
        _ taxi: TaxiReference,
        _ stand: TaxiStand,
        _ code: String,
        _ context: RequestContext
    ) -> HTML {
        guard let heard else { return "–" }
        let link = mapLink(to: mapMark(taxi.number), TaxiFileTexts.title(code), context)
        return clock(heard, hasSeconds: true) + HTML.when(stand != .off, "<br>\(link)")
    }

    private func taxiTable(
        _ lines: [TaxiLine],
        _ names: [String: String],
        _ stand: TaxiStand?,
        _ context: RequestContext
    ) -> HTML {
        guard !lines.isEmpty else {
            return "<p class=\"notice\">\(context.say(TaxiListTexts.none))</p>"
        }
        let rows = lines.map { line -> HTML in
            let place = line.place.map { context.say(DriveStanding.ordinal($0)) } ?? "–"
            let code = names[line.taxi.code] ?? "\(line.taxi.number.rawValue)"
            return """
                <tr><th scope="row"><a href=\(address(of: line.taxi.number))>\(code)</a></th>\
                <td>\(standText(line.stand, heard: line.heard, context))</td>\
                <td>\(line.zone ?? "–")</td><td class="number">\(place)</td>\
                <td>\(heardText(line.heard, line.taxi, line.stand, code, context))</td></tr>
                """
        }
        return ConsoleTable(
            caption: stand?.label ?? TaxiListTexts.all,
            heads: [
                FormField.taxiCode.label, OperationsTexts.state, CommonTexts.zone,
                TaxiListTexts.place, TaxiListTexts.heard,
            ],
            rows: rows
        ).html(context)
    }
}
