import Agenda
import Chronology
import DayPlanning
import HTTPTypes
import Localization
import Markup
import OpenData
import TaxiPages
import TripPlanning
import WebCore

/// A time that suits an entry.
struct EntrySlot: Hashable {
    /// When it would begin, on the city's clocks.
    let start: LocalTime
    /// When it would end.
    let end: LocalTime
    /// When to leave for it; nil if nobody has to.
    let leave: Instant?
    /// How much longer its owner is on the way on that day, in seconds; never less than 0.
    let travelSeconds: Int64

    /// The slot as a button sends it.
    var value: String { "\(start.date.iso8601) \(start.clockTime()) \(end.clockTime())" }
}

/// The best times for a new appointment, today or on one of the days after (V99).
extension CalendarPages {
    /// On how many days a time is looked for.
    private static let slotDays: Int32 = 5
    /// How many times are offered.
    private static let slotsLimit = 4
    /// The hours of a day among which a time is looked for, in seconds after midnight.
    private static let slotHours: ClosedRange<Int32> = 8 * 3_600...20 * 3_600
    /// How long a plan of one day is waited for, in milliseconds.
    private static let slotPatience: Int64 = 3_000

    /// The best time for an entry on each of some days, by how much longer one is on the way.
    ///
    /// Each is the time at which the day's plan would put it if it had no fixed one. A day that
    /// would not work out is left out: it is too full.
    func slots(
        for details: EntryDetails,
        _ target: EntryTarget,
        _ context: RequestContext,
        _ person: SignedIn
    ) async throws -> [EntrySlot] {
        guard case .fixed(let start, let end) = details.timing,
            start.date == end.date || end.second == 0
        else { return [] }
        let minutes = (end.wallSeconds - start.wallSeconds) / 60
        let zone = web.settings.zoneTable
        let now = LocalTime(Instant(context.now), in: zone)
        let first = max(start.date, now.date)
        var slots: [EntrySlot] = []
        for offset in 0..<Self.slotDays {
            let date = first.adding(days: offset)
            let slot = try await slot(
                on: date,
                for: details,
                minutes,
                now,
                target,
                context,
                person
            )
            if let slot { slots.append(slot) }
        }
        return slots.sorted { ($0.travelSeconds, $0.start) < ($1.travelSeconds, $1.start) }
            .prefix(Self.slotsLimit).map(\.self)
    }

    /// The best time for an entry on a day; nil if the day is too full.
    func slot(
        on date: CivilDate,
        for details: EntryDetails,
        _ minutes: Int64,
        _ now: LocalTime,
        _ target: EntryTarget,
        _ context: RequestContext,
        _ person: SignedIn
    ) async throws -> EntrySlot? {
        // Nobody leaves before reading this.
        let earliest = date == now.date ? now.second + 1_800 : 0
        let from = max(Self.slotHours.lowerBound, (earliest + 899) / 900 * 900)
        guard Int64(Self.slotHours.upperBound - from) >= minutes * 60 else { return nil }
        var open = details
        open.repetition = EntryRepetition()
        open.timing = .flexible(
            from: LocalTime(date: date, second: from),
            until: LocalTime(date: date, second: Self.slotHours.upperBound),
            minutes: minutes,
            leastMinutes: minutes
        )
        return try await slot(on: date, open, minutes, target, context, person)
    }

    private func slot(
        on date: CivilDate,
        _ details: EntryDetails,
        _ minutes: Int64,
        _ target: EntryTarget,
        _ context: RequestContext,
        _ person: SignedIn
    ) async throws -> EntrySlot? {
        let draft = draft(of: details, target, context)
        let day = try await day(
            date,
            of: person.person,
            with: [draft],
            patience: Self.slotPatience,
            context
        )
        guard let plan = day.plan, plan.isFeasible,
            let task = day.tasks(of: draft.number, in: plan).first
        else { return nil }
        let before = try await self.day(
            date,
            of: person.person,
            patience: Self.slotPatience,
            context
        )
        // Appointments begin at full five minutes.
        let zone = web.settings.zoneTable
        let found = plan.time(of: task).lowerBound.seconds
        let start = Instant(seconds: (found + 299) / 300 * 300)
        let longer = plan.travelSeconds - (before.plan?.travelSeconds ?? 0)
        return EntrySlot(
            start: LocalTime(start, in: zone),
            end: LocalTime(start.adding(seconds: minutes * 60), in: zone),
            leave: plan.journeys.last { $0.to == .task(task) }?.trip.departure,
            travelSeconds: max(0, longer)
        )
    }

    /// The times as buttons.
    func slotsNotice(_ slots: [EntrySlot], _ context: RequestContext) -> HTML {
        guard !slots.isEmpty else {
            return Notice(.warning, isAnnounced: true, "\(context.say(SlotTexts.none))")
                .html(context)
        }
        let buttons = slots.map { slot -> HTML in
            let leave = slot.leave.map { SlotTexts.leave(clockTime($0)) }
            let longer =
                slot.travelSeconds < 60
                ? SlotTexts.onTheWay : SlotTexts.longer(TimelineTexts.duration(slot.travelSeconds))
            let facts = [leave, longer].compactMap(\.self).map(context.say)
                .joined(separator: " · ")
            let when = SlotTexts.when(
                LaterTexts.weekdayAndDay(slot.start.date),
                slot.start.clockTime(),
                slot.end.clockTime()
            )
            return """
                <button class="chip" name="slot" value="\(slot.value)">\(Icon.clock.html) \
                <span>\(context.say(when)) · <small>\(facts)</small></span></button>
                """
        }
        return """
            <section class="notice" role="status"><h2>\(context.say(SlotTexts.title))</h2>\
            <div class="fixes">\(buttons)</div></section>
            """
    }
}

extension EntryForm {
    /// Takes over a time that was found.
    ///
    /// - Throws: `Failure.badField` for what no button sends.
    mutating func take(slot: String) throws {
        let parts = slot.split(separator: " ").map(String.init)
        guard parts.count == 3 else { throw Failure.badField("slot") }
        timing = .fixed
        (day, start, end, lastDay) = (parts[0], parts[1], parts[2], "")
    }
}
