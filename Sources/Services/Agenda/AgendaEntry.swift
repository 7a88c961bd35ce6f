import Chronology
package import OpenData

/// The number of an entry within its owner's calendar.
package struct EntryNumber: RawRepresentable, Hashable, Comparable, Sendable {
    /// The version of the calendar that the entry made; at least 1.
    package let rawValue: Int64

    /// The entry with a number.
    package init(rawValue: Int64) { self.rawValue = rawValue }

    /// Orders entries by the time at which they were added.
    package static func < (left: EntryNumber, right: EntryNumber) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// An event or a task of a calendar, with all its occurrences.
package struct AgendaEntry: Sendable, Hashable {
    /// The longest entry in bytes: a title, a page of notes, some hundred exceptions.
    package static let bytesLimit = 65_536

    /// Its number within its owner's calendar.
    package let number: EntryNumber
    /// The version of the calendar that its last change made.
    package let revision: Int64
    /// The entry: one `VCALENDAR` with the components of one identifier, and the time zones that
    /// they define.
    package let calendar: ICalendar

    /// Creates an entry.
    package init(number: EntryNumber, revision: Int64, calendar: ICalendar) {
        self.number = number
        self.revision = revision
        self.calendar = calendar
    }

    /// Whether it may have several occurrences: by a rule, by further dates or by changes.
    package var isRepeated: Bool {
        calendar.components("VEVENT").count + calendar.components("VTODO").count > 1
            || item.map { !$0.rules.isEmpty || $0.component.property("RDATE") != nil } ?? false
    }

    /// The recurring item, or the only one.
    package var item: ICalendarItem? {
        var zones = ICalendarZones(calendar)
        return calendar.series(&zones).series.first?.item
    }
}

/// The entries of a calendar that may take place within a span, at one version of the calendar.
package struct AgendaExcerpt: Sendable {
    /// The version of the calendar; 0 if nothing was ever written to it.
    package let version: Int64
    /// The entries, in the order of their numbers.
    package let entries: [AgendaEntry]

    /// Entries at a version of their calendar.
    package init(version: Int64, entries: [AgendaEntry]) {
        self.version = version
        self.entries = entries
    }

    /// The entry with an identifier; nil if it is not among these.
    package func entry(_ uid: String) -> AgendaEntry? {
        entries.first { $0.item?.uid == uid }
    }
}
