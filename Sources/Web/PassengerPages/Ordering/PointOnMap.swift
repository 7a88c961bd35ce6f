import CityData
import Fares
import Geo
import HTTPTypes
import Markup
import Taxi
import TaxiPages
import WebCore

/// Choosing a point on a map that moves under a pin; without scripts, on a still picture that is a
/// button (R42, R43).
extension PassengerPages {
    /// The closest and the widest zoom: half the height of the visible section, in metres.
    private static let metres: ClosedRange<Int32> = 100...30_000
    /// The default zoom around a known place: half the height of the section, in metres.
    private static let usualMetres: Int32 = 400

    private func end(_ context: RequestContext) throws -> RideEnd {
        guard let end = RideEnd(rawValue: context.parameters["end"] ?? "") else {
            throw Failure.notFound
        }
        return end
    }

    /// The visible section of the map: the last one used, otherwise one around the known place.
    private func window(_ draft: OrderDraft, _ end: RideEnd) -> OrderDraft.Window? {
        if let window = draft.window { return window }
        if let place = draft[end].place ?? draft[.from].place {
            return OrderDraft.Window(
                latitude: place.latitude,
                longitude: place.longitude,
                metres: Self.usualMetres
            )
        }
        guard let middle = map.bounds?.centre else { return nil }
        return OrderDraft.Window(
            latitude: middle.latitude,
            longitude: middle.longitude,
            metres: 4_000
        )
    }

    private func box(_ window: OrderDraft.Window) -> BoundingBox {
        let middle = Coordinate(latitude: window.latitude, longitude: window.longitude)
        return BoundingBox(middle).expanded(byMetres: Double(window.metres))
    }

    func showPoint(_ context: RequestContext) async throws -> Response {
        let end = try end(context)
        let now = try await callingNow(context)
        if let refused = guestsRefused(now.policy, context) { return refused }
        let draft = draft(context) ?? OrderDraft()
        guard window(draft, end) != nil else {
            let page = message(PointTexts.title(end), PointTexts.noMap, context)
            return response(page, to: context)
        }
        let isLive = environment.leaflet != nil
        let words = draft[end].place.map { "\($0.called.text)" }
        var page = Page(
            PointTexts.title(end),
            body: """
                <h1>\(context.say(PointTexts.title(end)))</h1>
                \(HTML.when(isLive || words != nil, livePoint(end, words, context)))
                \(stillPoint(end, words, context))
                <p><a href="/taxi">\(context.say(PointTexts.write))</a></p>
                """
        )
        if isLive, let window = window(draft, end) {
            page.layout = .takeover
            page.map = pinMap(end, window, context)
        }
        page.hasForm = true
        return response(page, to: context)
    }

    /// The address below the pin and the button that takes it.
    ///
    /// A script tells where the pin is (`pin.js`); without scripts, the button takes the point that
    /// was pressed in the picture, and is there once there is one.
    private func livePoint(_ end: RideEnd, _ words: String?, _ context: RequestContext) -> HTML {
        let use = Button(PointTexts.use(end), look: .primary)
        return """
            <form method="post" id="pin"\(HTML.when(words == nil, " class=\"pin-live\"")) \
            action=\(Address("/taxi/point", end.rawValue))>
            \(context.formToken)
            <p class="lead" id="pin-address" role="status" \
            data-none="\(context.say(PointTexts.here))">\(words ?? context.say(PointTexts.drag))</p>
            <input type="hidden" name="latitude" value="">\
            <input type="hidden" name="longitude" value="">
            \(Dock(use.html(context)).html)
            </form>
            """
    }

    /// A picture that is a button, and buttons that move it.
    private func stillPoint(_ end: RideEnd, _ words: String?, _ context: RequestContext) -> HTML {
        let picture = Address("/taxi/point", end.rawValue, "map.svg")
        let chosen = words.map { PointTexts.chosen($0) }
        let moves = PointTexts.moves.map { name, words -> HTML in
            "<button name=\"move\" value=\"\(name)\">\(context.say(words))</button> "
        }
        return """
            <div class="pin-still">
            <p class="lead" role="status">\(context.say(chosen ?? PointTexts.none))</p>
            <p class="hint">\(context.say(PointTexts.lead))</p>
            <form method="post" action=\(Address("/taxi/point", end.rawValue))>
            \(context.formToken)
            \(PressedPicture.button(picture, PointTexts.picture, context))
            <p class="actions">\(moves)</p>
            </form></div>
            """
    }

