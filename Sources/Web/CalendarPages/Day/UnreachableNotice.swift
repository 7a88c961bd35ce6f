package import Agenda
package import Chronology
import DayPlanning
package import Identity
import Notify
import Storage
import TaxiPages
import TripPlanning

/// A message that an entry can no longer be reached in time (V47): the day and the occurrence.
///
/// The text is composed when it is sent, and only if the entry still cannot be reached.
package struct UnreachableNotice: CalendarNotice, Sendable, Hashable {
    package static let mark: UInt8 = 252
    package static let field = "unreachable"

    /// The day of the plan.
    package let date: CivilDate
    private let task: DayMemory.Subject

    init(_ task: DayMemory.Subject, on date: CivilDate) {
        self.task = task
        self.date = date
    }

    package var text: String { "\(date.iso8601) \(task.from) \(task.uid)" }

    package init?(text: String) {
        let words = text.split(separator: " ", maxSplits: 2)
        guard words.count == 3, let date = CivilDate(iso8601: String(words[0])),
            let from = Int64(words[1])
        else { return nil }
        self.init(DayMemory.Subject(uid: String(words[2]), from: from), on: date)
    }

    /// What is not reached, and when it begins or may begin; nil if it is reached again, is gone,
    /// or if its owner wants no notices of it (V19).
    package func entry(
        of person: PersonNumber,
        in agenda: Agenda
    ) async throws -> (title: String, start: Instant)? {
        guard let text = try await agenda.memory(of: person, on: date),
            let memory = DayMemory(text), memory.unreachable.contains(task),
            let title = try await agenda.title(of: task, on: date, of: person)
        else { return nil }
        return (title, Instant(seconds: task.from))
    }
}

/// A plan that no longer reaches what its owner wants to reach (V47).
package struct BrokenPlan: Hashable, Sendable {
    /// The owner of the plan.
    package let person: PersonNumber
    /// The day of the plan.
    package let day: CivilDate
    /// The version of the calendar that was planned.
    package let version: Int64
}

extension CalendarPages {
    /// The messages about the entries that a plan no longer reaches, and that are still to come;
    /// there is one for a time and a version of the calendar.
    func unreachableNotices(
        _ plan: PlannedDay,
        of person: PersonNumber,
        on date: CivilDate,
        _ version: Int64,
        at now: Moment
    ) async -> [Posting] {
        guard let key = try? await accounts.key(of: person) else { return [] }
        return plan.unreachable.compactMap { task in
            let end = plan.input.tasks.first { $0.subject == task }?.timing.window.upperBound
            guard let end, end > Instant(now),
                let sealed = try? UnreachableNotice(task, on: date).sealed(key),
                let id = PostingId("unreachable.\(person.rawValue).\(task.from).\(version)")
            else { return nil }
            return Posting(
                id,
                to: "\(person.rawValue)",
                kind: CalendarNotificationKind.unreachable,
                sealed: sealed,
                notBefore: now,
                usefulUntil: Moment(milliseconds: end.seconds * 1_000)
            )
        }
    }
}

extension PlannedDay {
    /// The tasks that are in the way of a day that does not work out, each once.
    var unreachable: [DayMemory.Subject] {
        var subjects: [DayMemory.Subject] = []
        for conflict in conflicts {
            let task: Int? =
                switch conflict {
                case .unreachable(_, let task, _), .noRoom(let task): task
                case .overlap, .noReturn: nil
                }
            guard let task else { continue }
            let subject = input.tasks[task].subject
            if !subjects.contains(subject) { subjects.append(subject) }
        }
        return subjects
    }
}
