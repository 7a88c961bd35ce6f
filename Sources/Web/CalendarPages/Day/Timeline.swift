import Agenda
import Chronology
import CityData
import DayPlanning
import Localization
import Markup
import OpenData
import TaxiPages
import TravelPages
import TripPlanning
import WebCore

/// A day as a list: tasks as cards, and before each the journey that leads to it.
extension CalendarPages {
    /// The shortest free time that is mentioned, in seconds.
    private static let shortestFree: Int64 = 1_800

    /// A part of the timeline.
    private struct Part {
        let start: Instant
        let end: Instant
        let html: HTML
        /// Whether the owner is busy meanwhile.
        let isBusy: Bool
    }

    func timeline(_ day: PersonDay, _ context: RequestContext) -> HTML {
        guard !day.occurrences.isEmpty else {
            return EmptyState(.calendar, CalendarTexts.emptyTitle, CalendarTexts.emptyDay)
                .html(context)
        }
        var parts: [Part] = []
        var shown: Set<AgendaOccurrence> = []
        if let plan = day.plan {
            for task in plan.input.tasks.indices {
                guard let occurrence = day.occurrence(of: plan.input.tasks[task]) else { continue }
                shown.insert(occurrence)
                let isPlaced = plan.isFeasible || plan.input.tasks[task].timing.isFlexible == false
                let spans = plan.spans(of: task)
                for (number, span) in spans.enumerated() {
                    let now = Instant(context.now)
                    parts.append(
                        part(
                            occurrence,
                            at: isPlaced ? span : nil,
                            piece: spans.count > 1 ? (number + 1, spans.count) : nil,
                            place: plan.place(of: task)?.name,
                            isInTheWay: plan.conflicts.contains { $0.concerns(task) },
                            warning: number == 0 ? warning(of: task, plan) : nil,
                            state: isPlaced ? plan.state(of: task, in: span, at: now) : nil,
                            day,
                            context
                        )
                    )
                }
            }
            parts += plan.journeys.map { journey in
                Part(
                    start: journey.trip.departure,
                    end: journey.trip.arrival,
                    html: journeyItem(journey, plan, day, context),
                    isBusy: true
                )
            }
        }
        parts += day.occurrences.filter { !shown.contains($0) && !$0.isWholeDay }.map {
            part($0, at: $0.isFixed ? $0.span : nil, place: nil, day, context)
        }
        parts.sort { ($0.start, $0.end) < ($1.start, $1.end) }
        let allDay = day.occurrences.filter(\.isWholeDay).map { occurrence -> HTML in
            let title = occurrence.item.summary ?? ""
            return "<li><a class=\"chip\" href=\(address(of: occurrence))>\(title)</a></li>"
        }
        let heading: HTML = "<h2>\(context.say(TimelineTexts.allDay))</h2>"
        return """
            \(HTML.when(!allDay.isEmpty, "\(heading)<ul class=\"chips\">\(allDay)</ul>"))
            <h2 class="hidden">\(context.say(CalendarTexts.day))</h2>
            <ol class="day-plan">\(withGaps(parts, context))</ol>
            """
    }

    /// The parts with the free times between them.
    private func withGaps(_ parts: [Part], _ context: RequestContext) -> HTML {
        var items: [HTML] = []
        var busyUntil: Instant?
        for part in parts {
            if let until = busyUntil, part.start.seconds - until.seconds >= Self.shortestFree {
                let length = TimelineTexts.duration(part.start.seconds - until.seconds)
                items.append("<li class=\"gap\">\(context.say(TimelineTexts.free(length)))</li>")
            }
            items.append(part.html)
            if part.isBusy { busyUntil = max(busyUntil ?? part.end, part.end) }
        }
        return .joined(items)
    }

    // MARK: Journeys

    /// A journey as an item of a list: when to leave, when one arrives, and by which legs.
    func journeyItem(
        _ journey: DayJourney,
        _ plan: PlannedDay,
        _ day: PersonDay,
        _ context: RequestContext
    ) -> HTML {
        let trip = journey.trip
        let leave = TimelineTexts.leaveAt(clockTime(trip.departure))
        var goal: Text?
        switch journey.to {
        case .base: goal = plan.input.base.map { TimelineTexts.toBase(shortPlace($0.name)) }
        case .vehicle(let kind): goal = TimelineTexts.toVehicle(kind)
        case .here, .task: break
        }
        let purpose: HTML? = goal.map { "<span>\(context.say($0))</span> " }
        let arrive = TimelineTexts.arrive(clockTime(trip.arrival, roundsUp: true))
        let duration = PlanTexts.duration(from: trip.departure, to: trip.arrival)
        let state = PartState(of: journey.span, at: Instant(context.now))
        let content: HTML = """
            <span class="when"><b>\(context.say(leave))</b> \(purpose)\
            <span>\(context.say(duration)), \
            \(context.say(arrive))\(priceWords(trip, context))</span> \
            \(stateChip(state, nil)?.html(context))</span> \
            \(LegBar(trip).html(context))
            """
        let address = address(of: journey, plan)
        var other: HTML?
        if case .task(let task) = journey.to, trip.departure > Instant(context.now),
            let occurrence = day.occurrence(of: plan.input.tasks[task])
        {
            other = """
                <a class="other" href=\(wayAddress(of: occurrence))>\(context.say(WayTexts.other))\
                <span class="hidden"> (\(plan.input.tasks[task].title))</span></a>
                """
        }
        return """
            <li class="way-to">\(address.map { "<a href=\($0)>\(content)</a>" as HTML }
                ?? "<div>\(content)</div>")\(other)\(warnings(of: journey, context))\
            \(rentalLine(trip, context))\(taxiLine(journey, plan, day, context))\
            \(ticketLine(journey, plan, day, context))</li>
            """
    }

