import Agenda
import Chronology
import Encoding
import Geo
import Localization
import OpenData
import TaxiPages
import WebCore

/// What is typed in the form of an entry, and what is wrong with it.
struct EntryForm {
    /// The ways of saying when an entry is.
    enum Timing: String, CaseIterable {
        case fixed, flexible, someday
    }

    var title = ""
    var place = PlaceInput()
    var timing = Timing.fixed
    var day = ""
    var start = ""
    var end = ""
    var lastDay = ""
    var minutes = "60"
    var least = ""
    /// How short a piece may be, in minutes; empty for a task in one piece.
    var piece = ""
    var frequency = EntryRepetition.Frequency.never
    /// How many times a week it is.
    var times = ""
    /// The days that were chosen for a task that is so many times a week; empty until they are.
    var chosenDays: Set<Int32> = []
    /// The days of the week of an entry that is each week; empty for that of its start.
    var days: Set<Int32> = []
    var until = ""
    var exclusivity = EntryExclusivity.exclusive
    var lead = ""
    var category = EntryCategory.other
    var isWork: Bool?
    var means: Set<TravelMeans> = []
    /// What counts most on the way; nil for nothing in particular.
    var aim: TravelAim?
    var avoidsRain = false
    /// The name of the template; empty without one.
    var template = ""
    var hasNotices = true
    var notes = ""
    /// Whether few means of travel go to the place.
    var isPartlyCovered = false
    /// The templates to choose from.
    var templates: [EntryTemplate] = []
    /// What is wrong, by the name of the field.
    var problems: [String: Text] = [:]

    /// An empty form for a day: from the next full hour on.
    init(day: CivilDate, hour: Int32) {
        self.day = day.iso8601
        let first = min(max(hour, 0), 22)
        start = LocalTime(date: day, second: first * 3_600).clockTime()
        end = LocalTime(date: day, second: (first + 1) * 3_600).clockTime()
    }

    /// The form of an entry.
    init(_ details: EntryDetails) {
        title = details.title
        if let known = details.place {
            // A place without a name is written as its position.
            let position = known.position.map { "\($0.latitudeDegrees), \($0.longitudeDegrees)" }
            let text = known.name.isEmpty ? position ?? "" : known.name
            place = PlaceInput(text: text, found: known.position.map { (text, $0) })
        }
        day = details.timing.start?.date.iso8601 ?? ""
        start = details.timing.start?.clockTime() ?? ""
        end = details.timing.end?.clockTime() ?? ""
        if let last = details.timing.end?.date, last != details.timing.start?.date {
            lastDay = last.iso8601
        }
        switch details.timing {
        case .fixed: timing = .fixed
        case .flexible(_, _, let minutes, let least):
            timing = .flexible
            self.minutes = "\(minutes)"
            self.least = least == minutes ? "" : "\(least)"
        case .someday: timing = .someday
        }
        piece = details.pieceMinutes.map { "\($0)" } ?? ""
        frequency = details.repetition.frequency
        times = frequency == .timesAWeek ? "\(details.repetition.times)" : ""
        if frequency == .weekly {
            days = details.repetition.weekdays
        } else {
            chosenDays = details.repetition.weekdays
        }
        until = details.repetition.until?.iso8601 ?? ""
        exclusivity = details.exclusivity
        lead = details.leadMinutes == 0 ? "" : "\(details.leadMinutes)"
        category = details.category
        isWork = details.isWork
        means = details.means ?? []
        template = details.template ?? ""
        hasNotices = details.hasNotices
        aim = details.aim
        avoidsRain = details.avoidsRain
        notes = details.notes
    }

    /// The form as it was sent.
    init(_ form: Form) {
        func typed(_ name: String) -> String { (form[name] ?? "").trimmingBlanks() }
        title = typed("title")
        place = PlaceInput(form)
        timing = Timing(rawValue: typed("timing")) ?? .fixed
        day = typed("day")
        start = typed("start")
        end = typed("end")
        lastDay = typed("last")
        minutes = typed("minutes")
        least = typed("least")
        piece = typed("piece")
        times = typed("times")
        days = Set(form.all("days").compactMap(EntryRepetition.weekday(named:)))
        frequency = EntryRepetition.Frequency(rawValue: typed("repeat")) ?? .never
        // Who chooses days means each week.
        if frequency == .never, !days.isEmpty { frequency = .weekly }
        until = typed("until")
        exclusivity = EntryExclusivity(rawValue: typed("overlapping")) ?? .exclusive
        lead = typed("lead")
        category = EntryCategory(rawValue: typed("category")) ?? .other
        isWork = Belonging(rawValue: typed("belongs"))?.isWork
        means = Set(form.all("means").compactMap(TravelMeans.init(rawValue:)))
        template = form["template"] ?? ""
        hasNotices = form["notices"] != "off"
        aim = TravelAim(rawValue: typed("aim"))
        avoidsRain = form.all("rain").contains("dry")
        notes = (form["notes"] ?? "").replacing("\r\n", with: "\n").trimmingBlanks()
    }

