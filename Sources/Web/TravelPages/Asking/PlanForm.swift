import Chronology
import CityData
import Geo
import HTTPTypes
import Identity
import Localization
import Markup
import TaxiPages
import TripPlanning
package import WebCore

/// The contents of the planner's form.
struct PlanSheet {
    let draft: OrderDraft
    let known: KnownPlaces
    let problems: OrderProblems
    /// The passes that the person owns.
    var owned: [OrderDraft.Travel.Pass] = []
    /// What was typed into fields that have an error somewhere in their form.
    var typed: [String: String] = [:]

    init(_ draft: OrderDraft, _ known: KnownPlaces, _ problems: OrderProblems) {
        self.draft = draft
        self.known = known
        self.problems = problems
    }

    /// The further conditions of the trip besides its ends.
    var travel: OrderDraft.Travel { draft.travel ?? OrderDraft.Travel() }

    /// The limits on walking to choose from, in metres.
    static let walks: [(value: String, label: Text)] =
        [("", PlanTexts.anyWalk)]
        + [300, 500, 1_000, 2_000, 5_000].map { ("\($0)", CommonTexts.distance($0)) }

    /// The limits on transfers to choose from.
    static let changes: [(value: String, label: Text)] =
        [("", PlanTexts.anyChanges)] + [2, 1, 0].map { ("\($0)", PlanTexts.mostChanges($0)) }
}

extension TravelPages {
    /// The page with the form (issue 31, 1; ui.md 4.3).
    func formPage(_ sheet: PlanSheet, _ context: RequestContext) async -> Page {
        guard !context.cities.isEmpty else { return closedPage(context) }
        let lead: HTML = "<p class=\"hint\">\(context.say(PlanTexts.lead))</p>"
        var page = Page(
            CommonTexts.planTrip,
            body: """
                \(context.tripViews(isPlanner: true))
                <h1>\(context.say(CommonTexts.planTrip))</h1>
                \(HTML.when(context.session?.person == nil, lead))
                \(form(sheet, isSheet: true, context))
                """
        )
        page.map = tripMap(scene(sheet.draft), still: Address("/plan/map.svg"), context)
        page.layout = .mapSheet
        page.hasForm = true
        if !sheet.problems.isEmpty { page.status = .unprocessableContent }
        return page
    }

    /// The page of a server without data for planning.
    private func closedPage(_ context: RequestContext) -> Page {
        message(PlanTexts.noCity, icon: .route, PlanTexts.noCityLead, context)
    }

    /// The ends that are known.
    func scene(_ draft: OrderDraft) -> MapScene {
        MapScene(
            [
                draft[.from].place.map {
                    MapScene.Mark(.meeting, at: $0.coordinate, PlanTexts.start)
                },
                draft[.to].place.map {
                    MapScene.Mark(.destination, at: $0.coordinate, PlanTexts.destination)
                },
            ].compactMap(\.self)
        )
    }

    /// The form itself.
    ///
    /// - Parameters:
    ///   - sheet: what it shows.
    ///   - isSheet: whether the form is the page's main content, so that its button stays on
    ///     screen.
    ///   - context: the visitor's request.
    /// - Returns: the form, after the summary of its errors.
    func form(_ sheet: PlanSheet, isSheet: Bool, _ context: RequestContext) -> HTML {
        let address = JourneyForm.plan.address
        let shown = context.refilling(address)
        let ends = RideEnd.allCases.map { endField($0, sheet) }
        let (time, options) = (timeFields(sheet, context), optionFields(sheet, context))
        let all = FormPage(
            action: address,
            fields: ends + time + options,
            button: PlanTexts.show,
            busy: PlanTexts.busy
        )
        let route = RouteField(
            from: ends[0],
            to: ends[1],
            locating: "<span id=\"locating\"></span>",
            submits: PlanTexts.show
        )
        var show = Button(PlanTexts.show, look: .primary)
        show.busy = PlanTexts.busy
        show.isWide = true
        let others = [
            Chip(ReachTexts.title, icon: .area, .link(JourneyForm.reach.address)),
            Chip(StopsTexts.title, icon: .bus, .link(JourneyForm.stops.address)),
            Chip(LinesTexts.all, icon: .lines, .link(Address("/lines"))),
        ]
        let rows = [whenRow(sheet, time, shown), optionRow(sheet, options, shown)]
        return """
            \(all.summary(context))
            <form class="fields order" method="post" action=\(address) novalidate>
            \(context.formToken)
            \(route.html(shown))
            <p class="hint" id="located" role="status"></p>
            \(placeChips(
                sheet.known,
                sheet.draft,
                hasDestination: true,
                for: .plan,
                context
            ))
            \(FoldedRow.list(rows, context))
            <input type="hidden" name="options" value="yes">\
            \(Self.locatingFields)
            \(context.languageButtons(address))
            \(isSheet ? Chips(others).html(context) : nil)
            \(isSheet ? Dock(show.html(context)).html : show.html(context))
            </form>
            \(locatingScript(allowedMetres: Self.allowedMetres, context))
            """
    }

