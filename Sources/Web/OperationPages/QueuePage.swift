import Dispatching
import Drivers
import HTTPTypes
import Identity
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore

/// The queue of a zone, in the order in which its taxis receive offers (issue 5, "queues").
extension OperationPages {
    /// The maximum number of queue positions on one page.
    private static let placesOnPage = 50

    /// The address of the page of a zone's queue.
    func queueAddress(_ zone: ZoneNumber, after place: Int = 0) -> Address {
        let number = "\(zone.rawValue)"
        guard place > 0 else { return Address("/console/operations/queues", number) }
        return Address("/console/operations/queues", number, query: ["after": "\(place)"])
    }

    /// Shows the taxis waiting in a zone, their positions, and how long they have waited.
    func showQueue(_ context: RequestContext) async throws -> Response {
        try await checkOpen(context)
        let text = context.parameters["zone"] ?? ""
        guard let number = UInt32(text), "\(number)" == text else { throw Failure.notFound }
        let zone = ZoneNumber(rawValue: number)
        let after = context.query["after"].flatMap { UInt32($0) }.map { Int($0) } ?? 0
        guard
            let found = try await taxi.queue(of: zone, after: after, limit: Self.placesOnPage)
        else { throw Failure.notFound }
        let names = try await taxiNames(found.lines.map(\.taxi))
        let title = QueueTexts.title(found.zone)
        let inZone = Address("/console/operations/taxis", query: ["zone": text])
        var page = Page(
            title,
            body: """
                <h1>\(context.say(title))</h1>
                <div id="operations-queue" data-live="operations">
                \(queueRows(found, names, context))
                \(queueRest(found, zone, context))</div>
                <p><a href=\(inZone)>\(context.say(QueueTexts.inZone))</a></p>
                <p><a href=\(OperationsView(.waiting, in: zone).address)>\
                \(context.say(QueueTexts.requests))</a></p>
                """
        )
        page.layout = .console
        page.map = operationsMap(nil, zone, context)
        page.isLive = true
        return response(page, to: context)
    }

    private func queueRows(
        _ found: QueueList,
        _ names: [String: String],
        _ context: RequestContext
    ) -> HTML {
        guard !found.lines.isEmpty else {
            return "<p class=\"nobody\">\(Icon.taxi.html) \(context.say(QueueTexts.none))</p>"
        }
        let rows = found.lines.map { line -> HTML in
            let number = line.taxi.number
            let turn = line.isRestored ? QueueTexts.restored : QueueTexts.byArrival
            let since = line.since.map { moment -> HTML in
                "\(context.say(QueueTexts.since)) \(clock(moment)) · "
            }
            return taxiRow(
                TaxiRow(
                    number: number,
                    stand: line.stand,
                    code: names[line.taxi.code] ?? "\(number.rawValue)",
                    address: OperationsView().selecting(.taxi(number)).address,
                    detail: "\(since)\(context.say(turn))",
                    end: "\(context.say(DriveStanding.ordinal(line.place)))",
                    heard: line.heard
                ),
                context
            )
        }
        return """
            <p class="lead">\(context.say(QueueTexts.waiting(found.count)))</p>
            <ol class="rows work">\(rows)</ol>
            """
    }

    /// A link to the next page of queue positions.
    private func queueRest(
        _ found: QueueList,
        _ zone: ZoneNumber,
        _ context: RequestContext
    ) -> HTML? {
        guard let last = found.lines.last?.place, last < found.count else { return nil }
        return """
            <p class="actions"><a class="button" href=\(queueAddress(zone, after: last)) \
            rel="next">\(context.say(QueueTexts.next))</a></p>
            """
    }
}
