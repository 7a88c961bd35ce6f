import Agenda
import Chronology
import Geo
import TaxiPages
import WebCore

/// What a program says about an entry, beside what the entry said before.
///
/// A field that is not sent stays as it was; an empty one is removed.
struct EventInput {
    let call: Call
    let zone: ZoneTable
    /// What the entry said before; nil for a new one.
    let former: EntryDetails?
    /// The templates of the person.
    let templates: [EntryTemplate]

    /// The details, if the form of the calendar would accept them.
    ///
    /// - Throws: ``ProgramRefusal`` with the fields that are wrong.
    func details() throws(ProgramRefusal) -> EntryDetails {
        let timing = try timing()
        var details = former ?? EntryDetails(title: "", timing: timing)
        details.timing = timing
        readPiece(into: &details)
        if let title = sent("title") { details.title = title }
        if let notes = sent("notes") { details.notes = notes }
        try readTemplate(into: &details)
        try readRepetition(into: &details)
        try readPlace(into: &details)
        readWishes(into: &details)
        let now = LocalTime(Instant(call.now), in: zone)
        let wrong = details.flaws(at: mayBePast(timing) ? nil : now, since: former)
        guard wrong.isEmpty else { throw .fields(wrong.map { $0.refusal(timing) }) }
        return details
    }

    /// A field as it was sent; nil if it was not, and empty if it is removed.
    private func sent(_ name: String) -> String? { call.context.form[name] }

    /// Whether an entry may begin in the past: a series that began long ago may get other hours.
    private func mayBePast(_ timing: EntryTiming) -> Bool {
        guard let former, former.repetition.frequency != .never else { return false }
        return timing.start?.date == former.timing.start?.date
    }

    // MARK: Its time

    private func timing() throws(ProgramRefusal) -> EntryTiming {
        if let former, EventFields.ofTime.allSatisfy({ sent($0) == nil }) { return former.timing }
        let usual = former?.timing.word ?? .fixed
        let word = call["timing"].flatMap(EventFields.Timing.init) ?? usual
        let unused: [String] =
            switch word {
            case .fixed: ["end_date", "end_time", "least_minutes", "piece_minutes"]
            case .flexible: []
            case .someday: EventFields.ofTime.filter { $0 != "timing" }
            }
        let wrong = unused.filter { call[$0] != nil }
        guard wrong.isEmpty else {
            throw .fields(
                wrong.map { .init($0, "not-used", "An entry with this timing has none.") }
            )
        }
        guard word != .someday else { return .someday }
        let date = call.day("date") ?? former?.timing.start?.date
        let second =
            call["time"].flatMap { WrittenReading.second($0) } ?? former?.timing.start?.second
        let minutes = call.number("minutes") ?? usualMinutes
        let missing = [("date", date == nil), ("time", second == nil), ("minutes", minutes == nil)]
            .filter(\.1)
        guard let date, let second, let minutes else {
            throw .fields(missing.map { .init($0.0, "missing", "It is required.") })
        }
        let start = LocalTime(date: date, second: second)
        guard word == .flexible else { return try fixed(from: start, minutes: minutes) }
        return .flexible(
            from: start,
            until: try windowEnd(from: start),
            minutes: minutes,
            leastMinutes: least(of: minutes)
        )
    }

    /// How many minutes the entry took before; nil for a new one.
    private var usualMinutes: Int64? {
        switch former?.timing {
        case .fixed(let start, let end)?:
            (end.instant(in: zone).seconds - start.instant(in: zone).seconds) / 60
        case .flexible(_, _, let minutes, _)?: minutes
        case .someday?, nil: nil
        }
    }

    private func fixed(
        from start: LocalTime,
        minutes: Int64
    ) throws(ProgramRefusal) -> EntryTiming {
        switch ClockReading(start, in: zone) {
        case .once(let instant), .twice(let instant, _):
            let end = instant.adding(seconds: minutes * 60)
            return .fixed(start: start, end: LocalTime(end, in: zone))
        case .skipped:
            throw .field("time", "skipped", "The clocks go forward: there is no such time.")
        }
    }

    /// When a window ends; one that is moved keeps its length.
    private func windowEnd(from start: LocalTime) throws(ProgramRefusal) -> LocalTime {
        if let time = call["end_time"].flatMap({ WrittenReading.second($0) }) {
            return LocalTime(date: call.day("end_date") ?? start.date, second: time)
        }
        guard case .flexible(let from, let until, _, _)? = former?.timing else {
            throw .field("end_time", "missing", "A flexible task has a window.")
        }
        if let day = call.day("end_date") { return LocalTime(date: day, second: until.second) }
        return LocalTime(wallSeconds: start.wallSeconds + until.wallSeconds - from.wallSeconds)
    }

    /// How few minutes a flexible task may take.
    private func least(of minutes: Int64) -> Int64 {
        if let least = call.number("least_minutes") { return least }
        guard sent("least_minutes") == nil,
            case .flexible(_, _, let before, let least)? = former?.timing, least < before
        else { return minutes }
        return min(least, minutes)
    }

    /// How short a piece of it may be; only a flexible task has pieces.
    private func readPiece(into details: inout EntryDetails) {
        if !details.timing.isFlexible { details.pieceMinutes = nil }
        if sent("piece_minutes") != nil { details.pieceMinutes = call.number("piece_minutes") }
    }

    // MARK: The rest

    private func readTemplate(into details: inout EntryDetails) throws(ProgramRefusal) {
        guard let name = sent("template") else { return }
        guard !name.isEmpty else {
            details.template = nil
            return
        }
        guard let template = templates.first(where: { $0.name == name }) else {
            // The entry may follow one that its owner has deleted.
            if details.template == name { return }
            throw .field("template", "unknown", "The person has no such template.")
        }
        details.take(template)
    }

