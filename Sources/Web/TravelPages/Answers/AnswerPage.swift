import Chronology
import CityData
import Dispatching
import Geo
package import Localization
package import Markup
package import TaxiPages
package import TripPlanning
package import WebCore

/// The trips to choose from: each is one link, and its first line is the answer (ui.md 4.7).
extension TravelPages {
    /// The page with the trips.
    func answerPage(_ answer: TripAnswer, _ context: RequestContext) async throws -> Page {
        let transit = answer.options.filter { $0.kind == .transit }
        let best = answer.best
        let title = best.map { self.title($0, answer.question) } ?? TripsTexts.noAnswer
        let badges = Self.badges(transit)
        let rows = transit.map { option -> HTML in
            "<li>\(row(option, badges[option.id] ?? [], answer.question, context))</li>"
        }
        // What is cheapest and greenest is so among these trips: with others above, they are named.
        let isAlone = transit.count == answer.options.count
        let list: HTML = """
            <h2 class="\(isAlone ? "hidden" : "hint")">\(context.say(TripsTexts.transit))</h2>
            <ol class="options">\(rows)</ol>
            """
        // Without public transport, its list does not say by what one arrives then.
        let means: HTML? = best.flatMap { option in
            option.kind == .transit ? nil : " <small>\(context.say(option.kind.text))</small>"
        }
        var page = Page(
            title,
            body: """
                <h1>\(context.say(title))\(means)</h1>
                \(try await asking(
                    answer.question,
                    OrderProblems(),
                    leavesOut: answer.givenUp.isEmpty,
                    context
                ))
                \(givenUp(answer, context))\(remarks(answer, context))
                \(otherWays(answer, context))
                \(HTML.when(!transit.isEmpty, list))
                \(answer.options.first { $0.kind == .taxi }.map { taxiRow($0, context) })
                \(missing(answer.missing, context))
                \(otherTimes(answer, context))
                \(sharing(Address("/plan", context.parameters["trip"] ?? ""), context))
                """
        )
        addMap(of: answer.question, best?.steps ?? [], to: &page, context)
        return page
    }

    /// Puts the map of a question and its best trip beside the form.
    private func addMap(
        of question: TripQuestion,
        _ steps: [TripStep],
        to page: inout Page,
        _ context: RequestContext
    ) {
        page.map = tripMap(
            scene(question, steps),
            still: Address("/plan", context.parameters["trip"] ?? "", "map.svg"),
            context
        )
        page.layout = .mapSheet
        page.hasForm = true
    }

    /// The answer in one line: the arrival or, for a requested arrival, the departure.
    private func title(_ option: TripOption, _ question: TripQuestion) -> Text {
        let duration = PlanTexts.duration(from: option.departure, to: option.arrival)
        return question.isArriveBy
            ? TripsTexts.leave(clockTime(option.departure), duration)
            : TripsTexts.arrive(clockTime(option.arrival, roundsUp: true), duration)
    }

    /// The question in one line, which unfolds to the form.
    func asking(
        _ question: TripQuestion,
        _ problems: OrderProblems,
        leavesOut: Bool = true,
        _ context: RequestContext
    ) async throws -> HTML {
        let draft = draft(of: question, context)
        let moment = written(moment(question.time))
        let time =
            switch draft.travel?.when {
            case .arrive: PlanTexts.arrive(moment)
            case .leave: PlanTexts.leave(moment)
            case .now, nil: PlanTexts.now
            }
        let sheet = try await sheet(draft, try await knownPlaces(context), problems, context)
        let row = FoldedRow(
            .route,
            TripsTexts.asked(shortPlace(question.from.name), shortPlace(question.to.name), time),
            value: .empty,
            isOpen: !problems.isEmpty,
            content: form(sheet, isSheet: false, context)
        )
        let note = costNote(question, leavesOut: leavesOut, context).map {
            "<p class=\"hint\">\($0)</p>" as HTML
        }
        return "\(FoldedRow.list([row], context))\(note)"
    }

