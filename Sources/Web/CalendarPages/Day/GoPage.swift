import Agenda
import Chronology
import CityData
import DayPlanning
import HTTPTypes
import Localization
import Markup
import OpenData
import TaxiPages
import TravelPages
import TripPlanning
import WebCore

/// *Go*: whether the journey that begins now is in time, and the way (V42).
extension CalendarPages {
    var goRoutes: [Route] {
        [
            .get("/calendar/entry/{entry}/go", as: "calendar.go.form", for: .person) {
                context,
                person in
                try await go(nil, context, person)
            }
            .taking([.entry, .occurrence]),
            .post("/calendar/entry/{entry}/go", as: "calendar.go", for: .person) {
                context,
                person in
                try await go(PlaceInput(context.form), context, person)
            }
            .taking([.entry, .occurrence]).taking(.place),
        ]
    }

    /// Leads to *Go* for an occurrence.
    func goAddress(of occurrence: AgendaOccurrence) -> Address {
        Address(
            "/calendar/entry",
            "\(occurrence.entry.rawValue)",
            "go",
            query: ["at": "\(occurrence.id.seconds)"]
        )
    }

    /// Where a person sets out, and to what.
    private struct Departure {
        /// The occurrence to which the person goes.
        let occurrence: AgendaOccurrence
        /// The title of the occurrence.
        let title: String
        /// The start and end of the occurrence.
        let time: Range<Instant>
        /// Where it is; nil if nobody knows.
        let place: ResolvedPlace?
        /// Where the plan of the day has the person; nil if it does not say.
        let origin: ResolvedPlace?
        /// By which means the person travels.
        let modes: TripModes
        /// Whether the person uses a wheelchair.
        let wheelchair: Bool
    }

    /// What becomes of a journey that begins now.
    private enum Prospect {
        /// The person arrives before the start.
        case inTime(TripQuestion, TripOption)
        /// The person arrives after the start and before the end.
        case late(TripQuestion, TripOption)
        /// The person would arrive after the end.
        case over
        /// The person is there.
        case there
        /// No journey leads there.
        case noWay
        /// Nobody knows where it begins.
        case unasked

        /// The journey, if it is of use.
        var way: (question: TripQuestion, option: TripOption)? {
            switch self {
            case .inTime(let question, let option), .late(let question, let option):
                (question, option)
            case .over, .there, .noWay, .unasked: nil
            }
        }

        /// Whether another place may help.
        var isUnknown: Bool {
            switch self {
            case .noWay, .unasked: true
            case .inTime, .late, .over, .there: false
            }
        }
    }

    private func go(
        _ typed: PlaceInput?,
        _ context: RequestContext,
        _ person: SignedIn
    ) async throws -> Response {
        let departure = try await departure(context, person)
        var problems: [String: Text] = [:]
        var input =
            typed
            ?? PlaceInput(
                text: departure.origin?.name ?? "",
                found: departure.origin.flatMap { origin in
                    origin.coordinate.map { (origin.name, $0) }
                }
            )
        var origin = departure.origin
        if typed != nil {
            origin = typedSpot(&input, context, &problems).map { spot in
                ResolvedPlace(name: spot.name, kind: .coordinate, coordinate: spot.position)
            }
            // Without a place there is no way.
            if origin == nil, problems.isEmpty { problems["place"] = EntryTexts.unknownPlace }
        }
        let prospect = try await prospect(departure, from: origin, context)
        return response(goPage(departure, prospect, input, problems, context), to: context)
    }

    /// Where the person sets out, by the plan of the day.
    private func departure(
        _ context: RequestContext,
        _ person: SignedIn
    ) async throws -> Departure {
        let entry = try await entry(context, person)
        let id = context.query["at"].flatMap { Int64($0) }.map { OccurrenceID(seconds: $0) }
        guard let details = entry.details(of: id, zone: agenda.zone),
            let start = details.timing.start
        else { throw Failure.notFound }
        let day = try await day(start.date, of: person.person, context)
        guard
            let occurrence = day.occurrences.first(where: {
                $0.entry == entry.number && (id == nil || $0.id == id)
            })
        else { throw Failure.notFound }
        let now = Instant(context.now)
        let task = day.plan.flatMap { plan in
            plan.input.tasks.indices.first {
                day.occurrence(of: plan.input.tasks[$0]) == occurrence
            }
        }
        let leg = task.flatMap { task in day.plan?.journeys.last { $0.to == .task(task) } }
        // The person is assumed to be where the last task of the day has begun.
        let last = day.plan.flatMap { plan in
            plan.input.tasks.indices
                .filter { plan.time(of: $0).lowerBound <= now && $0 != task }
                .max { plan.time(of: $0).upperBound < plan.time(of: $1).upperBound }
                .flatMap { plan.place(of: $0) }
        }
        let position = occurrence.item.position
        let known = details.place.flatMap { place in
            position.map { ResolvedPlace(name: place.name, kind: .coordinate, coordinate: $0) }
        }
        return Departure(
            occurrence: occurrence,
            title: details.title,
            time: task.flatMap { day.plan?.time(of: $0) } ?? occurrence.span,
            place: task.flatMap { day.plan?.place(of: $0) } ?? known,
            origin: leg.flatMap { day.plan?.place(of: $0.from) } ?? last ?? day.plan?.input.base,
            modes: details.means.map { TravelSettings.modes($0, hasVehicles: true) }
                ?? day.settings.modes,
            wheelchair: day.settings.usesWheelchair
        )
    }

