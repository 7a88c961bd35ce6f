import Chronology
import Localization
import Markup
import TaxiPages
import TripPlanning
import WebCore

extension TravelPages {
    /// The page of a line: its route on the map, and its stops in each direction.
    func linePage(
        _ line: TransitLine,
        _ directions: [LineDirection],
        _ context: RequestContext
    ) -> Page {
        let long = line.shortName.isEmpty || line.longName == line.shortName ? "" : line.longName
        let facts = [long, line.agency].filter { !$0.isEmpty }
        let lead: HTML = "<p class=\"lead\">\(facts.joined(separator: " · "))</p>"
        let back = Button(LinesTexts.all, .link(Address("/lines")), look: .plain, icon: .back)
        var page = Page(
            LinesTexts.heading(TravelLook(line.mode).word, line.name),
            body: """
                \(back.html(context))
                <h1>\(line.mark(nil, context))</h1>
                \(HTML.when(!facts.isEmpty, lead))
                \(directions.map { section($0, line, context) })
                """
        )
        page.map = tripMap(
            scene(directions, line),
            still: Address("/lines", line.id, "map.svg"),
            context
        )
        page.layout = .mapSheet
        return page
    }

    /// One direction: its times and its stops.
    private func section(
        _ direction: LineDirection,
        _ line: TransitLine,
        _ context: RequestContext
    ) -> HTML {
        let stops = direction.stops.map { stop -> HTML in
            let name = shortPlace(stop.name)
            let link = stop.key.map { "<a href=\(Address("/stops", $0))>\(name)</a>" as HTML }
            return "<li>\(TravelLook.tint(line.colour))\(link ?? "\(name)")</li>"
        }
        let variants: HTML = "<p class=\"hint\">\(context.say(LinesTexts.variants))</p>"
        let heading = LinesTexts.direction(shortPlace(direction.headsign))
        return """
            <h2>\(context.say(heading))</h2>
            <p>\(times(direction).map(context.say).joined(separator: " · "))</p>
            \(HTML.when(direction.hasVariants, variants))
            <ol class="line-stops \(TravelLook(line.mode).style(line.colour))">\(stops)</ol>
            """
    }

    /// The first and the last departure, and the headway.
    private func times(_ direction: LineDirection) -> [Text] {
        guard let first = direction.departures.first, let last = direction.departures.last else {
            return [LinesTexts.notToday]
        }
        let often = direction.headwaySeconds.map { LinesTexts.every(max(1, ($0 + 30) / 60)) }
        return [
            LinesTexts.first(clockTime(first)), LinesTexts.last(clockTime(last)),
            often ?? LinesTexts.departures(direction.departures.count),
        ]
    }

    /// The route with its stops; those of both directions only once.
    func scene(_ directions: [LineDirection], _ line: TransitLine) -> MapScene {
        var known: Set<String> = []
        let marks = directions.flatMap(\.stops).compactMap { stop -> MapScene.Mark? in
            guard let at = stop.coordinate, known.insert(stop.key ?? stop.name).inserted else {
                return nil
            }
            return MapScene.Mark(.stop, at: at, Text(same: shortPlace(stop.name)))
        }
        let kind = TravelLook(line.mode).kind
        let lines = directions.filter { $0.geometry.count > 1 }.map { direction in
            MapScene.Line(kind, direction.geometry, colour: line.colour)
        }
        return MapScene(marks, lines: lines)
    }
}