    /// One trip by public transport.
    private func row(
        _ option: TripOption,
        _ badges: [Text],
        _ question: TripQuestion,
        _ context: RequestContext
    ) -> HTML {
        let boarding = option.firstRide.map {
            TripsTexts.boarding(clockTime($0.departure), shortPlace($0.fromName))
        }
        let facts = [
            boarding, TripsTexts.onFoot(CommonTexts.distance(Int64(option.walkMetres))),
            TripsTexts.changes(option.transfers), price(option, context),
            emissions(option.emissions), traffic(option), rain(option),
            onTime(option),
        ].compactMap(\.self)
        let duration = PlanTexts.duration(from: option.departure, to: option.arrival)
        let chips =
            badges.map { StateChip($0, icon: .check, tone: .good).html(context) }
            + excesses(option, context)
        return """
            <a class="option" href=\(tripAddress(option.id, context))>\
            <span><b>\(context.say(leaveAndArrive(option)))</b> \
            <b>\(context.say(duration))</b></span> \
            \(LegBar(option).html(context)) \
            <span class="with"><small>\(joined(facts, context))</small> \
            \(HTML.when(!chips.isEmpty, "<span>\(chips)</span>"))</span></a>
            """
    }

    /// Facts in one line, in which no number is torn from its unit.
    func joined(_ facts: [Text], _ context: RequestContext) -> String {
        var line = String.UnicodeScalarView()
        var last: Unicode.Scalar = " "
        for sign in facts.map(context.say).joined(separator: " · ").unicodeScalars {
            line.append(sign == " " && ("0"..."9").contains(last) ? "\u{a0}" : sign)
            last = sign
        }
        return String(line)
    }

    /// The departure and the arrival of an option.
    func leaveAndArrive(_ option: TripOption) -> Text {
        TripsTexts.leaveAndArrive(
            clockTime(option.departure),
            clockTime(option.arrival, roundsUp: true)
        )
    }

    /// What distinguishes each trip from the others; nothing if there is only one.
    static func badges(_ options: [TripOption]) -> [String: [Text]] {
        guard options.count > 1 else { return [:] }
        let currencies = Set(options.map(\.price.currencyCode))
        let measures: [(Text, (TripOption) -> Int64?)] = [
            (TripsTexts.fastest, { $0.seconds }),
            (TripsTexts.cheapest, { currencies.count == 1 ? $0.price.minorUnits : nil }),
            (TripsTexts.greenest, { $0.emissions?.grams }),
            (TripsTexts.leastWalking, { Int64($0.walkMetres) }),
            (TripsTexts.fewestChanges, { Int64($0.transfers) }),
            (RulesTexts.driest, { $0.wetMinutes }),
            (RulesTexts.mostReliable, { $0.onTime.map { -Int64(($0 * 100).rounded()) } }),
        ]
        var badges: [String: [Text]] = [:]
        for (text, measure) in measures {
            let values = options.compactMap(measure)
            // Something unknown may be less than the least that is known.
            guard values.count == options.count, let least = values.min(),
                values.contains(where: { $0 > least }),
                let best = options.first(where: { measure($0) == least })
            else { continue }
            badges[best.id, default: []].append(text)
        }
        return badges
    }

    /// Walking, cycling, driving and the taxi with their times, next to each other.
    private func otherWays(_ answer: TripAnswer, _ context: RequestContext) -> HTML {
        // The taxi is what people can order here; a line of a telephone has room for three.
        let others =
            answer.options.filter { $0.kind == .taxi }
            + answer.options.filter { $0.kind != .taxi && $0.kind != .transit }
        guard !others.isEmpty else { return .empty }
        let tiles = others.map { option -> HTML in
            let distance = CommonTexts.distance(Int64(option.metres))
            // A walk or a ride on one's own bicycle is free, so its length says more.
            let isFree = option.price.minorUnits == 0
            let detail = joined([isFree ? distance : price(option, context)], context)
            // The page of a trip says that its emissions are unknown; here there is no room for it.
            let known = option.emissions?.grams == nil ? nil : emissions(option.emissions)
            let facts = [known, traffic(option), rain(option)].compactMap(\.self)
            return """
                <li><a href=\(tripAddress(option.id, context))>\
                <b>\(option.kind.icon.html) \
                \(context.say(PlanTexts.duration(option.seconds)))</b> \
                <small>\(context.say(option.kind.text))</small> \
                <small>\(detail)</small>\
                \(facts.map {
                    " <small>\(joined([$0], context))</small>" as HTML
                })\(excesses(option, context))</a></li>
                """
        }
        return """
            <h2 class="hidden">\(context.say(TripsTexts.other))</h2>
            <ul class="ways">\(tiles)</ul>
            """
    }

