import Agenda
import Chronology
import DayPlanning
import Localization
import OpenData
import TaxiPages
import WebCore

/// Another day for a task that does not fit into a day.
struct DayMove: Sendable {
    /// The change of the task, as its button sends it.
    let choice: RepairChoice
    /// The change in words.
    let words: Text
}

/// Other days for what a repair would leave out (V46, V99).
extension CalendarPages {
    /// For how many tasks a page looks for another day.
    private static let movesLimit = 2
    /// How many days after it are tried.
    private static let moveDays: Int32 = 5
    /// How long a plan of one day is waited for, in milliseconds.
    private static let movePatience: Int64 = 500

    /// The first days on which there is room for the tasks that would have to be left out.
    ///
    /// - Parameters:
    ///   - day: the day; of one that works out, or is over, nothing is moved.
    ///   - context: the request for its page.
    ///   - person: its owner.
    /// - Returns: a move for each task for which a day was found in time.
    /// - Throws: any error of the store.
    func moves(
        of day: PersonDay,
        _ context: RequestContext,
        _ person: SignedIn
    ) async throws -> [DayMove] {
        guard let plan = day.plan, !plan.isFeasible, day.span.upperBound > Instant(context.now)
        else { return [] }
        let dropped = plan.repairs.compactMap { repair in
            repair.changes.count == 1 && repair.dropCount == 1 ? repair.changes[0].task : nil
        }
        var moves: [DayMove] = []
        for task in dropped.prefix(Self.movesLimit) {
            guard let occurrence = day.occurrence(of: plan.input.tasks[task]),
                let entry = day.excerpt.entries.first(where: { $0.number == occurrence.entry }),
                let move = try await move(occurrence, of: entry, day, context, person)
            else { continue }
            moves.append(move)
        }
        return moves
    }

    private func move(
        _ occurrence: AgendaOccurrence,
        of entry: AgendaEntry,
        _ day: PersonDay,
        _ context: RequestContext,
        _ person: SignedIn
    ) async throws -> DayMove? {
        guard let details = entry.details(of: occurrence.id, zone: agenda.zone),
            let start = details.timing.start
        else { return nil }
        let isRepeated = entry.isRepeated
        let target = EntryTarget(
            entry: entry,
            occurrence: isRepeated ? occurrence.id : nil,
            isRepeated: isRepeated
        )
        for offset in 1...Self.moveDays {
            let date = day.date.adding(days: offset)
            // A task that is so many times a week is on different days.
            let others = AgendaExcerpt(version: 0, entries: [entry])
                .occurrences(in: span(of: date), zone: agenda.zone)
            guard !isRepeated || others.isEmpty else { continue }
            guard
                let minutes = try await minutes(
                    to: date,
                    from: day,
                    details,
                    target,
                    context,
                    person
                )
            else { continue }
            let change = RepairChoice.Change(
                entry: entry.number,
                revision: entry.revision,
                id: occurrence.id,
                kind: .move(minutes: minutes)
            )
            let moved = LocalTime(wallSeconds: start.wallSeconds + minutes * 60)
            let named = LaterTexts.weekdayAndDay(moved.date)
            let words =
                occurrence.isFixed
                ? TimelineTexts.moveToTime(details.title, named, moved.clockTime())
                : TimelineTexts.moveTo(details.title, named)
            return DayMove(choice: RepairChoice(change), words: words)
        }
        return nil
    }

    /// By how many minutes an entry is moved to a later day: an event to the best time of that day,
    /// and a task, or one event of a series, by whole days; nil if there is no room.
    private func minutes(
        to date: CivilDate,
        from day: PersonDay,
        _ details: EntryDetails,
        _ target: EntryTarget,
        _ context: RequestContext,
        _ person: SignedIn
    ) async throws -> Int64? {
        let now = LocalTime(Instant(context.now), in: web.settings.zoneTable)
        guard date >= now.date else { return nil }
        if case .fixed(let start, let end) = details.timing, !target.isRepeated,
            start.date == day.date, end.date == day.date
        {
            let length = (end.wallSeconds - start.wallSeconds) / 60
            let slot = try await slot(on: date, for: details, length, now, target, context, person)
            return slot.map { ($0.start.wallSeconds - start.wallSeconds) / 60 }
        }
        let minutes = Int64(date.daysSince1970 - day.date.daysSince1970) * 1_440
        guard let moved = details.changed(by: .move(minutes: minutes)),
            let start = moved.timing.start, start > now
        else { return nil }
        let draft = draft(of: moved, target, context)
        let trial = try await self.day(
            date,
            of: person.person,
            with: [draft],
            patience: Self.movePatience,
            context
        )
        guard let plan = trial.plan, plan.isFeasible,
            !trial.tasks(of: draft.number, in: plan).isEmpty
        else { return nil }
        return minutes
    }
}
