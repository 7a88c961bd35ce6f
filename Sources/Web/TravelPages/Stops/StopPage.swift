import Chronology
import CityData
import Localization
import Markup
import TaxiPages
import TripPlanning
import WebCore

extension TravelPages {
    /// How far ahead departures are shown, in seconds: usually, and if there are none that soon.
    private static let shown: (usual: Int64, longest: Int64) = (7_200, 86_400)
    /// The number of departures of a direction that are shown unfolded: fewer if many directions
    /// begin at the stop.
    private static let unfolded = (usual: 4, fewest: 2, directions: 16)

    /// The page of a stop: the next departures by line and direction.
    func stopPage(_ stop: StopPlace, from start: Instant, _ context: RequestContext) -> Page {
        let boards = boards(of: stop, from: start, context)
        let now = Instant(context.now)
        let isNow = abs(start.seconds - now.seconds) < 60
        let heading =
            isNow ? StopsTexts.departures : StopsTexts.departuresFrom(written(moment(start)))
        let isBusy = boards.count > Self.unfolded.directions
        let first = isBusy ? Self.unfolded.fewest : Self.unfolded.usual
        let rows = boards.map { "<li>\(row($0, first, from: start, context))</li>" as HTML }
        let none = EmptyState(.clock, StopsTexts.noDepartures, StopsTexts.noDeparturesLead)
        let lines = stop.lines.map { line -> HTML in
            "<li>\(line.mark(Address("/lines", line.id), context))</li>"
        }
        let access =
            switch stop.wheelchair {
            case true?: StopsTexts.stepFree
            case false?: StopsTexts.noStepFree
            case nil: StopsTexts.unknownStepFree
            }
        let linesHere: HTML = """
            <h2>\(context.say(StopsTexts.linesHere))</h2>
            <ul class="marks">\(lines)</ul>
            """
        let place = ResolvedPlace(
            name: stop.name,
            kind: .coordinate,
            coordinate: stop.coordinate
        )
        var page = Page(
            Text(same: shortPlace(stop.name)),
            body: """
                <h1>\(shortPlace(stop.name))</h1>
                <p class="lead">\(context.say(access))</p>
                <h2>\(context.say(heading))</h2>
                \(HTML.when(boards.isEmpty, none.html(context)))
                \(HTML.when(!rows.isEmpty, "<ul class=\"boards\">\(rows)</ul>"))
                \(otherTimes(stop, start, context))
                \(planButtons(stop, context))
                \(Chips([reachChip(known(place, context), at: start)]).html(context))
                \(HTML.when(!lines.isEmpty, linesHere))
                """
        )
        page.map = tripMap(
            scene(stop),
            still: Address("/stops", stop.key, "map.svg"),
            context
        )
        page.layout = .mapSheet
        page.hasForm = true
        return page
    }

    /// The departures of the next hours; of a whole day if there are none.
    private func boards(
        of stop: StopPlace,
        from start: Instant,
        _ context: RequestContext
    ) -> [DirectionBoard] {
        let language = context.language.rawValue
        guard let guide = context.cities.stop(stop.key, language: language)?.guide else {
            return []
        }
        func found(_ seconds: Int64) -> [DirectionBoard] {
            guide.board(
                of: stop,
                in: start..<start.adding(seconds: seconds),
                language: language
            )
        }
        let soon = found(Self.shown.usual)
        return soon.isEmpty ? found(Self.shown.longest) : soon
    }

    /// A direction of a line: where it goes, when, and from which platform.
    private func row(
        _ board: DirectionBoard,
        _ unfolded: Int,
        from start: Instant,
        _ context: RequestContext
    ) -> HTML {
        let all = board.departures
        let platforms = Set(all.map(\.platform))
        let facts = facts(all).map(context.say)
        let platform = platforms.count == 1 ? platforms.first ?? nil : nil
        let notes =
            [platform.map { context.say(TripPageTexts.platform($0)) }].compactMap(\.self) + facts
        let isSame = platforms.count == 1
        let texts = all.map { time($0, isSame, from: start, all, context) }
        let first = texts.prefix(unfolded).map { time, words -> HTML in
            "<li><b>\(time)</b> \(HTML.when(!words.isEmpty, "<small>\(words)</small>"))</li>"
        }
        let rest = texts.dropFirst(unfolded).map { $1.isEmpty ? $0 : "\($0) (\($1))" }
        let later: HTML = """
            <details><summary>\(context.say(StopsTexts.laterDepartures(rest.count)))</summary>\
            <p>\(rest.joined(separator: " · "))</p></details>
            """
        return """
            <p>\(board.line.mark(Address("/lines", board.line.id), context)) \
            \(context.say(TripPageTexts.towards(shortPlace(board.headsign)))) \
            <small>\(notes.joined(separator: " · "))</small></p>
            <ul class="times">\(first)</ul>
            \(HTML.when(!rest.isEmpty, later))
            """
    }

