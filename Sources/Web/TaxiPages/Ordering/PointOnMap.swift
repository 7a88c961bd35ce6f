import CityData
import Fares
import Geo
import HTTPTypes
import Localization
package import Markup
package import WebCore

/// Choosing a point on a map that moves under a pin; without scripts, on a still picture that is a
/// button (R42, R43).
extension TaxiPageModule {
    /// The closest and the widest zoom: half the height of the visible section, in metres.
    private static var metres: ClosedRange<Int32> { 100...30_000 }
    /// The default zoom around a known place: half the height of the section, in metres.
    private static var usualMetres: Int32 { 400 }

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

    /// Shows the map on which one end of a journey is chosen.
    package func showPoint(for form: JourneyForm, _ context: RequestContext) throws -> Response {
        pointPage(for: form, try end(context), draft(context) ?? OrderDraft(), context)
    }

    /// The map on which one end of a journey is chosen.
    ///
    /// - Parameters:
    ///   - form: the form that the point is for.
    ///   - end: the end that is chosen.
    ///   - draft: the place that is known, and the section of the map.
    ///   - typed: hidden fields with what was typed in the form; empty if the draft has it all.
    ///   - context: the request.
    /// - Returns: the page.
    package func pointPage(
        for form: JourneyForm,
        _ end: RideEnd,
        _ draft: OrderDraft,
        carrying typed: HTML = .empty,
        _ context: RequestContext
    ) -> Response {
        let title = PointTexts.title(end, form)
        guard window(draft, end) != nil else {
            return response(message(title, PointTexts.noMap, context), to: context)
        }
        let isLive = environment.leaflet != nil
        let words = draft[end].place.map { "\($0.called.text)" }
        var page = Page(
            title,
            body: """
                <h1>\(context.say(title))</h1>
                \(HTML.when(isLive || words != nil, livePoint(form, end, words, typed, context)))
                \(stillPoint(form, end, words, typed, context))
                \(wayBack(form, typed, context))
                """
        )
        if isLive, let window = window(draft, end) {
            page.layout = .takeover
            page.map = pinMap(end, window, context)
        }
        page.hasForm = true
        return response(page, to: context)
    }

    /// The way back to the form, without a point.
    private func wayBack(_ form: JourneyForm, _ typed: HTML, _ context: RequestContext) -> HTML {
        let words = context.say(PointTexts.write)
        guard case .entry(let address) = form else {
            return "<p><a href=\(form.address)>\(words)</a></p>"
        }
        return """
            <form method="post" action=\(address)>\(context.formToken)\(typed)
            <p><button class="plain" name="point" value="back">\(words)</button></p></form>
            """
    }

    /// The address below the pin and the button that takes it.
    ///
    /// A script tells where the pin is (`pin.js`); without scripts, the button takes the point that
    /// was pressed in the picture, and is there once there is one.
    private func livePoint(
        _ form: JourneyForm,
        _ end: RideEnd,
        _ words: String?,
        _ typed: HTML,
        _ context: RequestContext
    ) -> HTML {
        let use = Button(PointTexts.use(end, form), look: .primary)
        return """
            <form method="post" id="pin"\(HTML.when(words == nil, " class=\"pin-live\"")) \
            action=\(form.point(end))>
            \(context.formToken)\(typed)
            <p class="lead" id="pin-address" role="status" \
            data-none="\(context.say(PointTexts.here))">\(words ?? context.say(PointTexts.drag))</p>
            <input type="hidden" name="latitude" value="">\
            <input type="hidden" name="longitude" value="">
            \(Dock(use.html(context)).html)
            </form>
            """
    }

    /// A picture that is a button, and buttons that move it.
    private func stillPoint(
        _ form: JourneyForm,
        _ end: RideEnd,
        _ words: String?,
        _ typed: HTML,
        _ context: RequestContext
    ) -> HTML {
        let chosen = words.map { PointTexts.chosen($0) }
        let moves = PointTexts.moves.map { name, words -> HTML in
            "<button name=\"move\" value=\"\(name)\">\(context.say(words))</button> "
        }
        return """
            <div class="pin-still">
            <p class="lead" role="status">\(context.say(chosen ?? PointTexts.none))</p>
            <p class="hint">\(context.say(PointTexts.lead))</p>
            <form method="post" action=\(form.point(end))>
            \(context.formToken)\(typed)
            \(PressedPicture.button(form.pointPicture(end), PointTexts.picture, context))
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

    /// Answers the choice of a point: with the form, or with the map that has moved.
    package func takePoint(for form: JourneyForm, _ context: RequestContext) throws -> Response {
        let end = try end(context)
        var draft = draft(context) ?? OrderDraft()
        let isChosen = try takePoint(end, &draft, context)
        return Response.redirect(to: isChosen ? form.address : form.point(end))
            .setting(orderCookie(draft, context))
    }

    /// Takes what was pressed on the map into a draft.
    ///
    /// - Parameters:
    ///   - end: the end that is chosen.
    ///   - draft: receives the place, and the section of the map.
    ///   - context: the request.
    /// - Returns: whether the place is chosen, so that the form goes on.
    /// - Throws: `Failure` if nothing was pressed, or there is no map.
    package func takePoint(
        _ end: RideEnd,
        _ draft: inout OrderDraft,
        _ context: RequestContext
    ) throws -> Bool {
        guard var window = window(draft, end) else { throw Failure.notFound }
        if let move = context.form["move"] {
            self.move(&window, move, around: draft[end].place?.coordinate)
        } else if let place = PressedPicture.place(in: box(window), context.form) {
            take(place, end, &draft)
        } else if context.form["point.x"] == nil, let latitude = context.form["latitude"] {
            let longitude = context.form["longitude"] ?? ""
            let place = PlaceSearch.coordinates(latitude: latitude, longitude: longitude)
            if let place { take(place, end, &draft) }
            // The button has said what happens: the form goes on.
            return draft[end].place != nil
        } else {
            throw Failure.badRequest
        }
        draft.window = window
        return false
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

    /// Responds with the still picture of the map on which a point is chosen.
    package func pointPicture(_ context: RequestContext) throws -> Response {
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
