import Chronology
import Dispatching
import Drivers
import Fares
import HTTPTypes
import Identity
import Localization
import Markup
import Taxi
import TaxiPages
package import WebCore

extension OperationPages {
    /// The live state of the service and the operators' actions (issue 5).
    ///
    /// Tables are the primary interface; the map shows the same data (ui.md 4.6).
    package var routes: [Route] {
        [
            .get("/console/operations", as: "operations.show", for: .staff, showOperations)
                .taking([
                    .notice,
                    .query("show", .choice(of: RequestFilter.self), "Which requests are shown."),
                    .zone,
                    .query("zones", .choice(["all"]), "Shows all zones."),
                ]),
            .get(
                "/console/operations/map.json",
                as: "operations.map.json",
                for: .staff,
                operationsMarks
            )
            .taking([.state, .zone])
            .answering(.json),
            .get(
                "/console/operations/map.svg",
                as: "operations.map.svg",
                for: .staff,
                operationsPicture
            )
            .taking([.state, .zone])
            .answering(.picture),
            .get(
                "/console/operations/queues/{zone}",
                as: "operations.queue",
                for: .staff,
                showQueue
            )
            .taking([
                .path("zone", .number(0...Int64(UInt32.max)), "The number of the zone."),
                .query(
                    "after",
                    .number(0...Int64(UInt32.max)),
                    "How many places precede the page."
                ),
            ]),
            .get("/console/operations/taxis", as: "operations.taxis", for: .staff, listTaxis)
                .taking([
                    .query("find", .text(100), "The code of a taxi.").explained,
                    .state,
                    .zone,
                    .query(
                        "after",
                        .number(0...Int64(UInt32.max)),
                        "The last taxi of the page before."
                    ),
                ])
                .answering(.page, .redirect),
            .get("/console/operations/taxis/{taxi}", as: "operations.taxi", for: .staff, showTaxi)
                .taking([.taxi, .notice]),
        ] + taxiActRoutes + requestFileRoutes + callerRoutes
            + driverNoticeRoutes
    }

    /// The maximum number of requests on one page: an operator cannot handle more at once.
    private static let requestsShown = 40
    /// The maximum number of zones on the first page, those with waiting passengers first.
    private static let zonesShown = 12

    private func showOperations(_ context: RequestContext) async throws -> Response {
        try await checkOpen(context)
        let filter = context.query["show"].flatMap(RequestFilter.init(rawValue:)) ?? .waiting
        let zone = zoneNumber(context)
        let now = try await taxi.operations(filter, in: zone, limit: Self.requestsShown)
        let names = try await taxiNames(
            now.lines.compactMap(\.taxi) + now.zones.compactMap(\.next)
        )
        var page = Page(
            OperationsTexts.title,
            body: """
                \(consoleNotice(OperationsTexts.notices, context))
                <h1>\(context.say(OperationsTexts.title))</h1>
                <div id="operations-counts" data-live="operations">\(counts(now, context))</div>
                <p class="actions">\(further(context))</p>
                <div class="two"><div>
                <h2>\(context.say(OperationsTexts.requests))</h2>
                \(requestFilters(filter, zone, context))
                <div id="operations-requests" data-live="operations">
                \(requestFilterCounts(now, context))
                \(requestTable(now, filter, names, context))
                </div></div><div>
                <h2>\(context.say(OperationsTexts.queues))</h2>
                <div id="operations-queues" data-live="operations">
                \(zoneTable(now, zone, names, context))</div></div></div>
                <h2>\(context.say(OperationsTexts.map))</h2>
                \(operationsMap(nil, zone, context))
                """
        )
        page.isLive = true
        return response(page, to: context)
    }

    /// The zone selected in the address; nil where it names no existing zone.
    func zoneNumber(_ context: RequestContext) -> ZoneNumber? {
        context.query["zone"].flatMap { UInt32($0) }.map { ZoneNumber(rawValue: $0) }
    }

    /// The city's codes of taxis, by the pseudonyms in the log.
    func taxiNames(_ taxis: [TaxiReference]) async throws -> [String: String] {
        try await cityCodes(taxis.map(\.code))
    }

    /// The city's codes of taxis, by their codes in the log; deleted taxis are omitted.
    func cityCodes(_ codes: [String]) async throws -> [String: String] {
        let people = Set(codes).compactMap { PersonNumber(dispatcherCode: $0) }
        let names = try await accounts.drivers.taxiNames(of: people.sorted())
        return names.reduce(into: [:]) { $0[$1.key.dispatcherCode] = $1.value.code }
    }

