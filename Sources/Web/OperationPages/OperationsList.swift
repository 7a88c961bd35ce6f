import Chronology
import Dispatching
import Fares
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore

/// The list of live operations: figures, requests and zones, for the map beside it.
extension OperationPages {
    /// The maximum number of zones on the first page, those with waiting passengers first.
    private static let zonesShown = 12

    /// A page of live operations.
    enum Section: Sendable {
        case requests
        case taxis
    }

    /// Links to the requests, the taxis and, on phones, the map.
    func views(_ current: Section, _ view: OperationsView, _ context: RequestContext) -> HTML {
        Segments(
            label: OperationsTexts.views,
            [
                (
                    OperationsTexts.requests, view.showing(map: false).address,
                    current == .requests && !view.isMap
                ),
                (
                    OperationsTexts.taxisView, Address("/console/operations/taxis"),
                    current == .taxis
                ),
                (OperationsTexts.mapView, view.showing(map: true).address, view.isMap),
            ]
        ).html(context)
    }

    /// The figures of the whole city.
    func counts(_ now: Operations, _ context: RequestContext) -> HTML {
        let wait = now.medianWaitSeconds.map { context.say(CommonTexts.duration(seconds: $0)) }
        let facts: [(Text, String)] = [
            (OperationsTexts.waiting, "\(now.requests[.waiting] ?? 0)"),
            (OperationsTexts.active, "\(now.requests[.riding] ?? 0)"),
            (OperationsTexts.free, "\(now.taxis[.free] ?? 0)"),
            (OperationsTexts.noCar, "\(now.unserved)"),
            (OperationsTexts.medianWait, wait ?? "–"),
        ]
        let items = facts.map { label, value -> HTML in
            "<div><dt>\(context.say(label))</dt><dd>\(value)</dd></div>"
        }
        return """
            <dl class="counts">\(items)</dl>
            <p class="hint">\(context.say(OperationsTexts.asOf)) \
            \(clock(context.now, hasSeconds: true)) · \
            \(context.say(OperationsTexts.lastHour))</p>
            """
    }

    /// The rarer tasks of an operator.
    func further(_ context: RequestContext) -> HTML {
        let links: [(Icon, Address, Text)] = [
            (.bell, Address("/console/operations/notices"), NoticeTexts.title),
            (.street, Address("/console/operations/streets"), StreetTexts.title),
            (.pause, Address("/console/suspension"), SuspensionTexts.title),
        ]
        return Rows(links.map { Row($0, "\(context.say($2))", address: $1) }).html
    }

    /// The keys that `console.js` knows.
    func keys(_ context: RequestContext) -> HTML {
        let keys: [([String], Text)] = [
            (["/", "Ctrl K"], KeyTexts.find), (["j", "↓"], KeyTexts.next),
            (["k", "↑"], KeyTexts.before), (["Enter"], KeyTexts.open), (["Esc"], KeyTexts.close),
        ]
        let items = keys.map { names, text -> HTML in
            let caps = names.map { "<kbd>\($0)</kbd> " as HTML }
            return "<dt>\(caps)</dt><dd>\(context.say(text))</dd>"
        }
        return """
            <details class="keys"><summary>\(context.say(KeyTexts.title))</summary>\
            <dl>\(items)</dl></details>
            """
    }

    // MARK: Requests

    /// The kinds of requests with their counts, and a way back from one zone to all.
    func requestFilters(
        _ now: Operations,
        _ view: OperationsView,
        _ context: RequestContext
    ) -> HTML {
        let chips = RequestFilter.allCases.map { filter -> Chip in
            var other = view.selecting(nil)
            other.filter = filter
            return Chip(
                OperationsTexts.counted(filter.short, now.requests[filter] ?? 0),
                .link(other.address),
                isCurrent: filter == view.filter
            )
        }
        let zone = view.zone.flatMap { number in now.zones.first { $0.number == number } }
        let all = zone.map { zone -> HTML in
            var whole = view.selecting(nil)
            whole.zone = nil
            return """
                <p class="only-zone"><b>\(zone.name)</b> \
                <a href=\(whole.address)>\(context.say(OperationsTexts.allZones))</a></p>
                """
        }
        return """
            <nav aria-label="\(context.say(OperationsTexts.which))">\
            \(Chips(chips, isLine: true).html(context))</nav>\(all)
            """
    }

    /// The requests, oldest first, each a link to its drawer.
    func requestList(
        _ now: Operations,
        _ view: OperationsView,
        _ names: [String: String],
        _ context: RequestContext
    ) -> HTML {
        guard !now.lines.isEmpty else {
            return "<p class=\"nobody\">\(Icon.check.html) \(context.say(view.filter.empty))</p>"
        }
        let rows = now.lines.map { requestRow($0, view, names, context) }
        let more = HTML.when(
            now.hasMore,
            "<p class=\"hint\">\(context.say(OperationsTexts.onlyFirst(now.lines.count)))</p>"
        )
        return "<ul class=\"rows work\">\(rows)</ul>\(more)"
    }

