import Agenda
import Chronology
import CityData
import DayPlanning
import Encoding
import HTTPTypes
import Identity
import Localization
import Markup
import OpenData
import TaxiPages
import TripPlanning
import WebCore

/// Checks an entry, plans its day, and stores it with the changes that were chosen.
extension CalendarPages {
    /// Checks an entry, plans its day, and stores it.
    func take(
        _ target: EntryTarget,
        _ context: RequestContext,
        _ person: SignedIn
    ) async throws -> Response {
        let known = target.details(agenda.zone)
        var form = try await form(context, known, person)
        if let step = context.form["point"].flatMap(PointStep.init) {
            return try choosePoint(step, form, target, context)
        }
        let details = try await details(of: &form, target, known, context, person)
        func page(_ verdict: Verdict = .none, _ problem: Text? = nil) -> Response {
            response(
                entryPage(form, target, verdict: verdict, problem: problem, context),
                to: context
            )
        }
        guard let details else { return page() }
        if let entry = target.entry, context.form["revision"] != "\(entry.revision)" {
            return page(.none, EntryTexts.meanwhile)
        }
        if context.form["find"] == "yes" {
            return page(.slots(try await slots(for: details, target, context, person)))
        }
        let draft = draft(of: details, target, context)
        if let refusal = try await refusal(of: draft, details, target, person) {
            return page(.none, refusal)
        }
        if context.form["check"] == "yes" || context.form["slot"] != nil {
            return page(try await verdict(on: draft, details, target, context, person))
        }
        var choice: RepairChoice?
        if let text = context.form["repair"] {
            choice = RepairChoice(text)
            if choice == nil { throw Failure.badField("repair") }
        } else if context.form["anyway"] != "yes" {
            let verdict = try await verdict(on: draft, details, target, context, person)
            switch verdict {
            case .bad(let day, let plan):
                if try await isToBlame(draft, day, plan, context, person) { return page(verdict) }
            case .loses: return page(verdict)
            case .none, .good, .slots: break
            }
        }
        do {
            try await store(draft, details, target, choice, person, context)
        } catch AgendaFailure.tooManyEntries {
            return page(.none, EntryTexts.full)
        }
        let done = target.entry == nil ? "added" : "changed"
        let notice = form.isPartlyCovered && details.place != known?.place ? "partly" : done
        guard let date = day(of: draft, details, context) else {
            return .redirect(to: Address("/calendar/list", query: ["notice": notice]))
        }
        return .redirect(to: address(of: date, notice: notice))
    }

    /// What a form says, with the days that are chosen for a task that is so many times a week; nil
    /// if something is wrong, which then stands in the form.
    private func details(
        of form: inout EntryForm,
        _ target: EntryTarget,
        _ known: EntryDetails?,
        _ context: RequestContext,
        _ person: SignedIn
    ) async throws -> EntryDetails? {
        let now = LocalTime(Instant(context.now), in: web.settings.zoneTable)
        // The past may be described better, but nothing is moved into it (V20). Of a series that
        // began long ago, the hours may change.
        let stays =
            form.isSameTime(as: known)
            || target.isSeries && form.day == known?.timing.start?.date.iso8601
        let stated = form.details(at: stays ? nil : now, since: known) { form in
            typedPlace(
                &form.place,
                allowsKinds: form.timing == .flexible,
                context,
                &form.problems
            )
        }
        guard let stated, isAllowed(stated.place, since: known?.place, &form) else { return nil }
        let details = try await agenda.choosingDays(
            of: stated,
            since: known,
            replacing: target.entry?.number,
            of: person.person
        )
        form.chosenDays = details.repetition.weekdays
        // The first of the chosen days may be too late.
        form.note(details.flaws(at: nil, since: known))
        return form.problems.isEmpty ? details : nil
    }

    /// The form as it was sent, with the template or the time that was chosen.
    private func form(
        _ context: RequestContext,
        _ known: EntryDetails?,
        _ person: SignedIn
    ) async throws -> EntryForm {
        var form = EntryForm(context.form)
        form.templates = try await agenda.settings(of: person.person).templates
        if form.template != known?.template ?? "",
            let template = form.templates.first(where: { $0.name == form.template })
        {
            form.take(template)
        }
        if let slot = context.form["slot"] { try form.take(slot: slot) }
        return form
    }