    // MARK: Summary lines

    private func counts(_ now: Operations, _ context: RequestContext) -> HTML {
        let riding = now.requests[.riding] ?? 0
        let wait = now.medianWaitSeconds.map { context.say(CommonTexts.duration(seconds: $0)) }
        let facts: [(Text, String)] = [
            (OperationsTexts.waiting, "\(now.requests[.waiting] ?? 0)"),
            (OperationsTexts.active, "\(riding)"),
            (OperationsTexts.free, "\(now.taxis[.free] ?? 0)"),
            (OperationsTexts.noCar, "\(now.unserved)"),
            (OperationsTexts.medianWait, wait ?? context.say(CommonTexts.unknownZone)),
        ]
        let items = facts.map { label, value -> HTML in
            "<div><dt>\(context.say(label))</dt><dd>\(value)</dd></div>"
        }
        return """
            <dl class="signs">\(items)</dl>
            <p class="hint">\(context.say(OperationsTexts.asOf)) \
            \(clock(context.now, hasSeconds: true)). \
            \(context.say(OperationsTexts.lastHour))</p>
            """
    }

    private func further(_ context: RequestContext) -> HTML {
        let links: [(Address, Text)] = [
            (Address("/console/operations/call"), CallerTexts.title),
            (Address("/console/operations/taxis"), OperationsTexts.taxis),
            (Address("/console/operations/notices"), NoticeTexts.title),
            (Address("/console/suspension"), SuspensionTexts.title),
        ]
        return .joined(
            links.map { "<a class=\"button\" href=\($0)>\(context.say($1))</a> " as HTML }
        )
    }

    // MARK: The table of requests

    private func requestFilters(
        _ chosen: RequestFilter,
        _ zone: ZoneNumber?,
        _ context: RequestContext
    ) -> HTML {
        let items = RequestFilter.allCases.map { filter -> HTML in
            let isHere = HTML.when(filter == chosen, " aria-current=\"page\"")
            return """
                <li><a href=\(operationsAddress(filter, zone))\(isHere)>\
                \(context.say(filter.label))</a></li>
                """
        }
        let all: HTML? = zone.map { _ in
            """
            <p><a href=\(operationsAddress(chosen, nil))>\(context.say(OperationsTexts.allZones))\
            </a>\
            </p>
            """
        }
        return """
            <nav aria-label="\(context.say(OperationsTexts.which))">
            <ul class="filters">\(items)</ul></nav>\(all)
            """
    }

    private func requestFilterCounts(_ now: Operations, _ context: RequestContext) -> HTML {
        let words = RequestFilter.allCases.map { filter in
            "\(context.say(filter.label)): \(now.requests[filter] ?? 0)"
        }
        return "<p class=\"hint\">\(words.joined(separator: " · "))</p>"
    }

    /// The address of the list of requests with a filter, for all zones or one.
    func operationsAddress(_ filter: RequestFilter, _ zone: ZoneNumber?) -> Address {
        zone.map {
            Address(
                "/console/operations",
                query: ["show": filter.rawValue, "zone": "\($0.rawValue)"]
            )
        } ?? Address("/console/operations", query: ["show": filter.rawValue])
    }

    private func requestTable(
        _ now: Operations,
        _ filter: RequestFilter,
        _ names: [String: String],
        _ context: RequestContext
    ) -> HTML {
        guard !now.lines.isEmpty else {
            return "<p class=\"notice\">\(context.say(filter.empty))</p>"
        }
        let table = ConsoleTable(
            caption: filter.label,
            heads: [
                OperationsTexts.request, OperationsTexts.since, OperationsTexts.place,
                OperationsTexts.state,
            ],
            rows: now.lines.map { requestRow($0, names, context) },
            hidesCaption: true
        )
        let more = HTML.when(
            now.hasMore,
            "<p>\(context.say(OperationsTexts.onlyFirst(now.lines.count)))</p>"
        )
        return table.html(context) + more
    }

    private func requestRow(
        _ line: RequestLine,
        _ names: [String: String],
        _ context: RequestContext
    ) -> HTML {
        let number = "\(line.request.number.rawValue)"
        let place = line.meeting?.text ?? context.say(CommonTexts.unknownZone)
        return """
            <tr><th scope="row"><a href=\(Address("/console/operations/requests", number))>\
            \(number)</a></th><td>\(age(of: line, context))</td>\
            <td>\(place)<br><span class="hint">\(line.zone)</span></td>\
            <td>\(context.say(stateText(line, names)))\(requestMapLink(line, context))</td></tr>
            """
    }

