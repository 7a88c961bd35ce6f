import Chronology
import CityData
import Encoding
import HTTPTypes
import Localization
import Markup
import OpenData
import TaxiPages
import Transit
import TripPlanning
import WebCore

/// The area that can be reached within a time, on the map and in words (issue 31, 4).
///
/// The question is posted and sealed into the address of its answer, as for trips (R130).
extension TravelPages {
    /// The lengths of time to choose from, in minutes.
    static let reachMinutes: [Int32] = [15, 30, 45, 60]

    var reachRoutes: [Route] {
        [
            .get("/reach", as: "reach.form", for: .everybody, showReachForm),
            .post("/reach", as: "reach.ask", for: .everybody, takeReachForm)
                .taking(.onlyPlace)
                .taking(.reach)
                .repeated(because: Self.setsOrder),
            .get("/reach/map.svg", as: "reach.form.map.svg", for: .everybody) { context in
                try picture(of: nearScene(draft(context) ?? OrderDraft()), context)
            }
            .answering(.picture)
            .failing(.notFound),
            .get("/reach/places", as: "reach.places.form", for: .everybody) { context in
                showPlaces(for: .reach, next: { afterReach($0, context) }, context)
            }
            .answering(.page, .redirect),
            .post("/reach/places", as: "reach.places", for: .everybody) { context in
                takePlaces(for: .reach, next: { afterReach($0, context) }, context)
            }
            .taking(.chosenPlaces)
            .repeated(because: Self.setsOrder),
            .get(
                "/reach/places/map.svg",
                as: "reach.places.map.svg",
                for: .everybody,
                placesPicture
            )
            .answering(.picture)
            .failing(.notFound),
            .get("/reach/point/{end}", as: "reach.point.form", for: .everybody) {
                try showPoint(for: .reach, $0)
            }
            .taking([.end])
            .answering(.page, .redirect),
            .post("/reach/point/{end}", as: "reach.point", for: .everybody) {
                try takePoint(for: .reach, $0)
            }
            .taking(.mapPoint)
            .repeated(because: Self.setsOrder),
            .get("/reach/point/{end}/map.svg", as: "reach.point.map.svg", for: .everybody) {
                try pointPicture($0)
            }
            .taking([.end])
            .answering(.picture),
            .get("/reach/{reach}", as: "reach.answer", for: .everybody, showReach)
                .taking([.reach]),
            .get("/reach/{reach}/map.svg", as: "reach.answer.map.svg", for: .everybody) { context in
                try picture(of: reachScene(try await foundReach(context)), context)
            }
            .taking([.reach])
            .answering(.picture),
            .get("/reach/{reach}/area.json", as: "reach.answer.area", for: .everybody, showArea)
                .taking([.reach])
                .answering(.json),
        ]
    }

    // MARK: The form

    private func showReachForm(_ context: RequestContext) async throws -> Response {
        let known = try await knownPlaces(context)
        let draft = draft(context) ?? known.draft
        return response(reachForm(PlanSheet(draft, known, OrderProblems()), context), to: context)
    }

    private func takeReachForm(_ context: RequestContext) async throws -> Response {
        let known = try await knownPlaces(context)
        var draft = draft(context) ?? known.draft
        var problems = OrderProblems()
        problems[.from] = readOnlyPlace(known, missing: PlanTexts.missingFrom, context, &draft)
        try await setUsualTravel(of: &draft, context)
        var travel = draft.travel ?? OrderDraft.Travel()
        if travel.when == .arrive { travel.when = .now }
        readTime(context, &travel, &problems)
        travel.minutes = context.form["minutes"].flatMap { Int32($0) } ?? travel.minutes
        travel.onlyWalks = context.form["by"].map { $0 == "walk" } ?? travel.onlyWalks
        draft.travel = travel
        draft.hasWheelchair = context.form.all("needs").contains("wheelchair")
        let answer: Response
        if context.form["point"] != nil {
            answer = .redirect(to: JourneyForm.reach.point(.from))
        } else if problems.isEmpty {
            answer = .redirect(to: afterReach(draft, context))
        } else {
            answer = response(reachForm(PlanSheet(draft, known, problems), context), to: context)
        }
        return answer.setting(orderCookie(draft, context))
    }

