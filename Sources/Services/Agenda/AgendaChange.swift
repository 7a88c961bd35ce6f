package import OpenData

/// What became of entries that were added to a calendar.
package struct AgendaMerge: Sendable, Hashable {
    /// The numbers of the entries, in the order in which they were given.
    package var numbers: [EntryNumber] = []
    /// How many of them took the place of entries with the same identifiers.
    package var replacedCount = 0
    /// How many of them are new.
    package var addedCount: Int { numbers.count - replacedCount }

    /// Starts without entries.
    init() {}
}

/// What becomes of an entry.
package struct AgendaChange: Sendable {
    /// The entry as it was read.
    package let entry: AgendaEntry
    /// What takes its place, with the same identifier; nil if it is deleted.
    package let calendar: ICalendar?

    /// A change of an entry.
    package init(_ entry: AgendaEntry, to calendar: ICalendar?) {
        self.entry = entry
        self.calendar = calendar
    }
}

/// Why a calendar cannot be read or changed.
package enum AgendaFailure: Error, Sendable, Hashable {
    /// The person has no entry with that number.
    case noSuchEntry
    /// The entry was changed since it was read.
    case changedMeanwhile
    /// The calendar has as many entries as it may have.
    case tooManyEntries(limit: Int)
    /// The entry has more than ``AgendaEntry/bytesLimit``.
    case tooLarge
    /// The entry cannot be read.
    case unreadable(ICalendarFailure)
    /// The calendar has no entry or several.
    case notOneEntry
}
