import Agenda
import HTTPTypes
import Localization
import Markup
import TaxiPages
import TripPlanning
import WebCore

/// The planner's form and the pages that follow it.
///
/// The question is posted, so that no address contains a place before somebody shares it (R130).
extension TravelPages {
    var askingRoutes: [Route] {
        [
            .get("/plan", as: "plan.form", for: .everybody, showForm),
            .post("/plan", as: "plan.ask", for: .everybody, takeForm)
                .taking(.ends)
                .taking(.endButtons)
                .taking(.travel)
                .taking(Self.modeLimitFields)
                .repeated(because: Self.setsOrder),
            .get("/plan/map.svg", as: "plan.form.map.svg", for: .everybody, formPicture)
                .answering(.picture)
                .failing(.notFound),
            .get("/plan/places", as: "plan.places.form", for: .everybody) { context in
                showPlaces(for: .plan, next: { after($0, context) }, context)
            }
            .answering(.page, .redirect),
            .post("/plan/places", as: "plan.places", for: .everybody) { context in
                takePlaces(for: .plan, next: { after($0, context) }, context)
            }
            .taking(.chosenPlaces)
            .repeated(because: Self.setsOrder),
            .get(
                "/plan/places/map.svg",
                as: "plan.places.map.svg",
                for: .everybody,
                placesPicture
            )
            .answering(.picture)
            .failing(.notFound),
            .get("/plan/point/{end}", as: "plan.point.form", for: .everybody) {
                try showPoint(for: .plan, $0)
            }
            .taking([.end])
            .answering(.page, .redirect),
            .post("/plan/point/{end}", as: "plan.point", for: .everybody) {
                try takePoint(for: .plan, $0)
            }
            .taking(.mapPoint)
            .repeated(because: Self.setsOrder),
            .get("/plan/point/{end}/map.svg", as: "plan.point.map.svg", for: .everybody) {
                try pointPicture($0)
            }
            .taking([.end])
            .answering(.picture),
        ]
    }

    private func showForm(_ context: RequestContext) async throws -> Response {
        let known = try await knownPlaces(context)
        var draft = draft(context) ?? known.draft
        try await setUsualTravel(of: &draft, context)
        let sheet = try await sheet(draft, known, OrderProblems(), context)
        let page = await formPage(sheet, context)
        return response(page, to: context)
    }

    /// Responds to the form: with the trips, with a question about ambiguous places, or with the
    /// form and its errors.
    private func takeForm(_ context: RequestContext) async throws -> Response {
        let known = try await knownPlaces(context)
        var draft = draft(context) ?? known.draft
        try await setUsualTravel(of: &draft, context)
        let owned = try await sheet(draft, known, OrderProblems(), context).owned
        var problems = read(context, owned: owned, &draft)
        // The map is centred on the places that are now known.
        draft.window = nil
        let answer: Response
        if let end = draft.choose(context.form["known"] ?? "", of: known) {
            problems[end] = nil
            let isWhole = problems.isEmpty && RideEnd.allCases.allSatisfy { draft[$0] != .init() }
            answer = .redirect(to: isWhole ? after(draft, context) : JourneyForm.plan.address)
        } else if context.form["swap"] != nil {
            draft.swapEnds()
            answer = .redirect(to: JourneyForm.plan.address)
        } else if let end = context.form["point"].flatMap(RideEnd.init(rawValue:)) {
            answer = .redirect(to: JourneyForm.plan.point(end))
        } else if problems.isEmpty {
            answer = .redirect(to: after(draft, context))
        } else {
            var sheet = PlanSheet(draft, known, problems)
            sheet.owned = owned
            let typed = ["party", "money", "grams", "pass-code"]
            for name in typed + ["limit-mode", "limit-most", "limit-unit"] {
                sheet.typed[name] = context.form[name]
            }
            let page = await formPage(sheet, context)
            answer = response(page, to: context)
        }
        return answer.setting(orderCookie(draft, context))
    }

    /// The page that follows a form without errors.
    private func after(_ draft: OrderDraft, _ context: RequestContext) -> Address {
        if RideEnd.allCases.contains(where: { draft[$0].isOpen }) { return Address("/plan/places") }
        guard let question = question(draft, context) else { return JourneyForm.plan.address }
        return address(of: question)
    }

    /// Responds with the still picture of the known ends.
    private func formPicture(_ context: RequestContext) async throws -> Response {
        let known = try await knownPlaces(context)
        return try picture(of: scene(draft(context) ?? known.draft), context)
    }
}

extension [InputField] {
    /// The further conditions of the trip besides its ends.
    fileprivate static let travel: [InputField] = [
        // The order of a taxi has the same field, with its own button for a later ride.
        .set("when", .choice(["now", "leave", "arrive", "later"]), "What the time is for."),
        .typed("date", .date, "The day of the trip, in the city's time zone."),
        .typed("time", .time, "The time of the trip, in the city's time zone."),
        .set("options", .flag("yes"), "Whether the form asked for the options."),
        .set(
            "means",
            .several(
                .choice(of: OrderDraft.Travel.Means.self),
                OrderDraft.Travel.Means.allCases.count
            ),
            "The means of travel to choose from."
        ),
        .set("walk", .choice(PlanSheet.walks.map(\.value)), "How far to walk at the most."),
        .set("changes", .choice(PlanSheet.changes.map(\.value)), "How often to change at most."),
        .set("needs", .several(.choice(["wheelchair"]), 1), "What the way must be fit for."),
        .set(
            "relax",
            .choice(TravelPages.relaxChoices.map(\.value)),
            "What to give up if no trip fits."
        ),
        .set("prefer", .choice(PlanSheet.aims.map(\.value)), "What counts most."),
        .typed(
            "party",
            .number(in: TripCosting.partyLimits),
            "How many people travel together."
        ),
        .typed(
            "passes",
            .several(.text(FareProducts.idLimit), 2 * FareProducts.ownedLimit),
            "The identifiers of fare products that one of them owns."
        ),
        .typed("pass-code", .text(FareProducts.idLimit), "The identifier of a further one."),
        .typed("money", .text(20), "The most that the trip may cost, in the city's currency."),
        .typed(
            "grams",
            .number(TravelSettings.gramsLimits),
            "The most that the trip may emit, in grams of CO2 equivalent."
        ),
        .set("avoid", .choice(TravelPages.avoidable.map(\.value)), "A mode that is not used."),
        .typed("avoid-from", .time, "When the hours begin in which it is not used."),
        .typed("avoid-to", .time, "When these hours end."),
        .set("rain", .several(.choice(["dry"]), 1), "Whether nobody cycles in the rain."),
        .set("wet", .choice(PlanSheet.wets.map(\.value)), "The longest time in the rain."),
    ]
}
