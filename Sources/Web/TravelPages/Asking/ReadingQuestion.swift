import Chronology
import CityData
import Encoding
import Fares
import Journeys
import Localization
import TaxiPages
import Transit
import TripPlanning
import WebCore

extension TravelPages {
    /// The window of departures that is shown, from the first one on, in seconds.
    static let window: Int32 = 3_600
    /// The greatest inaccuracy of a position from which a trip begins, in metres.
    static let allowedMetres: Int64 = 1_000

    /// Reads the submitted fields into the draft.
    ///
    /// - Parameters:
    ///   - context: the request with the form.
    ///   - owned: the passes that the person owns.
    ///   - draft: what was entered before.
    /// - Returns: what is wrong.
    func read(
        _ context: RequestContext,
        owned: [OrderDraft.Travel.Pass],
        _ draft: inout OrderDraft
    ) -> OrderProblems {
        var problems = OrderProblems()
        if isMeasured(context) {
            problems[.from] = readPosition(
                allowedMetres: Self.allowedMetres,
                context,
                &draft
            )
        } else {
            let missing = PlanTexts.missingFrom
            problems[.from] = readPlace(.from, missing: missing, context, &draft)
        }
        problems[.to] = readPlace(.to, missing: PlanTexts.missingTo, context, &draft)
        if let from = draft[.from].place, from.coordinate == draft[.to].place?.coordinate {
            problems[.to] = PlanTexts.samePlace
        }
        draft.hasWheelchair = context.form.all("needs").contains("wheelchair")
        var travel = draft.travel ?? OrderDraft.Travel()
        readTime(context, &travel, &problems)
        if context.form["options"] == "yes" {
            readOptions(context, &travel, &problems)
            readCosts(context, owned: owned, &travel, &problems)
            readLimits(context, &travel, &problems)
        }
        draft.travel = travel
        return problems
    }

    /// Reads the time to which the question refers.
    func readTime(
        _ context: RequestContext,
        _ travel: inout OrderDraft.Travel,
        _ problems: inout OrderProblems
    ) {
        func typed(_ name: String) -> String {
            String((context.form[name] ?? "").trimmingBlanks().prefix(OrderDraft.Later.limit))
        }
        let when = context.form["when"] ?? ""
        travel.when = when == "later" ? .leave : OrderDraft.Travel.When(rawValue: when) ?? .now
        (travel.day, travel.time) = (typed("date"), typed("time"))
        guard travel.when != .now else { return }
        if !travel.day.isEmpty, WrittenReading.day(travel.day) == nil {
            problems.fields["date"] = PlanTexts.badDay(cityDay(context.now).iso8601)
        }
        if WrittenReading.second(travel.time) == nil {
            problems.fields["time"] = travel.time.isEmpty ? PlanTexts.noTime : PlanTexts.badTime
        }
    }

    private func readOptions(
        _ context: RequestContext,
        _ travel: inout OrderDraft.Travel,
        _ problems: inout OrderProblems
    ) {
        travel.means = Set(
            context.form.all("means").compactMap(OrderDraft.Travel.Means.init(rawValue:))
        )
        if travel.means.isEmpty { problems.fields["means"] = PlanTexts.noMeans }
        travel.walkMetres = context.form["walk"].flatMap { UInt32($0) }
        travel.changes = context.form["changes"].flatMap { Int($0) }
        readRules(context, &travel, &problems)
    }

    /// The question that a draft asks; nil unless both ends are known.
    func question(_ draft: OrderDraft, _ context: RequestContext) -> TripQuestion? {
        guard let from = draft[.from].place, let to = draft[.to].place else { return nil }
        let travel = draft.travel ?? OrderDraft.Travel()
        var question = TripQuestion(
            from: resolved(from, context),
            to: resolved(to, context),
            time: time(of: travel, context),
            isArriveBy: travel.when == .arrive,
            modes: TripModes(walk: false, transit: 0).with(
                offeredMeans.filter(travel.means.contains)
                    .compactMap { TripKind(rawValue: $0.rawValue) }
            ),
            maxTransfers: travel.changes ?? JourneyQuery.defaultMaxTransfers,
            maxWalkMetres: travel.walkMetres,
            wheelchair: draft.hasWheelchair,
            windowSeconds: Self.window
        )
        question.avoided = travel.rule.map { [$0] } ?? []
        question.avoidsRain = travel.avoidsRain ?? false
        question.maxWetMinutes = travel.wetMinutes
        setCosts(of: &question, travel, context)
        return question
    }

    /// The time that the form states; without a date, it is today.
    func time(of travel: OrderDraft.Travel, _ context: RequestContext) -> Instant {
        guard travel.when != .now, let second = WrittenReading.second(travel.time) else {
            return Instant(context.now)
        }
        let day = WrittenReading.day(travel.day) ?? cityDay(context.now)
        return LocalTime(date: day, second: second).instant(in: web.settings.zoneTable)
    }

    /// Converts a chosen place into a place of the planner, without the stops that it stands for.
    ///
    /// Its address does not contain them; they are found when it is opened.
    func resolved(_ place: ChosenPlace, _ context: RequestContext) -> ResolvedPlace {
        let unresolved = unresolved(place)
        return place.kind == nil ? known(unresolved, context) : unresolved
    }

    /// Converts a chosen place by its name, position and kind alone.
    func unresolved(_ place: ChosenPlace) -> ResolvedPlace {
        ResolvedPlace(
            name: String(place.called.text),
            kind: place.kind ?? .coordinate,
            coordinate: place.coordinate
        )
    }

    /// Completes a place with its kind and stops, if a place of that name is known at its position.
    ///
    /// A trip may begin at any platform of a station.
    func known(_ place: ResolvedPlace, _ context: RequestContext) -> ResolvedPlace {
        let found =
            switch context.cities.places.find(place.name, .asks) {
            case .found(let one): [one]
            case .several(let all): all
            case .nothing: [ResolvedPlace]()
            }
        return found.first { $0.coordinate == place.coordinate } ?? place
    }
}
