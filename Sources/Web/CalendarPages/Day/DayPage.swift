import Agenda
import Chronology
import CityData
import DayPlanning
import Geo
import Localization
import Markup
import OpenData
import TaxiPages
import TravelPages
import TripPlanning
import WebCore

/// The page of a day: what to do next, what is in the way, and the day as a timeline (ui.md 4.7).
extension CalendarPages {
    /// The notices after an action.
    static let notices: [String: Text] = [
        "added": CalendarTexts.added, "changed": CalendarTexts.changed,
        "deleted": CalendarTexts.deleted, "repaired": CalendarTexts.repaired,
        "pinned": CalendarTexts.pinned, "released": CalendarTexts.released,
        "done": CalendarTexts.done, "taxi": DayTaxiTexts.ordered,
        "here": VehicleTexts.fromHere, "vehicle": VehicleTexts.saved,
        "template": TemplateTexts.saved, "template-deleted": TemplateTexts.deleted,
        "ticket": DayTicketTexts.kept, "ticket-released": DayTicketTexts.released,
        "taxi-stays": DayTaxiTexts.stays, "partly": EntryTexts.savedPartly,
        "paired": VehicleDeviceTexts.isNowPaired, "unpaired": VehicleDeviceTexts.isUnpaired,
        "settings": CalendarTexts.settingsSaved, "pass-added": PassTexts.added,
        "pass-removed": PassTexts.removed,
    ]

    /// How often a page comes again whose plan is not finished, in seconds.
    private static let refreshSeconds = 2

    func dayPage(_ day: PersonDay, _ context: RequestContext) -> Page {
        let title = dayName(day.date, context)
        var page = Page(
            Text(same: title),
            body: """
                \(views(.day, day.date, context))
                \(consoleNotice(notices(day, context), context))
                \(head(
                    Text(same: title),
                    (address(of: day.date.adding(days: -1)), CalendarTexts.before),
                    (address(of: day.date.adding(days: 1)), CalendarTexts.after),
                    context
                ))
                <div id="day-state" data-live="calendar">
                \(hero(day, context))
                \(state(day, context))
                \(conflicts(day, context))
                \(changes(day, context))
                </div>
                \(unneededTaxis(day, context))\(lostTickets(day, context))
                \(restOfDay(day, context))
                \(droppedWalkLimits(day, context))
                <div id="day-plan" data-live="ride calendar">\(timeline(day, context))</div>
                \(Chips([settingsChip, exchangeChip], isLine: true).html(context))
                \(Dock(addButton(day: day.date).html(context)).html)
                """
        )
        if case .planning = day.outcome {
            page.refresh = Self.refreshSeconds
            page.isLive = true
            page.isPolled = true
        }
        if day.taxis.ordered.contains(where: { $0.view != nil }) { page.isLive = true }
        page.map = travel.tripMap(
            scene(day),
            still: Address("/calendar/day", day.date.iso8601, "map.svg"),
            context
        )
        page.layout = .mapSheet
        page.hasForm = true
        return page
    }

    /// The notices after an action on a day: of a day that works out, that it was planned (ST8).
    private func notices(_ day: PersonDay, _ context: RequestContext) -> [String: Text] {
        let now = Instant(context.now)
        guard let plan = day.plan, plan.isFeasible,
            plan.journeys.contains(where: { $0.to.isTask && $0.trip.departure > now })
        else { return Self.notices }
        return Self.notices.merging(["added": CalendarTexts.addedAndPlanned]) { $1 }
    }

    /// Leads to how the person travels.
    private var settingsChip: Chip {
        Chip(CalendarTexts.settings, icon: .gear, .link(Address("/calendar/settings")))
    }

    /// Leads to the exchange with other calendars.
    var exchangeChip: Chip {
        Chip(ExchangeTexts.chip, icon: .link, .link(Address("/calendar/exchange")))
    }

    /// A day in words: today, tomorrow, or its weekday and date.
    func dayName(_ date: CivilDate, _ context: RequestContext) -> String {
        let today = cityDay(context.now)
        let hasYear = date.numbers.year != today.numbers.year
        let named = context.say(LaterTexts.weekdayAndDay(date, hasYear: hasYear))
        switch date.daysSince1970 - today.daysSince1970 {
        case 0: return "\(context.say(CalendarTexts.today)), \(named)"
        case 1: return "\(context.say(CalendarTexts.tomorrow)), \(named)"
        default: return named
        }
    }

    // MARK: What to do next