    /// The taxi service's estimate of the ride, and the button that leads to its order.
    private func taxiRow(_ option: TripOption, _ context: RequestContext) -> HTML {
        let wait = option.taxi?.waitSeconds.map { TripsTexts.taxiIn(wholeMinutes(Int64($0))) }
        let facts = [
            TripsTexts.thereAt(clockTime(option.arrival, roundsUp: true)),
            option.taxi?.fare.map { TripsTexts.about(roundMoney($0, context)) },
        ].compactMap(\.self)
        let button = Button(TripsTexts.orderTaxi)
        return """
            <form class="rows" method="post" action=\(orderAddress(context))>\(context.formToken)\
            <div class="row">\(Icon.taxi.html)<span><b>\(context.say(wait ?? TripsTexts.taxiThen))\
            </b> <small>\(facts.map(context.say).joined(separator: " · "))</small> \
            \(excesses(option, context))</span> \
            \(button.html(context))</div></form>
            """
    }

    /// Links to earlier and later trips.
    private func otherTimes(_ answer: TripAnswer, _ context: RequestContext) -> HTML {
        var buttons: [HTML] = []
        if let earlier = answer.earlier {
            let link = Button.Target.link(address(of: earlier))
            buttons.append(Button(TripsTexts.earlier, link, icon: .back).html(context))
        }
        if let later = answer.later {
            let link = Button.Target.link(address(of: later))
            buttons.append(Button(TripsTexts.later, link, icon: .next).html(context))
        }
        if !answer.question.isArriveBy, answer.question.time < Instant(context.now) {
            var now = answer.question
            now.time = Instant(context.now)
            let link = Button.Target.link(address(of: now))
            let isOld = now.time.seconds - answer.question.time.seconds > 300
            if isOld { buttons.append(Button(TripsTexts.leaveNow, link).html(context)) }
        }
        return HTML.when(!buttons.isEmpty, "<p class=\"actions\">\(buttons)</p>")
    }

    private func remarks(_ answer: TripAnswer, _ context: RequestContext) -> HTML {
        HTML.joined(
            answer.remarks.compactMap { remark in
                if case .disrupted(let disruption) = remark {
                    return notice(of: disruption, context)
                }
                let text: Text? =
                    switch remark {
                    case .noWheelchairData: TripsTexts.noWheelchairData
                    case .noTransit(let failure): words(failure, isOfTransit: true)
                    case .notTranslated, .disrupted: nil
                    }
                return text.map { Notice(.information, "\(context.say($0))").html(context) }
            }
        )
    }

    // MARK: No answer

    /// The page of a question that has no answer: why, and the form to ask another.
    func failurePage(
        _ failure: TripFailure,
        _ question: TripQuestion,
        _ context: RequestContext
    ) async throws -> Page {
        var excluded: [TripMissing] = []
        if case .excluded(let modes) = failure { excluded = modes }
        var disruptions: [Disruption] = []
        if case .disrupted(let all) = failure { disruptions = all }
        let notice = Notice(.warning, isAnnounced: true, "\(context.say(words(failure)))")
        let sheet = try await sheet(
            draft(of: question, context),
            try await knownPlaces(context),
            OrderProblems(),
            context
        )
        var page = Page(
            TripsTexts.noAnswer,
            body: """
                <h1>\(context.say(TripsTexts.noAnswer))</h1>
                \(notice.html(context))
                \(HTML.joined(disruptions.map { self.notice(of: $0, context) }))
                \(missing(excluded, context))
                \(form(sheet, isSheet: true, context))
                """
        )
        addMap(of: question, [], to: &page, context)
        return page
    }