    /// What a journey costs; nothing for one that is free, or whose price nobody knows.
    private func priceWords(_ trip: TripOption, _ context: RequestContext) -> String {
        guard let units = trip.price.minorUnits, units > 0 else { return "" }
        return " · " + context.say(travel.price(trip, context))
    }

    /// What makes a journey worse than it could be (V48).
    func warnings(of journey: DayJourney, _ context: RequestContext) -> HTML? {
        guard !journey.warnings.isEmpty else { return nil }
        let chips = journey.warnings.map { warning -> HTML in
            let chip =
                switch warning {
                case .rain(let minutes):
                    StateChip(DisruptionTexts.rainLeg(minutes), icon: .warning, tone: .quiet)
                case .noCycling(let reason):
                    StateChip(
                        DisruptionTexts.noCycling(travel.words(reason)),
                        icon: .warning,
                        tone: .quiet
                    )
                case .traffic(let minutes):
                    StateChip(DisruptionTexts.trafficLeg(minutes), icon: .warning, tone: .quiet)
                case .noDriving(let minutes):
                    StateChip(DisruptionTexts.noDriving(minutes), icon: .warning, tone: .quiet)
                case .limit(let reason):
                    StateChip(travel.words(reason), icon: .warning, tone: .bad)
                case .disruption(let disruption):
                    StateChip(
                        Text(same: line(of: disruption, context)),
                        icon: .warning,
                        tone: disruption.isClosing ? .bad : .quiet
                    )
                }
            return chip.html(context)
        }
        return "<p>\(chips)</p>"
    }

    /// The page of a journey, with its steps and its alternatives; nil if a place has no position.
    private func address(of journey: DayJourney, _ plan: PlannedDay) -> Address? {
        guard let from = plan.place(of: journey.from), let to = plan.place(of: journey.to),
            from.coordinate != nil, to.coordinate != nil
        else { return nil }
        let question = TripQuestion(
            from: from,
            to: to,
            time: journey.trip.departure,
            modes: .all,
            wheelchair: plan.input.wheelchair
        )
        return travel.address(of: question, option: journey.trip.id)
    }

    // MARK: Tasks

    private func part(
        _ occurrence: AgendaOccurrence,
        at time: Range<Instant>?,
        piece: (number: Int, count: Int)? = nil,
        place: String?,
        isInTheWay: Bool = false,
        warning: Text? = nil,
        state: PartState? = nil,
        _ day: PersonDay,
        _ context: RequestContext
    ) -> Part {
        let details = EntryDetails(occurrence.item, zone: agenda.zone)
        let span = time ?? occurrence.span
        let name = place ?? details.place?.name
        let window: HTML? = occurrence.isFixed ? nil : windowWords(occurrence, details, context)
        let pieces: HTML? = piece.map {
            "<p>\(context.say(TimelineTexts.piece($0.number, $0.count)))</p>"
        }
        let now = Instant(context.now)
        let known = state ?? time.map { PartState(of: $0, at: now) }
        let isHere = time?.contains(now) ?? false
        let badge = badge(occurrence, known, isHere: isHere, isInTheWay, context)
        // Without a time, the window and the duration stand in its place, not below it too.
        let when: HTML =
            time.map { clockRange($0, isFixed: occurrence.isFixed) }
            ?? window ?? "\(context.say(TimelineTexts.duration(details.seconds)))"
        return Part(
            start: span.lowerBound,
            end: span.upperBound,
            html: """
                <li><article class="event \(details.category.rawValue)\
                \(HTML.when(isInTheWay, " wrong"))">\
                <p class="when">\(when) \(badge)</p>
                <h3><a href=\(address(of: occurrence))>\(details.title)</a></h3>\
                \(name.map { placeLine($0) })\(pieces)\
                \(time.flatMap { _ in window }.map { "<p>\($0)</p>" as HTML })\
                \(warning.map { warningLine($0, context) })\
                \(doneForm(occurrence, day, context))\(pinForm(
                    occurrence,
                    at: piece.map { $0.number == 1 } ?? true ? time : nil,
                    day,
                    context
                ))</article></li>
                """,
            isBusy: time != nil && !occurrence.isClosed && !occurrence.item.isTransparent
        )
    }