    /// Whether a day does not work out because of an entry, or did not before.
    private func isToBlame(
        _ draft: AgendaEntry,
        _ day: PersonDay,
        _ plan: PlannedDay,
        _ context: RequestContext,
        _ person: SignedIn
    ) async throws -> Bool {
        let isInTheWay = day.tasks(of: draft.number, in: plan).contains { task in
            plan.conflicts.contains { $0.concerns(task) || $0.begins(at: task) }
        }
        if isInTheWay { return true }
        let before = try await self.day(day.date, of: person.person, context)
        return before.plan?.isFeasible ?? true
    }

    /// The day of an entry that its owner looks at: of a series that has begun, the next one.
    private func day(
        of draft: AgendaEntry,
        _ details: EntryDetails,
        _ context: RequestContext
    ) -> CivilDate? {
        let (now, zone) = (Instant(context.now), web.settings.zoneTable)
        guard let start = details.timing.start else { return nil }
        guard details.repetition.frequency != .never, start.instant(in: zone) < now else {
            return start.date
        }
        let next = AgendaExcerpt(version: 0, entries: [draft]).occurrences(
            in: now..<now.adding(seconds: Agenda.lookAheadSeconds),
            zone: agenda.zone
        ).first
        return next.map { LocalTime($0.span.lowerBound, in: zone).date } ?? start.date
    }

    /// The entry as it would be stored.
    func draft(
        of details: EntryDetails,
        _ target: EntryTarget,
        _ context: RequestContext
    ) -> AgendaEntry {
        let now = Instant(context.now)
        guard let entry = target.written else {
            let uid = Self.newIdentifier()
            let calendar = details.calendar(uid: uid, zone: agenda.zone, at: now)
            return AgendaEntry(number: RepairChoice.newEntry, revision: 0, calendar: calendar)
        }
        let changed =
            (target.isSingle ? target.occurrence : nil).flatMap {
                entry.changed($0, to: details, zone: agenda.zone, at: now)
            } ?? entry.changed(to: details, zone: agenda.zone, at: now)
        return AgendaEntry(number: entry.number, revision: entry.revision, calendar: changed)
    }

    /// Why an entry must not be stored: another one is at the same time (V28).
    private func refusal(
        of draft: AgendaEntry,
        _ details: EntryDetails,
        _ target: EntryTarget,
        _ person: SignedIn
    ) async throws -> Text? {
        guard rules.policy == .reject else { return nil }
        guard let begin = details.timing.start?.instant(in: agenda.zone.table),
            let other = try await agenda.conflict(
                of: draft,
                from: begin,
                of: person.person,
                by: rules,
                replacing: Set([target.entry?.number].compactMap(\.self)),
                with: target.rest,
                at: Instant(web.now())
            )
        else { return nil }
        return EntryTexts.conflictWith(
            other.item.summary ?? "",
            LocalTime(other.span.lowerBound, in: web.settings.zoneTable).date,
            clockTime(other.span.lowerBound),
            clockTime(other.span.upperBound)
        )
    }

    /// What becomes of the day with the entry.
    private func verdict(
        on draft: AgendaEntry,
        _ details: EntryDetails,
        _ target: EntryTarget,
        _ context: RequestContext,
        _ person: SignedIn
    ) async throws -> Verdict {
        guard let date = day(of: draft, details, context) else { return .good(EntryTexts.works) }
        let day = try await day(date, of: person.person, with: [draft] + target.rest, context)
        guard let plan = day.plan else {
            if case .planning = day.outcome { return .good(EntryTexts.stillPlanning) }
            return .none
        }
        guard plan.isFeasible else { return .bad(day, plan) }
        let lost = try await ticketsLost(by: target, day, context, person)
        if !lost.isEmpty { return .loses(lost) }
        guard let own = day.tasks(of: draft.number, in: plan).first else {
            return .good(EntryTexts.works)
        }
        let leave = plan.journeys.last { $0.to == .task(own) }
            .map { clockTime($0.trip.departure) }
        let time = plan.time(of: own)
        guard plan.input.tasks[own].timing.isFlexible else {
            return .good(leave.map { EntryTexts.reachable($0) } ?? EntryTexts.works)
        }
        let spans = plan.spans(of: own)
        if spans.count > 1 { return .good(EntryTexts.fitsInPieces(clockTimes(spans))) }
        // As the page of the day shows it.
        let (from, until) = (
            clockTime(time.lowerBound, roundsUp: true), clockTime(time.upperBound, roundsUp: true)
        )
        return .good(
            leave.map { EntryTexts.fitsAndLeave(from, until, $0) } ?? EntryTexts.fits(from, until)
        )
    }

