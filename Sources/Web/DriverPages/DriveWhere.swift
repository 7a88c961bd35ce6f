import Chronology
import CityData
import Dispatching
import Encoding
import Fares
import Geo
import HTTPTypes
import Localization
import Markup
import Positions
import Taxi
import TaxiPages
import WebCore
import Zones

extension DriverPages {
    /// "Where are you?", for drivers without scripts or a location service: they enter an address
    /// or point on the map, and confirm the place as passengers do (R43, R45).
    func showWhere(_ context: RequestContext, _ driver: WorkingDriver) async throws -> Response {
        response(try await wherePage(context, driver), to: context)
    }

    private func wherePage(
        _ context: RequestContext,
        _ driver: WorkingDriver,
        problem: Text? = nil
    ) async throws -> Page {
        let typed = String((context.query["q"] ?? "").trimmingBlanks().prefix(256))
        var box = pictureBox(context, driver)
        var page: Page
        let pointed = box.flatMap { PressedPicture.place(in: $0, context.query) }
        if let pointed {
            page = confirmation(of: pointed, context)
            box = BoundingBox(pointed).expanded(byMetres: 200)
        } else {
            page = Page(
                WhereTexts.title,
                body: """
                    \(problem.map { problem -> HTML in
                        "<p class=\"notice bad\" role=\"alert\">\(context.say(problem))</p>"
                    })
                    <h1>\(context.say(WhereTexts.title))</h1>
                    <p class="lead">\(context.say(positionText(driver, at: context.now))).</p>
                    \(stillThere(driver, context))
                    \(searchForm(typed, context))
                    \(matches(typed, driver, context))
                    """
            )
        }
        page.body += pointForm(box, pointed, context) ?? .empty
        page.body += "<p><a href=\"/drive\">\(context.say(DriveTexts.back))</a></p>"
        page.hasForm = true
        if problem != nil { page.status = .conflict }
        return page
    }

    /// The way to this page, with the age and accuracy of the last position.
    func whereRow(_ driver: WorkingDriver, _ context: RequestContext) -> Row {
        Row(
            .locate,
            "\(context.say(WhereTexts.correct))",
            detail: "\(context.say(positionText(driver, at: context.now)))",
            address: Address("/drive/where")
        )
    }

    /// A single button for drivers who have not moved.
    private func stillThere(_ driver: WorkingDriver, _ context: RequestContext) -> HTML? {
        guard let place = drivers.source(of: driver)?.stated else { return nil }
        return driveButton(
            Address("/drive/where"),
            WhereTexts.still,
            context,
            fields: placeFields(place)
        )
    }

    // MARK: Entering an address

    private func searchForm(_ typed: String, _ context: RequestContext) -> HTML {
        let field = Field(
            name: "q",
            label: WhereTexts.address,
            hint: WhereTexts.addressHint(coordinatesExample),
            value: typed,
            autocomplete: "off"
        )
        return """
            <form class="fields" method="get" action="/drive/where">\(field.html(context))
            <button class="drive\(HTML.when(typed.isEmpty, " primary"))">\
            \(context.say(WhereTexts.search))</button></form>
            """
    }

    /// The places that match an address, each with its own button.
    private func matches(
        _ typed: String,
        _ driver: WorkingDriver,
        _ context: RequestContext
    ) -> HTML? {
        guard !typed.isEmpty else { return nil }
        var found: [(label: String, place: Coordinate)] = []
        if let place = PlaceSearch.coordinates(typed) {
            found = [(PlaceDescription(nil, at: place).text, place)]
        } else {
            let matches = placeSearch.matches(typed, near: driver.view.position?.place)
            found = matches.map { ($0.label, $0.coordinate) }
        }
        guard !found.isEmpty else {
            return "<p class=\"notice warn\">\(context.say(WhereTexts.noMatch))</p>"
        }
        let items = found.map { label, place -> HTML in
            """
            <li>\(driveButton(
                Address("/drive/where"),
                Text(same: label),
                context,
                look: "drive",
                fields: placeFields(place)
            ))</li>
            """
        }
        return """
            <h2>\(context.say(WhereTexts.which))</h2><ul class="choices">\(items)</ul>
            """
    }