    /// The map that moves under the pin.
    private func pinMap(
        _ end: RideEnd,
        _ window: OrderDraft.Window,
        _ context: RequestContext
    ) -> HTML {
        let middle = Coordinate(latitude: window.latitude, longitude: window.longitude)
        let at = "\(middle.latitudeDegrees),\(middle.longitudeDegrees)"
        let zoom = window.metres > Self.usualMetres ? 14 : 17
        return """
            <div data-map="pin" data-pin="\(end == .from ? "meeting" : "destination")" \
            data-at="\(at)" data-zoom="\(zoom)" \
            data-locate="\(context.say(LocatingTexts.useMyLocation))"></div>
            """
    }

    func takePoint(_ context: RequestContext) async throws -> Response {
        let end = try end(context)
        let now = try await callingNow(context)
        if let refused = guestsRefused(now.policy, context) { return refused }
        var draft = draft(context) ?? OrderDraft()
        guard var window = window(draft, end) else { throw Failure.notFound }
        if let move = context.form["move"] {
            self.move(&window, move, around: draft[end].place?.coordinate)
        } else if let place = PressedPicture.place(in: box(window), context.form) {
            take(place, end, &draft)
        } else if context.form["point.x"] == nil, let latitude = context.form["latitude"] {
            let longitude = context.form["longitude"] ?? ""
            let place = PlaceSearch.coordinates(latitude: latitude, longitude: longitude)
            if let place { take(place, end, &draft) }
            // The button has said what happens: the order goes on.
            let next = draft[end].place == nil ? context.path : "/taxi"
            return Response.redirect(to: Address(withinServer: next) ?? Address("/taxi"))
                .setting(orderCookie(draft, context))
        } else {
            throw Failure.badRequest
        }
        draft.window = window
        return Response.redirect(to: Address("/taxi/point", end.rawValue))
            .setting(orderCookie(draft, context))
    }

    private func take(_ place: Coordinate, _ end: RideEnd, _ draft: inout OrderDraft) {
        let chosen = placeSearch.chosen(place)
        let typed = String(chosen.called.text.prefix(OrderDraft.Wish.limit))
        draft[end] = OrderDraft.Wish(typed: typed, place: chosen)
    }

    /// Moves or zooms the section; zooming keeps a pin that is in the picture in its centre.
    private func move(
        _ window: inout OrderDraft.Window,
        _ move: String,
        around pin: Coordinate?
    ) {
        let box = box(window)
        if let pin, ["in", "out"].contains(move), PressedPicture.shows(pin, in: box) {
            (window.latitude, window.longitude) = (pin.latitude, pin.longitude)
        }
        switch move {
        case "in": window.metres = max(Self.metres.lowerBound, window.metres / 2)
        case "out": window.metres = min(Self.metres.upperBound, window.metres * 2)
        case "north": window.latitude = box.north
        case "south": window.latitude = box.south
        case "east": window.longitude = box.east
        case "west": window.longitude = box.west
        default: break
        }
    }

    func pointPicture(_ context: RequestContext) throws -> Response {
        let end = try end(context)
        let draft = draft(context) ?? OrderDraft()
        let points = RideEnd.allCases.compactMap { end in draft[end].place.map { (end, $0) } }
        let picture = MapPicture(
            of: window(draft, end).map(box),
            pixelsWide: PressedPicture.side,
            pixelsHigh: PressedPicture.side,
            overlays: points.map { shown, place in
                MapPicture.Overlay(.point(place.coordinate), isFaint: shown != end)
            },
            title: context.say(MapTexts.map)
        )
        return privatePicture(picture)
    }
}
