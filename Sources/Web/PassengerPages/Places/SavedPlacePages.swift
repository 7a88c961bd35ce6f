import CityData
import Encoding
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
            .get("/account/places", as: "account.places.list", for: .person, showSavedPlaces)
                .taking([
                    .notice,
                    .query("edit", .number(1...Int64(SavedPlace.most)), "The place to change."),
                    .query("new", .choice(["home", "work"]), "The place to save."),
                ]),
            .post("/account/places", as: "account.places.save", for: .person, keepPlace)
                .taking([
                    .typed("name", .text(SavedPlace.nameLimit), "The name of the place."),
                    .typed("place", .text(100), "The address of the place."),
                    .set("match", .text(60), "Which of several places is meant.").explained,
                ]),
            .post("/account/places/remove", as: "account.places.remove", for: .person, removePlace)
                .taking([.set("name", .text(80), "The name of the place.").required])
                .answering(.redirect),
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

    // MARK: The page

    private func showSavedPlaces(_ context: RequestContext) async throws -> Response {
        var form = PlaceForm()
        if let number = context.query["edit"].flatMap({ Int($0) }) {
            let places = try await savedPlaces(context)
            guard places.indices.contains(number - 1) else { throw Failure.notFound }
            form.name = places[number - 1].name
            form.typed = places[number - 1].chosen.called.text
        }
        switch context.query["new"] {
        case "home": form.name = context.say(SavedPlaceTexts.home)
        case "work": form.name = context.say(SavedPlaceTexts.work)
        default: break
        }
        return response(try await savedPlacesPage(form, context), to: context)
    }

    private func savedPlacesPage(_ form: PlaceForm, _ context: RequestContext) async throws -> Page
    {
        let places = try await savedPlaces(context)
        let title = form.name.isEmpty ? SavedPlaceTexts.another : SavedPlaceTexts.named(form.name)
        var page = Page(
            CommonTexts.savedPlaces,
            body: """
                \(savedNotice(context))
                <h1>\(context.say(CommonTexts.savedPlaces))</h1>
                \(savedRows(places, context))
                <section class="card" id="place"><h2>\(context.say(title))</h2>
                \(placeForm(form).html(context))</section>
                <p><a class="button" href="/taxi">\(context.say(CommonTexts.order))</a></p>
                \(backToAccount(context))
                """
        )
        page.hasForm = true
        if form.isWrong { page.status = .unprocessableContent }
        return page
    }

    /// The saved places, and home and work where they are missing.
    private func savedRows(_ places: [SavedPlace], _ context: RequestContext) -> HTML {
        let kinds = Set(places.map { SavedPlace.Kind(ofName: $0.name) })
        let saved = places.enumerated().map { number, place -> HTML in
            let edit = Address(
                "/account/places",
                query: ["edit": "\(number + 1)"],
                fragment: "place"
            )
            return """
                <li class="row">\(SavedPlace.Kind(ofName: place.name).icon.html)\
                <span><b>\(place.name)</b> <small>\(shortPlace(place.chosen.called))</small></span>\
                <span class="actions">\(Button(SavedPlaceTexts.edit, .link(edit), look: .plain)
                    .html(context))
                <form method="post" action="/account/places/remove">\(context.formToken)\
                <input type="hidden" name="name" value="\(place.name)">\
                <button class="plain round" title="\
                \(context.say(SavedPlaceTexts.removeNamed(place.name)))">\(Icon.bin.html)\
                <span class="hidden">\(context.say(SavedPlaceTexts.removeNamed(place.name)))</span>\
                </button></form></span></li>
                """
        }
        let missing: [(kind: SavedPlace.Kind, value: String, label: Text)] = [
            (.home, "home", SavedPlaceTexts.addHome), (.work, "work", SavedPlaceTexts.addWork),
        ]
        let wishes = missing.filter { !kinds.contains($0.kind) }.map { one -> HTML in
            let address = Address("/account/places", query: ["new": one.value], fragment: "place")
            let row = Row(one.kind.icon, "\(context.say(one.label))", address: address)
            return "<li>\(row.html)</li>"
        }
        let none: HTML = "<p class=\"lead\">\(context.say(SavedPlaceTexts.none))</p>"
        return """
            \(HTML.when(places.isEmpty, none))
            <ul class="rows">\(saved)\(wishes)</ul>
            """
    }

    private func savedNotice(_ context: RequestContext) -> HTML? {
        let words: Text? =
            switch context.query["notice"] {
            case "kept": SavedPlaceTexts.kept
            case "removed": SavedPlaceTexts.removed
            default: nil
            }
        return words.map { words in
            "<div class=\"notice good\" role=\"status\"><p>\(context.say(words))</p></div>"
        }
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
                hint: placeHint,
                value: form.typed,
                error: form.matches.isEmpty ? form.placeError : nil
            ),
        ]
        fields[0].icon = .star
        fields[1].icon = .pin
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

    private func keepPlace(_ context: RequestContext, _ signedIn: SignedIn) async throws -> Response
    {
        var form = PlaceForm()
        form.name = (context.form["name"] ?? "").trimmingBlanks()
        form.typed = String(
            (context.form["place"] ?? "").trimmingBlanks().prefix(OrderDraft.Wish.limit)
        )
        let found = place(&form, context.form["match"])
        let named = SavedPlace(
            name: form.name,
            latitude: found?.latitude ?? 0,
            longitude: found?.longitude ?? 0,
            words: found?.words ?? ""
        )
        switch FieldProblem.Kind(ofLine: form.name, most: SavedPlace.nameLimit) {
        case .missing, .tooLong: form.nameError = SavedPlaceTexts.badName(SavedPlace.nameLimit)
        case .some(let problem): form.nameError = problem.text(for: .name)
        case nil: break
        }
        if let named, form.nameError == nil, found != nil,
            try await !accounts.keep(named, of: signedIn.person)
        {
            form.problem = SavedPlaceTexts.full(SavedPlace.most)
        }
        guard !form.isWrong else {
            return response(try await savedPlacesPage(form, context), to: context)
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
            form.placeError = city == nil ? placeHint : OrderTexts.unknownPlace
        }
        return nil
    }

    private func removePlace(_ context: RequestContext) async throws -> Response {
        guard let person = context.session?.person, let name = context.form["name"] else {
            throw Failure.badRequest
        }
        try await accounts.forgetPlace(named: name, of: person)
        return .redirect(to: Address("/account/places", query: ["notice": "removed"]))
    }
}
