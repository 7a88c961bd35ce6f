import Chronology
import CityData
import HTTPTypes
import Localization
import Markup
import TaxiPages
import TripPlanning
import WebCore

extension TravelPages {
    /// The greatest distance of the stops that are shown, in metres, and their greatest number.
    private static let around: (metres: Double, stops: Int) = (1_000, 8)
    /// How far ahead departures are shown beside a stop, in seconds.
    private static let soon: Int64 = 3_600
    /// The greatest number of directions beside a stop, and of departures in each.
    private static let most = (directions: 4, departures: 3)

    /// The page that asks for a place.
    func nearForm(
        _ draft: OrderDraft,
        _ known: KnownPlaces,
        _ problem: Text?,
        _ context: RequestContext
    ) -> Page {
        guard !context.cities.isEmpty else { return noTimetables(context) }
        var page = Page(
            StopsTexts.title,
            body: """
                <h1>\(context.say(StopsTexts.title))</h1>
                \(form(draft, known, problem, context))
                """
        )
        let still = Address("/stops/map.svg")
        page.map = tripMap(nearScene(draft), still: still, context)
        page.layout = .mapSheet
        page.hasForm = true
        if problem != nil { page.status = .unprocessableContent }
        return page
    }

    /// The page of a server without timetables.
    func noTimetables(_ context: RequestContext) -> Page {
        message(StopsTexts.noCity, icon: .clock, StopsTexts.noCityLead, context)
    }

    private func form(
        _ draft: OrderDraft,
        _ known: KnownPlaces,
        _ problem: Text?,
        _ context: RequestContext
    ) -> HTML {
        var field = Field(
            name: RideEnd.from.rawValue,
            label: StopsTexts.near,
            hint: placeHint,
            value: draft[.from].typed,
            error: problem
        )
        field.placeholder = OrderTexts.place
        let others = [
            Chip(ReachTexts.title, icon: .area, .link(JourneyForm.reach.address)),
            Chip(LinesTexts.all, icon: .lines, .link(Address("/lines"))),
        ]
        return onlyPlaceForm(
            .stops,
            [field],
            PlanSheet(draft, known, OrderProblems()),
            Button(StopsTexts.show, look: .primary),
            after: Chips(others).html(context),
            context
        )
    }

    /// A form that begins with one place.
    ///
    /// - Parameters:
    ///   - form: the form.
    ///   - fields: the place, then the other fields.
    ///   - sheet: the contents of the form.
    ///   - button: the label of its button.
    ///   - content: what follows the place: the other fields, and links.
    ///   - isSheet: whether the form is the page's main content, so that its button stays on
    ///     screen.
    ///   - context: the visitor's request.
    /// - Returns: the form, after the summary of its errors.
    func onlyPlaceForm(
        _ form: JourneyForm,
        _ fields: [Field],
        _ sheet: PlanSheet,
        _ button: Button,
        after content: HTML,
        isSheet: Bool = true,
        _ context: RequestContext
    ) -> HTML {
        let address = form.address
        let all = FormPage(
            action: address,
            fields: fields,
            button: button.label,
            busy: PlanTexts.busy
        )
        let route = RouteField(
            from: fields[0],
            to: nil,
            locating: "<span id=\"locating\"></span>",
            submits: button.label
        )
        var button = button
        button.isWide = true
        let show = button.html(context)
        return """
            \(all.summary(context))
            <form class="fields order" method="post" action=\(address) novalidate>
            \(context.formToken)
            \(route.html(context.refilling(address)))
            <p class="hint" id="located" role="status"></p>
            \(placeChips(sheet.known, sheet.draft, hasDestination: false, for: form, context))
            \(Self.locatingFields)
            \(content)
            \(context.languageButtons(address))
            \(isSheet ? Dock(show).html : show)
            </form>
            \(locatingScript(allowedMetres: Self.allowedMetres, context))
            """
    }