    /// A link to the waiting passenger on the map, or to the taxi that they are aboard.
    private func requestMapLink(_ line: RequestLine, _ context: RequestContext) -> HTML? {
        let request = line.request
        let mark: String
        if request.isWaitedFor, line.meeting != nil {
            mark = mapMark(request.number)
        } else if request.ride != nil, let taxi = line.taxi {
            mark = mapMark(taxi.number)
        } else {
            return nil
        }
        return "<br>\(mapLink(to: mark, RequestFileTexts.title(request.number), context))"
    }

    /// How long a request has been waiting, marked as an alert where that is too long.
    func age(of line: RequestLine, _ context: RequestContext) -> HTML {
        if let due = line.request.due, !line.request.isLive {
            return "\(time(due, context))"
        }
        guard let asked = line.request.due ?? line.asked else {
            return "\(context.say(OperationsTexts.justNow))"
        }
        let seconds = (context.now.milliseconds - asked.milliseconds) / 1_000
        let since = clock(asked)
        guard RequestFilter(line.request) != .riding else { return since }
        let words = context.say(OperationsTexts.waits(seconds))
        guard seconds >= OperationsTexts.lateSeconds else { return "\(since)<br>\(words)" }
        return """
            \(since)<br><strong class="late"><span aria-hidden="true">! </span>\
            <span class="hidden">\(context.say(OperationsTexts.alert)): </span>\(words)</strong>
            """
    }

    /// A description of the state of a request.
    func stateText(_ line: RequestLine, _ names: [String: String]) -> Text {
        let code = line.taxi.map { names[$0.code] ?? "\($0.number.rawValue)" } ?? "?"
        switch line.request.phase {
        case .seeking: return OperationsTexts.seeking
        case .offered(let offer):
            let count = line.request.asked.count
            return OperationsTexts.asking(count, code, until: clockTime(offer.deadline))
        case .held: return OperationsTexts.held
        case .parked: return OperationsTexts.parked
        case .reserved(let next): return OperationsTexts.nextTry(clockTime(next))
        case .riding(let ride): return OperationsTexts.riding(ride.stage, code)
        case .joined(let owner): return OperationsTexts.joined(owner)
        }
    }

    // MARK: The table of zones

    private func zoneTable(
        _ now: Operations,
        _ chosen: ZoneNumber?,
        _ names: [String: String],
        _ context: RequestContext
    ) -> HTML {
        let sorted = now.zones.sorted { one, other in
            one.waiting == other.waiting ? one.number < other.number : one.waiting > other.waiting
        }
        let isWhole = context.query["zones"] == "all"
        let shown = isWhole ? sorted : Array(sorted.prefix(Self.zonesShown))
        let rows = shown.map { zone -> HTML in
            let isHere = HTML.when(zone.number == chosen, " aria-current=\"page\"")
            let next = zone.next.flatMap { names[$0.code] } ?? context.say(OperationsTexts.nobody)
            return """
                <tr><th scope="row"><a href=\(operationsAddress(.waiting, zone.number))\(isHere)>\
                \(zone.name)</a></th><td class="number">\(zone.waiting)</td>\
                <td class="number">\(zone.free)</td><td>\(next)<br>\
                <a href=\(queueAddress(zone.number))>\(context.say(QueueTexts.whole))\
                <span class="hidden">\(context.say(QueueTexts.of(zone.name)))</span></a></td></tr>
                """
        }
        let table = ConsoleTable(
            caption: OperationsTexts.queues,
            heads: [
                CommonTexts.zone, OperationsTexts.waiting, OperationsTexts.free,
                OperationsTexts.next,
            ],
            rows: rows,
            hidesCaption: true
        )
        let all = Address("/console/operations", query: ["zones": "all"])
        let more = HTML.when(
            shown.count < sorted.count,
            "<p><a href=\(all)>\(context.say(OperationsTexts.everyZone(sorted.count)))</a></p>"
        )
        return table.html(context) + more
    }
}

extension InputField {
    private static let numbers = Kind.number(0...Int64(UInt32.max))

    /// The zone to which a page is limited.
    fileprivate static let zone = query("zone", numbers, "The zone to which the page is limited.")

    /// The state of the taxis that a page shows.
    fileprivate static let state = query(
        "state",
        .choice(of: TaxiStand.self),
        "The state of the taxis that are shown."
    )

    /// The taxi that a page is about.
    static let taxi = path("taxi", numbers, "The number of the taxi.")
}