    /// The facts that apply to all departures of a direction.
    private func facts(_ all: [BoardDeparture]) -> [Text] {
        let wheelchairs = Set(all.map(\.wheelchair))
        return [
            wheelchairs == [true] ? StopsTexts.wheelchairAll : nil,
            wheelchairs == [false] ? StopsTexts.wheelchairNone : nil,
            all.allSatisfy(\.isApproximate) ? StopsTexts.intervals : nil,
            all.allSatisfy(\.isByArrangement) ? StopsTexts.booking : nil,
        ].compactMap(\.self)
    }

    /// The time of a departure, and the facts that do not apply to all.
    private func time(
        _ departure: BoardDeparture,
        _ isSamePlatform: Bool,
        from start: Instant,
        _ all: [BoardDeparture],
        _ context: RequestContext
    ) -> (time: String, words: String) {
        let ahead = departure.time.seconds - Instant(context.now).seconds
        let zone = web.settings.zoneTable
        let isNextDay =
            LocalTime(departure.time, in: zone).date != LocalTime(start, in: zone).date
        let hasMixedAccess = Set(all.map(\.wheelchair)).count > 1
        let notes: [Text?] = [
            (60..<3_600).contains(ahead) ? TripsTexts.inMinutes(ahead / 60) : nil,
            isSamePlatform ? nil : departure.platform.map { TripPageTexts.platform($0) },
            hasMixedAccess && departure.wheelchair == true ? StopsTexts.wheelchairThis : nil,
            departure.isByArrangement && !all.allSatisfy(\.isByArrangement)
                ? StopsTexts.booking : nil,
        ]
        let words = notes.compactMap(\.self).map(context.say).joined(separator: " · ")
        let clock = clockTime(departure.time)
        let time = isNextDay ? context.say(StopsTexts.tomorrow(clock)) : clock
        return (time, words)
    }

    /// The buttons that fill in the stop in the planner's form.
    private func planButtons(_ stop: StopPlace, _ context: RequestContext) -> HTML {
        var from = Button(
            StopsTexts.planFrom,
            .submit(name: "end", value: RideEnd.from.rawValue),
            icon: .route
        )
        var to = Button(
            StopsTexts.planTo,
            .submit(name: "end", value: RideEnd.to.rawValue),
            icon: .route
        )
        // Equally wide, one below the other.
        (from.isWide, to.isWide) = (true, true)
        return """
            <form class="actions" method="post" action=\(Address("/stops", stop.key, "plan"))>\
            \(context.formToken)\(from.html(context)) \(to.html(context))</form>
            """
    }

    /// Links to earlier and later departures, and the form for any time.
    private func otherTimes(
        _ stop: StopPlace,
        _ start: Instant,
        _ context: RequestContext
    ) -> HTML {
        let zone = web.settings.zoneTable
        func address(_ seconds: Int64) -> Address {
            let time = start.adding(seconds: seconds)
            let day = LocalTime(time, in: zone).date.iso8601
            return Address("/stops", stop.key, query: ["date": day, "time": clockTime(time)])
        }
        let links = [
            Button(TripsTexts.earlier, .link(address(-Self.shown.usual)), icon: .back),
            Button(TripsTexts.later, .link(address(Self.shown.usual)), icon: .next),
        ]
        let fields = [
            Field(
                name: "date",
                label: PlanTexts.day,
                kind: .date,
                value: LocalTime(start, in: zone).date.iso8601
            ),
            Field(name: "time", label: PlanTexts.time, kind: .time, value: clockTime(start)),
        ]
        let form: HTML = """
            <form class="fields" method="get" action=\(Address("/stops", stop.key))>\
            \(fields.map { $0.html(context) })\
            \(Button(StopsTexts.showTime).html(context))</form>
            """
        let row = FoldedRow(.clock, StopsTexts.otherTime, value: .empty, content: form)
        return """
            <p class="actions">\(links.map { $0.html(context) })</p>
            \(FoldedRow.list([row], context))
            """
    }
}