    private func requestRow(
        _ line: RequestLine,
        _ view: OperationsView,
        _ names: [String: String],
        _ context: RequestContext
    ) -> HTML {
        let number = line.request.number
        let place = line.meeting.map { shortPlace($0) } ?? context.say(CommonTexts.unknownZone)
        let selection = OperationsView.Selection.request(number)
        let isHere = HTML.when(view.selection == selection, " aria-current=\"true\"")
        let mark = listMark(line).map { " data-show=\"\($0)\"" as HTML }
        return """
            <li\(mark)><a class="row pick" id="pick-\(mapMark(number))" \
            href=\(view.selecting(selection).address)\(isHere)>\
            \(line.request.icon.html)<span><b>\(place)</b> \
            <small>\(context.say(stateText(line, names)).capitalizedFirst)</small> \
            <small>\(line.zone) · \(context.say(RequestFileTexts.title(number)))</small></span> \
            <span class="end">\(age(of: line, context))</span></a></li>
            """
    }

    /// The mark of the waiting passenger on the map, or of the taxi that they are aboard.
    private func listMark(_ line: RequestLine) -> String? {
        let request = line.request
        if request.isWaitedFor, line.meeting != nil { return mapMark(request.number) }
        guard request.ride != nil else { return nil }
        return line.taxi.map { mapMark($0.number) }
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
        guard RequestFilter(line.request) != .riding else { return clock(asked) }
        let words = context.say(OperationsTexts.waits(seconds))
        guard seconds >= OperationsTexts.lateSeconds else { return "\(words)" }
        return """
            <strong class="badge bad late">\(Icon.warning.html)\
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

    // MARK: Zones

    /// The queues of the zones with their level, those first in which the most people wait.
    func zoneTable(
        _ now: Operations,
        _ view: OperationsView,
        _ names: [String: String],
        _ outlook: [ZoneOutlook],
        _ context: RequestContext
    ) -> HTML {
        let expected = Dictionary(uniqueKeysWithValues: outlook.map { ($0.zone, $0) })
        let sorted = now.zones.sorted { one, other in
            one.waiting == other.waiting ? one.number < other.number : one.waiting > other.waiting
        }
        let shown = view.hasAllZones ? sorted : Array(sorted.prefix(Self.zonesShown))
        let rows = shown.map { zone -> HTML in
            let isHere = HTML.when(zone.number == view.zone, " aria-current=\"true\"")
            let next = zone.next.flatMap { names[$0.code] } ?? context.say(OperationsTexts.nobody)
            let address = OperationsView(.waiting, in: zone.number).address
            return """
                <tr data-show="\(mapMark(zone.number))"><th scope="row">\
                <a href=\(address)\(isHere)>\(zone.name)</a> \(levelText(zone.level, context))</th>\
                <td class="number">\(zone.waiting)</td><td class="number">\(zone.free)</td>\
                <td class="number">\(outlookText(expected[zone.number], context))</td>\
                <td>\(next)<br><a href=\(queueAddress(zone.number))>\
                \(context.say(QueueTexts.whole))\
                <span class="hidden">\(context.say(QueueTexts.of(zone.name)))</span></a></td></tr>
                """
        }
        var whole = view.selecting(nil)
        whole.hasAllZones = true
        let more = HTML.when(
            shown.count < sorted.count,
            """
            <p><a href=\(whole.address)>\(context.say(OperationsTexts.everyZone(sorted.count)))\
            </a></p>
            """
        )
        let number: HTML = " class=\"number\""
        let heads: [(Text, HTML?)] = [
            (CommonTexts.zone, nil), (OperationsTexts.waiting, number),
            (OperationsTexts.freeTaxis, number), (OperationsTexts.expected, number),
            (OperationsTexts.next, nil),
        ]
        let cells = heads.map { "<th scope=\"col\"\($1)>\(context.say($0))</th>" as HTML }
        return """
            <div class="queues scroll"><table><caption class="hidden">\
            \(context.say(OperationsTexts.queues))</caption><thead><tr>\(cells)</tr></thead>\
            <tbody>\(rows)</tbody></table></div>\(more)
            """
    }

    /// The requests and free taxis that are expected in a zone in the next hour.
    private func outlookText(_ outlook: ZoneOutlook?, _ context: RequestContext) -> HTML {
        guard let outlook else { return "–" }
        let free = outlook.freeTaxis.map { context.say(OperationsTexts.freeThen($0)) }
        return "\(outlook.requests)\(free.map { "<br><small>\($0)</small>" as HTML })"
    }

    /// The level of a zone: a shape, a colour and a word.
    func levelText(_ level: ZoneLevel, _ context: RequestContext) -> HTML {
        "<span class=\"level \(level.rawValue)\">\(context.say(level.label))</span>"
    }
}

extension Request {
    /// The icon of its phase.
    var icon: Icon {
        switch RequestFilter(self) {
        case .waiting: .person
        case .parked: .pause
        case .riding: .taxi
        case .reserved: .calendar
        case nil: .people
        }
    }
}

extension String {
    /// The text with its first letter in upper case.
    var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