    private func placeFields(_ place: Coordinate) -> HTML {
        """
        <input type="hidden" name="latitude" value="\(place.latitude)">\
        <input type="hidden" name="longitude" value="\(place.longitude)">
        """
    }

    // MARK: Choosing a point on the map

    /// The area that the map shows: the one in the address, or else the driver's
    /// surroundings, or else the city.
    private func pictureBox(_ context: RequestContext, _ driver: WorkingDriver) -> BoundingBox? {
        let named = (context.query["box"] ?? "").split(separator: ",").map { Int32($0) }
        if named.count == 4, let south = named[0], let west = named[1], let north = named[2],
            let east = named[3], south < north, west < east,
            Coordinate(latitude: south, longitude: west).isOnEarth,
            Coordinate(latitude: north, longitude: east).isOnEarth
        {
            return BoundingBox(south: south, west: west, north: north, east: east)
        }
        if let place = driver.view.position?.place {
            return BoundingBox(place).expanded(byMetres: 1_500)
        }
        let areas = taxi.zonesInForce?.zones.compactMap(\.area.bounds) ?? []
        return areas.reduce(nil as BoundingBox?) { all, area in
            guard var all else { return area }
            all.extend(to: area)
            return all
        } ?? map.bounds
    }

    /// The map as an image button: the driver presses their position.
    private func pointForm(
        _ box: BoundingBox?,
        _ pointed: Coordinate?,
        _ context: RequestContext
    ) -> HTML? {
        guard let box else { return nil }
        let text = [box.south, box.west, box.north, box.east].map { "\($0)" }
            .joined(separator: ",")
        let here = pointed.map { "\($0.latitude),\($0.longitude)" } ?? ""
        let address = Address("/drive/where.svg", query: ["box": text, "here": here])
        let title = pointed == nil ? WhereTexts.onMap : WhereTexts.better
        return """
            <h2>\(context.say(title))</h2>
            <form method="get" action="/drive/where">
            <input type="hidden" name="box" value="\(text)">
            \(PressedPicture.button(address, WhereTexts.press, context))</form>
            """
    }

    /// Asks the driver to confirm the place, which is shown with its address.
    private func confirmation(of place: Coordinate, _ context: RequestContext) -> Page {
        let label = placeSearch.chosen(place).words
        return Page(
            WhereTexts.check,
            body: """
                <h1>\(context.say(WhereTexts.check))</h1>
                <p class="lead">\(PlaceDescription(label, at: place).text)</p>
                \(driveButton(
                    Address("/drive/where"),
                    WhereTexts.yes,
                    context,
                    fields: placeFields(place)
                ))
                <p><a href="/drive/where">\(context.say(WhereTexts.otherwise))</a></p>
                """
        )
    }

    /// The map image on which the driver points.
    func showWhereMap(_ context: RequestContext, _ driver: WorkingDriver) async throws -> Response {
        var overlays: [MapPicture.Overlay] = []
        let here = (context.query["here"] ?? "").split(separator: ",").compactMap { Int32($0) }
        if here.count == 2 {
            let place = Coordinate(latitude: here[0], longitude: here[1])
            if place.isOnEarth { overlays.append(MapPicture.Overlay(.point(place))) }
        }
        return driveMap(
            of: pictureBox(context, driver),
            overlays,
            context,
            side: PressedPicture.side
        )
    }

    // MARK: Reporting the stated place

