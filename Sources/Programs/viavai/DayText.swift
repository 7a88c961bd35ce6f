import Chronology
import CityData
import DayPlan
import DayPlanning
import Foundation
import OpenData
import TripPlanning

/// What `viavai day` says about a calendar and its day, with the name of the file and the line.
struct DayText {
    /// How many remarks and errors of a kind are printed; the rest is counted.
    private static let linesLimit = 10
    /// How many repairs the error line names; JSON has all of them.
    private static let repairsLimit = 4
    /// The longest title that is repeated, in characters.
    private static let titleLimit = 60

    private let path: String
    private let zone: ZoneTable

    /// Creates texts about a file, with times in a city's zone.
    init(path: String, zone: ZoneTable) {
        self.path = path
        self.zone = zone
    }

    // MARK: Lines

    /// A sentence about a line of the file.
    func at(_ line: Int, _ text: String) -> String { "\(path): line \(line): \(text)" }

    /// A text of which a terminal shows every character: calendars come from anybody.
    func plain(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.properties.isPrintable }))
    }

    /// Prints a line that is not the answer itself.
    func note(_ text: String) { Console.note(plain(text)) }

    /// Prints what was remarked when the calendar was read.
    func note(_ remarks: [CalendarDay.Remark]) {
        for remark in remarks.prefix(Self.linesLimit) { note(line(of: remark)) }
        if remarks.count > Self.linesLimit {
            Console.note(
                "\(path): and \(remarks.count - Self.linesLimit) more remarks of this kind"
            )
        }
    }

    /// Prints how many places are considered for each task that may be at any of several.
    func noteChoices(of day: DayInput) {
        for task in day.tasks where task.knownPlaces > 1 && !task.isClosed {
            let isWhole = task.places.count == task.knownPlaces
            note(
                at(
                    task.line,
                    "considering \(task.places.count) of \(task.knownPlaces) places for "
                        + quoted(task.location ?? task.title)
                        + (isWhole ? "" : ": the nearest that may be open")
                )
            )
        }
    }

    /// Prints which places were chosen without knowing when they are open.
    func noteHours(of plan: PlannedDay) {
        for (task, own) in plan.places.sorted(by: { $0.key < $1.key })
        where own.openings == nil && own.place.kind == .feature {
            note(
                at(
                    plan.input.tasks[task].line,
                    "the opening hours of \(own.place.name) are not known; it counts as open"
                )
            )
        }
    }

    /// Prints where one arrives less early than wanted, or late, since nothing comes sooner.
    func noteWarnings(of plan: PlannedDay) {
        func minutes(_ seconds: Int64) -> Int64 { seconds / 60 }
        for (task, seconds) in plan.shortWaits.sorted(by: { $0.key < $1.key }) {
            note(
                at(
                    plan.input.tasks[task].line,
                    "you arrive only \(minutes(seconds)) min before \(title(task, plan.input)), "
                        + "since nothing comes sooner"
                )
            )
        }
        for (task, seconds) in plan.longWaits.sorted(by: { $0.key < $1.key }) {
            note(
                at(
                    plan.input.tasks[task].line,
                    "you wait \(minutes(seconds)) min before \(title(task, plan.input)), since "
                        + "nothing later comes in time"
                )
            )
        }
        for (task, seconds) in plan.lateness.sorted(by: { $0.key < $1.key }) {
            note(
                at(
                    plan.input.tasks[task].line,
                    "the best journey to \(title(task, plan.input)) arrives "
                        + "\(minutes(seconds + 59)) min late"
                )
            )
        }
        for journey in plan.journeys {
            guard case .task(let task) = journey.to else { continue }
            for warning in journey.warnings {
                let text = "on the way to \(title(task, plan.input)): \(warning.text(in: zone))"
                note(at(plan.input.tasks[task].line, text))
            }
        }
    }

    private func line(of remark: CalendarDay.Remark) -> String {
        switch remark {
        case .leftOut(let failure) where failure.problem == .duplicate:
            line(of: failure, "the latest revision counts")
        case .leftOut(let failure): line(of: failure, "left out, as it is not of this day")
        case .ignored(let failure): line(of: failure, "kept as it is")
        case .noWindow(let line):
            at(
                line,
                "the task is left out: only one with DTSTART, DUE and ESTIMATED-DURATION can be "
                    + "planned"
            )
        case .wholeDay(let line):
            at(line, "the event lasts the whole day, so no journey is planned to it")
        }
    }

    /// A failure of the calendar, and what to do or what was done.
    func line(of failure: ICalendarFailure, _ advice: String) -> String {
        plain(at(failure.line, "\(failure.reason); \(advice)"))
    }

    // MARK: Failures

    /// The error for a calendar whose day cannot be read.
    func failure(_ failure: CalendarDay.Failure) -> CommandFailure {
        switch failure {
        case .unreadable(let failures):
            let lines = failures.prefix(Self.linesLimit).map {
                line(of: $0, "correct or remove it")
            }
            let rest = failures.count - lines.count
            return .badInput(
                (lines + (rest > 0 ? ["\(path): and \(rest) more"] : []))
                    .joined(separator: "\nviavai: ")
            )
        case .empty:
            return .badInput("\(path): has no event with a time; write one as a VEVENT")
        case .tooManySteps(let line):
            return .badInput(
                at(line, "the events up to here recur too often to be followed; leave some out")
            )
        case .tooMany(let date):
            return .badInput(
                "\(path): more than \(CalendarDay.entriesLimit) events are on \(date.iso8601); "
                    + "leave some out"
            )
        case .tooLong(let line):
            return .badInput(
                at(
                    line,
                    "the task needs more time than it has from DTSTART to DUE, or than its "
                        + "ESTIMATED-DURATION; correct one of them"
                )
            )
        }
    }

    /// The error for a day that is not planned at all.
    func failure(_ failure: DayPlanningFailure, of day: DayInput) -> CommandFailure {
        switch failure {
        case .noBase:
            return .badInput(
                "--modes: an own bike or car stands where the day begins; say where with --base"
            )
        case .unsolvable(.tooManyPieces(let count)):
            return .badInput(
                "\(path): \(count) events and tasks are on \(day.date.iso8601), more than can be "
                    + "planned together; leave some out"
            )
        case .unsolvable(let failure):
            return .badInput("\(path): the day cannot be planned: \(failure)")
        }
    }

    /// The error for a day that cannot be kept, with the repairs.
    func failure(of plan: PlannedDay) -> CommandFailure {
        let repairs = plan.repairs.prefix(Self.repairsLimit).map { repair in
            let walking = repair.dropsWalkLimits ? ["walk further than the limits"] : []
            return (walking + repair.changes.map { text(of: $0, plan.input) })
                .joined(separator: " and ")
        }
        let advice =
            repairs.isEmpty
            ? "it takes more changes than are searched for" : repairs.joined(separator: ", or ")
        return .noAnswer(
            plain("\(path): no plan keeps all of \(plan.input.date.iso8601): \(advice)")
        )
    }

    /// Why a day cannot be as it is.
    func line(of conflict: DayConflict, in day: DayInput) -> String {
        switch conflict {
        case .overlap(let first, let second):
            return at(
                day.tasks[second].line,
                "\(title(second, day)) begins at \(zone.clock(day.tasks[second].start)), before "
                    + "\(title(first, day)) ends at \(zone.clock(day.tasks[first].end))"
            )
        case .unreachable(.here, let to, let reason), .unreachable(.vehicle, let to, let reason):
            return at(
                day.tasks[to].line,
                "\(title(to, day)) cannot be reached in time\(text(of: reason))"
            )
        case .unreachable(.base, let to, let reason):
            return at(
                day.tasks[to].line,
                "there is no way from the base to \(title(to, day))\(text(of: reason))"
            )
        case .unreachable(.task(let from), let to, let reason):
            return at(
                day.tasks[to].line,
                "\(title(to, day)) at \(zone.clock(day.tasks[to].start)) cannot be reached in time "
                    + "from \(title(from, day)), which ends at \(zone.clock(day.tasks[from].end))"
                    + text(of: reason)
            )
        case .noReturn(let from, let reason):
            return at(
                day.tasks[from].line,
                "there is no way from \(title(from, day)) back to the base\(text(of: reason))"
            )
        case .noRoom(let task):
            return at(day.tasks[task].line, noRoom(for: day.tasks[task]))
        }
    }

    private func noRoom(for task: CalendarTask) -> String {
        let span = "from \(zone.clock(task.start)) to \(zone.clock(task.end))"
        guard task.isClosed, let place = task.places.first?.place else {
            return "there is no time for \(quoted(task.title)) \(span) besides all else"
        }
        let subject =
            task.knownPlaces > 1
            ? "every \(quoted(task.location ?? task.title)) that is known" : place.name
        return "\(subject) is closed \(span), or not open for long enough"
    }

    private func text(of reason: TripFailure?) -> String {
        switch reason {
        case .outside(let name): ": \(name) lies off the city's streets"
        case .outsideTimetable(let first, let last):
            ": " + FailureText.timetables(from: first, to: last)
        case .tooFar: ": it would take more than a day"
        case .disrupted(let disruptions):
            ": " + disruptions.map { $0.text(in: zone) }.joined(separator: "; ")
        case .betweenCities, .noWay, .excluded, .busy, .deadline, .cancelled, nil: ""
        }
    }

    private func text(of change: CalendarChange, _ day: DayInput) -> String {
        let title = title(change.task, day)
        return switch change.kind {
        case .postpone(let minutes): "postpone \(title) by \(minutes) min"
        case .shorten(let minutes): "end \(title) \(minutes) min sooner"
        case .delay(let minutes): "begin \(title) \(minutes) min later"
        case .anyMeans: "travel to \(title) by any means"
        case .drop: "drop \(title)"
        case .move(let minutes): "move \(title) to another day, \(minutes) min later"
        }
    }

    // MARK: Words

    /// The formatter of a journey.
    func trip(_ journey: DayJourney, _ day: PlannedDay) -> TripText {
        let unknown = ResolvedPlace(name: "", kind: .coordinate, coordinate: nil)
        let question = TripQuestion(
            from: day.place(of: journey.from) ?? unknown,
            to: day.place(of: journey.to) ?? unknown,
            time: journey.trip.departure
        )
        return TripText(TripAnswer(question: question, options: [journey.trip]), zone: zone)
    }

    private func title(_ task: Int, _ day: DayInput) -> String {
        quoted(day.tasks[task].title)
    }

    /// A text of the calendar in quotation marks, shortened if it is long.
    func quoted(_ text: String) -> String {
        let isLong = text.count > Self.titleLimit
        return "\"\(text.prefix(Self.titleLimit))\(isLong ? "…" : "")\""
    }
}

extension CalendarTask {
    fileprivate var start: Instant { timing.window.lowerBound }
    fileprivate var end: Instant { timing.window.upperBound }
}

extension Unicode.Scalar.Properties {
    /// Whether it is a visible character: neither a control character, nor one that changes the
    /// direction of the text, nor a line break.
    fileprivate var isPrintable: Bool {
        switch generalCategory {
        case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}