    /// When to leave next, on the day itself.
    private func hero(_ day: PersonDay, _ context: RequestContext) -> HTML? {
        let now = Instant(context.now)
        guard let plan = day.plan, day.span.contains(now) else { return nil }
        func purpose(_ journey: DayJourney) -> String {
            switch journey.to {
            case .base, .here:
                context.say(TimelineTexts.toBase(shortPlace(plan.input.base?.name ?? "")))
            case .vehicle(let kind): context.say(TimelineTexts.toVehicle(kind))
            case .task(let task): context.say(TimelineTexts.forTask(plan.input.tasks[task].title))
            }
        }
        if let current = plan.journeys.first(where: {
            $0.trip.departure <= now && now < $0.trip.arrival
        }) {
            let time = clockTime(current.trip.arrival)
            let left = TimelineTexts.left(
                CommonTexts.distance(current.trip.metresLeft(at: now)),
                TimelineTexts.duration(current.trip.arrival.seconds - now.seconds)
            )
            return """
                <p class="next-step" role="status"><b>\(context.say(TimelineTexts.onTheWay(time)))\
                </b> <span>\(purpose(current))</span> <span>\(context.say(left))</span></p>
                """
        }
        guard let next = plan.journeys.first(where: { $0.trip.departure > now }) else {
            return nil
        }
        let minutes = (next.trip.departure.seconds - now.seconds) / 60
        let isSoon = minutes < 60
        let time = clockTime(next.trip.departure)
        var go: HTML?
        if isSoon, case .task(let task) = next.to,
            let occurrence = day.occurrence(of: plan.input.tasks[task])
        {
            go = Button(GoTexts.go, .link(goAddress(of: occurrence)), look: .primary, icon: .route)
                .html(context)
        }
        return """
            <p class="next-step" role="status"><b>\(context.say(
                isSoon ? TimelineTexts.leaveIn(minutes) : TimelineTexts.leaveAt(time)
            ))</b> <span>\(isSoon ? "\(time) · " : "")\(purpose(next))</span> \(go)</p>
            """
    }

    /// What people should know about the plan as a whole.
    private func state(_ day: PersonDay, _ context: RequestContext) -> HTML {
        var notices: [Notice] = []
        func tell(_ kind: Notice.Kind, _ text: Text) {
            notices.append(Notice(kind, "\(context.say(text))"))
        }
        let isEmpty = day.occurrences.isEmpty
        switch day.outcome {
        case .planning where !isEmpty:
            return "<p class=\"hint\" role=\"status\">\(context.say(CalendarTexts.planning))</p>"
        case .planning,
            .noCity where isEmpty:
            break
        case .noCity: tell(.information, CalendarTexts.noCity)
        case .answered(.busy): tell(.warning, CalendarTexts.busy)
        case .answered(.failed(.unreadable(.tooMany))): tell(.warning, CalendarTexts.tooMany)
        case .answered(.failed): tell(.warning, CalendarTexts.notRead)
        case .answered(.planned(let plan, _)):
            for remark in plan.remarks {
                switch remark {
                case .noTransit(.outsideTimetable(let first, let last)):
                    tell(.information, CalendarTexts.noTimetable(first, last))
                case .noTransit: tell(.information, CalendarTexts.noTransit)
                case .noWheelchairData, .notTranslated, .disrupted: break
                }
            }
            if !plan.givenUp.isEmpty {
                let limits = TravelPages.names(of: plan.givenUp)
                tell(.warning, DayLimitTexts.givenUp(limits))
            }
            if !plan.isExact {
                let gap = plan.gapMinutes.map {
                    CalendarTexts.inexactBy(TimelineTexts.duration($0 * 60))
                }
                tell(.information, gap ?? CalendarTexts.inexact)
            }
        }
        if day.settings.base == nil, !isEmpty {
            notices.append(
                Notice(
                    .information,
                    """
                    \(context.say(CalendarTexts.noBase)) <a href="/calendar/settings">\
                    \(context.say(CalendarTexts.settings))</a>
                    """
                )
            )
        }
        let disruptions = day.plan?.disruptions ?? []
        return .joined(
            notices.map { $0.html(context) } + disruptions.map { notice(of: $0, context) }
        )
    }

    /// Says that only the rest of the day is planned, from where its owner is.
    private func restOfDay(_ day: PersonDay, _ context: RequestContext) -> HTML? {
        guard let here = day.memory.whereabouts else { return nil }
        let text = VehicleTexts.rest(
            clockTime(Instant(seconds: here.time)),
            shortPlace(here.place.name)
        )
        let address = Address("/calendar/day", day.date.iso8601, "whole")
        return """
            <form class="notice" method="post" action=\(address)>\(context.formToken)\
            <p>\(context.say(text))</p>\(Button(VehicleTexts.whole).html(context))</form>
            """
    }