    /// The stops around a place.
    func near(
        _ place: ResolvedPlace,
        _ context: RequestContext
    ) -> [(stop: StopPlace, metres: Double)] {
        guard let centre = place.coordinate, let guide = context.cities.guide(at: centre) else {
            return []
        }
        return guide.stops(
            near: centre,
            withinMetres: Self.around.metres,
            limit: Self.around.stops,
            language: context.language.rawValue
        )
    }

    /// The stops near a place with their next departures, the nearest first.
    func nearPage(_ place: ResolvedPlace, _ context: RequestContext) -> Page {
        let name = shortPlace(place.name)
        let title = StopsTexts.titleNear(name)
        let stops = near(place, context)
        let now = Instant(context.now)
        let guide = place.coordinate.flatMap(context.cities.guide)
        let rows = stops.map { stop, metres -> HTML in
            let boards =
                guide?.board(
                    of: stop,
                    in: now..<now.adding(seconds: Self.soon),
                    language: context.language.rawValue
                ) ?? []
            return row(stop, metres, boards, context)
        }
        let none = EmptyState(
            .bus,
            StopsTexts.none,
            StopsTexts.noneLead(CommonTexts.distance(Int64(Self.around.metres)))
        )
        let another = Button.Target.link(JourneyForm.stops.address)
        var page = Page(
            title,
            body: """
                \(Button(StopsTexts.title, another, look: .plain, icon: .back).html(context))
                <h1>\(context.say(title))</h1>
                \(rentalsLink(context))
                \(HTML.when(rows.isEmpty, none.html(context)))
                \(HTML.when(!rows.isEmpty, "<ul class=\"options\">\(rows)</ul>"))
                """
        )
        let still = Address("/stops/near", context.parameters["place"] ?? "", "map.svg")
        page.map = tripMap(nearScene(place, stops), still: still, context)
        page.layout = .mapSheet
        return page
    }

    /// A stop: its name and distance, the next departures, and its other lines.
    private func row(
        _ stop: StopPlace,
        _ metres: Double,
        _ boards: [DirectionBoard],
        _ context: RequestContext
    ) -> HTML {
        let shown = boards.prefix(Self.most.directions)
        let next = shown.map { board -> HTML in
            let times = board.departures.prefix(Self.most.departures).map { clockTime($0.time) }
            return """
                <span class="leaving">\(board.line.mark(nil, context)) \
                <span>\(shortPlace(board.headsign))</span> \
                <b class="number">\(times.joined(separator: " · "))</b></span>
                """
        }
        let others = stop.lines.filter { line in !shown.contains { $0.line.id == line.id } }
            .prefix(Self.mostMarks).map { $0.mark(isShort: true, context) }
        let distance = StopsTexts.away(CommonTexts.distance(Int64(metres)))
        return """
            <li><a class="option" href=\(Address("/stops", stop.key))>\
            <span><b>\(shortPlace(stop.name))</b> <small>\(context.say(distance))</small></span> \
            \(next) \(HTML.when(!others.isEmpty, "<span class=\"marks\">\(others)</span>"))</a></li>
            """
    }

    /// The greatest number of lines beside a stop in a list.
    private static let mostMarks = 12

    // MARK: The map

    /// The place that is known.
    func nearScene(_ draft: OrderDraft) -> MapScene {
        MapScene(
            [
                draft[.from].place.map {
                    MapScene.Mark(.meeting, at: $0.coordinate, StopsTexts.place)
                }
            ]
            .compactMap(\.self)
        )
    }

    /// The stops around a place.
    func nearScene(
        _ place: ResolvedPlace,
        _ stops: [(stop: StopPlace, metres: Double)]
    ) -> MapScene {
        let marks = stops.reversed().map { stop, _ in
            MapScene.Mark(.stop, at: stop.coordinate, Text(same: shortPlace(stop.name)))
        }
        let centre = place.coordinate.map {
            MapScene.Mark(.meeting, at: $0, Text(same: shortPlace(place.name)))
        }
        return MapScene(marks + [centre].compactMap(\.self))
    }
}