    /// What a plan gives up for a task (V56, V57).
    func warning(of task: Int, _ plan: PlannedDay) -> Text? {
        if let seconds = plan.lateness[task] {
            return TimelineTexts.lateBy(TimelineTexts.duration((seconds + 59) / 60 * 60))
        }
        if let seconds = plan.longWaits[task] {
            return TimelineTexts.longWait(TimelineTexts.duration(seconds / 60 * 60))
        }
        return plan.shortWaits[task].map { seconds in
            seconds < 60
                ? TimelineTexts.noWait
                : TimelineTexts.shortWait(TimelineTexts.duration(seconds / 60 * 60))
        }
    }

    func warningLine(_ text: Text, _ context: RequestContext) -> HTML {
        "<p class=\"warning\">\(Icon.warning.html) <span>\(context.say(text))</span></p>"
    }

    private func placeLine(_ name: String) -> HTML {
        "<p class=\"at\">\(Icon.pin.html) <span>\(shortPlace(name))</span></p>"
    }

    /// The window of a task without a fixed time, in words.
    func windowWords(
        _ occurrence: AgendaOccurrence,
        _ details: EntryDetails,
        _ context: RequestContext
    ) -> HTML {
        let from = clockTime(occurrence.span.lowerBound)
        let until = clockTime(occurrence.span.upperBound)
        let length = TimelineTexts.duration(details.seconds)
        return "\(context.say(TimelineTexts.flexibleFor(length, from, until)))"
    }

    /// The badge with the entry's state (V39, A4); an entry is in progress from the departure for
    /// it.
    private func badge(
        _ occurrence: AgendaOccurrence,
        _ state: PartState?,
        isHere: Bool,
        _ isInTheWay: Bool,
        _ context: RequestContext
    ) -> HTML? {
        let chip: StateChip? =
            switch occurrence.item.status {
            case "CANCELLED": StateChip(TimelineTexts.cancelled, icon: .close, tone: .quiet)
            case "COMPLETED": StateChip(TimelineTexts.finished, icon: .check, tone: .good)
            default:
                if isInTheWay {
                    StateChip(TimelineTexts.conflict, icon: .warning, tone: .bad)
                } else {
                    state.flatMap { stateChip($0, isHere ? TimelineTexts.now : nil) }
                }
            }
        return chip?.html(context)
    }

    /// A state in a word; nothing for what is still to come.
    private func stateChip(_ state: PartState, _ now: Text?) -> StateChip? {
        switch state {
        case .scheduled: nil
        case .inProgress:
            StateChip(
                now ?? TimelineTexts.travelling,
                icon: now == nil ? .route : .clock,
                tone: .live
            )
        case .over: StateChip(TimelineTexts.over, icon: .check, tone: .quiet)
        }
    }

    /// The button by which a task is done.
    private func doneForm(
        _ occurrence: AgendaOccurrence,
        _ day: PersonDay,
        _ context: RequestContext
    ) -> HTML? {
        // A task that begins tomorrow cannot be done yet.
        guard occurrence.item.kind == .task, !occurrence.isClosed, !occurrence.isRepeated,
            occurrence.span.lowerBound <= Instant(context.now)
        else { return nil }
        return """
            <form method="post" action=\(Address(
                "/calendar/entry",
                "\(occurrence.entry.rawValue)",
                "done"
            ))>\(context.formToken)<input type="hidden" name="day" \
            value="\(day.date.iso8601)">\
            <button class="plain">\(Icon.check.html) <span>\(context.say(TimelineTexts.markDone))\
            <span class="hidden"> (\(occurrence.item.summary ?? ""))</span></span></button></form>
            """
    }

    /// The form of an occurrence.
    func address(of occurrence: AgendaOccurrence) -> Address {
        .entry(occurrence.entry, at: occurrence.isRepeated ? occurrence.id : nil)
    }
}

extension EntryDetails {
    /// How long it takes, in seconds; 0 if unknown.
    var seconds: Int64 {
        switch timing {
        case .fixed(let start, let end): end.wallSeconds - start.wallSeconds
        case .flexible(_, _, let minutes, _): minutes * 60
        case .someday: 0
        }
    }
}

extension DayConflict {
    /// Whether the conflict is that a task ends too late, or too far away, to reach what follows.
    func begins(at task: Int) -> Bool {
        if case .unreachable(.task(let from), _, _) = self { from == task } else { false }
    }

    /// Whether the conflict involves a task: as one of two that overlap, or one that is not
    /// reached.
    func concerns(_ task: Int) -> Bool {
        switch self {
        case .overlap(let first, let second): task == first || task == second
        case .unreachable(_, let to, _): task == to
        case .noReturn(let from, _): task == from
        case .noRoom(let other): task == other
        }
    }
}
