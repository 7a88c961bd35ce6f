import Chronology
import CityData
import Geo
import HTTPTypes
import Localization
import Markup
import TaxiPages
import TripPlanning
import WebCore

extension TravelPages {
    /// The number of towns and their parts that are named; the others are counted.
    private static let districtsNamed = 12

    /// The page that asks for a place and a length of time.
    func reachForm(_ sheet: PlanSheet, _ context: RequestContext) -> Page {
        guard !context.cities.isEmpty else { return noTimetables(context) }
        var page = Page(
            ReachTexts.title,
            body: """
                <h1>\(context.say(ReachTexts.title))</h1>
                \(reachFields(sheet, isSheet: true, context))
                """
        )
        page.map = tripMap(nearScene(sheet.draft), still: Address("/reach/map.svg"), context)
        page.layout = .mapSheet
        page.hasForm = true
        if !sheet.problems.isEmpty { page.status = .unprocessableContent }
        return page
    }

    /// The form itself.
    ///
    /// - Parameters:
    ///   - sheet: what it shows.
    ///   - isSheet: whether the form is the page's main content, so that its button stays on
    ///     screen.
    ///   - context: the visitor's request.
    /// - Returns: the form, after the summary of its errors.
    private func reachFields(
        _ sheet: PlanSheet,
        isSheet: Bool,
        _ context: RequestContext
    ) -> HTML {
        let address = JourneyForm.reach.address
        let shown = context.refilling(address)
        let place = endField(.from, sheet)
        let time = timeFields(sheet, canArrive: false, context)
        let others = ownFields(sheet)
        let rows = [
            whenRow(sheet, time, shown),
            FoldedRow(
                .rules,
                PlanTexts.options,
                value: "\(context.say(Self.means(sheet.travel)))",
                fields: others,
                shown
            ),
        ]
        var show = Button(ReachTexts.show, look: .primary)
        show.busy = PlanTexts.busy
        return onlyPlaceForm(
            .reach,
            [place] + time + others,
            sheet,
            show,
            after: FoldedRow.list(rows, context),
            isSheet: isSheet,
            context
        )
    }

    /// The length of time, the means of travel and the accessibility.
    private func ownFields(_ sheet: PlanSheet) -> [Field] {
        let travel = sheet.travel
        return [
            Field(
                name: "minutes",
                label: ReachTexts.within,
                kind: .oneOf(Self.reachMinutes.map { ("\($0)", TripsTexts.minutes($0)) }),
                value: "\(travel.minutes ?? 30)"
            ),
            Field(
                name: "by",
                label: PlanTexts.means,
                kind: .oneOf([
                    ("transit", ReachTexts.transit), ("walk", PlanTexts.walk),
                ]),
                value: travel.onlyWalks == true ? "walk" : "transit"
            ),
            Self.needsField(sheet.draft.hasWheelchair),
        ]
    }

    /// The minutes, and the means where it is not the usual one: half a line of a telephone.
    private static func means(_ travel: OrderDraft.Travel) -> Text {
        let minutes = TripsTexts.minutes(travel.minutes ?? 30)
        guard travel.onlyWalks == true else { return minutes }
        return Text(joining: [minutes, PlanTexts.walk], separator: ", ")
    }

    /// The page of an answer: how large the area is, what lies in it, and where it ends.
    func reachPage(_ answer: ReachAnswer, _ context: RequestContext) async throws -> Page {
        let question = answer.question
        let title = ReachTexts.answer(
            Self.squareKilometres(answer.squareKilometres),
            TripsTexts.minutes(question.minutes)
        )
        let from = ReachTexts.from(
            shortPlace(question.from.name),
            written(moment(question.time))
        )
        let missing = answer.noTransit.map { _ in
            Notice(.information, "\(context.say(ReachTexts.noTransit))").html(context)
        }
        var page = Page(
            title,
            body: """
                <h1>\(context.say(title))</h1>
                <p class="lead">\(context.say(from)) · \
                \(context.say(question.transit == 0 ? PlanTexts.walk : ReachTexts.transit))</p>
                \(try await reachAsking(question, context))
                \(times(question, context))
                \(missing)
                <p>\(context.say(ReachTexts.stops(answer.stopCount)))</p>
                \(farthest(answer, context))
                \(districts(answer, context))
                \(sharing(Address("/reach", context.parameters["reach"] ?? ""), context))
                """
        )
        page.map = tripMap(
            reachScene(answer),
            still: Address("/reach", context.parameters["reach"] ?? "", "map.svg"),
            source: Address("/reach", context.parameters["reach"] ?? "", "area.json"),
            context
        )
        page.layout = .mapSheet
        page.hasForm = true
        return page
    }

