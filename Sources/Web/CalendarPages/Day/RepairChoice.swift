import Agenda
import Chronology
import DayPlanning
import Localization
import OpenData
import TravelPages
import TripPlanning
import WebCore

/// Changes of a day's entries that a person may choose with one press, as a form carries them.
///
/// The text `12 40 1764230400 postpone 25` is a change of an entry: its number, its revision, the
/// time of the occurrence, what happens to it and by how many minutes. Number 0 is the entry of the
/// form, which is not stored yet. A comma separates changes. `walk` alone is no change of an entry:
/// the person walks further that day than the limits say.
struct RepairChoice: Sendable, Equatable {
    /// The longest text, in bytes.
    static let bytesLimit = 2_000

    /// A change of one entry.
    struct Change: Sendable, Equatable {
        var entry: EntryNumber
        /// The revision of the entry for which the change was found: no other one is changed.
        var revision: Int64
        var id: OccurrenceID
        var kind: CalendarChange.Kind
    }

    /// The number of the entry that is being written.
    static let newEntry = EntryNumber(rawValue: 0)

    var changes: [Change]
    /// Whether the person walks further that day than the limits on walking say.
    var dropsWalkLimits = false

    /// A change of one entry.
    init(_ change: Change) { changes = [change] }

    /// A repair of a planned day; nil if one of its tasks is no entry of the calendar.
    init?(_ repair: CalendarRepair, _ plan: PlannedDay, _ day: PersonDay) {
        changes = []
        dropsWalkLimits = repair.dropsWalkLimits
        for change in repair.changes {
            guard let occurrence = day.occurrence(of: plan.input.tasks[change.task]),
                let entry = day.excerpt.entries.first(where: { $0.number == occurrence.entry })
            else { return nil }
            changes.append(
                Change(
                    entry: entry.number,
                    revision: entry.revision,
                    id: occurrence.id,
                    kind: change.kind
                )
            )
        }
    }

    /// Reads what ``text`` wrote; nil for anything else.
    init?(_ text: String) {
        changes = []
        guard text.utf8.count <= Self.bytesLimit else { return nil }
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            if part == Self.walking, !dropsWalkLimits {
                dropsWalkLimits = true
                continue
            }
            let words = part.split(separator: " ")
            guard words.count == 5, let entry = Int64(words[0]), entry >= 0,
                let revision = Int64(words[1]), let id = Int64(words[2]),
                let minutes = Int64(words[4]), (0...10_080).contains(minutes)
            else { return nil }
            let kind: CalendarChange.Kind
            switch words[3] {
            case "postpone": kind = .postpone(minutes: minutes)
            case "shorten": kind = .shorten(minutes: minutes)
            case "delay": kind = .delay(minutes: minutes)
            case "means": kind = .anyMeans
            case "drop": kind = .drop
            case "move": kind = .move(minutes: minutes)
            default: return nil
            }
            changes.append(
                Change(
                    entry: EntryNumber(rawValue: entry),
                    revision: revision,
                    id: OccurrenceID(seconds: id),
                    kind: kind
                )
            )
        }
    }

    /// Whether an entry would not take place.
    func leavesOut(_ entry: EntryNumber) -> Bool {
        changes.contains { $0.entry == entry && $0.kind == .drop }
    }

    /// The text of no limits on walking.
    private static let walking = "walk"

    /// The changes as text.
    var text: String {
        let walking = dropsWalkLimits ? [Self.walking] : []
        let all = changes.map { change in
            let word =
                switch change.kind {
                case .postpone: "postpone"
                case .shorten: "shorten"
                case .delay: "delay"
                case .anyMeans: "means"
                case .drop: "drop"
                case .move: "move"
                }
            let numbers = [change.entry.rawValue, change.revision, change.id.seconds]
                .map { "\($0)" }.joined(separator: " ")
            return "\(numbers) \(word) \(change.kind.minutes)"
        }
        return (walking + all).joined(separator: ",")
    }
}

extension CalendarRepair {
    /// The changes in words.
    func words(_ plan: PlannedDay) -> Text {
        let walking = dropsWalkLimits ? [TimelineTexts.walkMore] : []
        return Text(
            joining: walking
                + changes.map { change in
                    let title = plan.input.tasks[change.task].title
                    return switch change.kind {
                    case .postpone(let minutes), .move(let minutes):
                        TimelineTexts.postpone(title, TimelineTexts.duration(minutes * 60))
                    case .shorten(let minutes):
                        TimelineTexts.shorten(title, TimelineTexts.duration(minutes * 60))
                    case .delay(let minutes):
                        TimelineTexts.delay(title, TimelineTexts.duration(minutes * 60))
                    case .anyMeans: TimelineTexts.anyMeans(title)
                    case .drop: TimelineTexts.drop(title)
                    }
                },
            separator: ", "
        )
    }
}

extension EntryDetails {
    /// The details after a change; nil if they would not be valid.
    ///
    /// A task without a fixed time may begin later because its window ends later.
    func changed(by kind: CalendarChange.Kind) -> EntryDetails? {
        var changed = self
        switch (timing, kind) {
        case (.fixed(let start, let end), .postpone(let minutes)):
            changed.timing = .fixed(start: start.adding(minutes), end: end.adding(minutes))
        case (.fixed(let start, let end), .shorten(let minutes)):
            changed.timing = .fixed(start: start, end: end.adding(-minutes))
        case (.flexible(let from, let until, let length, let least), .postpone(let minutes)):
            changed.timing = .flexible(
                from: from,
                until: until.adding(minutes),
                minutes: length,
                leastMinutes: least
            )
        case (.flexible(let from, let until, let length, let least), .shorten(let minutes)):
            changed.timing = .flexible(
                from: from,
                until: until,
                minutes: length,
                leastMinutes: least - minutes
            )
        case (.fixed(let start, let end), .delay(let minutes)):
            changed.timing = .fixed(start: start.adding(minutes), end: end)
        case (.fixed(let start, let end), .move(let minutes)):
            changed.timing = .fixed(start: start.adding(minutes), end: end.adding(minutes))
        case (.flexible(let from, let until, let length, let least), .move(let minutes)):
            changed.timing = .flexible(
                from: from.adding(minutes),
                until: until.adding(minutes),
                minutes: length,
                leastMinutes: least
            )
        case (_, .anyMeans): changed.means = nil
        case (_, .drop), (.someday, _), (.flexible, .delay): return nil
        }
        return changed.flaws(at: nil).isEmpty ? changed : nil
    }
}

extension LocalTime {
    /// The reading of the clocks some minutes later.
    fileprivate func adding(_ minutes: Int64) -> LocalTime {
        LocalTime(wallSeconds: wallSeconds + minutes * 60)
    }
}

extension TimelineTexts {
    /// The way to an own vehicle.
    static func toVehicle(_ kind: TripKind) -> Text {
        kind == .bicycle ? TimelineTexts.toYourBicycle : TimelineTexts.toYourCar
    }

    /// A duration in whole minutes, from an hour on in hours and minutes.
    static func duration(_ seconds: Int64) -> Text {
        PlanTexts.duration(seconds, least: 0)
    }
}
