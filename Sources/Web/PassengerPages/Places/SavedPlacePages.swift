import CityData
import Fares
import Geo
import HTTPTypes
import Identity
import Localization
import Markup
import TaxiPages
import WebCore

/// The passenger's saved places (ui.md 4.3).
///
/// The account stores them under names that the passenger chooses, and the order form offers them
/// as one-tap choices.
extension PassengerPages {
    var savedPlaceRoutes: [Route] {
        [
            .get("/account/places", for: .person, showSavedPlaces),
            .post("/account/places", for: .person, keepPlace),
            .post("/account/places/remove", for: .person, removePlace),
        ]
    }

    /// The fields of the form for a new place, and their errors.
    private struct PlaceForm {
        var name = ""
        var typed = ""
        /// The matches of the text, if there are several.
        var matches: [AddressMatch] = []
        var nameError: Text?
        var placeError: Text?
        var problem: Text?

        var isWrong: Bool { nameError != nil || placeError != nil || problem != nil }
    }

    /// The visitor's saved places; empty for guests.
    func savedPlaces(_ visit: Visit) async throws -> [SavedPlace] {
        guard let person = visit.session?.person else { return [] }
        return try await accounts.places(of: person)
    }

    // MARK: The page

    private func showSavedPlaces(_ visit: Visit) async throws -> Reply {
        reply(try await savedPlacesPage(PlaceForm(), visit), to: visit)
    }

    private func savedPlacesPage(_ form: PlaceForm, _ visit: Visit) async throws -> Page {
        let places = try await savedPlaces(visit)
        let table: HTML =
            places.isEmpty
            ? "<p>\(visit.say(SavedPlaceTexts.none))</p>"
            : ConsoleTable(
                caption: CommonTexts.savedPlaces,
                heads: [SavedPlaceTexts.name, SavedPlaceTexts.address, SavedPlaceTexts.remove],
                rows: places.map { row($0, visit) },
                hidesCaption: true
            ).html(visit)
        var page = Page(
            CommonTexts.savedPlaces,
            body: """
                \(savedNotice(visit))
                <h1>\(visit.say(CommonTexts.savedPlaces))</h1>
                \(table)
                <h2>\(visit.say(SavedPlaceTexts.another))</h2>
                \(placeForm(form).html(visit))
                <p><a href="/taxi">\(visit.say(OrderTexts.title))</a></p>
                """
        )
        page.hasForm = true
        if form.isWrong { page.status = .unprocessableContent }
        return page
    }

    private func savedNotice(_ visit: Visit) -> HTML? {
        let words: Text? =
            switch visit.query["notice"] {
            case "kept": SavedPlaceTexts.kept
            case "removed": SavedPlaceTexts.removed
            default: nil
            }
        return words.map { words in
            "<div class=\"notice good\" role=\"status\"><p>\(visit.say(words))</p></div>"
        }
    }

    private func row(_ place: SavedPlace, _ visit: Visit) -> HTML {
        """
        <tr><th scope="row">\(place.name)</th><td>\(place.chosen.called.text)</td>\
        <td><form method="post" action="/account/places/remove">\(visit.formToken)\
        <input type="hidden" name="name" value="\(place.name)">\
        <button>\(visit.say(SavedPlaceTexts.removeNamed(place.name)))</button></form></td></tr>
        """
    }

    private func placeForm(_ form: PlaceForm) -> FormPage {
        var fields = [
            Field(
                name: "name",
                label: SavedPlaceTexts.name,
                hint: SavedPlaceTexts.nameHint,
                value: form.name,
                error: form.nameError
            ),
            Field(
                name: "place",
                label: SavedPlaceTexts.address,
                hint: city == nil ? OrderTexts.coordinatesOnly : OrderTexts.fromHint,
                value: form.typed,
                error: form.matches.isEmpty ? form.placeError : nil
            ),
        ]
        if !form.matches.isEmpty {
            fields.append(
                Field(
                    name: "match",
                    label: SavedPlaceTexts.which,
                    kind: .oneOf(placeSearch.choices(form.matches)),
                    error: form.placeError
                )
            )
        }
        var page = FormPage(
            action: Address("/account/places"),
            fields: fields,
            button: SavedPlaceTexts.keep,
            busy: OrderTexts.busy
        )
        page.problem = form.problem
        return page
    }

    // MARK: Actions

    private func keepPlace(_ visit: Visit, _ signedIn: SignedIn) async throws -> Reply {
        var form = PlaceForm()
        form.name = (visit.form["name"] ?? "").trimmed
        form.typed = String((visit.form["place"] ?? "").trimmed.prefix(OrderDraft.Wish.limit))
        let found = place(&form, visit.form["match"])
        let named = SavedPlace(
            name: form.name,
            latitude: found?.latitude ?? 0,
            longitude: found?.longitude ?? 0,
            words: found?.words ?? ""
        )
        switch FieldProblem.Kind(ofLine: form.name, most: SavedPlace.nameLimit) {
        case .missing, .tooLong: form.nameError = SavedPlaceTexts.badName(SavedPlace.nameLimit)
        case .some(let problem): form.nameError = problem.words(for: .name)
        case nil: break
        }
        if let named, form.nameError == nil, found != nil,
            try await !accounts.keep(named, of: signedIn.person)
        {
            form.problem = SavedPlaceTexts.full(SavedPlace.most)
        }
        guard !form.isWrong else {
            return reply(try await savedPlacesPage(form, visit), to: visit)
        }
        return .redirect(to: Address("/account/places", query: ["notice": "kept"]))
    }

    /// Returns the place that matches the form; nil if it is ambiguous or unknown, in which case
    /// the form shows the error.
    private func place(_ form: inout PlaceForm, _ match: String?) -> ChosenPlace? {
        guard !form.typed.isEmpty else {
            form.placeError = OrderTexts.missing(.from)
            return nil
        }
        switch placeSearch.find(form.typed) {
        case .found(let place): return place
        case .several(let matches):
            if let meant = PlaceSearch.choice(match, of: matches) { return meant }
            form.matches = matches
            form.placeError = OrderTexts.chooseOne
        case .nothing:
            form.placeError = city == nil ? OrderTexts.coordinatesOnly : OrderTexts.unknownPlace
        }
        return nil
    }

    private func removePlace(_ visit: Visit) async throws -> Reply {
        guard let person = visit.session?.person, let name = visit.form["name"] else {
            throw Failure.badRequest
        }
        try await accounts.forgetPlace(named: name, of: person)
        return .redirect(to: Address("/account/places", query: ["notice": "removed"]))
    }
}

extension SavedPlace {
    /// The saved place as a place of an order.
    var chosen: ChosenPlace {
        ChosenPlace(
            Coordinate(latitude: latitude, longitude: longitude),
            words: words.isEmpty ? nil : words
        )
    }
}