    // MARK: Storing

    /// Stores an entry, and the changes of other entries that were chosen with it.
    private func store(
        _ draft: AgendaEntry,
        _ details: EntryDetails,
        _ target: EntryTarget,
        _ choice: RepairChoice?,
        _ person: SignedIn,
        _ context: RequestContext
    ) async throws {
        var draft = draft
        var others = choice
        if let own = choice?.changes.first(where: { $0.entry == draft.number }) {
            guard let changed = details.changed(by: own.kind) else {
                // The entry itself is left out: there is nothing to store.
                throw Failure.badField("repair")
            }
            draft = self.draft(of: changed, target, context)
            others?.changes.removeAll { $0.entry == draft.number }
        }
        var changes: [AgendaChange] = []
        if let others { changes = try await self.changes(others, of: person.person, context) }
        // What is left of a divided entry is written once.
        let isTwice = changes.contains { $0.entry.number == target.entry?.number }
        if isTwice { throw Failure.badField("repair") }
        var added: [ICalendar] = []
        if let entry = target.entry, target.division == nil {
            changes.append(AgendaChange(entry, to: draft.calendar))
        } else {
            changes += target.rest.map { AgendaChange($0, to: $0.calendar) }
            added = [draft.calendar]
        }
        try await refusing {
            try await agenda.change(changes, adding: added, of: person.person)
        }
        if choice?.dropsWalkLimits == true, let date = day(of: draft, details, context) {
            try await wish(of: person.person, on: date) { $0.dropsWalkLimits = true }
        }
    }

    /// Makes changes of stored entries, all or none of them, and lets their owner walk further on a
    /// day if that was chosen with them.
    func apply(
        _ choice: RepairChoice,
        on date: CivilDate,
        of person: PersonNumber,
        _ context: RequestContext
    ) async throws {
        let changes = try await changes(choice, of: person, context)
        try await refusing { try await agenda.change(changes, of: person) }
        guard choice.dropsWalkLimits else { return }
        try await wish(of: person, on: date) { $0.dropsWalkLimits = true }
    }

    /// What becomes of stored entries by a choice.
    private func changes(
        _ choice: RepairChoice,
        of person: PersonNumber,
        _ context: RequestContext
    ) async throws -> [AgendaChange] {
        let now = Instant(context.now)
        var changes: [AgendaChange] = []
        for change in choice.changes {
            let entry = try await refusing { try await agenda.entry(change.entry, of: person) }
            guard entry.revision == change.revision else { throw Failure.changedMeanwhile }
            guard !changes.contains(where: { $0.entry.number == entry.number }),
                let details = entry.details(of: change.id, zone: agenda.zone)
            else { throw Failure.badField("changes") }
            if change.kind == .drop {
                let rest =
                    entry.isRepeated
                    ? entry.removing(change.id, zone: agenda.zone, at: now) : nil
                changes.append(AgendaChange(entry, to: rest))
                continue
            }
            guard let changed = details.changed(by: change.kind) else {
                throw Failure.badField("changes")
            }
            let calendar =
                entry.isRepeated
                ? entry.changed(change.id, to: changed, zone: agenda.zone, at: now)
                : entry.changed(to: changed, zone: agenda.zone, at: now)
            changes.append(AgendaChange(entry, to: calendar ?? entry.calendar))
        }
        return changes
    }
}

extension EntryForm {
    /// Whether the form states the time that an entry has already.
    fileprivate func isSameTime(as details: EntryDetails?) -> Bool {
        guard let details else { return false }
        let old = EntryForm(details)
        return (timing, day, start, end, lastDay) == (
            old.timing, old.day, old.start, old.end, old.lastDay
        )
    }
}