    /// Says that limits on walking do not count on this day, with the way back.
    private func droppedWalkLimits(_ day: PersonDay, _ context: RequestContext) -> HTML? {
        guard day.memory.dropsWalkLimits else { return nil }
        let address = Address("/calendar/day", day.date.iso8601, "walk-limits")
        return """
            <form class="notice" method="post" action=\(address)>\(context.formToken)\
            <p>\(context.say(TimelineTexts.walksMore))</p>\
            \(Button(TimelineTexts.keepWalkLimits).html(context))</form>
            """
    }

    // MARK: What is in the way

    /// Each conflict, and the smallest sets of changes that help, as buttons (V46).
    private func conflicts(_ day: PersonDay, _ context: RequestContext) -> HTML? {
        guard let plan = day.plan, !plan.isFeasible else { return nil }
        let address = Address("/calendar/day", day.date.iso8601, "repair")
        let repairs = plan.repairs.compactMap { repair in
            RepairChoice(repair, plan, day).map {
                (choice: $0, words: words(repair, plan, context))
            }
        }
        let moves = day.moves.map { (choice: $0.choice, words: $0.words) }
        let choices = (repairs + moves).map { choice, words -> HTML in
            """
            <form method="post" action=\(address)>\(context.formToken)\
            <input type="hidden" name="changes" value="\(choice.text)">\
            <button class="chip">\(Icon.swap.html) <span>\(context.say(words))\
            </span></button></form>
            """
        }
        return """
            <section class="notice warn conflict"><h2>\(context.say(TimelineTexts.late))</h2>
            \(reasons(plan, context))\
            <h3>\(context.say(choices.isEmpty ? TimelineTexts.noFix : TimelineTexts.fixes))</h3>
            <div class="fixes">\(choices)</div></section>
            """
    }

    /// What is in the way, as a list.
    func reasons(_ plan: PlannedDay, _ context: RequestContext) -> HTML {
        let items = plan.conflicts.map { conflict -> HTML in
            let preference = plan.preference(inTheWayOf: conflict).map { preference -> HTML in
                let text =
                    switch preference {
                    case .means: TimelineTexts.meansInTheWay
                    case .walk: TimelineTexts.walkInTheWay
                    }
                return " \(context.say(text))"
            }
            return "<li>\(context.say(words(conflict, plan)))\(preference)</li>"
        }
        return "<ul>\(items)</ul>"
    }

    /// A conflict in words.
    private func words(_ conflict: DayConflict, _ plan: PlannedDay) -> Text {
        func title(_ task: Int) -> String { plan.input.tasks[task].title }
        return switch conflict {
        case .overlap(let first, let second): TimelineTexts.overlap(title(first), title(second))
        case .unreachable(.task(let first), let second, _):
            TimelineTexts.unreachable(title(second), title(first))
        case .unreachable(_, let second, _):
            TimelineTexts.unreachableFromBase(title(second))
        case .noReturn(let first, _): TimelineTexts.noReturn(title(first))
        case .noRoom(let task):
            // What has a fixed time needs no room, but a way.
            plan.input.tasks[task].timing.isFlexible
                ? TimelineTexts.noRoom(title(task)) : TimelineTexts.noWay(title(task))
        }
    }

    // MARK: The map

    /// The tasks of a day and the journeys between them.
    func scene(_ day: PersonDay) -> MapScene {
        guard let plan = day.plan else {
            let marks = day.occurrences.compactMap { occurrence -> MapScene.Mark? in
                guard let position = occurrence.item.position else { return nil }
                let title = Text(same: occurrence.item.summary ?? "")
                return MapScene.Mark(.stop, at: position, title)
            }
            return MapScene(marks)
        }
        // Work before and after lunch is one mark.
        var named: [Coordinate: Set<String>] = [:]
        let tasks = plan.input.tasks.indices.compactMap { task -> MapScene.Mark? in
            let title = plan.input.tasks[task].title
            guard let position = plan.place(of: task)?.coordinate,
                named[position, default: []].insert(title).inserted
            else { return nil }
            return MapScene.Mark(.stop, at: position, Text(same: title))
        }
        let base = plan.input.base.flatMap { base in
            base.coordinate.map {
                MapScene.Mark(.meeting, at: $0, Text(same: shortPlace(base.name)))
            }
        }
        let stops = plan.journeys.flatMap { travel.boardingMarks($0.trip.steps) }
        return MapScene(
            stops + [base].compactMap(\.self) + tasks,
            lines: plan.journeys.flatMap { travel.lines(of: $0.trip.steps) }
        )
    }
}