    private func words(_ failure: TripFailure, isOfTransit: Bool = false) -> Text {
        switch failure {
        case .outside(let place): TripsTexts.outside(place)
        case .excluded: RulesTexts.excluded
        case .disrupted: DisruptionTexts.noWay
        case .betweenCities(let from, let to): TripsTexts.betweenCities(from, to)
        case .outsideTimetable(let first, let last): TripsTexts.outsideTimetable(first, last)
        case .tooFar where !isOfTransit: TripsTexts.tooFar
        case .noWay where !isOfTransit: TripsTexts.noWay
        case .noWay, .tooFar, .busy, .deadline, .cancelled: TripsTexts.noTransit
        }
    }

    // MARK: The map

    /// The map of a trip; of the whole city if the trip has no positions.
    package func tripMap(
        _ scene: MapScene,
        still: Address,
        source: Address? = nil,
        _ context: RequestContext
    ) -> HTML {
        if let map = sceneMap(scene, still: still, source: source, topic: nil, context) {
            return map
        }
        let picture = stillPicture(at: Address("/map.svg"), MapTexts.map, context)
        return "<div data-map=\"city\">\(picture)</div>"
    }

    /// A trip leg by leg, with the stops where passengers board.
    func scene(_ question: TripQuestion, _ steps: [TripStep]) -> MapScene {
        let start = question.from.coordinate ?? steps.first?.geometry.first
        let end = question.to.coordinate ?? steps.last?.geometry.last
        let names = [question.from.name, question.to.name].map { Text(same: shortPlace($0)) }
        let ends = [
            start.map { MapScene.Mark(.meeting, at: $0, names[0]) },
            end.map { MapScene.Mark(.destination, at: $0, names[1]) },
        ]
        return MapScene(boardingMarks(steps) + ends.compactMap(\.self), lines: lines(of: steps))
    }

    /// The stops where passengers board, with their lines.
    package func boardingMarks(_ steps: [TripStep]) -> [MapScene.Mark] {
        steps.filter { $0.ride != nil }.compactMap { step in
            guard let at = step.from?.coordinate ?? step.geometry.first else { return nil }
            let words = [step.ride?.lineName ?? "", shortPlace(step.fromName)]
            let label = words.filter { !$0.isEmpty }.joined(separator: " · ")
            return MapScene.Mark(.stop, at: at, Text(same: label))
        }
    }

    /// The legs of a trip as lines in their colours.
    package func lines(of steps: [TripStep]) -> [MapScene.Line] {
        steps.filter { $0.geometry.count > 1 }.map { step in
            MapScene.Line(TravelLook(step).kind, step.geometry, colour: step.colour)
        }
    }

    // MARK: Addresses

    /// The page of an option in the current answer.
    func tripAddress(_ option: String, _ context: RequestContext) -> Address {
        Address("/plan", context.parameters["trip"] ?? "", option)
    }

    /// The action that leads to the order of a taxi.
    func orderAddress(_ context: RequestContext) -> Address {
        Address("/plan", context.parameters["trip"] ?? "", "order")
    }
}

extension TripKind {
    /// The icon of the means of travel, with which its trip may only begin after a walk.
    var icon: Icon {
        switch self {
        case .walk: .walking
        case .bicycle, .bikeshare: .bicycle
        case .scooter: .scooter
        case .car, .carshare: .car
        case .taxi: .taxi
        case .transit: .bus
        }
    }

    /// The name of the means of travel.
    package var text: Text {
        switch self {
        case .walk: PlanTexts.walk
        case .bicycle: PlanTexts.bicycle
        case .bikeshare: RulesTexts.bikeshare
        case .scooter: RulesTexts.scooter
        case .car: PlanTexts.car
        case .carshare: RulesTexts.carshare
        case .taxi: PlanTexts.taxi
        case .transit: PlanTexts.transit
        }
    }
}
