package import Chronology

/// An event of a calendar, to be written as iCalendar.
package struct ICalendarEvent: Sendable, Equatable {
    /// What identifies the event in every calendar; the same event written again replaces it.
    package var identifier: String
    /// When it was written.
    package var written: Instant
    /// When it begins.
    package var start: Instant
    /// When it ends; not before ``start``.
    package var end: Instant
    /// What it is, in one line.
    package var summary: String
    /// Where it begins; nil where that is not said.
    package var location: String?
    /// The details, with `\n` between lines; nil without any.
    package var description: String?

    /// Creates an event.
    package init(
        identifier: String,
        written: Instant,
        start: Instant,
        end: Instant,
        summary: String,
        location: String? = nil,
        description: String? = nil
    ) {
        precondition(start <= end, "an event ends before it begins")
        self.identifier = identifier
        self.written = written
        self.start = start
        self.end = end
        self.summary = summary
        self.location = location
        self.description = description
    }
}

/// Writes events as an iCalendar file that calendars import (RFC 5545).
///
/// Times are written in UTC, so that no time zone has to be defined in the file.
package enum ICalendarWriter {
    /// The longest line in bytes, without its end (RFC 5545, 3.1).
    private static let lineLimit = 75

    /// The bytes of a calendar file.
    ///
    /// - Parameters:
    ///   - events: the events, in the order in which they are written.
    ///   - product: the program that wrote them, as in `-//Viavai//Trips//EN`.
    /// - Returns: the file, in UTF-8.
    package static func file(_ events: [ICalendarEvent], product: String) -> [UInt8] {
        var lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:\(escaped(product))"]
        for event in events {
            lines += [
                "BEGIN:VEVENT", "UID:\(escaped(event.identifier))",
                "DTSTAMP:\(time(event.written))", "DTSTART:\(time(event.start))",
                "DTEND:\(time(event.end))", "SUMMARY:\(escaped(event.summary))",
            ]
            if let location = event.location { lines.append("LOCATION:\(escaped(location))") }
            if let text = event.description { lines.append("DESCRIPTION:\(escaped(text))") }
            lines.append("END:VEVENT")
        }
        lines.append("END:VCALENDAR")
        return lines.flatMap { folded(Array($0.utf8)) + [0x0D, 0x0A] }
    }

    /// A moment as `20261127T074200Z` (RFC 5545, 3.3.5).
    private static func time(_ instant: Instant) -> String {
        let local = LocalTime(instant, in: .utc)
        let text = local.iso8601.filter { $0 != "-" && $0 != ":" }
        return "\(text)Z"
    }

    /// Text with its special characters escaped, and without other control characters
    /// (RFC 5545, 3.3.11).
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\", ";", ",": escaped += "\\\(scalar)"
            case "\n": escaped += "\\n"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F: break
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// A line, folded where it is too long; a character is never divided.
    private static func folded(_ line: [UInt8]) -> [UInt8] {
        var folded: [UInt8] = []
        var length = 0
        for (place, byte) in line.enumerated() {
            let isContinuation = byte & 0xC0 == 0x80
            if !isContinuation {
                let rest = line[(place + 1)...].prefix { $0 & 0xC0 == 0x80 }.count
                if length + 1 + rest > lineLimit {
                    folded += [0x0D, 0x0A, 0x20]
                    length = 1
                }
            }
            folded.append(byte)
            length += 1
        }
        return folded
    }
}
