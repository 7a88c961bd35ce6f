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
    func showQueue(_ visit: Visit) async throws -> Reply {
        try await checkOpen(visit)
        let text = visit.parameters["zone"] ?? ""
        guard let number = UInt32(text), "\(number)" == text else { throw Failure.notFound }
        let zone = ZoneNumber(rawValue: number)
        let after = visit.query["after"].flatMap { UInt32($0) }.map { Int($0) } ?? 0
        guard
            let found = try await taxi.queue(of: zone, after: after, limit: Self.placesOnPage)
        else { throw Failure.notFound }
        let names = try await taxiNames(found.lines.map(\.taxi))
        let title = QueueWords.title(found.zone)
        let inZone = Address("/console/operations/taxis", query: ["zone": text])
        var page = Page(
            title,
            body: """
                <div id="operations-queue" data-live="operations">
                <h1>\(visit.say(title))</h1>
                \(queueTable(found, names, visit))
                \(queueRest(found, zone, visit))</div>
                <p><a href=\(inZone)>\(visit.say(QueueWords.inZone))</a></p>
                <p><a href=\(operationsAddress(.waiting, zone))>\
                \(visit.say(QueueWords.requests))</a></p>
                <h2>\(visit.say(OperationsWords.map))</h2>
                \(operationsMap(nil, zone, visit))
                """
        )
        page.isLive = true
        return reply(page, to: visit)
    }

    private func queueTable(
        _ found: QueueList,
        _ names: [String: String],
        _ visit: Visit
    ) -> HTML {
        guard !found.lines.isEmpty else {
            return "<p class=\"notice\">\(visit.say(QueueWords.none))</p>"
        }
        let rows = found.lines.map { line -> HTML in
            let code = names[line.taxi.code] ?? "\(line.taxi.number.rawValue)"
            let turn = line.isRestored ? QueueWords.restored : QueueWords.byArrival
            return """
                <tr><th scope="row" class="number">\(line.place)</th>\
                <td><a href=\(address(of: line.taxi.number))>\(code)</a></td>\
                <td>\(standWords(line.stand, heard: line.heard, visit))</td>\
                <td>\(line.since.map { clock($0) } ?? "–")</td>\
                <td>\(heardWords(line.heard, line.taxi, line.stand, code, visit))</td>\
                <td>\(visit.say(turn))</td></tr>
                """
        }
        return ConsoleTable(
            caption: QueueWords.waiting(found.count),
            heads: [
                TaxiListWords.place, FormField.taxiCode.label, OperationsWords.state,
                QueueWords.since, TaxiListWords.heard, QueueWords.turn,
            ],
            rows: rows
        ).html(visit)
    }

    /// A link to the next page of queue positions.
    private func queueRest(_ found: QueueList, _ zone: ZoneNumber, _ visit: Visit) -> HTML? {
        guard let last = found.lines.last?.place, last < found.count else { return nil }
        return """
            <p class="actions"><a class="button" href=\(queueAddress(zone, after: last)) \
            rel="next">\(visit.say(QueueWords.next))</a></p>
            """
    }
}

/// UI texts for the page of a queue.
enum QueueWords {
    static func title(_ zone: String) -> Text {
        Text("Queue of \(zone)", "Coda di \(zone)")
    }
    static let whole = Text("Whole queue", "Tutta la coda")
    static func of(_ zone: String) -> Text { Text(" of \(zone)", " di \(zone)") }
    static func waiting(_ count: Int) -> Text {
        Text(
            count == 1 ? "1 taxi waits" : "\(count) taxis wait",
            count == 1 ? "1 taxi in attesa" : "\(count) taxi in attesa"
        )
    }
    static let none = Text(
        "No taxi waits here.",
        "Qui non attende nessun taxi."
    )
    static let since = Text("Waits since", "Attende dalle")
    static let turn = Text("Turn", "Turno")
    static let byArrival = Text("by arrival", "per arrivo")
    static let restored = Text("given back", "restituito")
    static let next = Text("Next places", "Posti seguenti")
    static let inZone = Text(
        "All taxis in this zone, also those with a ride",
        "Tutti i taxi in questa zona, anche quelli con una corsa"
    )
    static let requests = Text(
        "Requests of this zone",
        "Richieste di questa zona"
    )
}