    /// Reports the place that the driver states: a position report with lower accuracy.
    ///
    /// A measured position that is accurate enough to prove an arrival takes precedence, since a
    /// taxi cannot be in two places at once.
    func statePlace(_ context: RequestContext, _ driver: WorkingDriver) async throws -> Response {
        guard let latitude = context.form["latitude"].flatMap({ Int32($0) }),
            let longitude = context.form["longitude"].flatMap({ Int32($0) })
        else { throw Failure.badRequest }
        let place = Coordinate(latitude: latitude, longitude: longitude)
        guard place.isOnEarth else { throw Failure.badRequest }
        let stale = driver.view.policy[.stale]
        let exact = Double(driver.view.policy[.reachRadius])
        let measured = drivers.source(of: driver).flatMap { source in
            source.stated == nil && context.now < source.at.adding(seconds: stale) ? source : nil
        }
        if let measured, (measured.accuracyMetres ?? 0) <= exact {
            let page = try await wherePage(context, driver, problem: WhereTexts.isMeasured)
            return response(page, to: context)
        }
        let faults = try report(stated: place, driver, context)
        // A jump is accepted once the next report confirms it. The page that follows repeats the
        // report, unless a device keeps reporting a different place.
        let final = measured == nil ? faults.subtracting([.leap, .outdated]) : faults
        if let fault = final.first {
            return response(try await wherePage(context, driver, problem: fault.text), to: context)
        }
        let source = DriverCache.Source(
            driver: driver.person,
            at: context.now,
            accuracyMetres: DriverCache.statedAccuracy,
            stated: place
        )
        drivers.note(source, of: driver.number)
        return driveOn("placed", context)
    }
}

extension WhereTexts {
    static func stated(_ time: String) -> Text {
        WhereTexts.positionEntered(time, Int(DriverCache.statedAccuracy))
    }
    static func measured(secondsAgo: Int64, metres: Int64?) -> Text {
        let exact = metres.map { ", ±\($0) m" } ?? ""
        if secondsAgo < 5 { return WhereTexts.positionJustNow(exact) }
        return WhereTexts.lastPositionAgo(CommonTexts.duration(seconds: secondsAgo), exact)
    }
}

extension DriverPages {
    /// Repeats the stated place of a driver whose device does not measure positions.
    ///
    /// Only the driver's page does so, as it refreshes for as long as the driver has it open. It
    /// therefore counts as a report by the driver, and must not override what the driver or the
    /// device has just sent.
    func repeatStatedPlace(_ driver: WorkingDriver, _ context: RequestContext) {
        guard let place = drivers.statedPlace(by: driver, at: context.now) else { return }
        // Errors in a repetition were already reported for the original.
        _ = try? report(stated: place, driver, context)
    }

    /// Reports a place stated by the driver, as a position with lower accuracy.
    ///
    /// - Returns: the errors in the report.
    func report(
        stated place: Coordinate,
        _ driver: WorkingDriver,
        _ context: RequestContext
    ) throws -> Set<PositionFault> {
        let report = PositionReport(
            at: context.now,
            place: place,
            accuracyMetres: DriverCache.statedAccuracy,
            isStated: true
        )
        return try taxi.report(
            PositionBatch(taxi: driver.number, sentAt: context.now, reports: [report])
        )
    }
}

extension DriverCache {
    /// The source of a driver's last position.
    func source(of driver: WorkingDriver) -> Source? {
        source(of: driver.number, drivenBy: driver.person)
    }

    /// The place that a driver stated, if it is still valid at the given time.
    func statedPlace(by driver: WorkingDriver, at now: Moment) -> Coordinate? {
        guard let source = source(of: driver), let place = source.stated,
            now < source.at.adding(seconds: Self.statedSeconds)
        else { return nil }
        return place
    }
}

extension DriverPages {
    /// The pixel at which the map was pressed.
    static let pressedQuery: [InputField] = ["point.x", "point.y"].map {
        .query($0, .number(0...Int64(PressedPicture.side - 1)), "The pixel pressed on the map.")
    }
}

extension InputField {
    /// The part of the city that the map shows.
    static let box = query(
        "box",
        .text(60),
        "South, west, north and east of the map, in 1e-7 degrees."
    )
}
