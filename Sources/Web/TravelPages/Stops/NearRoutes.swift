import CityData
import Fares
import HTTPTypes
import Localization
import Markup
import TaxiPages
import TripPlanning
import WebCore

/// The stops near a place (V84).
///
/// The place is posted and sealed into the address of its answer, like the ends of a trip (R130).
extension TravelPages {
    /// The reason why the forms run on every submission instead of replaying a stored response.
    static let setsOrder: StaticString = "it sets a cookie, which a kept answer would lack"

    var nearRoutes: [Route] {
        [
            .get("/stops", as: "stops.form", for: .everybody, showNearForm),
            .post("/stops", as: "stops.ask", for: .everybody, takeNearForm)
                .taking(.onlyPlace)
                .repeated(because: Self.setsOrder),
            .get("/stops/map.svg", as: "stops.form.map.svg", for: .everybody) { context in
                try picture(of: nearScene(draft(context) ?? OrderDraft()), context)
            }
            .answering(.picture)
            .failing(.notFound),
            .get("/stops/places", as: "stops.places.form", for: .everybody) { context in
                showPlaces(for: .stops, next: stopsAddress, context)
            }
            .answering(.page, .redirect),
            .post("/stops/places", as: "stops.places", for: .everybody) { context in
                takePlaces(for: .stops, next: stopsAddress, context)
            }
            .taking(.chosenPlaces)
            .repeated(because: Self.setsOrder),
            .get(
                "/stops/places/map.svg",
                as: "stops.places.map.svg",
                for: .everybody,
                placesPicture
            )
            .answering(.picture)
            .failing(.notFound),
            .get("/stops/point/{end}", as: "stops.point.form", for: .everybody) {
                try showPoint(for: .stops, $0)
            }
            .taking([.end])
            .answering(.page, .redirect),
            .post("/stops/point/{end}", as: "stops.point", for: .everybody) {
                try takePoint(for: .stops, $0)
            }
            .taking(.mapPoint)
            .repeated(because: Self.setsOrder),
            .get("/stops/point/{end}/map.svg", as: "stops.point.map.svg", for: .everybody) {
                try pointPicture($0)
            }
            .taking([.end])
            .answering(.picture),
            .get("/stops/near/{place}", as: "stops.near", for: .everybody, showNear)
                .taking([.sealedPlace]),
            .get("/stops/near/{place}/map.svg", as: "stops.near.map.svg", for: .everybody) {
                context in
                let place = try sealedPlace(context)
                return try picture(of: nearScene(place, near(place, context)), context)
            }
            .taking([.sealedPlace])
            .answering(.picture),
        ]
    }

    private func showNearForm(_ context: RequestContext) async throws -> Response {
        let known = try await knownPlaces(context)
        let draft = draft(context) ?? known.draft
        return response(nearForm(draft, known, nil, context), to: context)
    }

    private func takeNearForm(_ context: RequestContext) async throws -> Response {
        let known = try await knownPlaces(context)
        var draft = draft(context) ?? known.draft
        let problem = readOnlyPlace(known, missing: StopsTexts.missing, context, &draft)
        let answer: Response
        if context.form["point"] != nil {
            answer = .redirect(to: JourneyForm.stops.point(.from))
        } else if problem == nil {
            answer = .redirect(to: stopsAddress(draft))
        } else {
            answer = response(nearForm(draft, known, problem, context), to: context)
        }
        return answer.setting(orderCookie(draft, context))
    }

    /// Reads the place of a form that has only one.
    ///
    /// - Parameters:
    ///   - known: the places that the form offers.
    ///   - missing: the problem to report for an empty field.
    ///   - context: the visitor's request.
    ///   - draft: receives the place.
    /// - Returns: what is wrong with it; nil if the form can be continued.
    func readOnlyPlace(
        _ known: KnownPlaces,
        missing: Text,
        _ context: RequestContext,
        _ draft: inout OrderDraft
    ) -> Text? {
        let problem =
            isMeasured(context)
            ? readPosition(allowedMetres: Self.allowedMetres, context, &draft)
            : readPlace(.from, missing: missing, context, &draft)
        // The map is centred on the place that is now known.
        draft.window = nil
        return draft.choose(context.form["known"] ?? "", of: known) == nil ? problem : nil
    }

    /// The page that follows the form.
    private func stopsAddress(_ draft: OrderDraft) -> Address {
        guard !draft[.from].isOpen else { return Address("/stops/places") }
        guard let place = draft[.from].place else { return JourneyForm.stops.address }
        return Address("/stops/near", seal.seal(unresolved(place)))
    }

    /// The place in the address.
    ///
    /// - Throws: `Failure.notFound` for an address that this server did not make.
    func sealedPlace(_ context: RequestContext) throws -> ResolvedPlace {
        guard !context.cities.isEmpty,
            let place = seal.openPlace(context.parameters["place"] ?? "")
        else {
            throw Failure.notFound
        }
        return place
    }

    private func showNear(_ context: RequestContext) async throws -> Response {
        let page = nearPage(try sealedPlace(context), context)
        return unlisted(response(page, to: context))
    }
}

extension InputField {
    /// The place whose stops are shown, sealed.
    static let sealedPlace = path("place", .opaque(TripSeal.limit), "The place, sealed.")
}

extension [InputField] {
    /// The fields for a typed, suggested, measured or saved place, and the button for the map.
    static let onlyPlace: [InputField] =
        ends.filter { !$0.name.hasPrefix("to") } + endButtons.filter { $0.name != "swap" }
}
