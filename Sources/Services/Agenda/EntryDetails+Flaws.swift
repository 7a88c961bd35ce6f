package import Chronology

/// What is wrong with one of the answers about an entry (V30).
package enum EntryFlaw: Error, Sendable, Hashable {
    /// The title is empty, or of blanks only.
    case noTitle
    /// The title has several lines or too many characters.
    case titleTooLong
    /// The notes have too many characters.
    case notesTooLong
    /// The description of its place has too many characters or several lines.
    case placeTooLong
    /// It would have begun already (V20).
    case past
    /// It ends before it begins, or at the same time.
    case endsBeforeStart
    /// It takes longer than the window in which it is to be done.
    case longerThanWindow
    /// The least time that it takes is more than it usually takes, or none.
    case leastTooLong
    /// It lasts longer than is planned: a week.
    case tooLong
    /// It is repeated before its first time has ended, so that two of its times overlap.
    case overlapsItself
    /// The last day of its repetition is before its first.
    case endsBeforeFirst
    /// It is to be done so many times a week, but has no window from which a time can be chosen.
    case timesNeedWindow
    /// It is to be done less than once a week, or more often than there are days.
    case timesOutOfRange
    /// A piece of it would take no time, or longer than the whole may take.
    case pieceTooLong
    /// The lead is negative or longer than half a day.
    case leadTooLong
    /// None of the means of travel may be used.
    case noMeans
    /// Its owner chooses when it is, and it may be at the same time as anything: one excludes the
    /// other.
    case flexibleOverlap
}

extension EntryDetails {
    /// The longest time that an entry lasts, in seconds: a week, the longest day that is planned.
    private static let longest: Int64 = 604_800

    /// What is wrong with the details, in the order of the form; empty if nothing is.
    ///
    /// - Parameters:
    ///   - now: the current time on the city's clocks, before which nothing may begin; nil for an
    ///     entry that may be in the past.
    ///   - former: what the entry said before; a time that stays may be as another program wrote
    ///     it.
    /// - Returns: the flaws, each once.
    package func flaws(at now: LocalTime?, since former: EntryDetails? = nil) -> [EntryFlaw] {
        var flaws: [EntryFlaw] = []
        func check(_ isFlawed: Bool, _ flaw: EntryFlaw) {
            if isFlawed { flaws.append(flaw) }
        }
        // Control characters are not stored.
        check(title.allSatisfy { $0.isWhitespace || $0.isControl }, .noTitle)
        check(title.count > Self.titleLimit || title.contains(where: \.isNewline), .titleTooLong)
        check(notes.count > Self.notesLimit, .notesTooLong)
        let name = place?.name ?? ""
        check(name.count > Self.placeLimit || name.contains(where: \.isNewline), .placeTooLong)
        if former?.timing != timing { flaws += timingFlaws(at: now) }
        if let pieceMinutes, case .flexible(_, _, let minutes, let least) = timing {
            check(pieceMinutes < 1 || pieceMinutes > min(minutes, least), .pieceTooLong)
        }
        flaws += repetitionFlaws
        check(!(0...Self.leadLimit).contains(leadMinutes), .leadTooLong)
        check(means?.isEmpty == true, .noMeans)
        if timing.isFlexible { check(exclusivity != .exclusive, .flexibleOverlap) }
        return flaws
    }

    private func timingFlaws(at now: LocalTime?) -> [EntryFlaw] {
        guard let start = timing.start, let end = timing.end else { return [] }
        guard start < end else { return [.endsBeforeStart] }
        var flaws: [EntryFlaw] = []
        let seconds = end.wallSeconds - start.wallSeconds
        if let now {
            // A task may be done in what is left of its window.
            let last = if case .flexible = timing { end } else { start }
            if last <= now { flaws.append(.past) }
        }
        if seconds > Self.longest { flaws.append(.tooLong) }
        if case .flexible(_, _, let minutes, let least) = timing {
            if least < 1 || least > minutes { flaws.append(.leastTooLong) }
            // Whole minutes, so that no product overflows.
            if minutes < 1 || minutes > seconds / 60 { flaws.append(.longerThanWindow) }
        }
        return flaws
    }

    private var repetitionFlaws: [EntryFlaw] {
        guard repetition.frequency != .never, let start = timing.start, let end = timing.end else {
            return []
        }
        var flaws: [EntryFlaw] = []
        if repetition.frequency == .timesAWeek {
            if !timing.isFlexible { flaws.append(.timesNeedWindow) }
            if !EntryRepetition.timesLimits.contains(repetition.times) {
                flaws.append(.timesOutOfRange)
            }
        }
        if let until = repetition.until, until < start.date { flaws.append(.endsBeforeFirst) }
        let seconds = end.wallSeconds - start.wallSeconds
        if let period = repetition.leastSeconds, seconds > period {
            flaws.append(.overlapsItself)
        }
        return flaws
    }
}

extension Character {
    fileprivate var isControl: Bool {
        unicodeScalars.allSatisfy { $0.value < 0x20 || $0.value == 0x7F }
    }
}

extension EntryRepetition {
    /// The least time between two starts, in seconds; nil if unknown or if there is one only.
    fileprivate var leastSeconds: Int64? {
        guard frequency == .weekly, weekdays.count > 1 else { return frequency.leastSeconds }
        let days = weekdays.sorted()
        let gaps = zip(days, days.dropFirst() + [(days.first ?? 0) + 7]).map { $1 - $0 }
        return gaps.min().map { Int64($0) * 86_400 }
    }
}

extension EntryRepetition.Frequency {
    /// The least time between two starts, in seconds; nil if unknown or if there is one only.
    fileprivate var leastSeconds: Int64? {
        switch self {
        case .never, .other: nil
        case .daily, .workdays, .timesAWeek: 86_400
        case .weekly: 7 * 86_400
        case .fortnightly: 14 * 86_400
        case .monthly: 28 * 86_400
        case .yearly: 365 * 86_400
        }
    }
}