    /// The field for an end of the trip.
    func endField(_ end: RideEnd, _ sheet: PlanSheet) -> Field {
        var field = Field(
            name: end.rawValue,
            label: end == .from ? OrderTexts.from : OrderTexts.to,
            hint: placeHint,
            value: sheet.draft[end].typed,
            error: sheet.problems[end]
        )
        field.placeholder = OrderTexts.place
        return field
    }

    /// The fields for the time.
    ///
    /// - Parameters:
    ///   - sheet: what they show.
    ///   - canArrive: whether a time of arrival may be requested.
    ///   - context: the visitor's request.
    /// - Returns: what the time is for, the day and the time.
    func timeFields(
        _ sheet: PlanSheet,
        canArrive: Bool = true,
        _ context: RequestContext
    ) -> [Field] {
        let travel = sheet.travel
        var fields = [
            Field(
                name: "when",
                label: PlanTexts.when,
                kind: .oneOf(
                    [("now", PlanTexts.now), ("leave", PlanTexts.leaveAt)]
                        + (canArrive ? [("arrive", PlanTexts.arriveBy)] : [])
                ),
                value: canArrive || travel.when != .arrive ? travel.when.rawValue : "now"
            ),
            Field(
                name: "date",
                label: PlanTexts.day,
                kind: .date,
                value: travel.day.isEmpty ? cityDay(context.now).iso8601 : travel.day,
                error: sheet.problems.fields["date"],
                isRequired: false
            ),
            Field(
                name: "time",
                label: PlanTexts.time,
                kind: .time,
                value: travel.time.isEmpty ? clockTime(context.now) : travel.time,
                error: sheet.problems.fields["time"],
                isRequired: false
            ),
        ]
        // The day and the time are needed only for another time than now.
        for place in 1...2 { fields[place].hidesOptional = true }
        return fields
    }

    /// The time, folded.
    func whenRow(
        _ sheet: PlanSheet,
        _ fields: [Field],
        _ context: RequestContext
    ) -> FoldedRow {
        let travel = sheet.travel
        let typed = WrittenReading.words(travel.day, travel.time)
        let value =
            switch travel.when {
            case .now: PlanTexts.now
            case .leave: PlanTexts.leave(typed)
            case .arrive: PlanTexts.arrive(typed)
            }
        return FoldedRow(
            .clock,
            PlanTexts.when,
            value: "\(context.say(value))",
            fields: fields,
            context
        )
    }

    /// The field for the accessibility of the trip.
    package static func needsField(_ hasWheelchair: Bool) -> Field {
        var needs = Field(
            name: "needs",
            label: PlanTexts.needs,
            kind: .several([("wheelchair", PlanTexts.wheelchair)]),
            value: hasWheelchair ? "wheelchair" : "",
            isRequired: false
        )
        needs.hidesOptional = true
        return needs
    }

    private func optionFields(_ sheet: PlanSheet, _ context: RequestContext) -> [Field] {
        let travel = sheet.travel
        let chosen = offeredMeans.filter(travel.means.contains)
        return [
            Field(
                name: "means",
                label: PlanTexts.means,
                kind: .several(
                    offeredMeans.map { ($0.rawValue, $0.text) }
                ),
                value: chosen.map(\.rawValue).joined(separator: ","),
                error: sheet.problems.fields["means"]
            ),
            Field(
                name: "walk",
                label: PlanTexts.longestWalk,
                kind: .choice(PlanSheet.walks),
                value: travel.walkMetres.map { "\($0)" } ?? ""
            ),
            Field(
                name: "changes",
                label: PlanTexts.changes,
                kind: .choice(PlanSheet.changes),
                value: travel.changes.map { "\($0)" } ?? ""
            ),
            Self.needsField(sheet.draft.hasWheelchair),
        ] + costFields(sheet, context) + limitFields(sheet) + ruleFields(sheet)
    }

    private func optionRow(
        _ sheet: PlanSheet,
        _ fields: [Field],
        _ context: RequestContext
    ) -> FoldedRow {
        let travel = sheet.travel
        let all = offeredMeans
        let means = all.filter(travel.means.contains).map(\.text)
        let isAny = means.count == all.count || means.isEmpty
        let words =
            (isAny ? [PlanTexts.anyMeans] : means)
            + [
                travel.walkMetres.map { TripsTexts.onFoot(CommonTexts.distance(Int64($0))) },
                travel.changes.map { TripsTexts.changes($0) },
                sheet.draft.hasWheelchair ? PlanTexts.withWheelchair : nil,
            ].compactMap(\.self) + costWords(travel, context) + ruleWords(travel)
        return FoldedRow(
            .rules,
            PlanTexts.options,
            value: "\(words.map(context.say).joined(separator: ", "))",
            fields: fields,
            context
        )
    }
}

extension OrderDraft.Travel.Means {
    /// The name of the means of travel in the form.
    var text: Text {
        switch self {
        case .transit: PlanTexts.transit
        case .walk: PlanTexts.walk
        case .bicycle: PlanTexts.bicycle
        case .bikeshare: RulesTexts.bikeshare
        case .scooter: RulesTexts.scooter
        case .car: PlanTexts.car
        case .carshare: RulesTexts.carshare
        case .taxi: PlanTexts.taxi
        }
    }
}
