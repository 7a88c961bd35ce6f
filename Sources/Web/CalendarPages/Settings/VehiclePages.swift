import Agenda
import Chronology
import DayPlanning
import Fares
import HTTPTypes
import Localization
import Markup
import TaxiPages
import WebCore

/// Where the own car and bicycle stand, and whether they are used (V65, V77, V79).
extension CalendarPages {
    var vehicleRoutes: [Route] {
        [
            .get("/calendar/vehicles", as: "calendar.vehicles", for: .person) { context, person in
                let (settings, spots) = try await vehicles(context, person)
                return response(vehiclesPage(settings, spots, context), to: context)
            }
            .taking([.notice]),
            .get("/calendar/vehicles/{vehicle}", as: "calendar.vehicle.form", for: .person) {
                context,
                person in
                try await showVehicle(context, person)
            }
            .taking(Self.vehicle)
            .taking([.query("chosen", .flag("yes"), "Whether a point on the map was chosen.")]),
            .post(
                "/calendar/vehicles/{vehicle}",
                as: "calendar.vehicle",
                for: .person,
                takeVehicle
            )
            .taking(Self.vehicle).taking(.place)
            .taking([
                .set("used", .flag("yes"), "Whether the person travels by it."),
                .set("here", .flag("yes"), "Whether the person is where it stands now."),
                .set("point", .flag("yes"), "Whether to choose the place on the map."),
            ]),
            .get(
                "/calendar/vehicles/{vehicle}/point/{end}",
                as: "calendar.vehicle.point.form",
                for: .person
            ) { context, _ in
                try showPoint(for: .vehicle(try vehicle(context)), context)
            }
            .taking(Self.vehicle + [.end]),
            .post(
                "/calendar/vehicles/{vehicle}/point/{end}",
                as: "calendar.vehicle.point",
                for: .person
            ) { context, _ in
                try takePoint(for: .vehicle(try vehicle(context)), context)
            }
            .taking(Self.vehicle).taking(.mapPoint)
            .repeated(because: "it sets a cookie with the point, however often"),
            .get(
                "/calendar/vehicles/{vehicle}/point/{end}/map.svg",
                as: "calendar.vehicle.point.map.svg",
                for: .person
            ) { context, _ in
                _ = try vehicle(context)
                return try pointPicture(context)
            }
            .taking(Self.vehicle + [.end])
            .answering(.picture),
        ] + deviceRoutes
    }

    /// The vehicle in the address.
    static let vehicle = [
        InputField.path(
            "vehicle",
            .choice(TravelMeans.vehicles.map(\.rawValue)),
            "The car or the bicycle."
        )
    ]

    func vehicle(_ context: RequestContext) throws(Failure) -> TravelMeans {
        guard let vehicle = TravelMeans(rawValue: context.parameters["vehicle"] ?? ""),
            TravelMeans.vehicles.contains(vehicle)
        else { throw .notFound }
        return vehicle
    }

    /// How a person travels, and where the vehicles stand today.
    private func vehicles(
        _ context: RequestContext,
        _ person: SignedIn
    ) async throws -> (TravelSettings, [TravelMeans: SettingsPlace]) {
        let settings = try await agenda.settings(of: person.person)
        let today = cityDay(context.now)
        return (settings, try await spots(of: person.person, on: today, settings))
    }

    private static func name(of vehicle: TravelMeans) -> Text {
        vehicle == .car ? VehicleTexts.car : VehicleTexts.bicycle
    }

    // MARK: The list

    private func vehiclesPage(
        _ settings: TravelSettings,
        _ spots: [TravelMeans: SettingsPlace],
        _ context: RequestContext
    ) -> Page {
        let rows = TravelMeans.vehicles.map { vehicle -> Row in
            let isUsed = settings.means.contains(vehicle)
            let place = spots[vehicle].map { VehicleTexts.standsAt(shortPlace($0.name)) }
            let text = isUsed ? place ?? VehicleTexts.unknown : VehicleTexts.notUsed
            return Row(
                vehicle == .car ? .car : .bicycle,
                "\(context.say(Self.name(of: vehicle)))",
                detail: "\(context.say(text))",
                address: Address("/calendar/vehicles", vehicle.rawValue)
            )
        }
        return Page(
            VehicleTexts.title,
            body: """
                <div class="narrow">
                \(consoleNotice(Self.notices, context))
                <h1>\(context.say(VehicleTexts.title))</h1>
                <p class="lead">\(context.say(VehicleTexts.lead))</p>
                \(Rows(rows).html)
                <p><a href="/calendar/settings">\(context.say(CalendarTexts.settings))</a></p>
                </div>
                """
        )
    }

    // MARK: One vehicle