    private func prospect(
        _ departure: Departure,
        from origin: ResolvedPlace?,
        _ context: RequestContext
    ) async throws -> Prospect {
        guard let origin, let place = departure.place else { return .unasked }
        if origin.coordinate == place.coordinate, origin.coordinate != nil { return .there }
        let question = TripQuestion(
            from: origin,
            to: place,
            time: Instant(context.now),
            modes: departure.modes,
            wheelchair: departure.wheelchair,
            language: context.language.rawValue
        )
        let options: [TripOption]
        do {
            options = try await travel.answer(question, context).options
        } catch is TripFailure {
            return .noWay
        }
        guard let best = options.min(by: { $0.arrival < $1.arrival }) else { return .noWay }
        if best.arrival <= departure.time.lowerBound { return .inTime(question, best) }
        return best.arrival < departure.time.upperBound ? .late(question, best) : .over
    }

    // MARK: The page

    private func goPage(
        _ departure: Departure,
        _ prospect: Prospect,
        _ input: PlaceInput,
        _ problems: [String: Text],
        _ context: RequestContext
    ) -> Page {
        var form = FormPage(
            action: goAddress(of: departure.occurrence),
            fields: input.fields(GoTexts.from, nil, problems),
            button: GoTexts.again,
            busy: GoTexts.looking
        )
        form.extra = "\(input.hidden)"
        let row = FoldedRow(
            .pin,
            GoTexts.from,
            value: "\(shortPlace(input.text))",
            isOpen: !problems.isEmpty || prospect.isUnknown,
            content: form.html(context)
        )
        let title = GoTexts.title(departure.title)
        var page = Page(
            title,
            body: """
                <h1>\(context.say(title))</h1>
                \(HTML.when(problems.isEmpty, said(prospect, departure, context)))
                \(FoldedRow.list([row], context))
                \(hereForm(departure, input, context))
                \(locatingScript(allowedMetres: -1, context))
                \(prospect.way.map { start($0.question, $0.option, context) })
                """
        )
        page.hasForm = true
        if !problems.isEmpty { page.status = .unprocessableContent }
        return page
    }

    /// Plans the rest of the day from a place that is not the plan's.
    private func hereForm(
        _ departure: Departure,
        _ input: PlaceInput,
        _ context: RequestContext
    ) -> HTML? {
        guard let found = input.found, found.position != departure.origin?.coordinate else {
            return nil
        }
        return """
            <form method="post" action="/calendar/here">\(context.formToken)\
            <input type="hidden" name="place" value="\(input.text)">\(input.hidden)\
            \(Button(VehicleTexts.planFromHere, icon: .calendar).html(context))</form>
            """
    }

    /// Leads to the steps of the journey.
    private func start(
        _ question: TripQuestion,
        _ option: TripOption,
        _ context: RequestContext
    ) -> HTML {
        let way = travel.address(of: question, option: option.id)
        let button = Button(GoTexts.start, .link(way), look: .primary, icon: .route)
        return Dock(button.html(context)).html
    }

    /// What becomes of the journey, in words.
    private func said(
        _ prospect: Prospect,
        _ departure: Departure,
        _ context: RequestContext
    ) -> HTML {
        func notice(_ kind: Notice.Kind, _ text: Text, _ option: TripOption? = nil) -> HTML {
            """
            \(Notice(kind, isAnnounced: true, "\(context.say(text))").html(context))\
            \(option.map { LegBar($0).html(context) })
            """
        }
        let start = departure.time.lowerBound
        switch prospect {
        case .inTime(_, let option):
            let spare = start.seconds - option.arrival.seconds
            let time = clockTime(option.arrival, roundsUp: true)
            let text =
                spare < 60
                ? GoTexts.justInTime(time)
                : GoTexts.inTime(time, TimelineTexts.duration(spare / 60 * 60))
            return notice(.success, text, option)
        case .late(_, let option):
            let late = (option.arrival.seconds - start.seconds + 59) / 60 * 60
            let time = clockTime(option.arrival, roundsUp: true)
            return notice(.warning, GoTexts.late(time, TimelineTexts.duration(late)), option)
        case .over:
            return notice(.warning, GoTexts.over(clockTime(departure.time.upperBound)))
        case .there: return notice(.information, GoTexts.there)
        case .noWay: return notice(.warning, GoTexts.noWay)
        case .unasked:
            let text = departure.place == nil ? GoTexts.noPlace : GoTexts.whereAreYou
            return notice(.information, text)
        }
    }
}
