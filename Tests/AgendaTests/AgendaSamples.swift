import Chronology
import Foundation
import Geo
import OpenData
import Testing

@testable import Agenda

/// The clocks, times and calendars of the tests.
enum Sample {
    /// The city's zone.
    static let rome = zone("Europe/Rome")
    /// When the tests write.
    static let now = Instant(seconds: 1_780_000_000)

    /// A zone of the IANA database.
    static func zone(_ name: String) -> NamedZone {
        NamedZone(name, ZoneDirectory.system.table(name) ?? .utc)
    }

    /// A reading of clocks, such as `2026-12-01T09:00`.
    static func time(_ text: String) -> LocalTime {
        LocalTime(iso8601: text) ?? LocalTime(wallSeconds: 0)
    }

    /// A day, such as `2026-12-01`.
    static func day(_ text: String) -> CivilDate { time("\(text)T00:00").date }

    /// From a time until another of the city's clocks.
    static func fixed(_ start: String, _ end: String) -> EntryTiming {
        .fixed(start: time(start), end: time(end))
    }

    /// The span between two times of the city's clocks.
    static func span(_ start: String, _ end: String) -> Range<Instant> {
        time(start).instant(in: rome.table)..<time(end).instant(in: rome.table)
    }

    /// Lines as a file has them.
    static func file(_ text: String) -> [UInt8] {
        Array(text.split(separator: "\n").map { $0 + "\r\n" }.joined().utf8)
    }

    /// A calendar with these lines.
    static func calendar(_ text: String) throws -> ICalendar {
        try ICalendar(file("BEGIN:VCALENDAR\nVERSION:2.0\n\(text)\nEND:VCALENDAR"))
    }

    /// An entry of one event with these lines.
    static func entry(_ lines: String...) throws -> AgendaEntry {
        let text = lines.joined(separator: "\n")
        return try entry(text: "BEGIN:VEVENT\nUID:1\n\(text)\nEND:VEVENT")
    }

    /// An entry with these components.
    static func entry(text: String) throws -> AgendaEntry { entry(try calendar(text)) }

    /// An entry of a calendar.
    static func entry(_ calendar: ICalendar) -> AgendaEntry {
        AgendaEntry(number: EntryNumber(rawValue: 1), revision: 1, calendar: calendar)
    }

    /// The entry as it is read again after it was written.
    static func stored(_ calendar: ICalendar) throws -> AgendaEntry {
        entry(try ICalendar(calendar.bytes))
    }
}

extension ICalendar {
    /// The lines of the file.
    var lines: [String] {
        String(decoding: bytes, as: UTF8.self).split(separator: "\r\n").map(String.init)
    }
}

extension AgendaEntry {
    /// Its occurrences within a span, the whole of 2026 and 2027 by default.
    func occurrences(
        in span: Range<Instant> = Sample.span("2026-01-01T00:00", "2028-01-01T00:00")
    ) -> [AgendaOccurrence] {
        AgendaExcerpt(version: 1, entries: [self]).occurrences(in: span, zone: Sample.rome)
    }

    /// Its occurrences, each as its start on the city's clocks and its title.
    var times: [String] {
        occurrences().map { occurrence in
            let start = LocalTime(occurrence.span.lowerBound, in: Sample.rome.table).iso8601
            return "\(start.dropLast(3)) \(occurrence.item.summary ?? "")"
        }
    }

    /// The occurrence that begins at a time of the city's clocks.
    func id(at start: String) throws -> OccurrenceID {
        let instant = Sample.time(start).instant(in: Sample.rome.table)
        return try #require(occurrences().first { $0.span.lowerBound == instant }).id
    }

    /// The entry with another title.
    func retitled(_ title: String) throws -> AgendaEntry {
        var details = try #require(self.details(of: nil, zone: Sample.rome))
        details.title = title
        return try Sample.stored(changed(to: details, zone: Sample.rome, at: Sample.now))
    }

    /// The entry after a change of what the form asks about all its occurrences.
    func changing(_ change: (inout EntryDetails) -> Void) throws -> AgendaEntry {
        var details = try #require(self.details(of: nil, zone: Sample.rome))
        change(&details)
        return try Sample.stored(changed(to: details, zone: Sample.rome, at: Sample.now))
    }

    /// The entry after a change of one of its occurrences.
    func changing(
        _ id: OccurrenceID,
        _ change: (inout EntryDetails) -> Void
    ) throws -> AgendaEntry {
        var details = try #require(self.details(of: id, zone: Sample.rome))
        change(&details)
        let calendar = try #require(changed(id, to: details, zone: Sample.rome, at: Sample.now))
        return try Sample.stored(calendar)
    }

    /// The entry without one of its occurrences.
    func without(_ id: OccurrenceID) throws -> AgendaEntry {
        try Sample.stored(try #require(removing(id, zone: Sample.rome, at: Sample.now)))
    }
}