    private func showVehicle(
        _ context: RequestContext,
        _ person: SignedIn
    ) async throws -> Response {
        let vehicle = try vehicle(context)
        let (settings, spots) = try await vehicles(context, person)
        var form = VehicleForm(vehicle, settings, spots[vehicle])
        form.device = try await agenda.devices(of: person.person)[vehicle]
        // The point that was chosen is shown once, and saved by the form.
        guard context.query["chosen"] == "yes", var draft = draft(context),
            let place = draft[.from].place
        else { return response(vehiclePage(form, context), to: context) }
        let name = String(place.called.text.prefix(EntryDetails.placeLimit))
        form.place = PlaceInput(text: name, found: (name, place.coordinate))
        draft[.from] = OrderDraft.Wish()
        draft.window = nil
        return response(vehiclePage(form, context), to: context)
            .setting(orderCookie(draft, context))
    }

    /// Leads to the map, around the place that the form has.
    private func chooseOnMap(_ form: VehicleForm, _ context: RequestContext) -> Response {
        var draft = draft(context) ?? OrderDraft()
        let known = form.place.found.map { ChosenPlace($0.position, words: $0.name) }
        let typed = String(form.place.text.prefix(OrderDraft.Wish.limit))
        draft[.from] = OrderDraft.Wish(typed: known == nil ? "" : typed, place: known)
        draft.window = nil
        return Response.redirect(to: JourneyForm.vehicle(form.vehicle).point(.from))
            .setting(orderCookie(draft, context))
    }

    private func vehiclePage(_ form: VehicleForm, _ context: RequestContext) -> Page {
        var fields = form.place.fields(
            VehicleTexts.place,
            VehicleTexts.placeHint,
            isRequired: false,
            form.problems
        )
        fields += [
            Field(
                name: "here",
                label: VehicleTexts.now,
                kind: .several([("yes", VehicleTexts.here)]),
                value: form.isHere ? "yes" : ""
            ),
            Field(
                name: "used",
                label: VehicleTexts.use,
                kind: .several([("yes", VehicleTexts.used)]),
                value: form.isUsed ? "yes" : "",
                error: form.problems["used"]
            ),
        ]
        var all = FormPage(
            action: Address("/calendar/vehicles", form.vehicle.rawValue),
            fields: fields,
            button: CommonTexts.save,
            busy: EntryTexts.saving
        )
        all.extra = "\(form.place.hidden)"
        let map = Button(VehicleTexts.onMap, .submit(name: "point", value: "yes"), icon: .pin)
        all.otherButtons = map.html(context)
        var page = formPage(Self.name(of: form.vehicle), lead: VehicleTexts.oneLead, all, context)
        page.body += deviceSection(form.device, form.vehicle, context)
        page.body += locatingScript(allowedMetres: -1, context)
        if !form.problems.isEmpty { page.status = .unprocessableContent }
        return page
    }

    private func takeVehicle(
        _ context: RequestContext,
        _ person: SignedIn
    ) async throws -> Response {
        let vehicle = try vehicle(context)
        var form = VehicleForm(vehicle, context.form)
        if context.form["point"] == "yes" { return chooseOnMap(form, context) }
        form.device = try await agenda.devices(of: person.person)[vehicle]
        let place = typedSpot(&form.place, context, &form.problems)
        var settings = try await agenda.settings(of: person.person)
        settings.parked[vehicle] = place.flatMap { spot in
            spot.position == settings.base?.position
                ? nil : ParkedVehicle(at: spot, since: Instant(context.now))
        }
        if form.isHere, place == nil, form.problems.isEmpty {
            form.problems["place"] = VehicleTexts.sayWhere
        }
        if form.isUsed, settings.base == nil {
            form.problems["used"] = TravelSettingsTexts.vehicleBase
        }
        if !form.isUsed, settings.means == [vehicle] {
            form.problems["used"] = TravelSettingsTexts.noMeans
        }
        guard form.problems.isEmpty else {
            return response(vehiclePage(form, context), to: context)
        }
        if form.isUsed { settings.means.insert(vehicle) } else { settings.means.remove(vehicle) }
        try await agenda.keep(settings, of: person.person)
        if form.isHere, let place { return try await setOut(from: place, context, person) }
        return .redirect(to: Address("/calendar/vehicles", query: ["notice": "vehicle"]))
    }
}

/// What is said about a vehicle.
private struct VehicleForm {
    let vehicle: TravelMeans
    var place: PlaceInput
    var isUsed: Bool
    var isHere = false
    /// The device that says where it is; nil without one.
    var device: PairedDevice?
    var problems: [String: Text] = [:]

    init(_ vehicle: TravelMeans, _ settings: TravelSettings, _ spot: SettingsPlace?) {
        self.vehicle = vehicle
        place = PlaceInput(text: spot?.name ?? "", found: spot.map { ($0.name, $0.position) })
        isUsed = settings.means.contains(vehicle)
    }

    init(_ vehicle: TravelMeans, _ form: Form) {
        self.vehicle = vehicle
        place = PlaceInput(form)
        isUsed = form["used"] == "yes"
        isHere = form["here"] == "yes"
    }
}

extension JourneyForm {
    /// The form in which a vehicle's place is chosen.
    fileprivate static func vehicle(_ vehicle: TravelMeans) -> JourneyForm {
        vehicle == .car ? .car : .bicycle
    }
}

extension TravelMeans {
    /// The means that stay where they are left.
    static let vehicles: [TravelMeans] = [.car, .bicycle]
}
