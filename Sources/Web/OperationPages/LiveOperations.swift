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
                    .query("view", .choice(["map"]), "Shows the map in place of the list.")
                        .explained,
                    .selectedRequest,
                    .selectedTaxi,
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
                    .selectedTaxi,
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
            + driverNoticeRoutes + streetRoutes
    }

    /// The maximum number of requests on one page: an operator cannot handle more at once.
    private static let requestsShown = 40

    private func showOperations(_ context: RequestContext) async throws -> Response {
        try await checkOpen(context)
        let view = OperationsView(context)
        let now = try await taxi.operations(view.filter, in: view.zone, limit: Self.requestsShown)
        let outlook = try await taxi.outlook()
        let names = try await taxiNames(
            now.lines.compactMap(\.taxi) + now.zones.compactMap(\.next)
        )
        let call = Button(
            CallerTexts.title,
            .link(Address("/console/operations/call")),
            look: .primary,
            icon: .phone
        )
        var page = Page(
            OperationsTexts.title,
            body: """
                \(consoleNotice(OperationsTexts.notices, context))
                <h1>\(context.say(OperationsTexts.title))</h1>
                <div class="views \(view.isMap ? "only-map" : "only-list")">\
                \(views(.requests, view, context))</div>
                <div id="operations-counts" class="live-counts" data-live="operations">\
                \(counts(now, context))</div>
                <h2 class="hidden">\(context.say(OperationsTexts.requests))</h2>
                <div id="operations-requests" data-live="operations">
                \(requestFilters(now, view, context))
                \(requestList(now, view, names, context))
                </div>
                <h2>\(context.say(OperationsTexts.queues))</h2>
                <div id="operations-queues" data-live="operations">
                \(zoneTable(now, view, names, outlook, context))</div>
                \(further(context))
                \(keys(context))
                \(Dock(call.html(context)).html)
                """
        )
        page.layout = .console
        page.map = operationsMap(nil, view.zone, selected: view.selection, context)
        page.drawer = try await drawer(view, context)
        page.isLive = true
        return response(page, to: context)
    }

    /// The zone selected in the address; nil if it names no existing zone.
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

    /// The request in the drawer.
    static let selectedRequest = query(
        "request",
        .number(0...Int64.max),
        "The request that is shown beside the list."
    )

    /// The taxi in the drawer.
    static let selectedTaxi = query("taxi", numbers, "The taxi that is shown beside the list.")

    /// The taxi that a page is about.
    static let taxi = path("taxi", numbers, "The number of the taxi.")
}
