import Chronology
import Dispatching
import Drivers
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
    func listTaxis(_ visit: Visit) async throws -> Reply {
        try await checkOpen(visit)
        let wanted = (visit.query["find"] ?? "").trimmed
        var isUnknown = false
        if !wanted.isEmpty {
            if let number = try await findTaxi(wanted) { return .redirect(to: address(of: number)) }
            isUnknown = true
        }
        let stand = visit.query["state"].flatMap(TaxiStand.init(rawValue:))
        let zone = zoneNumber(visit)
        let after = visit.query["after"].flatMap { UInt32($0) }.map(TaxiNumber.init(rawValue:))
        let (lines, hasMore) = try await taxi.taxis(
            stand,
            in: zone,
            after: after,
            limit: Self.taxisOnPage
        )
        let names = try await taxiNames(lines.map(\.taxi))
        let next = hasMore ? lines.last.map { nextTaxis(stand, zone, $0.taxi.number, visit) } : nil
        var page = Page(
            TaxiListTexts.title,
            body: """
                <h1>\(visit.say(TaxiListTexts.title))</h1>
                \(taxiSearch(wanted, isUnknown, visit))
                \(taxiFilters(stand, zone, visit))
                <div id="operations-taxis" data-live="operations">
                \(taxiTable(lines, names, stand, visit))\(next)</div>
                <h2>\(visit.say(OperationsTexts.map))</h2>
                \(operationsMap(stand, zone, visit))
                """
        )
        page.isLive = true
        return reply(page, to: visit)
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

    private func taxiSearch(_ wanted: String, _ isUnknown: Bool, _ visit: Visit) -> HTML {
        let field = Field(
            name: "find",
            label: FormField.taxiCode.label,
            value: wanted,
            error: isUnknown ? TaxiListTexts.notFound : nil,
            isRequired: false
        )
        return """
            <form class="fields" method="get" action="/console/operations/taxis" role="search">
            \(field.html(visit))
            <p class="actions"><button>\(visit.say(CommonTexts.search))</button></p></form>
            """
    }

    private func taxiFilters(
        _ chosen: TaxiStand?,
        _ zone: ZoneNumber?,
        _ visit: Visit
    ) -> HTML {
        let choices: [TaxiStand?] = [nil] + TaxiStand.allCases
        let items = choices.map { stand -> HTML in
            let isHere = HTML.when(stand == chosen, " aria-current=\"page\"")
            let words = stand?.label ?? TaxiListTexts.all
            return """
                <li><a href=\(taxisAddress(stand, zone, nil))\(isHere)>\(visit.say(words))</a></li>
                """
        }
        let all: HTML? = zone.map { _ in
            """
            <p><a href=\(taxisAddress(chosen, nil, nil))>\(visit.say(TaxiListTexts.allZones))</a>\
            </p>
            """
        }
        return """
            <nav aria-label="\(visit.say(TaxiListTexts.which))">
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
        _ visit: Visit
    ) -> HTML {
        """
        <p class="actions"><a class="button" href=\(taxisAddress(stand, zone, last)) rel="next">\
        \(visit.say(TaxiListTexts.next))</a></p>
        """
    }

    /// The time of a taxi's last position, with a link to it on the map.
    ///
    /// A taxi without a position has neither, and one off duty has no link (R130).
    func heardWords(
        _ heard: Moment?,
        _ taxi: TaxiReference,
        _ stand: TaxiStand,
        _ code: String,
        _ visit: Visit
    ) -> HTML {
        guard let heard else { return "–" }
        let link = mapLink(to: mapMark(taxi.number), TaxiFileTexts.title(code), visit)
        return clock(heard, hasSeconds: true) + HTML.when(stand != .off, "<br>\(link)")
    }

    private func taxiTable(
        _ lines: [TaxiLine],
        _ names: [String: String],
        _ stand: TaxiStand?,
        _ visit: Visit
    ) -> HTML {
        guard !lines.isEmpty else {
            return "<p class=\"notice\">\(visit.say(TaxiListTexts.none))</p>"
        }
        let rows = lines.map { line -> HTML in
            let place = line.place.map { visit.say(DriveStanding.ordinal($0)) } ?? "–"
            let code = names[line.taxi.code] ?? "\(line.taxi.number.rawValue)"
            return """
                <tr><th scope="row"><a href=\(address(of: line.taxi.number))>\(code)</a></th>\
                <td>\(standWords(line.stand, heard: line.heard, visit))</td>\
                <td>\(line.zone ?? "–")</td><td class="number">\(place)</td>\
                <td>\(heardWords(line.heard, line.taxi, line.stand, code, visit))</td></tr>
                """
        }
        return ConsoleTable(
            caption: stand?.label ?? TaxiListTexts.all,
            heads: [
                FormField.taxiCode.label, OperationsTexts.state, CommonTexts.zone,
                TaxiListTexts.place, TaxiListTexts.heard,
            ],
            rows: rows
        ).html(visit)
    }
}