    /// The page that follows the form.
    private func afterReach(_ draft: OrderDraft, _ context: RequestContext) -> Address {
        guard !draft[.from].isOpen else { return Address("/reach/places") }
        guard let place = draft[.from].place else { return JourneyForm.reach.address }
        let travel = draft.travel ?? OrderDraft.Travel()
        return address(
            of: ReachQuestion(
                from: resolved(place, context),
                time: time(of: travel, context),
                minutes: travel.minutes ?? 30,
                transit: travel.onlyWalks == true ? 0 : TransitMode.all,
                wheelchair: draft.hasWheelchair
            )
        )
    }

    // MARK: The answer

    /// The address of the answer to a question.
    func address(of question: ReachQuestion) -> Address {
        Address("/reach", seal.seal(question))
    }

    /// The question in the address.
    ///
    /// - Throws: `Failure.notFound` for an address that this server did not make.
    private func reachAsked(_ context: RequestContext) throws -> ReachQuestion {
        guard !context.cities.isEmpty,
            var question = seal.openReach(context.parameters["reach"] ?? "")
        else { throw Failure.notFound }
        if [.stop, .station].contains(question.from.kind) {
            question.from = known(question.from, context)
        }
        question.language = context.language.rawValue
        return question
    }

    /// Answers a question, or finds the answer given a moment ago.
    ///
    /// - Throws: as ``answered(_:from:_:_:)`` does.
    private func reach(
        _ question: ReachQuestion,
        _ context: RequestContext
    ) async throws -> ReachAnswer {
        let cities = context.cities
        let key = "\(question.language)\n\(TripSeal.text(question))"
        return try await answered(key, from: recentAreas, context) {
            deadline async throws(TripFailure) in
            try await cities.reach(question, deadline: deadline)
        }
    }

    /// The answer to the question in the address.
    ///
    /// - Throws: `Failure.notFound` if there is none.
    private func foundReach(_ context: RequestContext) async throws -> ReachAnswer {
        do {
            return try await reach(try reachAsked(context), context)
        } catch is TripFailure {
            throw Failure.notFound
        }
    }

    private func showReach(_ context: RequestContext) async throws -> Response {
        let question = try reachAsked(context)
        do {
            let page = try await reachPage(try await reach(question, context), context)
            return unlisted(response(page, to: context))
        } catch is TripFailure {
            let known = try await knownPlaces(context)
            var problems = OrderProblems()
            problems[.from] = TripsTexts.outside(question.from.name)
            let sheet = PlanSheet(draft(of: question, context), known, problems)
            return unlisted(response(reachForm(sheet, context), to: context))
        }
    }

    /// Responds with the area as GeoJSON, for the map's script.
    private func showArea(_ context: RequestContext) async throws -> Response {
        let area = try await foundReach(context).area
        return Response(
            type: "application/geo+json",
            bytes: GeoJSON([GeoJSON.Feature(geometry: .multiPolygon(area))]).bytes,
            headers: [.cacheControl: "private, no-store"]
        )
    }

    /// The form filled in with a question.
    func draft(of question: ReachQuestion, _ context: RequestContext) -> OrderDraft {
        var draft = OrderDraft(hasWheelchair: question.wheelchair)
        draft[.from] = wish(question.from)
        var travel = OrderDraft.Travel()
        setTime(of: &travel, to: question.time, isArriveBy: false, context)
        travel.minutes = question.minutes
        travel.onlyWalks = question.transit == 0
        draft.travel = travel
        return draft
    }
}

extension InputField {
    /// The question that a page answers, sealed.
    fileprivate static let reach = path("reach", .opaque(TripSeal.limit), "The question, sealed.")
}

extension [InputField] {
    /// The further conditions besides the place.
    fileprivate static let reach: [InputField] = [
        .set("minutes", .number(1...60), "How long to travel at the most, in minutes."),
        .set("by", .choice(["transit", "walk"]), "Whether public transport is used."),
        .set("when", .choice(["now", "leave"]), "What the time is for."),
        .typed("date", .date, "The day, in the city's time zone."),
        .typed("time", .time, "The time, in the city's time zone."),
        .set("needs", .several(.choice(["wheelchair"]), 1), "What the way must be fit for."),
    ]
}