    private func readRepetition(into details: inout EntryDetails) throws(ProgramRefusal) {
        if let text = sent("repeat") {
            details.repetition.frequency = EntryRepetition.Frequency(rawValue: text) ?? .never
        }
        try readTimes(into: &details)
        try readWeekdays(into: &details)
        let hasRule = ![.never, .other].contains(details.repetition.frequency)
        if details.timing == .someday {
            guard call["repeat"] == nil || details.repetition.frequency == .never else {
                throw .field("repeat", "not-used", "A task without a date is not repeated.")
            }
            details.repetition = EntryRepetition()
        }
        if details.repetition.frequency == .never { details.repetition.until = nil }
        guard let text = sent("repeat_until") else { return }
        guard text.isEmpty || hasRule && details.timing != .someday else {
            throw .field("repeat_until", "not-used", "It has no such repetition.")
        }
        if hasRule { details.repetition.until = CivilDate(iso8601: text) }
    }

    /// How many times a week it is.
    private func readTimes(into details: inout EntryDetails) throws(ProgramRefusal) {
        guard details.repetition.frequency == .timesAWeek else {
            details.repetition.times = 0
            if former?.repetition.frequency == .timesAWeek { details.repetition.weekdays = [] }
            guard call["times"] == nil else {
                throw .field("times", "not-used", "It has no such repetition.")
            }
            return
        }
        guard let times = call.number("times") ?? usualTimes else {
            throw .field("times", "missing", "It is required.")
        }
        details.repetition.times = Int(times)
    }

    /// On which days of the week it is, of an entry that is each week.
    private func readWeekdays(into details: inout EntryDetails) throws(ProgramRefusal) {
        guard details.repetition.frequency == .weekly else {
            if details.repetition.frequency != .timesAWeek { details.repetition.weekdays = [] }
            guard call.all("weekdays").isEmpty else {
                throw .field("weekdays", "not-used", "It has no such repetition.")
            }
            return
        }
        if sent("weekdays") != nil {
            let days = call.all("weekdays").compactMap(EntryRepetition.weekday(named:))
            details.repetition.weekdays = Set(days)
        }
        if let start = details.timing.start {
            details.repetition.simplify(startingOn: start.date.weekday)
        }
    }

    /// How many times a week it was before; nil if it was not.
    private var usualTimes: Int64? {
        guard let former, former.repetition.frequency == .timesAWeek else { return nil }
        return Int64(former.repetition.times)
    }

    /// A new name is that of another place, whose position is sent with it.
    private func readPlace(into details: inout EntryDetails) throws(ProgramRefusal) {
        let hasPosition = call["latitude"] != nil || call["longitude"] != nil
        let position = hasPosition ? try call.coordinate() : nil
        guard sent("place") != nil || hasPosition || sent("latitude") != nil else { return }
        let name = sent("place") ?? details.place?.name ?? ""
        details.place = name.isEmpty && position == nil ? nil : EntryPlace(name, at: position)
    }

    private func readWishes(into details: inout EntryDetails) {
        if let text = sent("exclusivity") {
            details.exclusivity = EntryExclusivity(rawValue: text) ?? .exclusive
        }
        if let text = sent("lead_minutes") { details.leadMinutes = Int64(text) ?? 0 }
        if let text = sent("category") {
            details.category = EntryCategory(rawValue: text) ?? .other
        }
        if let text = sent("is_work") { details.isWork = text.isEmpty ? nil : text == "true" }
        if sent("means") != nil {
            let means = Set(call.all("means").compactMap(TravelMeans.init(rawValue:)))
            details.means = means.isEmpty ? nil : means
        }
        if let text = sent("aim") { details.aim = TravelAim(rawValue: text) }
        if let text = sent("no_wet") { details.avoidsRain = text == "true" }
        if let text = sent("has_notices") { details.hasNotices = text != "false" }
    }
}

extension EntryFlaw {
    /// The field that is wrong, and why.
    fileprivate func refusal(_ timing: EntryTiming) -> ProgramRefusal.Field {
        let end = timing.isFixed ? "minutes" : "end_time"
        return switch self {
        case .noTitle: .init("title", "missing", "It has no letter.")
        case .titleTooLong: .init("title", "malformed", "It is one line.")
        case .notesTooLong: .init("notes", "too-long", "It is too long.")
        case .placeTooLong: .init("place", "malformed", "It is one line.")
        case .past: .init("time", "past", "It is past: an event begins later than now.")
        case .endsBeforeStart, .tooLong:
            .init(end, "out-of-range", "It lasts at least a minute and at most a week.")
        case .longerThanWindow:
            .init("minutes", "out-of-range", "It takes longer than its window lasts.")
        case .leastTooLong:
            .init("least_minutes", "out-of-range", "It is more than `minutes`.")
        case .timesNeedWindow:
            .init("repeat", "refused", "Days are chosen for flexible tasks only.")
        case .timesOutOfRange: .init("times", "out-of-range", "It is 1 to 7.")
        case .pieceTooLong:
            .init("piece_minutes", "out-of-range", "It is more than `least_minutes`.")
        case .overlapsItself: .init("repeat", "refused", "It would begin again before it ends.")
        case .endsBeforeFirst:
            .init("repeat_until", "out-of-range", "It is before the first day.")
        case .leadTooLong: .init("lead_minutes", "out-of-range", "It is at most half a day.")
        case .noMeans: .init("means", "missing", "None of the means may be used.")
        case .flexibleOverlap:
            .init("exclusivity", "refused", "A flexible task is exclusive.")
        }
    }
}
