package import Chronology

/// A time zone with the name that calendars give it.
package struct NamedZone: Sendable, Equatable {
    /// Its IANA name, such as `Europe/Rome`.
    package let name: String
    /// The offsets of its clocks from UTC, and when they change.
    package let table: ZoneTable

    /// Creates a zone with a name and the table of its clocks.
    package init(_ name: String, _ table: ZoneTable) {
        self.name = name
        self.table = table
    }

    /// The zones that a calendar may name; this one is not looked up again.
    package func zones(of calendar: ICalendar) -> ICalendarZones {
        ICalendarZones(calendar) { [self] name in
            name == self.name ? table : ZoneDirectory.system.table(name)
        }
    }
}