    /// Takes over a template that was chosen after the entry was written.
    mutating func take(_ template: EntryTemplate) {
        self.template = template.name
        means = template.means ?? []
        lead = template.leadMinutes == 0 ? "" : "\(template.leadMinutes)"
        category = template.category
        isWork = template.isWork
    }

    // MARK: Reading

    /// The details that the form states; what is wrong goes to ``problems``.
    ///
    /// - Parameters:
    ///   - now: the current time on the city's clocks; nil if the entry may be in the past.
    ///   - former: what the entry said before; nil for a new one.
    ///   - find: finds the place.
    /// - Returns: the details; nil if something is wrong.
    mutating func details(
        at now: LocalTime?,
        since former: EntryDetails?,
        finding find: (inout EntryForm) -> EntryPlace?
    ) -> EntryDetails? {
        let timing = readTiming()
        let place = find(&self)
        var details = EntryDetails(title: title, timing: timing ?? .someday)
        details.place = place
        details.notes = notes
        details.repetition.frequency = timing == .someday ? .never : frequency
        if details.repetition.frequency == .timesAWeek {
            // What is no number is no number of times that a week has.
            details.repetition.times = Int(times) ?? 0
        }
        if details.repetition.frequency == .weekly, let start = details.timing.start {
            details.repetition.weekdays = days
            details.repetition.simplify(startingOn: start.date.weekday)
        }
        if !piece.isEmpty, details.timing.isFlexible {
            details.pieceMinutes = number(piece, "piece")
        }
        if !until.isEmpty, details.repetition.frequency != .never {
            details.repetition.until = date(until, "until")
        }
        details.exclusivity = exclusivity
        details.leadMinutes = lead.isEmpty ? 0 : number(lead, "lead") ?? 0
        details.category = category
        details.isWork = isWork
        details.means = means.isEmpty ? nil : means
        details.template = template.isEmpty ? nil : template
        details.hasNotices = hasNotices
        details.aim = aim
        details.avoidsRain = avoidsRain
        note(details.flaws(at: now, since: former))
        return problems.isEmpty ? details : nil
    }

    /// Writes flaws beside their fields.
    mutating func note(_ flaws: [EntryFlaw]) {
        for flaw in flaws {
            let (field, text) = Self.words(flaw)
            problems[field] = problems[field] ?? text
        }
    }

    private mutating func readTiming() -> EntryTiming? {
        guard timing != .someday else { return .someday }
        let first = date(day, "day")
        let last = lastDay.isEmpty ? first : date(lastDay, "last")
        let from = second(start, "start")
        let to = second(end, "end")
        let length = timing == .flexible ? number(minutes, "minutes") : 0
        let shortest = timing == .flexible && !least.isEmpty ? number(least, "least") : length
        guard let first, let last, let from, let to, let length, let shortest else { return nil }
        let begin = LocalTime(date: first, second: from)
        let finish = LocalTime(date: last, second: to)
        return timing == .fixed
            ? .fixed(start: begin, end: finish)
            : .flexible(from: begin, until: finish, minutes: length, leastMinutes: shortest)
    }

    private mutating func date(_ text: String, _ field: String) -> CivilDate? {
        if let date = WrittenReading.day(text), CalendarPages.years.contains(date.numbers.year) {
            return date
        }
        problems[field] = EntryTexts.badDate
        return nil
    }

    private mutating func second(_ text: String, _ field: String) -> Int32? {
        if let second = WrittenReading.second(text) { return second }
        problems[field] = EntryTexts.badTime
        return nil
    }

    private mutating func number(_ text: String, _ field: String) -> Int64? {
        if text.count <= 6, let number = Int64(text) { return number }
        problems[field] = EntryTexts.badNumber
        return nil
    }

    /// A flaw in words, and the field beside which it stands.
    private static func words(_ flaw: EntryFlaw) -> (field: String, text: Text) {
        switch flaw {
        case .noTitle: ("title", EntryTexts.noTitle)
        case .titleTooLong: ("title", EntryTexts.titleTooLong)
        case .notesTooLong: ("notes", EntryTexts.notesTooLong)
        case .placeTooLong: ("place", EntryTexts.placeTooLong)
        case .past: ("start", EntryTexts.past)
        case .endsBeforeStart: ("end", EntryTexts.endsBeforeStart)
        case .longerThanWindow: ("minutes", EntryTexts.longerThanWindow)
        case .leastTooLong: ("least", EntryTexts.leastTooLong)
        case .tooLong: ("end", EntryTexts.tooLong)
        case .overlapsItself: ("repeat", EntryTexts.overlapsItself)
        case .endsBeforeFirst: ("until", EntryTexts.endsBeforeFirst)
        case .timesNeedWindow: ("repeat", EntryTexts.timesNeedWindow)
        case .timesOutOfRange: ("times", EntryTexts.timesOutOfRange)
        case .pieceTooLong: ("piece", EntryTexts.pieceTooLong)
        case .leadTooLong: ("lead", EntryTexts.leadTooLong)
        case .noMeans: ("means", TravelSettingsTexts.noMeans)
        case .flexibleOverlap: ("overlapping", EntryTexts.flexibleOverlap)
        }
    }
}