    /// Links to the same question with other lengths of time.
    private func times(_ question: ReachQuestion, _ context: RequestContext) -> HTML {
        Segments(
            label: ReachTexts.within,
            Self.reachMinutes.map { minutes in
                var other = question
                other.minutes = minutes
                let isCurrent = minutes == question.minutes
                let same = Address("/reach", context.parameters["reach"] ?? "")
                return (
                    TripsTexts.minutes(minutes), isCurrent ? same : address(of: other), isCurrent
                )
            }
        ).html(context)
    }

    /// The chip that leads to the area that can be reached from a place.
    func reachChip(_ from: ResolvedPlace, at time: Instant) -> Chip {
        Chip(
            ReachTexts.title,
            icon: .area,
            .link(address(of: ReachQuestion(from: from, time: time)))
        )
    }

    /// The farthest stop of each direction.
    private func farthest(_ answer: ReachAnswer, _ context: RequestContext) -> HTML {
        guard !answer.farthest.isEmpty else { return .empty }
        let rows = answer.farthest.map { one -> HTML in
            let away = StopsTexts.away(CommonTexts.distance(Int64(one.metres)))
            return """
                <li><a class="option" href=\(Address("/stops", one.stop.key))>\
                <span><b>\(shortPlace(one.stop.name))</b> \
                <small>\(context.say(one.direction.text)) · \(context.say(away))</small></span>\
                </a></li>
                """
        }
        return """
            <h2>\(context.say(ReachTexts.farthest))</h2>
            <ul class="options">\(rows)</ul>
            """
    }

    /// The towns and their parts in the area.
    private func districts(_ answer: ReachAnswer, _ context: RequestContext) -> HTML {
        guard !answer.districts.isEmpty else { return .empty }
        let named = answer.districts.prefix(Self.districtsNamed)
        let others = answer.districts.count - named.count
        let more: HTML = " \(context.say(ReachTexts.more(others)))"
        return """
            <h2>\(context.say(ReachTexts.districts(answer.districts.count)))</h2>
            <p>\(named.joined(separator: ", "))\(HTML.when(others > 0, more))</p>
            """
    }

    /// The form for another question, folded.
    private func reachAsking(
        _ question: ReachQuestion,
        _ context: RequestContext
    ) async throws -> HTML {
        let sheet = PlanSheet(
            draft(of: question, context),
            try await knownPlaces(context),
            OrderProblems()
        )
        let row = FoldedRow(
            .area,
            ReachTexts.another,
            value: .empty,
            content: reachFields(sheet, isSheet: false, context)
        )
        return FoldedRow.list([row], context)
    }

    /// The place and the area around it.
    func reachScene(_ answer: ReachAnswer) -> MapScene {
        let from = answer.question.from
        let at = from.coordinate ?? answer.area.bounds?.centre
        var scene = MapScene(
            [at.map { MapScene.Mark(.meeting, at: $0, Text(same: shortPlace(from.name))) }]
                .compactMap(\.self)
        )
        scene.area = answer.area
        return scene
    }

    /// An area in square kilometres, with one decimal below ten.
    private static func squareKilometres(_ area: Double) -> Text {
        let tenths = Int64((max(0, area) * 10).rounded())
        return tenths < 100
            ? ReachTexts.decimal(tenths / 10, tenths % 10)
            : ReachTexts.whole((tenths + 5) / 10)
    }
}

extension CompassDirection {
    /// The direction in words.
    fileprivate var text: Text {
        switch self {
        case .north: ReachTexts.north
        case .northEast: ReachTexts.northEast
        case .east: ReachTexts.east
        case .southEast: ReachTexts.southEast
        case .south: ReachTexts.south
        case .southWest: ReachTexts.southWest
        case .west: ReachTexts.west
        case .northWest: ReachTexts.northWest
        }
    }
}
